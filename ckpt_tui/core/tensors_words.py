"""How tensors are spoken of: shapes, counts, and what a listing does not show."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.core.tensors import NoteKind
from ckpt_tui.core.text import bytes_text, ranks_text
from ckpt_tui.core.vocabulary import OTHER
from ckpt_tui.words import later, say, say_count, say_sentence

if TYPE_CHECKING:
    from ckpt_tui.core.tensors import Note, Tensor
    from ckpt_tui.core.tensors_totals import Total

_TEXTS = {
    NoteKind.MORE_TENSORS: (
        later("1 more tensor is counted, not listed"),
        later("{count} more tensors are counted, not listed"),
    ),
    NoteKind.MORE_CHUNKS: (
        later("of 1 tensor the chunks are not kept: there are too many"),
        later("of {count} tensors the chunks are not kept: there are too many"),
    ),
    NoteKind.CUT_NAMES: (
        later("1 name is longer than is shown"),
        later("{count} names are longer than is shown"),
    ),
    NoteKind.CUT_SHORT: (
        later("the time was up: 1 file was not read, {path}"),
        later("the time was up: {count} files ({size}) were not read, from {path} on"),
    ),
    NoteKind.UNREADABLE: (
        later("{path} cannot be read: {detail}"),
        later("{path} and others, {count} files in all, cannot be read: {detail}"),
    ),
    NoteKind.NO_HEADER: (
        later("{path} ({size}) has no header that tells tensors"),
        later("{count} files ({size}) have no header that tells tensors, such as {path}"),
    ),
    NoteKind.NO_INDEX: (
        later("no .metadata tells what {path} ({size}) holds"),
        later("no .metadata tells what {count} data files ({size}) hold, such as {path}"),
    ),
    NoteKind.OBJECTS: (
        later("1 pickled object ({size}) beside the tensors, by {path}"),
        later("{count} pickled objects ({size}) beside the tensors, by {path}"),
    ),
    NoteKind.UNSEEN_BYTES: (
        later("{path} stores {size} that no tensor shows: views of larger storages"),
        later("{count} files store {size} that no tensor shows, such as {path}"),
    ),
    NoteKind.ELSEWHERE: (
        later("a part lies outside this checkpoint and was not followed: {path}"),
        later("{count} parts lie outside this checkpoint and were not followed: {path}"),
    ),
    NoteKind.STORED_AGAIN: (
        later("{path} ({size}) holds the same tensors again"),
        later("{count} files ({size}) hold the same tensors again, such as {path}"),
    ),
    NoteKind.ONLY_FACTS: (
        later("these are what the look saw; no header told more"),
        later("these are what the look saw; no header told more"),
    ),
    NoteKind.SAVING: (
        later("it is being saved: its headers are read when the save is done"),
        later("it is being saved: its headers are read when the save is done"),
    ),
}
_FAULTY = frozenset(
    {NoteKind.UNREADABLE, NoteKind.CUT_SHORT, NoteKind.NO_INDEX, NoteKind.ELSEWHERE}
)
_MOST_DETAIL = 120
_ELEMENT_UNITS = ("", "K", "M", "B", "T")


def note_text(note: Note) -> str:
    """One sentence without an end."""
    one, many = _TEXTS[note.kind]
    detail = note.detail if len(note.detail) <= _MOST_DETAIL else f"{note.detail[:_MOST_DETAIL]}…"
    size = bytes_text(note.size_bytes or None)
    return say(
        one if note.how_many == 1 else many,
        count=note.how_many,
        path=note.path,
        size=size,
        detail=say_sentence(detail) or say("for several reasons"),
    )


def is_faulty(note: Note) -> bool:
    """Whether tensors are, or may be, missing from the listing because of it."""
    return note.kind in _FAULTY


def shape_text(shape: tuple[int, ...]) -> str:
    """Lengths as people write them: "4096×128"; "scalar" for none."""
    return "×".join(map(str, shape)) if shape else say("scalar")


def role_text(role: str) -> str:
    """A role, or what stands for none."""
    return say(role or OTHER)


def elements_text(count: int) -> str:
    """A number of elements with three significant digits: "7.24 B", "512"."""
    value = float(min(count, 10**30))
    for unit in _ELEMENT_UNITS:
        if value < 999.5 or unit == _ELEMENT_UNITS[-1]:
            break
        value /= 1000
    if not unit:
        return f"{value:.0f}"
    digits = 2 if value < 9.995 else 1 if value < 99.95 else 0
    return f"{value:.{digits}f} {unit}"


def where_text(tensor: Tensor) -> str:
    """Where it is stored, short: its file, or how many pieces of which ranks."""
    if tensor.shares:
        return say("shares {name}", name=tensor.shares)
    if not tensor.chunks:
        return ""
    if len(tensor.chunks) == 1:
        return tensor.chunks[0].path
    ranks = sorted({chunk.rank for chunk in tensor.chunks if chunk.rank is not None})
    if not ranks:
        files = len({chunk.path for chunk in tensor.chunks})
        return say("{count} chunks in {files} files", count=len(tensor.chunks), files=files)
    told = say_sentence(ranks_text(ranks, most=3))
    return say("{count} chunks, {ranks}", count=len(tensor.chunks), ranks=told)


def rows_text(offsets: tuple[int, ...], shape: tuple[int, ...]) -> str:
    """Which part of the whole tensor a chunk is: "[0:512, 0:4096]"."""
    return f"[{', '.join(f'{a}:{a + n}' for a, n in zip(offsets, shape, strict=False))}]"


def shared_text(shared: Total) -> str:
    """How many tensors show bytes that were counted with another one."""
    return say_count(
        shared.tensors,
        "{count} tensor shares the bytes of another one: {size} counted once",
        "{count} tensors share the bytes of others: {size} counted once",
        size=bytes_text(shared.size_bytes),
    )
