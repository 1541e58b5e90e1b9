"""One rank's state as nested values, as `torchsnapshot.flatten.inflate` would rebuild it.

Tensors are descriptions without bytes; their `storage_key` is the entry's logical path.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import unquote

from ckpt_tui.artifacts.torch_dtypes import ITEM_BYTES
from ckpt_tui.artifacts.torch_tensors import TensorInfo
from ckpt_tui.formats.torchsnapshot.manifest import CONTAINERS, PRIMITIVES, Entry

if TYPE_CHECKING:
    from collections.abc import Mapping


def inflate(entries: Mapping[str, Entry], objects: Mapping[str, object]) -> dict[object, object]:
    """Top-level key → state.

    Args:
        entries: Logical path → entry, of one rank.
        objects: Location → what the archive there holds; other objects stay unknown.
    """
    top: dict[object, object] = {}
    made: dict[str, object] = {path: _made(path, e, objects) for path, e in entries.items()}
    for path, value in made.items():
        parent, slash, last = path.rpartition("/")
        key = unquote(last)
        if not slash:
            top[key] = value
            continue
        holder = made.get(parent)
        if isinstance(holder, list):
            holder.append(value)
        elif isinstance(holder, dict) and parent in entries:
            known = entries[parent].keys
            if key in known:
                holder[key] = value
            elif key.lstrip("+-").isdecimal() and len(key) < 20 and int(key) in known:
                holder[int(key)] = value
    return top


def _bytes_of(entry: Entry) -> int:
    """Bytes that a tensor or object takes, as far as the manifest says."""
    return sum(
        extent.span[1] - extent.span[0] if extent.span is not None else extent.size_bytes or 0
        for extent in entry.extents
    )


def _made(path: str, entry: Entry, objects: Mapping[str, object]) -> object:
    if entry.kind in CONTAINERS:
        return [] if entry.kind == "list" else {}
    if entry.kind in PRIMITIVES:
        return entry.value
    if entry.kind == "object":
        return objects.get(entry.extents[0].location, entry.kind)
    if entry.dtype not in ITEM_BYTES:
        return entry.kind
    return TensorInfo(entry.dtype, entry.shape, _bytes_of(entry), path)
