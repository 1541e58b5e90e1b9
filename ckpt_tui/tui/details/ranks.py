"""The Shards tab's values: the state of each rank, computed once for each picture.

States are kept as one byte a rank, so that sixteen thousand of them are compared, counted and
searched without a loop; what is shown of a single rank is made when it is asked for.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.core.outliers import Outlier, OutlierKind, behind_outliers, settled_outliers
from ckpt_tui.core.vocabulary import Verdict
from ckpt_tui.tui.lines import Tone
from ckpt_tui.words import later

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ckpt_tui.core.checkpoint import Checkpoint
    from ckpt_tui.core.facts import ParallelAxis, ShardFacts


class RankState(StrEnum):
    """How far a rank's shard is; the first is the loudest."""

    MISSING = later("missing")
    BROKEN = later("short or empty")
    SILENT = later("silent")
    SMALL = later("small")
    LATE = later("late")
    WRITING = later("writing")
    WAITING = later("waiting")
    DONE = later("done")


STATES = tuple(RankState)
"""A state's code is its place here."""
CODES = {state: code for code, state in enumerate(STATES)}
TROUBLE = STATES[: CODES[RankState.WRITING]]
RANK_LOOKS = {
    RankState.MISSING: ("✗", Tone.BAD),
    RankState.BROKEN: ("!", Tone.BAD),
    RankState.SILENT: ("?", Tone.WARN),
    RankState.SMALL: ("▼", Tone.WARN),
    RankState.LATE: ("»", Tone.WARN),
    RankState.WRITING: ("▪", Tone.BUSY),
    RankState.WAITING: ("·", Tone.DIM),
    RankState.DONE: ("█", Tone.DONE),
}

_MISSING, _BROKEN, _SILENT, _SMALL, _LATE, _WRITING, _WAITING, _DONE = range(len(STATES))
_NOT_THERE = ("missing", "waiting")


class RankCell(NamedTuple):
    """What a rank's shard is like.

    Attributes:
        shard: None where nothing of it is there.
        expected_bytes: Its size in the last whole checkpoint, while it is being written; None
            where unknown.
        outlier: In which way it is unlike the others, or None.
    """

    rank: int
    state: RankState
    shard: ShardFacts | None
    expected_bytes: int | None = None
    outlier: Outlier | None = None


class RankCells(NamedTuple):
    """All ranks of a checkpoint, in their order.

    Attributes:
        ranks: Their numbers, ascending.
        codes: One byte a rank: the place of its state in `STATES`.
        shards: By rank; nothing for a rank of which nothing is there.
        usual_bytes: Size by rank in another whole checkpoint of as many ranks.
        saving: Whether the save is in flight.
        outliers: Those that are unlike the others.
        axes: How the job is split over the ranks.
    """

    ranks: tuple[int, ...]
    codes: bytes
    shards: Mapping[int, ShardFacts]
    usual_bytes: Mapping[int, int]
    saving: bool
    outliers: tuple[Outlier, ...] = ()
    axes: tuple[ParallelAxis, ...] = ()

    def cell(self, place: int) -> RankCell:
        """One of them, by its place among `ranks`."""
        rank = self.ranks[place]
        expected = self.usual_bytes.get(rank) if self.saving else None
        outlier = next((outlier for outlier in self.outliers if outlier.rank == rank), None)
        return RankCell(rank, STATES[self.codes[place]], self.shards.get(rank), expected, outlier)

    def how_many(self, state: RankState) -> int:
        """How many ranks are in one state."""
        return self.codes.count(CODES[state])


NO_CELLS = RankCells((), b"", {}, {}, False)


def rank_cells(checkpoint: Checkpoint, other_whole: Checkpoint | None) -> RankCells:
    """The state of every rank.

    A shard in flight counts as done when it is as large as the same rank's shard in another whole
    checkpoint of as many ranks; without one, when its reader sees its end. Until then a rank of
    which there is a byte is writing.

    Args:
        checkpoint: The one to show.
        other_whole: A whole one of the same run, that sizes are compared with.
    """
    facts = checkpoint.facts
    shards = {shard.rank: shard for shard in facts.shards}
    alike = other_whole is not None and other_whole.facts.world_size == facts.world_size
    usual = (
        {s.rank: s.size_bytes for s in other_whole.facts.shards} if other_whole and alike else {}
    )
    ranks = _all_ranks(shards, facts.expected_ranks or ())
    saving = checkpoint.verdict is Verdict.SAVING
    silent: tuple[int, ...] = ()
    if saving:
        codes = _saving_codes(ranks, shards, usual)
        outliers = behind_outliers(facts.shards, usual)
        silent = checkpoint.progress.silent_ranks if checkpoint.progress else ()
    else:
        codes = _settled_codes(ranks, shards)
        outliers = settled_outliers(facts.shards, usual)
    outliers = _marked(codes, ranks, silent, outliers)
    return RankCells(ranks, bytes(codes), shards, usual, saving, outliers, facts.axes)


def _all_ranks(shards: Mapping[int, ShardFacts], expected: tuple[int, ...]) -> tuple[int, ...]:
    """Those that have a shard, and those that should, in order."""
    places = frozenset(expected)
    return tuple(sorted(expected if shards.keys() <= places else places | shards.keys()))


def _marked(
    codes: bytearray, ranks: Sequence[int], silent: Sequence[int], outliers: Sequence[Outlier]
) -> tuple[Outlier, ...]:
    """Marks silent ranks and outliers; what is done or in louder trouble stays as it is."""
    if not silent and not outliers:
        return ()
    places = {rank: place for place, rank in enumerate(ranks)}
    for rank in silent:
        if rank in places and codes[places[rank]] != _DONE:
            codes[places[rank]] = _SILENT
    kept = [outlier for outlier in outliers if codes[places[outlier.rank]] > _SILENT]
    for outlier in kept:
        codes[places[outlier.rank]] = _LATE if outlier.kind is OutlierKind.LATE else _SMALL
    return tuple(kept)


def _saving_codes(
    ranks: Sequence[int], shards: Mapping[int, ShardFacts], usual: Mapping[int, int]
) -> bytearray:
    codes = bytearray()
    for rank in ranks:
        codes.append(_saving_code(shards.get(rank), usual.get(rank)))
    return codes


def _saving_code(shard: ShardFacts | None, usual_bytes: int | None) -> int:
    """How far one rank is; "waiting" are to its reader also those whose end nothing marks."""
    if shard is None or shard.problem == "missing":
        return _WAITING
    if shard.problem != "waiting":
        return _WRITING if shard.problem or shard.size_bytes < (usual_bytes or 0) else _DONE
    if not shard.size_bytes:
        return _WAITING
    return _DONE if usual_bytes and shard.size_bytes >= usual_bytes else _WRITING


def _settled_codes(ranks: Sequence[int], shards: Mapping[int, ShardFacts]) -> bytearray:
    codes = bytearray()
    for rank in ranks:
        shard = shards.get(rank)
        if shard is None or shard.problem in _NOT_THERE:
            codes.append(_MISSING)
        else:
            codes.append(_BROKEN if shard.problem else _DONE)
    return codes
