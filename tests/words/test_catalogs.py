"""Every catalog has every text of the source, and nothing else."""

from __future__ import annotations

from importlib import import_module
from string import Formatter
from typing import TYPE_CHECKING

import pytest

from ckpt_tui import words
from ckpt_tui.words import CATALOGS
from tests.words.collected import said_texts

if TYPE_CHECKING:
    from collections.abc import Iterator

LANGUAGES = tuple(CATALOGS)


@pytest.fixture(autouse=True)
def english_again() -> Iterator[None]:
    yield
    words.use("en")


def names_in(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_text_is_left_behind(language: str) -> None:
    texts = import_module(CATALOGS[language]).TEXTS
    missing = {text: place for text, place in said_texts().items() if text not in texts}
    assert not missing


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_text_is_of_the_past(language: str) -> None:
    texts = import_module(CATALOGS[language]).TEXTS
    assert set(texts) <= set(said_texts())


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_same_values_are_named(language: str) -> None:
    texts = import_module(CATALOGS[language]).TEXTS
    assert {text for text in texts if names_in(text) != names_in(texts[text])} == set()


@pytest.mark.parametrize(
    ("environ", "language"),
    [
        ({"LANG": "zh_CN.UTF-8"}, "zh"),
        ({"LANG": "zh_CN.UTF-8", "LC_ALL": "C"}, "en"),
        ({"LANG": "en_US.UTF-8", "LC_MESSAGES": "zh_TW"}, "zh"),
        ({"LANG": "fr_FR.UTF-8"}, "en"),
        ({}, "en"),
    ],
)
def test_the_locale_chooses(environ: dict[str, str], language: str) -> None:
    assert words.of_locale(environ) == language


def test_english_is_as_it_stands() -> None:
    assert words.say("{count} ranks", count="{x}") == "{x} ranks"
    assert words.say_count(1, "{count} rank", "{count} ranks") == "1 rank"
    assert words.say_count(2, "{count} rank", "{count} ranks") == "2 ranks"
    assert words.language() == "en"
    with pytest.raises(KeyError):
        words.use("xx")
