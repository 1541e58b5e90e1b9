"""`ckpt-tui explain`: what it prints of each code, and what it says to a mistyped one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ckpt_tui.cli.app import COMMANDS
from ckpt_tui.core.explained.table import ALL, FINDINGS, explanations_of
from ckpt_tui.core.explained.verdicts import VERDICTS
from ckpt_tui.words.wrapping import columns_of, cut, padded, wrapped
from tests.cli.process import ckpt_tui


def test_alone_it_lists_every_code_with_one_line() -> None:
    ended = ckpt_tui("explain")
    assert (ended.code, ended.err) == (0, "")
    lines = [line.split()[0] for line in ended.out.splitlines() if line.startswith("  ")]
    assert lines == [each.code for each in ALL]


def test_a_finding_has_cause_effect_and_remedy() -> None:
    ended = ckpt_tui("explain", "truncated-file", COLUMNS="80")
    assert ended.code == 0
    labels = [line[2:14].strip() for line in ended.out.splitlines() if line[2:14].strip()]
    assert labels[1:] == ["seen", "cause", "effect", "what to do", "example", "framework"]
    assert all(len(line) <= 80 for line in ended.out.splitlines())
    (each,) = explanations_of("truncated-file")
    assert " ".join(each.remedy.split()) in " ".join(ended.out.split())


def test_a_word_that_is_a_verdict_and_a_finding_is_explained_as_both() -> None:
    out = ckpt_tui("explain", "WEIGHTS-ONLY").out
    assert out.startswith("weights-only (a verdict)")
    assert "\n\nweights-only (a finding)\n" in out


@pytest.mark.parametrize(
    ("code", "near"),
    [("emptyfile", "empty-file"), ("trunkated-file", "truncated-file"), ("inexakt", "inexact")],
)
def test_an_unknown_code_names_the_nearest(code: str, near: str) -> None:
    ended = ckpt_tui("explain", code)
    assert (ended.code, ended.out) == (64, "")
    assert f"did you mean {near}" in ended.err


def test_what_is_near_to_nothing_is_sent_to_the_list() -> None:
    ended = ckpt_tui("explain", "\x1b[31mzzzzzz")
    assert ended.code == 64
    assert "`ckpt-tui explain` lists all" in ended.err
    assert "\x1b" not in ended.err


def test_json_has_all_of_them_or_those_that_were_named() -> None:
    document = ckpt_tui("explain", "--json").json()
    assert document["schema"] == "ckpt-tui/explain/1"
    kinds = [each["kind"] for each in document["explanations"]]
    assert kinds == ["verdict"] * len(VERDICTS) + ["finding"] * len(FINDINGS)
    (one,) = ckpt_tui("explain", "empty-file", "--json").json()["explanations"]
    assert one["framework"].startswith("`torch.load` stops")
    assert ckpt_tui("explain", "exact", "--json").json()["explanations"][0]["example"] is None


@given(st.text("ab 压缩包，。-", max_size=60), st.integers(4, 20))
def test_wrapping_loses_nothing_and_keeps_to_the_width(text: str, columns: int) -> None:
    lines = list(wrapped(text, columns))
    assert "".join("".join(lines).split()) == "".join(text.split())
    for line in lines:
        words = line.split()
        over = columns_of(line) > columns
        assert not over or len(words) == 1 or line[-1] in "，。", line


@given(st.text("ab压", max_size=20), st.integers(1, 12))
def test_cut_and_padded_have_their_width(text: str, columns: int) -> None:
    assert columns_of(cut(text, columns)) <= columns
    assert columns_of(padded(cut(text, columns), columns)) == columns


@pytest.mark.parametrize("command", [*COMMANDS, "dashboard"])
def test_help_stands_alone(command: str) -> None:
    """What it does, its options, how it ends, and an example to begin with."""
    ended = ckpt_tui(command, "--help")
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.startswith("usage: ckpt-tui")
    assert "exit codes: " in ended.out
    assert "example" in ended.out
    _, _, rest = ended.out.partition("\n\n")
    assert rest.strip()
    for line in rest.splitlines():
        assert len(line) <= 100, line


def test_the_help_of_all_names_every_command() -> None:
    out = ckpt_tui("--help").out
    assert all(f"\n  {name} " in out for name in COMMANDS)
    assert "exit codes" in out
    assert "example" in out
