"""Finished sentences in another language: values stay, hostile names cost nothing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ckpt_tui.words.saying import Punctuation
from ckpt_tui.words.sentences import LONGEST_SENTENCE, Sentences
from ckpt_tui.words.templates import values_of

TEXTS = {
    "{} is not there": "{0} fehlt",
    "{} is named by {} and is not there": "{0}, von {1} genannt, fehlt",
    "{} ({}): {}": "{0} ({1}): {2:say}",
    "the file ends at byte {} of {}": "Ende bei {0} von {1}",
    "Resume from another checkpoint.": "Anderen Checkpoint nehmen.",
    "rule: {}": "Regel: {0:say}",
    "the marker is last; the others have none": "der Marker kommt zuletzt",
    "no {}": "ohne {0:list}",
    "optimizer": "Optimierer",
    "scheduler": "Planer",
    " and {} more": " und {0} weitere",
    "the bytes of {}": "die Bytes von {0:say}",
    "{} in {}": "{0:known} aus {1}",
    "{} is void (0 bytes)": "{0:known} hat nichts",
    "the file is void (0 bytes)": "die Datei hat nichts",
    "step {}": "step {0}",
    "it is whole: once nobody writes it, {}": "es ist ganz: dann {0:code}",
    "loads natively": "lädt von selbst",
    "{} cannot load it": "{0:say} laden es nicht",
    "the old {} cannot load it": "auch {0} kann es nicht laden",
    "; and {} more": "; und {0} andere",
}
COUNTS = {"rank": "{} Ränge", "file": "{} Dateien"}
SAY = Sentences(TEXTS, COUNTS).say


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


@pytest.mark.parametrize(
    ("sentence", "said"),
    [
        ("3 files", "3 Dateien"),
        ("1,200 ranks", "1,200 Ränge"),
        ("16 ranks cannot load it", "16 Ränge laden es nicht"),
        ("no optimizer, scheduler and rng", "ohne Optimierer, Planer and rng"),
        ("the bytes of a.pt and 3 more", "die Bytes von a.pt und 3 weitere"),
        ("Loads natively.", "lädt von selbst."),
        ("3 files in a.pt", "3 Dateien aus a.pt"),
        ("what is not known in a.pt", "what is not known in a.pt"),
        ("step 5 in a.pt", "step 5 in a.pt"),
        ("a.pt: b.pt is not there (no optimizer)", "a.pt: b.pt fehlt (ohne Optimierer)"),
        ("a is not there: b: the file is void (0 bytes)", "a fehlt: b: die Datei hat nichts"),
        ("a.pt: the old torch cannot load it", "a.pt: auch torch kann es nicht laden"),
        ("a is not there (no optimizer (no rng))", "a fehlt (ohne Optimierer (ohne rng))"),
        ("a is not there; b is not there; and 2 more", "a fehlt; b fehlt; und 2 andere"),
        (
            "it is whole: once nobody writes it, mv a; rm b: c",
            "es ist ganz: dann mv a; rm b: c",
        ),
        (
            "no optimizer; rule: the marker is last; the others have none; a is not there",
            "ohne Optimierer; Regel: der Marker kommt zuletzt; a fehlt",
        ),
    ],
)
def test_what_is_put_together(sentence: str, said: str) -> None:
    assert SAY(sentence) == said


def test_punctuation_of_the_language() -> None:
    marks = Punctuation("；", "", "：", "、", "和", "或", "（", "）", "。")
    texts = {
        "no {}": "没有{0:list}",
        "optimizer": "优化器",
        "it ends.": "结束。",
        "so {}": "如 {0:say}",
    }
    say = Sentences(texts, {}, marks).say
    assert say("a.pt: no optimizer, rng or progress (no optimizer)") == (
        "a.pt：没有优化器、rng或progress（没有优化器）"
    )
    assert say("it ends. it ends.") == "结束。结束。"
    assert say("so optimizer") == "如优化器"
    assert say("so b.pt; so optimizer") == "如 b.pt；如优化器"


@given(st.lists(st.text(), min_size=3, max_size=3))
def test_values_come_back_where_no_literal_hides_in_them(values: list[str]) -> None:
    pieces = ("«", "» – «", "» – «", "»")
    if any("»" in value or "«" in value for value in values):
        return
    first, second, third = values
    assert values_of(f"«{first}» – «{second}» – «{third}»", pieces) == values


@given(st.text())
def test_anything_can_be_said(sentence: str) -> None:
    assert isinstance(SAY(sentence), str)


@given(st.text(min_size=1, alphabet=st.characters(exclude_characters="; :()., ")))
def test_a_name_stays(name: str) -> None:
    assert SAY(f"{name} is not there") == f"{name} fehlt"


@pytest.mark.parametrize(
    "part", [": ", "; ", "no ", "(a) ", "a (b) ", " and ", "rule: ", "no a (b): c; ", " in ", ". "]
)
def test_a_hostile_name_comes_to_an_end(part: str) -> None:
    hostile = part * (LONGEST_SENTENCE // len(part))
    assert isinstance(SAY(hostile), str)
    assert isinstance(SAY(hostile.replace(part, f"a{part}")[:LONGEST_SENTENCE]), str)


def test_a_hostile_name_is_no_work() -> None:
    hostile = " is named by " * 5000
    assert len(hostile) > LONGEST_SENTENCE
    assert SAY(hostile) == hostile
    longest = hostile[:LONGEST_SENTENCE]
    assert values_of(longest, (" is named by",) * 30 + ("!",)) is None
    assert isinstance(SAY(longest), str)
