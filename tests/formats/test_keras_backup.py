"""The directory of Keras's `BackupAndRestore`: what the next `fit` would take from it.

Each expectation is what Keras 3.15 did with the same damage in a real run.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import pytest

from ckpt_tui.formats.keras.reader import KerasReader
from tests.faults.states import SAMPLES, finding, resume_name, run_of
from tests.formats.helpers import (
    claims,
    codes,
    copy_of,
    cut,
    judged,
    judged_run,
    read_directory,
    read_file,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

READER = KerasReader()
WEIGHTS, STATE, PREVIOUS = "latest.weights.h5", "training_metadata.json", ".bkp"


@pytest.fixture
def backup(tmp_path: Path) -> Path:
    return copy_of(SAMPLES / "keras" / "backup" / "backup", tmp_path / "backup")


def test_whole(backup: Path) -> None:
    checkpoint = judged(READER, backup)
    assert claims(READER, backup)
    assert (checkpoint.verdict, checkpoint.missing_roles) == ("inexact", ("rng",))
    assert (checkpoint.facts.step, checkpoint.facts.ordinal) == (4, 2)
    assert not checkpoint.facts.alias
    assert "training_metadata.json" in checkpoint.why


def test_whole_models_beside_it_demand_no_configuration(backup: Path, tmp_path: Path) -> None:
    """The callback goes on from weights; a configuration is never in them."""
    run = copy_of(SAMPLES / "keras" / "archive", tmp_path / "run")
    facts = [read_file(READER, path) for path in run.glob("*.keras")]
    verdicts = judged_run([*facts, read_directory(READER, backup)])
    assert all(one.facts.role("config") for one in verdicts.values() if one.facts.name != "backup")
    assert verdicts["backup"].verdict == "inexact"


class Damage(NamedTuple):
    """What is done to the directory, with and without the pair before, and what it is then.

    Attributes:
        with_pair: (verdict, step, epoch) where the pair before is there.
        alone: The verdict where it is not.
    """

    do: Callable[[Path], object]
    with_pair: tuple[str, int | None, int | None]
    alone: str


def shortened(name: str, size: int) -> Callable[[Path], object]:
    return lambda directory: cut(directory / name, size)


def without(name: str) -> Callable[[Path], object]:
    return lambda directory: (directory / name).unlink()


def text(content: str) -> Callable[[Path], object]:
    return lambda directory: (directory / STATE).write_text(content)


DAMAGES = {
    "empty weights": Damage(shortened(WEIGHTS, 0), ("inexact", 2, 1), "corrupt"),
    "cut weights": Damage(shortened(WEIGHTS, 5000), ("inexact", 2, 1), "corrupt"),
    "no weights": Damage(without(WEIGHTS), ("incomplete", None, 2), "incomplete"),
    "no state": Damage(without(STATE), ("incomplete", 4, None), "incomplete"),
    "empty state": Damage(shortened(STATE, 0), ("corrupt", 4, None), "corrupt"),
    "cut state": Damage(shortened(STATE, 9), ("corrupt", 4, None), "corrupt"),
    "no epoch": Damage(text("{}"), ("incomplete", 4, None), "incomplete"),
    "no object": Damage(text("[1]"), ("incomplete", 4, None), "incomplete"),
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_with_the_pair_before(backup: Path, damage: Damage) -> None:
    damage.do(backup)
    checkpoint = judged(READER, backup)
    facts = checkpoint.facts
    assert (checkpoint.verdict, facts.step, facts.ordinal) == damage.with_pair


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_without_the_pair_before(backup: Path, damage: Damage) -> None:
    for name in (WEIGHTS, STATE):
        (backup / f"{name}{PREVIOUS}").unlink()
    damage.do(backup)
    assert judged(READER, backup).verdict == damage.alone


def test_the_pair_before_is_told(backup: Path) -> None:
    cut(backup / WEIGHTS, 0)
    checkpoint = judged(READER, backup)
    (found,) = (f for f in checkpoint.findings if f.code == "empty-file")
    assert found.severity == "warning"
    assert "takes the pair before" in found.message


def test_both_pairs_are_broken(backup: Path) -> None:
    for name in (WEIGHTS, WEIGHTS + PREVIOUS):
        cut(backup / name, 0)
    assert judged(READER, backup).verdict == "corrupt"


def test_the_state_before_is_absent(backup: Path) -> None:
    cut(backup / WEIGHTS, 0)
    (backup / f"{STATE}{PREVIOUS}").unlink()
    checkpoint = judged(READER, backup)
    assert checkpoint.verdict == "incomplete"
    assert "missing-shard" in codes(checkpoint)


@pytest.mark.parametrize("whole", [True, False])
def test_without_the_state_the_pair_before_is_the_remedy(backup: Path, whole: bool) -> None:
    (backup / STATE).unlink()
    if not whole:
        cut(backup / f"{WEIGHTS}{PREVIOUS}", 0)
    (found,) = (f for f in judged(READER, backup).findings if f.code == "missing-shard")
    assert (f"Copy {WEIGHTS}{PREVIOUS} and {STATE}{PREVIOUS}" in found.remedy) is whole


def test_a_batch_is_told(backup: Path) -> None:
    (backup / STATE).write_text('{"epoch": 2, "batch": 7}')
    assert "begins the epoch anew" in judged(READER, backup).why


CLAIMED = [(d, p) for d in DAMAGES for p in (True, False) if (d, p) != ("no state", False)]
"""Without its state and the pair before, the weights are a file like any other."""


@pytest.mark.parametrize(("damage", "pair"), CLAIMED)
def test_each_fit_takes_it_though_a_better_model_is_beside_it(
    tmp_path: Path, damage: str, pair: bool
) -> None:
    """Keras raises, begins at epoch 0, goes on without weights or from the pair before."""
    directory = copy_of(SAMPLES / "keras" / "archive", tmp_path / "run")
    backup = copy_of(SAMPLES / "keras" / "backup" / "backup", directory / "backup")
    for name in (WEIGHTS, STATE):
        if not pair:
            (backup / f"{name}{PREVIOUS}").unlink()
    DAMAGES[damage].do(backup)
    run = run_of(directory)
    trap = finding(run.findings, "auto-resume-trap")
    assert trap.path == str(backup)
    assert trap.remedy.startswith("Move backup away")
    assert resume_name(run) == "model-03-1.734.keras"
    assert "model-03-1.734.keras" in trap.remedy


def test_a_whole_one_at_the_step_of_a_model_is_no_trap(tmp_path: Path) -> None:
    directory = copy_of(SAMPLES / "keras" / "archive", tmp_path / "run")
    copy_of(SAMPLES / "keras" / "backup" / "backup", directory / "backup")
    (directory / "model-03-1.734.keras").unlink()
    assert run_of(directory).findings == ()


def test_a_broken_one_alone_is_taken_at_each_start(backup: Path) -> None:
    (backup / STATE).write_text("{")
    (trap,) = (f for f in run_of(backup.parent).findings if f.code == "auto-resume-trap")
    assert trap.remedy.startswith("Move backup away before the job is started")
