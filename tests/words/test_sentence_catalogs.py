"""Every catalog has every sentence that the layers below make, and nothing else."""

from __future__ import annotations

import re
from importlib import import_module

import pytest

from ckpt_tui.words import CATALOGS
from ckpt_tui.words.sentences import Sentences
from tests.words.collected_sentences import counted_nouns, is_english, sentence_templates

LANGUAGES = tuple(CATALOGS)
NOUNS_BY_NAME = {"step", "save"}
"""Given to `plural` by a name."""
OF_KNOWN_WORDS = {
    "{} of {} parts of {} are there",
    "{} are {}",
    "{} at offset {} needs {} bytes, but only {} are there",
    "{} NaN and {} infinite values",
}
"""They say so little that they count only where their values are numbers or known."""
_VALUE = re.compile(r"\{(\d+)(?::\w+)?\}")


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_sentence_is_left_behind(language: str) -> None:
    sentences = import_module(CATALOGS[language]).SENTENCES
    missing = {t: place for t, place in sentence_templates().items() if t not in sentences}
    assert not missing


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_sentence_is_of_the_past(language: str) -> None:
    sentences = import_module(CATALOGS[language]).SENTENCES
    assert set(sentences) - set(sentence_templates()) == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_noun_can_be_counted(language: str) -> None:
    counts = import_module(CATALOGS[language]).COUNTS
    assert set(counts) == counted_nouns().keys() | NOUNS_BY_NAME
    assert all(text.count("{}") == 1 for text in counts.values())


@pytest.mark.parametrize("value", ["x7.pt", "42", "/runs/a_b-1"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_template_is_found_again(language: str, value: str) -> None:
    catalog = import_module(CATALOGS[language])
    say = Sentences(catalog.SENTENCES, catalog.COUNTS, catalog.PUNCTUATION).say
    left = {}
    for template in sentence_templates():
        sentence = template.format(*[value] * template.count("{}"))
        if is_english(say(sentence)):
            left[sentence] = say(sentence)
    assert set(left) <= {template.replace("{}", value) for template in OF_KNOWN_WORDS}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_value_is_told(language: str) -> None:
    sentences = import_module(CATALOGS[language]).SENTENCES
    for template, text in sentences.items():
        told = {int(number) for number in _VALUE.findall(text)}
        assert told == set(range(template.count("{}"))), template
