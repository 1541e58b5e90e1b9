"""Lists the arrays of pickles with the places of their bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.artifacts.compression import compression_of
from ckpt_tui.artifacts.limits import ArtifactError
from ckpt_tui.artifacts.pickle_arrays import sniff_pickle
from ckpt_tui.core.tensors import Chunk
from ckpt_tui.formats.shared.pickled import as_dictionary, read_pickle_source
from ckpt_tui.formats.shared.tensors_torch import tensors_by_role
from ckpt_tui.formats.tensor_files import add_tensor_file, tensor_files

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ckpt_tui.artifacts.pickle_arrays import ArrayPickle
    from ckpt_tui.artifacts.source import Source
    from ckpt_tui.core.files import FileEntry
    from ckpt_tui.formats.shared.tensor_walk import NamedTensor
    from ckpt_tui.formats.shared.tensors_gathering import Gathering


def add_pickle_files(gathering: Gathering) -> None:
    """Gathers the arrays of every file, until the reading is over."""
    add_pickles(gathering, tensor_files(gathering.files.tree))


def add_pickles(gathering: Gathering, entries: list[FileEntry]) -> None:
    """Gathers the arrays of these files, pickles and others."""
    for entry in gathering.file_by_file(entries):
        _add_file(gathering, entry)


def _add_file(gathering: Gathering, entry: FileEntry) -> None:
    try:
        with gathering.files.open(entry.path) as source:
            if compression_of(source) is not None or sniff_pickle(source):
                _add_pickle(gathering, entry.path, source)
                return
    except ArtifactError as error:
        gathering.note_unreadable(entry, error)
        return
    add_tensor_file(gathering, entry)


def _add_pickle(gathering: Gathering, path: str, source: Source) -> None:
    pickle = read_pickle_source(source, gathering.files.limits)
    marked = gathering.marked(path)
    first: dict[str, str] = {}
    for role, (name, info) in _by_role(pickle, marked.role):
        held = pickle.stored.get(info.storage_key)
        begin = held.offset if held is not None else None
        chunk = Chunk(path, marked.rank, (), (), info.size_bytes, begin)
        shares = first.setdefault(info.storage_key, name)
        stored = info.size_bytes if shares == name else 0
        gathering.add(
            name,
            info.dtype,
            info.shape,
            info.size_bytes,
            role,
            (chunk,),
            stored,
            "" if shares == name else shares,
        )


def _by_role(pickle: ArrayPickle, otherwise: str) -> Iterator[tuple[str, NamedTensor]]:
    """Every array of a file, pickle by pickle."""
    for value in pickle.values:
        top = as_dictionary(value)
        yield from tensors_by_role(value if top is None else dict(top), otherwise)
