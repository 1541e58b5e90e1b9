"""Templates of sentences, and which of them a sentence may be made from."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

HOLE = "{}"
_WORD = re.compile(r"[A-Za-z]{2,}")
_GLUED = re.compile(r"[A-Za-z]*\{\}[A-Za-z]*")
_NUMBERED = re.compile(r"\{\d+\}")
_TOLD_IN_WORDS = re.compile(r"\{(\d+):\w+\}")
_WHOLE = re.compile(r"\{(\d+):(?:rest|code)\}")
_SURE_LETTERS = 8
_TAIL_BEGINNINGS = (" ", ",", ";")


class Template(NamedTuple):
    """A sentence with values.

    Attributes:
        pieces: What stands before, between and behind the values, as the source has it.
        text: The same in the other language, to be formatted with the values.
        letters: How much of it is no value.
        words: Words of the pieces, all of which a sentence made from it has.
        in_words: Numbers of the values that may be sentences themselves.
        whole: Numbers of the values that may be several sentences, or a command.
        opens: Whether it only says what follows is, one sentence or several: "rule: {}".
        is_tail: Whether the source puts it behind something else.
    """

    pieces: tuple[str, ...]
    text: str
    letters: int
    words: frozenset[str]
    in_words: frozenset[int]
    whole: frozenset[int]
    opens: bool
    is_tail: bool

    @property
    def is_sure(self) -> bool:
        """Whether its words leave little doubt that a sentence is made from it."""
        parted = self.opens or _ends_with_colon(self.pieces) or "; " in "".join(self.pieces)
        return self.letters >= _SURE_LETTERS or (self.letters > 1 and parted)

    def values_in(self, sentence: str) -> list[str] | None:
        """What stands for the holes; None where the sentence is not made from it.

        A value holds no other sentence, but where the text has it in words or in brackets.
        """
        values = values_of(sentence, self.pieces)
        if not values or self.opens:
            return values
        whole = all(self._may_be(number, value) for number, value in enumerate(values))
        return values if whole else None

    def _may_be(self, number: int, value: str) -> bool:
        if self.pieces[number + 1].startswith(")"):
            return _is_balanced(value)
        if number in self.whole:
            return True
        if "; " in value.lstrip("; "):
            return False
        if ": " not in value:
            return True
        begins = number == 0 and not self.pieces[0]  # then a name stands before the sentence
        at_an_end = number in (0, len(self.pieces) - 2)
        return not begins and (not at_an_end or number in self.in_words)


class Index:
    """Templates by a word of theirs, those with most text first.

    Args:
        texts: English template → the same in the other language.
    """

    def __init__(self, texts: Mapping[str, str]) -> None:
        made = [_template(text, said) for text, said in texts.items() if not _is_same(text, said)]
        ordered = sorted(made, key=_telling, reverse=True)
        self._sure = _by_word([e for e in ordered if len(e.pieces) > 1 and e.is_sure])
        self._tails = _by_word([e for e in ordered if e.is_tail and e.is_sure])
        self._vague = _by_word([e for e in ordered if not e.is_sure])

    def sure(self, sentence: str) -> list[Template]:
        """Those whose words leave little doubt."""
        return _with_words_of(sentence, self._sure)

    def tails(self, sentence: str) -> list[Template]:
        """Those of them that stand behind something else."""
        return _with_words_of(sentence, self._tails)

    def vague(self, sentence: str) -> list[Template]:
        """Those of a word or two, behind something else or not."""
        return _with_words_of(sentence, self._vague)


def values_of(sentence: str, pieces: Sequence[str]) -> list[str] | None:
    """What stands between these pieces of a sentence; None where it is not made of them.

    Each value is as short as can be but the last. Linear: names in it are anybody's.

    Args:
        sentence: The sentence.
        pieces: What the template has around its holes, one more than holes.
    """
    if len(pieces) == 1:
        return [] if sentence == pieces[0] else None
    first, *between, last = pieces
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


def _template(template: str, text: str) -> Template:
    pieces = tuple(template.split(HOLE))
    whole = frozenset(int(number) for number in _WHOLE.findall(text))
    alone = len(pieces) == 2 and bool(pieces[0]) and not pieces[1]
    return Template(
        pieces,
        text,
        letters=sum(map(str.isalpha, "".join(pieces))),
        words=frozenset(_WORD.findall(_GLUED.sub("", template))),
        in_words=frozenset(int(number) for number in _TOLD_IN_WORDS.findall(text)),
        whole=whole,
        opens=alone and (_ends_with_colon(pieces) or 0 in whole),
        is_tail=template.startswith(_TAIL_BEGINNINGS),
    )


def _ends_with_colon(pieces: Sequence[str]) -> bool:
    """Whether the last value is all that stands behind a colon."""
    return len(pieces) > 1 and not pieces[-1] and pieces[-2].endswith(": ")


def _is_balanced(value: str) -> bool:
    depth = 0
    for character in value:
        depth += {"(": 1, ")": -1}.get(character, 0)
        if depth < 0:
            return False
    return depth == 0


def _is_same(template: str, text: str) -> bool:
    """Whether it is said alike, as "step {}" may be: then it is left to what holds more words."""
    return _NUMBERED.sub(HOLE, text) == template


def _telling(template: Template) -> tuple[int, int]:
    """The more of it is words, the sooner it is tried."""
    return template.letters, -len(template.pieces)


def _by_word(ordered: list[Template]) -> dict[str, list[tuple[int, Template]]]:
    """Each under its longest word, with its place in the order."""
    found: dict[str, list[tuple[int, Template]]] = {}
    for place, template in enumerate(ordered):
        word = max(sorted(template.words), key=len, default="")
        found.setdefault(word, []).append((place, template))
    return found


def _with_words_of(
    sentence: str, by_word: Mapping[str, list[tuple[int, Template]]]
) -> list[Template]:
    words = {"", *_WORD.findall(sentence)}
    found = [entry for word in words & by_word.keys() for entry in by_word[word]]
    found.sort(key=lambda entry: entry[0])
    return [template for _, template in found if template.words <= words]
