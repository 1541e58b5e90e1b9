"""Lists the tensors of one torch file, zip or legacy, with the storages that they share."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.artifacts.torch_archive import read_torch_archive
from ckpt_tui.artifacts.torch_dtypes import ITEM_BYTES
from ckpt_tui.core.tensors import Chunk, NoteKind
from ckpt_tui.formats.shared.archive_roles import parts_by_role
from ckpt_tui.formats.shared.tensor_walk import MOST_NODES, walk_tensors

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ckpt_tui.artifacts.source import Source
    from ckpt_tui.artifacts.torch_archive import TensorInfo, TorchArchive
    from ckpt_tui.formats.shared.tensor_walk import NamedTensor
    from ckpt_tui.formats.shared.tensors_gathering import Gathering

_DATA = "data/"


class _Found(NamedTuple):
    """A tensor with its role and its place in its storage, in bytes."""

    role: str
    tensor: NamedTensor
    begin: int
    end: int


def add_torch_file(gathering: Gathering, path: str, source: Source) -> None:
    """Adds the tensors of one file; each stored byte counts for the first tensor that shows it.

    Args:
        gathering: Where they go.
        path: Relative path of the file.
        source: The file, open.

    Raises:
        ArtifactError: It cannot be read.
    """
    archive = read_torch_archive(source, gathering.files.limits)
    marked = gathering.marked(path)
    found = [
        _Found(role, named, begin := _begin(named.info), begin + named.info.size_bytes)
        for role, named in tensors_by_role(archive.value, marked.role)
    ]
    owners = _owners(found)
    for place, (role, (name, info), begin, _end) in enumerate(found):
        stored, shares = owners.get(place, (info.size_bytes, ""))
        chunk = _chunk(archive, path, marked.rank, info, begin)
        gathering.add(name, info.dtype, info.shape, info.size_bytes, role, chunk, stored, shares)
    unseen = _unseen_bytes(archive, found, owners)
    if unseen:
        gathering.note(NoteKind.UNSEEN_BYTES, path, size_bytes=unseen)


def tensors_by_role(value: object, otherwise: str) -> Iterator[tuple[str, NamedTensor]]:
    """Every tensor of a file: those below a key that names a role, then the others.

    Args:
        value: What the file holds.
        otherwise: Role of the file as a whole.
    """
    parts = parts_by_role(value)
    for role, pairs in parts.items():
        for key, part in pairs:
            yield from ((role, tensor) for tensor in walk_tensors(part, key, MOST_NODES))
    taken = {id(part) for pairs in parts.values() for _, part in pairs}
    if id(value) not in taken:
        rest = _without(value, taken)
        yield from ((otherwise, tensor) for tensor in walk_tensors(rest, "", MOST_NODES))


def _without(value: object, taken: set[int]) -> object:
    """A dictionary without what has a role, also one level deeper (`state: {model: …}`)."""
    if not isinstance(value, dict) or not taken:
        return value
    return {
        key: {inner: item for inner, item in part.items() if id(item) not in taken}
        if isinstance(part, dict)
        else part
        for key, part in value.items()
        if id(part) not in taken
    }


def _begin(info: TensorInfo) -> int:
    return info.storage_offset * ITEM_BYTES[info.dtype]


def _owners(found: list[_Found]) -> dict[int, tuple[int, str]]:
    """Of tensors in a storage of several: the bytes that no tensor before showed, and that one.

    A tensor that is a view with gaps is taken for one without.
    """
    by_storage: dict[str, list[int]] = {}
    for place, (_, (_, info), _, _) in enumerate(found):
        if info.storage_key:
            by_storage.setdefault(info.storage_key, []).append(place)
    told: dict[int, tuple[int, str]] = {}
    for places in by_storage.values():
        if len(places) > 1:
            told.update(_owned(found, places))
    return told


def _owned(found: list[_Found], places: list[int]) -> Iterator[tuple[int, tuple[int, str]]]:
    """One storage: the larger of two at the same place owns it, then the first by name."""
    end, owner = 0, ""
    for place in sorted(places, key=lambda p: (found[p].begin, -found[p].end, p)):
        one = found[place]
        new = max(0, one.end - max(one.begin, end))
        shares = owner if new < one.end - one.begin else ""
        yield place, (new, shares)
        if one.end > end:
            end, owner = one.end, one.tensor.name


def _chunk(
    archive: TorchArchive, path: str, rank: int | None, info: TensorInfo, begin: int
) -> tuple[Chunk, ...]:
    if not info.storage_key:  # a tensor without data
        return ()
    at = archive.legacy_offsets.get(info.storage_key)
    record = f"{_DATA}{info.storage_key}" if at is None else ""
    first = at + begin if at is not None else None
    return (Chunk(path, rank, (), (), info.size_bytes, first, record),)


def _unseen_bytes(
    archive: TorchArchive, found: list[_Found], owners: dict[int, tuple[int, str]]
) -> int:
    """Bytes of the archive's storages that none of the tensors shows: views of larger ones."""
    held = sum(r.size_bytes for name, r in archive.zip_records.items() if name.startswith(_DATA))
    shown = sum(
        owners.get(place, (one.tensor.info.size_bytes, ""))[0]
        for place, one in enumerate(found)
        if one.tensor.info.storage_key
    )
    return max(0, held - shown)
