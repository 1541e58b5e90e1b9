"""A comparison as text: what differs first, what is equal in a sentence each."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.core.comparing.rows import (
    NONE,
    Row,
    Section,
    fact_row,
    fact_text,
    reads_differently,
    section,
    sign_of,
)
from ckpt_tui.core.comparing.telling_tensors import same_tensors, tensor_sections
from ckpt_tui.core.text import bytes_text, duration_text, ranks_text
from ckpt_tui.words import say, say_count, say_sentence
from ckpt_tui.words.lists import listed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ckpt_tui.core.comparing.checkpoints import Comparison, RankChange, RoleChange
    from ckpt_tui.core.comparing.files import FileChange
    from ckpt_tui.core.facts import RoleFacts
    from ckpt_tui.core.findings import Finding

MOST_ROWS = 200
"""Rows of one section."""
_ALWAYS = ("step", "written")
"""Any two checkpoints differ in these: the distance tells them."""


class Told(NamedTuple):
    """All that is said.

    Attributes:
        distance: How far apart they are.
        sections: What differs; those without anything are left out.
        same: What is equal, a sentence each.
    """

    distance: str
    sections: tuple[Section, ...]
    same: tuple[str, ...]


def told(comparison: Comparison, most: int = MOST_ROWS) -> Told:
    """Says it, with at most so many rows a section."""
    sections = tuple(each for each in _sections(comparison, most) if each.rows or each.more)
    return Told(_distance(comparison), sections, tuple(_same(comparison)))


def _sections(comparison: Comparison, most: int) -> Iterator[Section]:
    differing = [fact for fact in comparison.facts if fact.differs and fact.name not in _ALWAYS]
    facts = [fact for fact in differing if reads_differently(fact)]
    yield Section(say("as a whole"), tuple(map(fact_row, facts)))
    yield section(say("roles"), comparison.roles, _role, most)
    yield section(say("shards whole in one only"), comparison.ranks, _rank, most)
    lost, found = comparison.only_first, comparison.only_second
    yield section(say("findings only of the first"), lost, _lost, most)
    yield section(say("findings only of the second"), found, _found, most)
    if comparison.tensors is not None:
        yield from tensor_sections(comparison.tensors, most)
    telling = [change for change in comparison.files.changed if not change.slight]
    yield section(say("files"), telling, _file, most)


def _distance(comparison: Comparison) -> str:
    steps, seconds = comparison.steps_apart, comparison.seconds_apart
    apart = [say_count(abs(steps), "{count} step", "{count} steps")] if steps else []
    if seconds is not None:
        apart.append(duration_text(abs(seconds)))
    if not apart:
        if steps == 0:
            return say("both are of the same step")
        return say("neither steps nor times tell how far they are apart")
    how_far = listed(apart)
    if steps == 0:
        how_far = say("of the same step, {how_far}", how_far=how_far)
    if (steps or seconds or 0) < 0:
        return say("the second is {how_far} before the first", how_far=how_far)
    return say("the second is {how_far} after the first", how_far=how_far)


def _role(change: RoleChange) -> Row:
    sign = sign_of(change.first, change.second)
    return Row(sign, say(change.role), _role_text(change.first), _role_text(change.second))


def _role_text(role: RoleFacts | None) -> str:
    if role is None:
        return NONE
    if role.missing_ranks:
        return say("not of {ranks}", ranks=say_sentence(ranks_text(role.missing_ranks)))
    return bytes_text(role.size_bytes) if role.size_bytes is not None else say("there")


def _rank(change: RankChange) -> Row:
    label = say("rank {number}", number=change.rank)
    sign = sign_of(change.first, change.second)
    return Row(sign, label, _size(change.first), _size(change.second))


def _lost(finding: Finding) -> Row:
    return Row("-", finding.code, "", "", say_sentence(finding.message))


def _found(finding: Finding) -> Row:
    return Row("+", finding.code, "", "", say_sentence(finding.message))


def _file(change: FileChange) -> Row:
    sign = sign_of(change.first, change.second)
    return Row(sign, change.path, _size(change.first), _size(change.second))


def _size(size_bytes: int | None) -> str:
    return NONE if size_bytes is None else bytes_text(size_bytes)


def _same(comparison: Comparison) -> Iterator[str]:
    facts = {fact.name: fact.second for fact in comparison.facts if not fact.differs}
    if "state" in facts:
        yield say("both are {state}", state=fact_text("state", facts["state"]))
    if "format" in facts:
        yield say("both are of format {format}", format=facts["format"])
    if comparison.same_roles:
        roles = listed([say(role) for role in comparison.same_roles])
        yield say("both hold {roles}", roles=roles)
    if comparison.same_ranks:
        yield say_count(comparison.same_ranks, "{count} shard is whole in both",
                        "{count} shards are whole in both")  # fmt: skip
    for code in dict.fromkeys(finding.code for finding in comparison.both):
        yield say("both have the finding {code}", code=code)
    tensors = same_tensors(comparison.tensors) if comparison.tensors is not None else ""
    if tensors:
        yield tensors
    slight = sum(1 for change in comparison.files.changed if change.slight)
    if comparison.files.same:
        yield say_count(comparison.files.same, "{count} file of one size",
                        "{count} files of one size")  # fmt: skip
    if slight:
        yield say_count(slight, "{count} file whose size differs by less than 1 %",
                        "{count} files whose sizes differ by less than 1 %")  # fmt: skip
