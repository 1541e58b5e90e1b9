"""The tensors of a checkpoint as its headers describe them: no byte of any tensor is read.

`ckpt_tui.formats.tensors` lists them; `ckpt_tui.core.tensors_totals` adds them up,
`ckpt_tui.core.tensors_query` looks for some of them.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.core.vocabulary import Verdict

if TYPE_CHECKING:
    from ckpt_tui.core.checkpoint import Checkpoint
    from ckpt_tui.core.facts import CheckpointFacts

MOST_LISTED = 300_000
"""Tensors that are listed for one checkpoint; beyond they are counted only."""
MOST_CHUNKS = 1_500_000
"""Chunks that are kept for one checkpoint; a tensor beyond has none."""
MOST_NAME_CHARACTERS = 1000
"""A longer name is cut: a header may name a tensor by megabytes."""


class Chunk(NamedTuple):
    """A stored piece of a tensor; most tensors are one piece.

    Attributes:
        path: File that holds it, relative to the checkpoint.
        rank: Who wrote it, where names tell.
        offsets: Index of its first element in the whole tensor, one number a dimension; empty for
            the whole tensor, or where the header does not tell.
        shape: Its own lengths; empty where they are the tensor's.
        size_bytes: Bytes of its elements.
        begin: Its first byte in the file; None where the header names a record instead.
        record: Name of its storage within the file ("data/12"), or "".
    """

    path: str
    rank: int | None = None
    offsets: tuple[int, ...] = ()
    shape: tuple[int, ...] = ()
    size_bytes: int = 0
    begin: int | None = None
    record: str = ""


class Tensor(NamedTuple):
    """One tensor.

    Attributes:
        name: Flat key, or the dotted path of keys in its file.
        dtype: Such as `bfloat16`.
        shape: Of the whole tensor, over all ranks; empty for a scalar.
        size_bytes: Number of elements times size of an element.
        role: The state that it belongs to; "" where nothing tells.
        chunks: Where it is stored; empty where that is not kept or not told.
        stored_bytes: What it adds to the checkpoint: less than its size where it shares a storage
            with the tensor `shares`, more where it is stored several times.
        shares: Name of a tensor before it whose bytes it shares (tied weights), or "".
    """

    name: str
    dtype: str
    shape: tuple[int, ...]
    size_bytes: int
    role: str
    chunks: tuple[Chunk, ...]
    stored_bytes: int
    shares: str = ""


class NoteKind(StrEnum):
    """What a listing does not show, or shows in part."""

    MORE_TENSORS = "more-tensors"  # counted, not listed
    MORE_CHUNKS = "more-chunks"  # tensors whose chunks are not kept
    CUT_NAMES = "cut-names"
    CUT_SHORT = "cut-short"  # files that were not read: the time was up
    UNREADABLE = "unreadable"  # a file whose header cannot be read; detail says why
    NO_HEADER = "no-header"  # files whose content no header describes
    NO_INDEX = "no-index"  # DCP data files without the `.metadata` that tells what is in them
    OBJECTS = "objects"  # pickled objects, which are no tensors
    UNSEEN_BYTES = "unseen-bytes"  # bytes of storages of which no tensor shows anything
    ELSEWHERE = "elsewhere"  # kept in another checkpoint
    STORED_AGAIN = "stored-again"  # files that hold the same tensors a second time
    ONLY_FACTS = "only-facts"  # what the look itself saw; the headers were not read again
    SAVING = "saving"  # nothing is listed before the save is done


class Note(NamedTuple):
    """Something that a listing does not show.

    Attributes:
        kind: What.
        path: The file, the first of several; "" for the whole checkpoint.
        how_many: Files, tensors or objects.
        size_bytes: How many bytes of them; 0 where that says nothing.
        detail: Why, in the words of what read it.
    """

    kind: NoteKind
    path: str = ""
    how_many: int = 1
    size_bytes: int = 0
    detail: str = ""


class TensorListing(NamedTuple):
    """The tensors of one checkpoint, in the order of its files and headers.

    Attributes:
        tensors: At most `MOST_LISTED`.
        total: How many there are.
        notes: What is not shown.
    """

    tensors: tuple[Tensor, ...] = ()
    total: int = 0
    notes: tuple[Note, ...] = ()

    @property
    def is_cut(self) -> bool:
        """Whether there are, or may be, more tensors than are listed."""
        return self.total > len(self.tensors) or any(
            note.kind in (NoteKind.CUT_SHORT, NoteKind.SAVING) for note in self.notes
        )


_ENDINGS = (
    ".pt", ".pth", ".bin", ".ckpt", ".safetensors", ".distcp", ".metadata", ".snapshot_metadata",
)  # fmt: skip


def may_list_tensors(facts: CheckpointFacts) -> bool:
    """Whether the look saw tensors, or a file that may hold some."""
    return bool(facts.tensors) or any(file.path.endswith(_ENDINGS) for file in facts.files)


def is_listable(checkpoint: Checkpoint) -> bool:
    """Whether its headers can be read: those of a save in flight still change."""
    return checkpoint.verdict is not Verdict.SAVING


def listing_of_facts(facts: CheckpointFacts) -> TensorListing:
    """What the look itself saw of tensors: whole ones by their first file, without chunks."""
    tensors = tuple(
        Tensor(
            tensor.name,
            tensor.dtype,
            tensor.shape,
            tensor.size_bytes,
            tensor.role,
            (Chunk(tensor.path),) if tensor.path else (),
            tensor.size_bytes,
        )
        for tensor in facts.tensors
    )
    total = max(facts.tensors_total, len(tensors))
    more = total - len(tensors)
    notes = (Note(NoteKind.MORE_TENSORS, how_many=more),) if more else ()
    return TensorListing(tensors, total, notes)
