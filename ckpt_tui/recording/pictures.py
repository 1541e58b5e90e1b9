"""Snapshots as plain JSON values and back, without doing again what did not change.

A state is ``[picture, [run, …]]``; `picture` is the snapshot without its runs, and a run is
``[run without checkpoints, [checkpoint, …], place of its resume point or None]``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar
from zlib import crc32

from ckpt_tui.core import checkpoint, coordinates, facts, findings, restarts, runs, snapshot
from ckpt_tui.core.checkpoint import Checkpoint
from ckpt_tui.core.plain import PlainError, decoder_of, encode
from ckpt_tui.core.runs import Run
from ckpt_tui.core.snapshot import Snapshot
from ckpt_tui.recording.delta import Unwritten

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

_T = TypeVar("_T")
_MODULES: tuple[ModuleType, ...] = (
    checkpoint, coordinates, facts, findings, restarts, runs, snapshot,
)  # fmt: skip


def values_shape() -> str:
    """A short text that changes when a value gets other fields: their places are the format."""
    told = sorted(
        f"{kind.__name__}:{','.join(kind._fields)}"
        for module in _MODULES
        for kind in vars(module).values()
        if isinstance(kind, type) and hasattr(kind, "_fields")
    )
    return f"{crc32(';'.join(dict.fromkeys(told)).encode()):08x}"


class PictureEncoder:
    """Makes states of snapshots; equal checkpoints and runs are the same objects in each.

    Checkpoints stand in them as they are, `Unwritten`: who watches holds them anyway, and their
    plain forms would take three times the room of a full frame.
    """

    def __init__(self) -> None:
        self._checkpoints: dict[str, Unwritten] = {}
        self._runs: dict[tuple[str, str], tuple[Run, list[object]]] = {}

    def state_of(self, picture: Snapshot) -> list[object]:
        """The state of a snapshot."""
        before, self._runs = self._runs, {}
        known, self._checkpoints = self._checkpoints, {}
        told = [self._run(run, before, known) for run in picture.runs]
        return [encode(picture._replace(runs=())), told]

    def _run(
        self,
        run: Run,
        before: dict[tuple[str, str], tuple[Run, list[object]]],
        known: dict[str, Unwritten],
    ) -> list[object]:
        key = (run.path, run.format)
        made = before.get(key)
        same = made is not None and (made[0] is run or made[0] == run)
        told = [self._checkpoint(each, known) for each in run.checkpoints]
        if made is not None and same:
            self._runs[key] = made
            return made[1]
        paths = [each.path for each in run.checkpoints]
        place = paths.index(run.resume.path) if run.resume and run.resume.path in paths else None
        document = [encode(run._replace(checkpoints=(), resume=None)), told, place]
        self._runs[key] = (run, document)
        return document

    def _checkpoint(self, each: Checkpoint, known: dict[str, Unwritten]) -> Unwritten:
        made = known.get(each.path)
        if made is None or not (made.value is each or made.value == each):
            made = Unwritten(each)
        self._checkpoints[each.path] = made
        return made


class _Once(Generic[_T]):
    """Reads each object once; a reference to it keeps its identity from being used again."""

    def __init__(self, decode: Callable[[object], _T]) -> None:
        self._decode = decode
        self._known: dict[int, tuple[object, _T]] = {}
        self._used: dict[int, tuple[object, _T]] = {}

    def read(self, document: object) -> _T:
        """What the object says."""
        known = self._known.get(id(document)) or self._used.get(id(document))
        made = known[1] if known is not None else self._decode(document)
        self._used[id(document)] = (document, made)
        return made

    def forget_unused(self) -> None:
        """Keeps what was read since the last call."""
        self._known, self._used = self._used, {}


class PictureDecoder:
    """Makes snapshots of states; what is the same object in a state is not read twice."""

    def __init__(self) -> None:
        self._checkpoints = _Once(decoder_of(Checkpoint))
        self._runs = _Once(self._run)

    def snapshot_of(self, state: object) -> Snapshot:
        """The snapshot of a state.

        Raises:
            PlainError: It is none.
        """
        match state:
            case [picture, list() as told]:
                whole = decoder_of(Snapshot)(picture)
                for document in told:
                    self._read_checkpoints(document)
                runs = tuple(self._runs.read(each) for each in told)
            case _:
                raise PlainError("a state is a picture and its runs")
        self._checkpoints.forget_unused()
        self._runs.forget_unused()
        return whole._replace(runs=runs)

    def _read_checkpoints(self, document: object) -> tuple[Checkpoint, ...]:
        match document:
            case [_, list() as checkpoints, _]:
                return tuple(self._checkpoints.read(each) for each in checkpoints)
        raise PlainError("a run is its values, its checkpoints and its resume point")

    def _run(self, document: object) -> Run:
        read = self._read_checkpoints(document)
        match document:
            case [told, _, None]:
                return decoder_of(Run)(told)._replace(checkpoints=read)
            case [told, _, int() as place] if 0 <= place < len(read):
                return decoder_of(Run)(told)._replace(checkpoints=read, resume=read[place])
        raise PlainError(f"a resume point that is none of {len(read)} checkpoints")
