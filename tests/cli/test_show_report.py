"""The text of `show`: the answer first, nothing wider than the terminal but what cannot break."""

from __future__ import annotations

import pytest

from ckpt_tui.cli.show_report import MOST_LINES, NARROWEST, show_report
from ckpt_tui.core.facts import FileFacts, LoaderFacts, Reshard
from ckpt_tui.core.vocabulary import Effect
from tests.core.builders import NO_RULE, checkpoint, finding, roles

NOW = 5000.0
LONG = finding(Effect.CORRUPT)._replace(message="the archive has no end record; " * 12)


@pytest.mark.parametrize("width", [NARROWEST, 80, 120, 200])
def test_width_is_kept(width: int) -> None:
    text = show_report(checkpoint(findings=(LONG,), roles=roles("model", "optimizer")), width, NOW)
    assert max(map(len, text.splitlines())) <= width


def test_a_terminal_narrower_than_can_be_read_gets_the_narrowest_text() -> None:
    judged = checkpoint(findings=(LONG,))
    assert show_report(judged, 1, NOW) == show_report(judged, NARROWEST, NOW)


def test_the_answer_comes_first() -> None:
    lines = show_report(checkpoint(findings=(LONG,)), 120, NOW).splitlines()
    assert lines[0].startswith("DO NOT RESUME")
    assert lines[2].startswith("what to do ")


def test_a_missing_role_stands_out() -> None:
    text = show_report(checkpoint(roles=roles("model")), 120, NOW)
    assert "optimizer          –  NOT THERE" in text


def test_a_role_whose_file_is_bad_is_told_apart_from_one_that_is_not_there() -> None:
    bad = FileFacts("optimizer.pt", 10, 0, role="optimizer")
    judged = checkpoint(roles=roles("model"), files=(bad,), findings=(LONG,))
    text = show_report(judged, 120, NOW)
    assert "CANNOT BE USED: optimizer.pt" in text
    assert "scheduler          –  NOT FOUND in what can be read" in text


def test_a_command_stays_in_one_line() -> None:
    flag = f'dcp.load(…, checkpoint_id="/{"deep/" * 40}step-10")'
    text = show_report(checkpoint(loader=LoaderFacts(flag=flag)), 80, NOW)
    assert flag in text


def test_the_age_of_the_last_write_is_told() -> None:
    assert "1970-01-01T00:16:40Z (1h 06m ago)" in show_report(checkpoint(), 120, NOW)
    unmarked = show_report(checkpoint(commit=NO_RULE), 120, NOW)
    assert "this format has no mark of it, last write" in unmarked


def test_resharding_is_no_matter_of_a_broken_one() -> None:
    reshard = Reshard(True, "natively")
    assert "reshard" in show_report(checkpoint(reshard=reshard), 120, NOW)
    broken = checkpoint(reshard=reshard, findings=(LONG,))
    assert "reshard" not in show_report(broken, 120, NOW)


def test_long_lists_are_cut_and_say_so() -> None:
    files = tuple(FileFacts(f"shard-{n}.pt", 1, 0) for n in range(MOST_LINES + 7))
    text = show_report(checkpoint(files=files), 120, NOW)
    assert "… and 7 files more" in text


def test_names_cannot_move_the_cursor() -> None:
    name = "a\x1b[2J\nb.pt"
    text = show_report(checkpoint(files=(FileFacts(name, 1, 0),)), 120, NOW)
    assert "\x1b" not in text
    assert "a\\x1b[2J\\nb.pt" in text
