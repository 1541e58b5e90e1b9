"""The filter's small language: words that must be there, and fields with values.

Reading a filter never fails otherwise than with `BadQueryError`. A field without its value is no
term: while somebody types, nothing disappears before it is known what is meant.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.core.quantities import BadQuantityError, bytes_of, count_of, seconds_of
from ckpt_tui.core.query_words import (
    EQUAL,
    SIGNS,
    BadQueryError,
    needs_text,
    unknown_field,
    words_in,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ckpt_tui.core.checkpoint import Checkpoint
    from ckpt_tui.core.query_words import Word


class Candidate(NamedTuple):
    """A checkpoint, as a filter looks at it.

    Attributes:
        run: Name of its run, in lower case.
        text: What a person reads of it, in lower case.
        moment: Seconds since the epoch that its age counts from; None where unknown.
    """

    checkpoint: Checkpoint
    run: str
    text: str
    moment: float | None


Term = Callable[[Candidate, float], bool]
"""Whether it holds for a candidate at a time, in seconds since the epoch."""


class Query(NamedTuple):
    """A filter: all of its terms must hold.

    Attributes:
        text: As it was typed.
        hint: What the last word still needs; "" where all are whole.
        timed: True where the answer changes as time passes.
    """

    text: str = ""
    terms: tuple[Term, ...] = ()
    hint: str = ""
    timed: bool = False

    def matches(self, candidate: Candidate, now: float) -> bool:
        """Whether it is shown."""
        return all(term(candidate, now) for term in self.terms)


EVERYTHING = Query()

_TIMES = ("age", "took")


class _UnfinishedError(Exception):
    """A field whose value is still to be typed."""


def parse_query(text: str) -> Query:
    """Reads a filter.

    Words stand between spaces, or in quotes. `!` before a word turns it round.

    Raises:
        BadQueryError: There is no such field, or its value is of no use.
    """
    terms: list[Term] = []
    hint, timed = "", False
    for word in words_in(text):
        try:
            term = _term(word)
        except _UnfinishedError as unfinished:
            hint = str(unfinished)
            continue
        hint = ""
        timed = timed or (word.field is not None and word.field[0] == "age")
        terms.append(_opposite(term) if word.inverted else term)
    return Query(text, tuple(terms), hint, timed)


def _opposite(term: Term) -> Term:
    return lambda candidate, now: not term(candidate, now)


def _term(word: Word) -> Term:
    """The term of one word.

    Raises:
        _UnfinishedError: Nothing, or a field without a value.
        BadQueryError: The field or its value is wrong.
    """
    field = word.field
    if field is not None:
        return _field(*field)
    sought = word.sought
    if word.text in _EXAMPLES:
        raise _UnfinishedError(_needs(sought))
    if not sought:
        raise _UnfinishedError
    return lambda candidate, _now: sought in candidate.text


def _field(name: str, sign: str, value: str) -> Term:
    if name not in _EXAMPLES:
        raise unknown_field(name, sign)
    if not value.strip("!,"):
        raise _UnfinishedError(_needs(name))
    if name in _QUANTITIES:
        return _compare(name, sign, value)
    if sign not in EQUAL:
        raise BadQueryError(_needs(name))
    inverted = value.startswith("!")
    term = _named(name, tuple(part for part in value.lstrip("!").split(",") if part))
    return _opposite(term) if inverted else term


def _needs(name: str) -> str:
    return needs_text(name, _EXAMPLES[name])


def _compare(name: str, sign: str, value: str) -> Term:
    have, read = _QUANTITIES[name]
    try:
        limit = read(value)
    except BadQuantityError as error:
        raise BadQueryError(_needs(name)) from error
    if name in _TIMES and sign in EQUAL:
        raise BadQueryError(_needs(name))
    holds = SIGNS[sign]

    def term(candidate: Candidate, now: float) -> bool:
        known = have(candidate, now)
        return known is not None and holds(known, limit)

    return term


def _age_of(candidate: Candidate, now: float) -> float | None:
    return None if candidate.moment is None else now - candidate.moment


_QUANTITIES: Mapping[str, tuple[Callable[[Candidate, float], float | None], Callable[[str], float]]]
_QUANTITIES = {
    "step": (lambda candidate, _now: candidate.checkpoint.facts.step, count_of),
    "size": (lambda candidate, _now: candidate.checkpoint.facts.size_bytes, bytes_of),
    "ranks": (lambda candidate, _now: candidate.checkpoint.facts.world_size, count_of),
    "took": (lambda candidate, _now: candidate.checkpoint.facts.save_seconds, seconds_of),
    "age": (_age_of, seconds_of),
}


def _named(name: str, values: tuple[str, ...]) -> Term:
    """Holds where any of the values fits."""
    if name == "rank":
        return _rank(values)
    words_of = _WORDS[name]

    def begins(candidate: Candidate, _now: float) -> bool:
        return bool([word for word in words_of(candidate) if word.startswith(values)])

    def contains(candidate: Candidate, _now: float) -> bool:
        return any(value in word for word in words_of(candidate) for value in values)

    return begins if name in _BY_BEGINNING else contains


def _rank(values: tuple[str, ...]) -> Term:
    try:
        ranks = tuple(int(count_of(value)) for value in values)
    except BadQuantityError as error:
        raise BadQueryError(_needs("rank")) from error
    return lambda candidate, _now: any(_lacks(candidate.checkpoint, rank) for rank in ranks)


def _lacks(checkpoint: Checkpoint, rank: int) -> bool:
    """Whether a rank should have a whole shard and has none; most stand at their own place."""
    expected, shards = checkpoint.facts.expected_ranks or (), checkpoint.facts.shards
    if not (expected[rank : rank + 1] == (rank,) or rank in expected):
        return False
    if rank < len(shards) and shards[rank].rank == rank:
        return bool(shards[rank].problem)
    return not any(shard.rank == rank and not shard.problem for shard in shards)


_BY_BEGINNING = frozenset({"state", "status", "commit", "role"})
_WORDS: Mapping[str, Callable[[Candidate], tuple[str, ...]]] = {
    "state": lambda candidate: (candidate.checkpoint.verdict.value,),
    "status": lambda candidate: (candidate.checkpoint.verdict.value,),
    "commit": lambda candidate: (candidate.checkpoint.commit.value,),
    "role": lambda candidate: tuple([role.role for role in candidate.checkpoint.facts.roles]),
    "format": lambda candidate: (candidate.checkpoint.facts.format,),
    "run": lambda candidate: (candidate.run,),
    "finding": lambda candidate: tuple([found.code for found in candidate.checkpoint.findings]),
    "code": lambda candidate: tuple([found.code for found in candidate.checkpoint.findings]),
}
_EXAMPLES = {
    "step": "step>5000",
    "size": "size>1g",
    "age": "age<2h",
    "took": "took>5m",
    "ranks": "ranks=8",
    "rank": "rank:640",
    "state": "state:exact",
    "status": "status:saving",
    "commit": "commit:committed",
    "role": "role:rng",
    "format": "format:dcp",
    "run": "run:sft",
    "finding": "finding:missing-shard",
    "code": "code:missing-shard",
}
FIELDS = tuple(_EXAMPLES)
"""Names of all fields."""
