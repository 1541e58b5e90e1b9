"""Gathers the tensors of a DCP checkpoint, also of one that is safetensors shards."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.artifacts.limits import ArtifactError
from ckpt_tui.artifacts.safetensors_header import read_safetensors_header
from ckpt_tui.core.tensors import Chunk, NoteKind
from ckpt_tui.core.vocabulary import MODEL
from ckpt_tui.formats.tensor_files import add_tensor_files, tensor_files
from ckpt_tui.formats.torch_dcp.hf_storage import SHARDED, saved_offsets

if TYPE_CHECKING:
    from ckpt_tui.core.files import FileEntry
    from ckpt_tui.formats.shared.tensors_gathering import Gathering


class _Piece(NamedTuple):
    """A piece of a tensor with its data type."""

    dtype: str
    chunk: Chunk


def add_tensors(gathering: Gathering) -> None:
    """Gathers what `.metadata` names, or the pieces in the safetensors shards put together."""
    entries = tensor_files(gathering.files.tree)
    if not entries or not all(entry.path.endswith(".safetensors") for entry in entries):
        add_tensor_files(gathering)
        return
    whole = [entry for entry in entries if not entry.path.startswith(f"{SHARDED}/")]
    again = [entry for entry in entries if entry.path.startswith(f"{SHARDED}/")] if whole else []
    if again:
        size_bytes = sum(entry.size_bytes for entry in again)
        gathering.note(NoteKind.STORED_AGAIN, again[0].path, len(again), size_bytes)
    pieces: dict[str, list[_Piece]] = {}
    for entry in gathering.file_by_file(whole or entries):
        _read(gathering, entry, pieces)
    for name, found in pieces.items():
        _add(gathering, name, sorted(found, key=lambda piece: piece.chunk.offsets))


def _read(gathering: Gathering, entry: FileEntry, pieces: dict[str, list[_Piece]]) -> None:
    try:
        with gathering.files.open(entry.path) as source:
            header = read_safetensors_header(source, gathering.files.limits)
            data = source.size - header.data_bytes_expected
    except ArtifactError as error:
        gathering.note_unreadable(entry, error)
        return
    offsets, rank = saved_offsets(header), gathering.marked(entry.path).rank
    for name, (dtype, shape, begin, end) in header.tensors.items():
        at = tuple(offsets.get(name, ()))
        at = at if len(at) == len(shape) else (0,) * len(shape)
        chunk = Chunk(entry.path, rank, at, shape, end - begin, data + begin)
        pieces.setdefault(name, []).append(_Piece(dtype, chunk))


def _add(gathering: Gathering, name: str, pieces: list[_Piece]) -> None:
    """One tensor; its shape is what its pieces span."""
    chunks = tuple(piece.chunk for piece in pieces)
    ends = [
        tuple(at + length for at, length in zip(chunk.offsets, chunk.shape, strict=True))
        for chunk in chunks
        if len(chunk.shape) == len(chunks[0].shape)
    ]
    shape = tuple(max(lengths) for lengths in zip(*ends, strict=True))
    size_bytes = sum(chunk.size_bytes for chunk in chunks)
    gathering.add(name, pieces[0].dtype, shape, size_bytes, MODEL, chunks)
