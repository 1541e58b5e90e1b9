"""Gathers tensors file by file: each is told by its first bytes, a DCP part by its `.metadata`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.artifacts.limits import ArtifactError
from ckpt_tui.artifacts.torch_archive import sniff_torch
from ckpt_tui.core.files import Kind
from ckpt_tui.core.tensors import NoteKind
from ckpt_tui.formats.dcp.tensors import add_dcp_metadata
from ckpt_tui.formats.shared.tensors_safetensors import add_safetensors_file
from ckpt_tui.formats.shared.tensors_torch import add_torch_file

if TYPE_CHECKING:
    from ckpt_tui.artifacts.source import Source
    from ckpt_tui.core.files import FileEntry, Tree
    from ckpt_tui.formats.shared.tensors_gathering import Gathering

_INDEX, _STAGED_INDEX, _DCP_DATA = ".metadata", ".metadata.tmp", ".distcp"
_NO_TENSORS = (
    ".json", ".jsonl", ".yaml", ".yml", ".txt", ".md", ".py", ".log", ".model", ".jinja",
    ".csv", ".toml", ".lock", ".tmp",
)  # fmt: skip
"""Endings of files that hold no tensors, and are not opened."""
_TENSORS = (".pt", ".pth", ".bin", ".ckpt", ".safetensors")
"""Endings by which a link that is not followed is missed."""
_JSON_STARTS_AT = 8


def add_tensor_files(gathering: Gathering) -> None:
    """Gathers the tensors of every file that may hold some, until the reading is over."""
    for entry in gathering.file_by_file(tensor_files(gathering.files.tree)):
        add_tensor_file(gathering, entry)


def tensor_files(tree: Tree) -> list[FileEntry]:
    """The files that may hold tensors, or an index of them; DCP's data files stand in theirs."""
    directories = {
        name: {_directory(entry) for entry in tree.entries if _name(entry) == name}
        for name in (_INDEX, _STAGED_INDEX)
    }
    committed, any_index = directories[_INDEX], set().union(*directories.values())

    def holds(entry: FileEntry) -> bool:
        name = _name(entry)
        if name == _STAGED_INDEX:
            return _directory(entry) not in committed
        if name.endswith(_DCP_DATA):
            return _directory(entry) not in any_index
        return name == _INDEX or not (name.endswith(_NO_TENSORS) or name.startswith("."))

    return [
        entry
        for entry in tree.entries
        if (entry.kind is Kind.FILE and entry.size_bytes and holds(entry))
        or (entry.kind is Kind.LINK and entry.path.endswith(_TENSORS))
    ]


def add_tensor_file(gathering: Gathering, entry: FileEntry) -> None:
    """Gathers the tensors of one file; one that cannot be read is noted."""
    if entry.kind is Kind.LINK:
        gathering.note(NoteKind.ELSEWHERE, entry.path)
        return
    if entry.path.endswith(_DCP_DATA):
        gathering.note(NoteKind.NO_INDEX, entry.path, 1, entry.size_bytes)
        return
    try:
        with gathering.files.open(entry.path) as source:
            _add(gathering, entry.path, source)
    except ArtifactError as error:
        gathering.note_unreadable(entry, error)


def _add(gathering: Gathering, path: str, source: Source) -> None:
    if path.rpartition("/")[2] in (_INDEX, _STAGED_INDEX):
        add_dcp_metadata(gathering, path, source)
    elif sniff_torch(source) is not None:
        add_torch_file(gathering, path, source)
    elif path.endswith(".safetensors") or _is_safetensors(source):
        add_safetensors_file(gathering, path, source)
    else:
        gathering.note(NoteKind.NO_HEADER, path, 1, source.size)


def _is_safetensors(source: Source) -> bool:
    """A length of 8 bytes that fits the file, then a JSON object."""
    start = source.read_at(0, _JSON_STARTS_AT + 1)
    length = int.from_bytes(start[:_JSON_STARTS_AT], "little")
    return start[_JSON_STARTS_AT:] == b"{" and length + _JSON_STARTS_AT <= source.size


def _name(entry: FileEntry) -> str:
    return entry.path.rpartition("/")[2]


def _directory(entry: FileEntry) -> str:
    return entry.path[: entry.path.rfind("/") + 1]
