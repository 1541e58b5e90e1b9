"""Lists the variables in Keras's files, with the places of their bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.artifacts.hdf5.contents import read_contents
from ckpt_tui.artifacts.hdf5.layout import Placing
from ckpt_tui.artifacts.limits import ArtifactError
from ckpt_tui.core.files import Kind
from ckpt_tui.core.tensors import Chunk, NoteKind
from ckpt_tui.formats.keras.archive import read_archive
from ckpt_tui.formats.keras.names import ARCHIVE, PREVIOUS, WHOLE_MODEL
from ckpt_tui.formats.keras.weights import role_of

if TYPE_CHECKING:
    from ckpt_tui.artifacts.hdf5.contents import Contents, Dataset
    from ckpt_tui.artifacts.source import Source
    from ckpt_tui.core.files import FileEntry
    from ckpt_tui.formats.shared.tensors_gathering import Gathering


def add_tensors(gathering: Gathering) -> None:
    """Gathers the datasets of every file of weights; a file that cannot be read is noted."""
    entries = [entry for entry in gathering.files.tree.entries if _may_hold(entry)]
    for entry in gathering.file_by_file(entries):
        try:
            with gathering.files.open(entry.path) as source:
                _add_file(gathering, entry.path, source)
        except ArtifactError as error:
            gathering.note_unreadable(entry, error)


def _may_hold(entry: FileEntry) -> bool:
    if entry.kind is Kind.FILE and entry.path.endswith(PREVIOUS):
        return False  # the pair before the last is no part of this state
    return entry.kind is Kind.FILE and entry.path.endswith((ARCHIVE, *WHOLE_MODEL))


def _add_file(gathering: Gathering, path: str, source: Source) -> None:
    begin: int | None = 0
    if path.endswith(ARCHIVE):
        archive = read_archive(source, gathering.files.limits)
        if archive.weights is None:
            gathering.note(NoteKind.NO_HEADER, path, 1, source.size)
            return
        source, begin = archive.weights, archive.begin
    contents = read_contents(source, gathering.files.limits)
    for name in sorted(contents.datasets):
        dataset = contents.datasets[name]
        chunks = _chunks(contents, dataset, path, begin)
        stored = sum(chunk.size_bytes for chunk in chunks)
        gathering.add(
            name,
            dataset.dtype(contents.view),
            dataset.shape or (),
            dataset.size_bytes,
            role_of(name),
            chunks,
            stored,
        )


def _chunks(
    contents: Contents, dataset: Dataset, path: str, begin: int | None
) -> tuple[Chunk, ...]:
    """Where a dataset's bytes are; without a place within an archive that is compressed."""

    def place(address: int) -> int | None:
        return None if begin is None else begin + contents.view.file_offset(address)

    layout = dataset.layout
    if layout.placing is Placing.CHUNKED:
        return tuple(
            Chunk(
                path,
                None,
                chunk.offsets,
                layout.chunk_shape,
                chunk.stored_bytes,
                place(chunk.address),
            )
            for chunk in dataset.chunks
        )
    begins = place(layout.address) if layout.address is not None else None
    return (Chunk(path, None, (), (), dataset.size_bytes, begins),)
