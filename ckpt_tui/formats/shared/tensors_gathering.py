"""Gathers the tensors of a checkpoint's files within bounds, and notes what it had to leave out."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.artifacts.limits import MIB, Limits
from ckpt_tui.core.tensors import (
    MOST_CHUNKS,
    MOST_LISTED,
    MOST_NAME_CHARACTERS,
    Note,
    NoteKind,
    Tensor,
    TensorListing,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ckpt_tui.artifacts.limits import ArtifactError
    from ckpt_tui.core.facts import FileFacts
    from ckpt_tui.core.files import FileEntry
    from ckpt_tui.core.tensors import Chunk
    from ckpt_tui.core.tensors_reading import TensorsReading
    from ckpt_tui.formats.base import CheckpointFiles

LISTING_LIMITS = Limits(metadata_bytes=128 * MIB, pickle_opcodes=40_000_000, seconds=20.0)
"""Somebody waits for one checkpoint that he chose: more than where all of a run are looked at."""

_MOST_NOTES = 40
"""Then what differs in its detail only becomes one note."""

_RANK_FILE = re.compile(r"__(\d{1,9})_\d{1,9}\.distcp")


class Marked(NamedTuple):
    """What is known of a file before it is read.

    Attributes:
        role: "" where its reader told none.
        rank: Its writer, or None.
    """

    role: str = ""
    rank: int | None = None


class Gathering:
    """The tensors so far.

    Attributes:
        files: The checkpoint, opened within `LISTING_LIMITS`.
        reading: Says when to stop, and is told how far it is.
    """

    def __init__(
        self, files: CheckpointFiles, table: Sequence[FileFacts], reading: TensorsReading
    ) -> None:
        self.files = files
        self.reading = reading
        self._marks: Mapping[str, Marked] = {f.path: Marked(f.role, f.rank) for f in table}
        self._tensors: list[Tensor] = []
        self._total = 0
        self._chunks = 0
        self._notes: dict[tuple[NoteKind, str], Note] = {}

    def marked(self, path: str) -> Marked:
        """What the reader of the format knew about a file; the rank also by DCP's own names."""
        known = self._marks.get(path, Marked())
        if known.rank is None:
            named = _RANK_FILE.fullmatch(path.rpartition("/")[2])
            return known._replace(rank=int(named[1])) if named is not None else known
        return known

    @property
    def full(self) -> bool:
        """Whether further tensors would be counted only."""
        return len(self._tensors) >= MOST_LISTED

    def count(self, tensors: int) -> None:
        """Counts tensors that are not listed."""
        self._total += tensors
        self._note_more(NoteKind.MORE_TENSORS, tensors)

    def add(
        self,
        name: str,
        dtype: str,
        shape: tuple[int, ...],
        size_bytes: int,
        role: str,
        chunks: tuple[Chunk, ...],
        stored_bytes: int | None = None,
        shares: str = "",
    ) -> None:
        """Takes a tensor; its stored bytes are those of its size where none are given."""
        if self.full:
            self.count(1)
            return
        self._total += 1
        if len(name) > MOST_NAME_CHARACTERS:
            name = name[:MOST_NAME_CHARACTERS] + "…"
            self._note_more(NoteKind.CUT_NAMES, 1)
        if self._chunks + len(chunks) > MOST_CHUNKS:
            self._note_more(NoteKind.MORE_CHUNKS, 1)
            chunks = ()
        self._chunks += len(chunks)
        stored = size_bytes if stored_bytes is None else stored_bytes
        shares = shares[:MOST_NAME_CHARACTERS]
        self._tensors.append(Tensor(name, dtype, shape, size_bytes, role, chunks, stored, shares))

    def note(
        self,
        kind: NoteKind,
        path: str = "",
        how_many: int = 1,
        size_bytes: int = 0,
        detail: str = "",
    ) -> None:
        """Notes something of one file; of many alike only the first path is kept, and how many."""
        if len(self._notes) >= _MOST_NOTES:
            detail = ""
        known = self._notes.get((kind, detail))
        if known is None:
            self._notes[kind, detail] = Note(kind, path, how_many, size_bytes, detail)
            return
        self._notes[kind, detail] = known._replace(
            how_many=known.how_many + how_many, size_bytes=known.size_bytes + size_bytes
        )

    def note_unreadable(self, entry: FileEntry, error: ArtifactError) -> None:
        """Notes a file whose tensors cannot be told."""
        self.note(NoteKind.UNREADABLE, entry.path, 1, entry.size_bytes, error.message)

    def _note_more(self, kind: NoteKind, count: int) -> None:
        if count:
            self.note(kind, how_many=count)

    def file_by_file(self, entries: Sequence[FileEntry]) -> Iterator[FileEntry]:
        """Each of these files in turn, until the reading is over; what is left then is noted."""
        self.reading.files_total = len(entries)
        for place, entry in enumerate(entries):
            if self.reading.over:
                left = entries[place:]
                size_bytes = sum(one.size_bytes for one in left)
                self.note(NoteKind.CUT_SHORT, left[0].path, len(left), size_bytes)
                return
            yield entry
            self.reading.files_done = place + 1

    def listing(self) -> TensorListing:
        """What was gathered."""
        return TensorListing(tuple(self._tensors), self._total, tuple(self._notes.values()))
