"""A short word with several meanings is another one in each, and the same in English."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ckpt_tui import words
from ckpt_tui.words import MEANING, say

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(autouse=True)
def english_again() -> Iterator[None]:
    yield
    words.use("en")


@pytest.mark.parametrize(
    ("text", "english", "chinese"),
    [
        ("exact", "exact", "精确可续"),
        (f"of costs{MEANING}exact", "exact", "精确"),
        (f"of nothing{MEANING}unheard of", "unheard of", "unheard of"),
        (f"of nothing{MEANING}of {{name}}", "of {name}", "of {name}"),
    ],
)
def test_it_is_said(text: str, english: str, chinese: str) -> None:
    assert say(text) == english
    words.use("zh")
    assert say(text) == chinese


def test_values_keep_what_looks_like_a_meaning() -> None:
    assert say(f"of files{MEANING}{{name}}", name=f"a{MEANING}b") == f"a{MEANING}b"
