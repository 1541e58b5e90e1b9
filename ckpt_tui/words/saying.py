"""One sentence said in another language: by its template, or taken apart."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.words.templates import values_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ckpt_tui.words.templates import Index, Template

MOST_TRIES = 300
MOST_DEPTH = 10
"""For one sentence: what is nested deeper, or hostile, stays as it is."""
_MOST_PARTS = 12
_MOST_NAMES = 3
_JOINTS = re.compile(r"(?<=[.]) (?=\S)|; ")
_ITEMS = re.compile(r"(, (?!\d)|, (?=\d+ in )| and (?!\d)| or (?!\d))")
"""Between the items of a list; numbers of ranks stay together."""
_COUNT = re.compile(r"([\d,]+) (.+)", re.DOTALL)
_WORD = re.compile(r"[A-Za-z]+")
_NUMBER = re.compile(r"[\d,.]+")


class Punctuation(NamedTuple):
    """What stands between two sentences that were both made elsewhere, and around a third."""

    semicolon: str = "; "
    stop: str = " "
    colon: str = ": "
    comma: str = ", "
    last: str = " and "
    either: str = " or "
    opened: str = " ("
    closed: str = ")"
    full_stop: str = "."


class Language(NamedTuple):
    """What is known of a language.

    Attributes:
        plain: Sentences without values.
        templates: Of those with values.
        counts: Noun → the same with a number.
        marks: What stands between sentences.
    """

    plain: Mapping[str, str]
    templates: Index
    counts: Mapping[str, str]
    marks: Punctuation


class _NotKnownError(Exception):
    """A value is of no known words where the template asks for them."""


class Saying:
    """One sentence on its way; every step is a try, and these are counted.

    Args:
        language: What it is said in.
    """

    def __init__(self, language: Language) -> None:
        self._of = language
        self._tries = self._depth = 0
        self._known: dict[str, str | None] = {}

    def said(self, sentence: str) -> str:
        """The sentence in the language, or as it is."""
        found = self.known(sentence)
        return sentence if found is None else found

    def known(self, sentence: str) -> str | None:
        """The sentence in the language; None where nothing of it is known."""
        if sentence not in self._known:
            self._depth += 1
            self._known[sentence] = self._told(sentence)
            self._depth -= 1
        return self._known[sentence]

    def _told(self, sentence: str) -> str | None:
        """By one template, else taken apart: the way that leaves the least as it is."""
        self._tries += 1
        if self._tries > MOST_TRIES or self._depth > MOST_DEPTH or not sentence:
            return None
        said = self._sure(sentence) or self._as_a_phrase(sentence)
        if said is not None:
            return said
        ways: tuple[Callable[[str], str | None], ...] = (
            self._in_parts,
            self._whole_behind_colon,
            self._with_a_tail,
            self._after_colon,
            self._bracketed,
            self._after_a_name,
            self._vague,
        )
        told = [said for way in ways if (said := way(sentence)) is not None]
        english = frozenset(_WORD.findall(sentence))
        return min(told, key=lambda said: _left(said, english), default=None)

    def listed(self, items: str) -> str:
        """A list as `words` makes it, or one with commas alone."""
        marks = self._of.marks
        joints = {", ": marks.comma, " and ": marks.last, " or ": marks.either}
        return "".join(joints.get(part) or self.said(part) for part in _ITEMS.split(items))

    def _sure(self, sentence: str) -> str | None:
        """By a template of many words, or as a count of things."""
        plain = self._of.plain.get(sentence)
        if plain is not None:
            return plain
        counted = _COUNT.fullmatch(sentence)
        if counted:
            number, noun = counted.groups()
            counts = self._of.counts
            text = counts.get(noun) or (counts.get(noun[:-1]) if noun[-1] == "s" else None)
            if text is not None:
                return text.format(number)
        return self._by(self._of.templates.sure(sentence), sentence)

    def _by(self, templates: list[Template], sentence: str) -> str | None:
        for template in templates:
            values = template.values_in(sentence)
            said = None if values is None else self._filled(template, values)
            if said is not None:
                return said
        return None

    def _filled(self, template: Template, values: list[str]) -> str | None:
        try:
            return template.text.format(*(_Value(value, self) for value in values))
        except _NotKnownError:
            return None

    def _as_a_phrase(self, sentence: str) -> str | None:
        """One that was given a capital letter and a full stop."""
        if not sentence[0].isupper() or not sentence.endswith("."):
            return None
        said = self._sure(sentence[0].lower() + sentence[1:-1])
        return None if said is None else f"{said}{self._of.marks.full_stop}"

    def _in_parts(self, sentence: str) -> str | None:
        """Several sentences; a template may itself have a semicolon, so longer spans come first."""
        cuts = list(_JOINTS.finditer(sentence))
        if not cuts or len(cuts) > _MOST_PARTS:
            return None
        begins = [0, *(cut.end() for cut in cuts)]
        ends = [*(cut.start() for cut in cuts), len(sentence)]
        text, first, changed = "", 0, False
        while first < len(begins):
            last, part = self._longest(sentence, begins[first], ends[first:])
            changed = changed or part is not None
            text += part or sentence[begins[first] : ends[first]]
            first += last + 1
            if first < len(begins):
                text += self._joint(cuts[first - 1].group(), text)
        return text if changed else None

    def _longest(self, sentence: str, begin: int, ends: list[int]) -> tuple[int, str | None]:
        """Up to which of the ends one template reaches, and what it says."""
        for last in range(len(ends) - 1, 0, -1):
            span = sentence[begin : ends[last]]
            said = self._sure(span) if len(span) < len(sentence) else None
            if said is not None:
                return last, said
        return 0, self.known(sentence[begin : ends[0]])

    def _joint(self, english: str, before: str) -> str:
        marks = self._of.marks
        if english == "; ":
            return marks.semicolon
        return marks.stop if before.endswith(marks.full_stop) else english

    def _whole_behind_colon(self, sentence: str) -> str | None:
        """A sentence of several parts that one template makes, and whose it is before it."""
        begin = 0
        for _ in range(_MOST_NAMES):
            begin = sentence.find(": ", begin) + 2
            if begin == 1 or "; " not in sentence[begin:]:
                return None
            said = self._sure(sentence[begin:])
            if said is not None:
                return f"{self.said(sentence[: begin - 2])}{self._of.marks.colon}{said}"
        return None

    def _after_colon(self, sentence: str) -> str | None:
        before, colon, after = sentence.partition(": ")
        first, second = (self.known(before), self.known(after)) if colon else (None, None)
        if first is None and second is None:
            return None
        return f"{first or before}{self._of.marks.colon}{second or after}"

    def _bracketed(self, sentence: str) -> str | None:
        found = _at_last_bracket(sentence)
        if found is None:
            return None
        before, inside, stop = found
        first, second = self.known(before + stop), self.known(inside)
        if first is None and second is None:
            return None
        marks = self._of.marks
        return f"{first or before + stop}{marks.opened}{second or inside}{marks.closed}"

    def _after_a_name(self, sentence: str) -> str | None:
        """A file's name, and what is said of it."""
        name, _, rest = sentence.partition(" ")
        said = self._sure(rest) if rest and not name.isalpha() else None
        return None if said is None else f"{name} {said}"

    def _with_a_tail(self, sentence: str) -> str | None:
        """Something, and what was put behind it where there was more to say."""
        tails = self._of.templates.tails(sentence)
        return next((said for tail in tails if (said := self._behind(tail, sentence))), None)

    def _vague(self, sentence: str) -> str | None:
        """By a template that is little more than its values."""
        for template in self._of.templates.vague(sentence):
            said = self._by([template], sentence)
            if said is None and template.is_tail:
                said = self._behind(template, sentence)
            if said is not None:
                return said
        return None

    def _behind(self, template: Template, sentence: str) -> str | None:
        begin = sentence.rfind(template.pieces[0])
        values = values_of(sentence[begin:], template.pieces) if begin > 0 else None
        tail = None if values is None else self._filled(template, values)
        return None if tail is None else self.said(sentence[:begin]) + tail


