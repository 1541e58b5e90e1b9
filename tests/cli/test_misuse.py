"""Messages of argparse: the same in English, whatever was typed, and said in other languages."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ckpt_tui import words
from ckpt_tui.cli.misuse import said

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def _chinese() -> Iterator[None]:
    words.use("zh")
    yield
    words.use(words.ENGLISH)


PIECES = ("argument ", ": ", "invalid choice: ", " (choose from ", ")", "{name}", "x", "expected")


@given(st.lists(st.sampled_from(PIECES) | st.text(max_size=5)).map("".join))
def test_english_is_left_alone(message: str) -> None:
    assert said(message) == message


@pytest.mark.usefixtures("_chinese")
@pytest.mark.parametrize(
    ("message", "told"),
    [
        (
            "argument --json: not allowed with argument --plugin",
            "参数 --json：不能与参数 --plugin 一起使用",
        ),
        (
            "argument what: invalid choice: 'a: b' (choose from show, clear)",
            "参数 what：'a: b' 不是有效的选项（可选：show, clear）",
        ),
        ("argument --speed: invalid float value: '{x}'", "参数 --speed：'{x}' 不是有效的 float 值"),
        ("argument --json: ignored explicit argument 'x'", "参数 --json：不接受值 'x'"),
        ("argument --find: expected at least one argument", "参数 --find：至少需要一个值"),
        ("argument --run: another: reason", "参数 --run：another: reason"),
        ("something new", "something new"),
    ],
)
def test_what_is_known_is_said(message: str, told: str) -> None:
    assert said(message) == told
