"""What names say: copies, staging leftovers, and names that only look like them."""

from __future__ import annotations

import pytest

from ckpt_tui.formats.shared.names import is_staging_name
from ckpt_tui.formats.shared.pointers import follows_series, is_alias_name


@pytest.mark.parametrize(
    "name",
    [
        "last.ckpt",
        "best_model.pt",
        "step-30-copy",
        "step-30 (copy)",
        "step-30.copy2",
        "backup_checkpoint-30",
        "ckpt_000300_corrupt.pt",
        "ckpt_000300.CORRUPTED",
        "step-30.bak",
        "old-step-30",
        "step-30_broken",
        "step-30.deleted",
        "trash_step-30",
    ],
)
def test_a_copy_is_told_by_its_name(name: str) -> None:
    assert is_alias_name(name)


@pytest.mark.parametrize(
    "name", ["step-30", "checkpoint-30", "threshold-30", "bold_step_3", "unbroken-3", "copying-3"]
)
def test_a_word_within_a_word_is_none(name: str) -> None:
    assert not is_alias_name(name)


def test_a_copy_does_not_follow_the_series() -> None:
    assert follows_series("last.ckpt")
    assert not follows_series("step-30-copy")


@pytest.mark.parametrize(
    "name", [".step-30", ".tmp_step-30", "step-30.tmp", "step-30.deleting", "tmp-checkpoint-30"]
)
def test_a_name_that_is_not_final(name: str) -> None:
    assert is_staging_name(name)


@pytest.mark.parametrize("name", ["step-30", "checkpoint-30.pt", "actor/model.pt", "template-3"])
def test_a_final_name(name: str) -> None:
    assert not is_staging_name(name)
