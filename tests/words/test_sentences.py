"""Finished sentences in another language: values stay, hostile names cost nothing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ckpt_tui.words.sentences import LONGEST_SENTENCE, Sentences, values_of

TEXTS = {
    "{} is not there": "{0} fehlt",
    "{} is named by {} and is not there": "{0}, von {1} genannt, fehlt",
    "{} ({}): {}": "{0} ({1}): {2:say}",
    "the file ends at byte {} of {}": "Ende bei {0} von {1}",
    "Resume from another checkpoint.": "Anderen Checkpoint nehmen.",
}
SAY = Sentences(TEXTS).say


@pytest.mark.parametrize(
    ("sentence", "said"),
    [
        ("a.bin is not there", "a.bin fehlt"),
        ("a.bin is named by .metadata and is not there", "a.bin, von .metadata genannt, fehlt"),
        ("x.pt (model): the file ends at byte 3 of 9", "x.pt (model): Ende bei 3 von 9"),
        ("Resume from another checkpoint.", "Anderen Checkpoint nehmen."),
        (
            "a is not there; Resume from another checkpoint.",
            "a fehlt; Anderen Checkpoint nehmen.",
        ),
        ("of which nothing is known", "of which nothing is known"),
        ("Resume from another checkpoint. And more", "Anderen Checkpoint nehmen. And more"),
        ("{} {0} is not there", "{} {0} fehlt"),
        ("", ""),
    ],
)
def test_said(sentence: str, said: str) -> None:
    assert SAY(sentence) == said


@given(st.lists(st.text(), min_size=3, max_size=3))
def test_values_come_back_where_no_literal_hides_in_them(values: list[str]) -> None:
    template = "«{}» – «{}» – «{}»"
    if any("»" in value or "«" in value for value in values):
        return
    assert values_of(template.format(*values), template) == values


@given(st.text())
def test_anything_can_be_said(sentence: str) -> None:
    assert isinstance(SAY(sentence), str)


def test_a_hostile_name_is_no_work() -> None:
    hostile = " is named by " * 5000
    assert len(hostile) > LONGEST_SENTENCE
    assert SAY(hostile) == hostile
    longest = (" is named by " * 5000)[:LONGEST_SENTENCE]
    assert values_of(longest, "{} is named by {}" * 30 + "!") is None
