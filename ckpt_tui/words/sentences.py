"""Sentences that were made elsewhere: evidence, findings, remedies.

Readers tell facts in English, and so do the JSON and the cache. On the screen such a sentence is
said in the language in use. A catalog holds the template of each, as the source has it with `{}`
for every value, and the same in the other language with `{0}`, `{1}` … for these values. A value
that is a sentence itself is said too where the catalog asks for it: `{0:say}`. What matches no
template stays as it is: a name must not be changed.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

HOLE = "{}"
MOST_DEPTH = 4
LONGEST_SENTENCE = 4000
"""In characters; a longer one, which holds somebody's names, stays as it is."""
_JOINTS = re.compile(r"(?<=[.;]) (?=\S)|; ")
_KEPT_SENTENCES = 4096


class Sentences:
    """The sentences of one language.

    Args:
        texts: English template → the same in the language.
    """

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._plain = {template: text for template, text in texts.items() if HOLE not in template}
        holed = (template for template in texts if HOLE in template)
        self._holed = [
            (max(template.split(HOLE), key=len), template, texts[template])
            for template in sorted(holed, key=_telling, reverse=True)
        ]
        self.say = lru_cache(_KEPT_SENTENCES)(self._say)

    def _say(self, sentence: str) -> str:
        return self._said(sentence, 0)

    def _said(self, sentence: str, depth: int) -> str:
        if depth > MOST_DEPTH or len(sentence) > LONGEST_SENTENCE:
            return sentence
        whole = self._whole(sentence, depth)
        if whole is not None:
            return whole
        parts = _JOINTS.split(sentence)
        if len(parts) == 1:
            return sentence
        said = [self._whole(part, depth) or part for part in parts]
        return "".join(_rejoined(sentence, parts, said))

    def _whole(self, sentence: str, depth: int) -> str | None:
        plain = self._plain.get(sentence)
        if plain is not None:
            return plain
        for piece, template, text in self._holed:
            values = values_of(sentence, template) if piece in sentence else None
            if values is not None:
                return text.format(*(_Value(value, self, depth) for value in values))
        return None


class _Value:
    """A value of a sentence, which says itself where the template asks for it."""

    def __init__(self, value: str, sentences: Sentences, depth: int) -> None:
        self._value = value
        self._sentences = sentences
        self._depth = depth

    def __format__(self, how: str) -> str:
        if how == "say":
            return self._sentences._said(self._value, self._depth + 1)
        return self._value


def _telling(template: str) -> tuple[int, int]:
    """The more of it is words, the sooner it is tried."""
    return len(template.replace(HOLE, "")), -template.count(HOLE)


def values_of(sentence: str, template: str) -> list[str] | None:
    """What stands for the holes of a template; None where the sentence is not made from it.

    Each value is as short as can be but the last. Linear: names in it are anybody's.
    """
    first, *between, last = template.split(HOLE)
    end = len(sentence) - len(last)
    if not sentence.startswith(first) or not sentence.endswith(last) or end < len(first):
        return None
    values, place = [], len(first)
    for piece in between:
        found = sentence.find(piece, place, end)
        if found < 0:
            return None
        values.append(sentence[place:found])
        place = found + len(piece)
    return [*values, sentence[place:end]]


def _rejoined(sentence: str, parts: list[str], said: list[str]) -> Iterator[str]:
    """The parts with what stood between them."""
    place = 0
    for part, text in zip(parts, said, strict=True):
        begin = sentence.index(part, place)
        yield sentence[place:begin]
        yield text
        place = begin + len(part)