def _at_last_bracket(sentence: str) -> tuple[str, str, str] | None:
    """What stands before the bracket at the end, in it, and behind it: a full stop, or nothing."""
    stop = "." if sentence.endswith(".") else ""
    end = len(sentence) - len(stop) - 1
    if end < 0 or sentence[end] != ")":
        return None
    depth, place = 1, end
    while depth and place > 0:
        place -= 1
        depth += {"(": -1, ")": 1}.get(sentence[place], 0)
    before, inside = sentence[: place - 1], sentence[place + 1 : end]
    whole = not depth and place > 1 and sentence[place - 1] == " " and bool(inside)
    return (before, inside, stop) if whole else None


def _left(said: str, english: frozenset[str]) -> int:
    """How much is as it was; there are names among it."""
    return sum(len(word) for word in _WORD.findall(said) if word in english)


class _Value:
    """A value of a sentence, which says itself where the template asks for it."""

    def __init__(self, value: str, saying: Saying) -> None:
        self._value = value
        self._saying = saying

    def __format__(self, how: str) -> str:
        if how in ("say", "rest"):
            return self._saying.said(self._value)
        if how == "list":
            return self._saying.listed(self._value)
        if how == "known" and not _NUMBER.fullmatch(self._value):
            said = self._saying.known(self._value)
            if said is None:
                raise _NotKnownError
            return said
        return self._value
