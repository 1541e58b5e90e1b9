"""The filter's small language: words that must be seen, and a few fields with numbers."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    from ckpt_tui.tui.rows.present import Row

FILTER_HELP = (
    ("word", "the word is somewhere in the row"),
    ("!word", "it is nowhere in the row; ! turns every term round"),
    ("step>5000", "also < >= <= =, and size>1g, ranks=8"),
    ("state:saving", "the state's word begins so"),
    ("role:rng", "the checkpoint has that role"),
    ("rank:640", "that rank's shard is missing or broken"),
)

_NUMERIC = re.compile(r"^(step|size|ranks)(>=|<=|>|<|=)(.*)$")
_NAMED = re.compile(r"^(state|role|rank):(.*)$")
_HALF_TYPED = re.compile(r"^!?((step|size|ranks)[<>=]{0,2}|(state|role|rank):?)?$")
_NUMBER = re.compile(r"^(\d+(?:\.\d+)?)([kmgtp]?)(?:i?b)?$")
_SCALE = {"": 1, "k": 2**10, "m": 2**20, "g": 2**30, "t": 2**40, "p": 2**50}


class BadQueryError(ValueError):
    """A filter that cannot be understood; the message says which part and why."""


class Query(NamedTuple):
    """A filter: all of its terms must hold."""

    text: str
    terms: tuple[Callable[[Row], bool], ...]

    def matches(self, row: Row) -> bool:
        """Whether the row is shown."""
        return all(term(row) for term in self.terms)


EVERYTHING = Query("", ())


def parse_query(text: str) -> Query:
    """Reads a filter.

    Raises:
        BadQueryError: A field has no usable value.
    """
    return Query(text, tuple(_term(word) for word in text.lower().split()))


def _term(word: str) -> Callable[[Row], bool]:
    if _HALF_TYPED.match(word):
        return lambda _row: True
    if word.startswith("!"):
        positive = _term(word[1:])
        return lambda row: not positive(row)
    if numeric := _NUMERIC.match(word):
        return _compare(*numeric.groups())
    if named := _NAMED.match(word):
        return _named(*named.groups())
    return lambda row: word in row.searched


def _compare(field: str, sign: str, value: str) -> Callable[[Row], bool]:
    number = _NUMBER.match(value)
    if number is None:
        raise BadQueryError(f"{field}{sign} needs a number, such as {field}{sign}5000")
    limit = float(number[1]) * _SCALE[number[2]]

    def holds(row: Row) -> bool:
        facts = row.value.checkpoint.facts
        have = {"step": facts.step, "size": facts.size_bytes, "ranks": facts.world_size}[field]
        if have is None:
            return False
        return {
            ">": have > limit,
            "<": have < limit,
            ">=": have >= limit,
            "<=": have <= limit,
            "=": have == limit,
        }[sign]

    return holds


def _named(field: str, value: str) -> Callable[[Row], bool]:
    if field == "state":
        return lambda row: row.value.checkpoint.verdict.value.startswith(value)
    if field == "role":
        return lambda row: any(
            role.role.startswith(value) for role in row.value.checkpoint.facts.roles
        )
    if not value.isdecimal():
        raise BadQueryError("rank: needs a rank's number, such as rank:640")
    rank = int(value)
    return lambda row: rank in row.value.checkpoint.missing_ranks
