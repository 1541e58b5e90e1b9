"""Gathers the tensors of a bundle from its index: no data file is opened but for the graph."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.artifacts.limits import ArtifactError
from ckpt_tui.artifacts.tensor_bundle import INDEX_ENDING, read_bundle
from ckpt_tui.core.tensors import Chunk, NoteKind
from ckpt_tui.core.vocabulary import MODEL
from ckpt_tui.formats.tensorflow.key_roles import ATTRIBUTE
from ckpt_tui.formats.tensorflow.names import SAVED_MODEL_FILES
from ckpt_tui.formats.tensorflow.object_graph import GRAPH_KEY
from ckpt_tui.formats.tensorflow.roles import role_table
from ckpt_tui.formats.tensorflow.scalars import read_told
from ckpt_tui.formats.tensorflow.stored import Stored

if TYPE_CHECKING:
    from ckpt_tui.artifacts.tensor_bundle import BundleEntry
    from ckpt_tui.formats.shared.tensors_gathering import Gathering


def add_tensors(gathering: Gathering) -> None:
    """Gathers every tensor that an index names; the object graph is no tensor of the job."""
    files = gathering.files
    indexes = [e.path for e in files.tree.files() if e.path.endswith(INDEX_ENDING)]
    gathering.reading.files_total = len(indexes)
    export = any(files.tree.get(name) is not None for name in SAVED_MODEL_FILES)
    for index in indexes:
        try:
            with files.open(index) as source:
                bundle = read_bundle(source, files.limits)
        except ArtifactError as error:
            gathering.note(NoteKind.UNREADABLE, index, detail=error.message)
            continue
        _add_bundle(gathering, Stored(files, index.removesuffix(INDEX_ENDING), bundle), export)
        gathering.reading.files_done += 1


def _add_bundle(gathering: Gathering, stored: Stored, export: bool) -> None:
    table = role_table(stored, read_told(stored)).of_key
    parts: dict[str, list[BundleEntry]] = {}
    for entry in stored.bundle.entries:
        if entry.is_slice:
            parts.setdefault(entry.key, []).append(entry)
    for entry in stored.bundle.entries:
        if entry.is_slice or entry.key == GRAPH_KEY:
            continue
        role = MODEL if export else table.get(entry.key, "")
        chunks = tuple(_chunk(stored, part) for part in parts.get(entry.key, ()))
        chunks = chunks if entry.slices else (_chunk(stored, entry),)
        stored_bytes = sum(chunk.size_bytes for chunk in chunks)
        name = entry.key.partition(ATTRIBUTE)[0]
        gathering.add(name, entry.dtype, entry.shape, stored_bytes, role, chunks)


def _chunk(stored: Stored, entry: BundleEntry) -> Chunk:
    path = stored.path_of(entry)
    lengths = entry.shape if entry.is_slice else ()
    return Chunk(path, None, entry.starts, lengths, entry.size_bytes, entry.offset)
