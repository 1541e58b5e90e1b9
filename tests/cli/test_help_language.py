"""The help of every command in another language: nothing of it is left in English."""

from __future__ import annotations

import pytest

from ckpt_tui.cli.app import COMMANDS
from ckpt_tui.core.vocabulary import ALL_ROLES
from ckpt_tui.words.wrapping import columns_of
from tests.cli.process import ckpt_tui
from tests.words.untranslated import english_words

_NAMES = """
ckpt tui check latest show compare explain verify seal plan cache history config record replay
demo dashboard path keep clear validate schema list bash zsh tcsh
sync async two level last every best
torch zip npz safetensors pickle
locale stdout stderr shell rank world size step tag dtype
space home end auto ansi all int
"""
"""Commands, choices, kinds of files, keys, and terms that are the same in Chinese."""
NAMES = frozenset(_NAMES.split()).union(ALL_ROLES)
WIDEST = 100


def untranslated(shown: str) -> dict[str, list[str]]:
    """Line → the English words in it; command lines to begin with are code."""
    lines = (line for line in shown.splitlines() if not line.startswith(("  ckpt-tui ", "  flag=")))
    found = {line: english_words(line, NAMES) for line in lines}
    return {line: words for line, words in found.items() if words}


@pytest.mark.parametrize("command", ["", *COMMANDS, "dashboard"])
def test_the_help_is_translated(command: str) -> None:
    ended = ckpt_tui("--lang", "zh", *command.split(), "--help", COLUMNS="80")
    assert ended.code == 0
    assert "用法: ckpt-tui" in ended.out
    assert untranslated(ended.out) == {}
    assert max(map(columns_of, ended.out.splitlines())) <= WIDEST


@pytest.mark.parametrize("command", ["", *COMMANDS, "dashboard"])
def test_the_english_help_would_be_seen(command: str) -> None:
    ended = ckpt_tui("--lang", "en", *command.split(), "--help", COLUMNS="80")
    assert len(untranslated(ended.out)) > 5


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("check", "--json", "--plugin"), "参数 --plugin：不能与参数 --json 一起使用"),
        (("check", "--min-good"), "参数 --min-good：需要一个值"),
        (("check", "--min-good", "x"), "参数 --min-good：'x'：需要不小于 1 的整数"),
        (("latest", "--print", "z"), "参数 --print：'z' 不是有效的选项"),
        (("demo", "--seed", "x"), "参数 --seed：'x' 不是有效的 int 值"),
        (("plan", "--save-minutes", "x"), "参数 --save-minutes：'x'：需要不小于 0 的时间"),
        (
            ("plan", "--weibull-shape", "99"),
            "--weibull-shape: `Weibull 形状`：需要从 0.2 到 10 的数",
        ),
        (("plan", "--strange"), "无法识别的参数：--strange"),
        (("show",), "缺少必需的参数：CHECKPOINT"),
    ],
)
def test_misuse_is_told_in_the_language(arguments: tuple[str, ...], told: str) -> None:
    ended = ckpt_tui("--lang", "zh", *arguments)
    assert ended.code == 64
    assert told in ended.err
    assert untranslated(ended.err) == {}
