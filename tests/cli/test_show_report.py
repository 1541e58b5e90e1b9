"""The text of `show`: the answer first, nothing wider than the terminal but what cannot break."""

from __future__ import annotations

import pytest

from ckpt_tui.cli.show_report import MOST_LINES, NARROWEST, show_report
from ckpt_tui.core.facts import FileFacts, TensorFacts
from ckpt_tui.core.vocabulary import Effect
from tests.core.builders import checkpoint, finding, roles

LONG = finding(Effect.CORRUPT)._replace(message="the archive has no end record; " * 12)


@pytest.mark.parametrize("width", [NARROWEST, 80, 120, 200])
def test_width_is_kept(width: int) -> None:
    text = show_report(checkpoint(findings=(LONG,), roles=roles("model", "optimizer")), width)
    assert max(map(len, text.splitlines())) <= width


def test_a_terminal_narrower_than_can_be_read_gets_the_narrowest_text() -> None:
    judged = checkpoint(findings=(LONG,))
    assert show_report(judged, 1) == show_report(judged, NARROWEST)


def test_the_answer_comes_first() -> None:
    lines = show_report(checkpoint(findings=(LONG,)), 120).splitlines()
    assert lines[0].startswith("DO NOT RESUME")
    assert lines[2].startswith("what to do ")


def test_a_missing_role_stands_out() -> None:
    text = show_report(checkpoint(roles=roles("model")), 120)
    assert "optimizer          –  NOT THERE" in text


def test_long_lists_are_cut_and_say_so() -> None:
    files = tuple(FileFacts(f"shard-{n}.pt", 1, 0) for n in range(MOST_LINES + 7))
    tensors = tuple(TensorFacts(f"w{n}", "float32", (2,), 8) for n in range(MOST_LINES))
    text = show_report(checkpoint(files=files, tensors=tensors, tensors_total=5000), 120)
    assert "… and 7 files more" in text
    assert "… and 4960 tensors more" in text


def test_names_cannot_move_the_cursor() -> None:
    name = "a\x1b[2J\nb.pt"
    text = show_report(checkpoint(files=(FileFacts(name, 1, 0),)), 120)
    assert "\x1b" not in text
    assert "a\\x1b[2J\\nb.pt" in text
