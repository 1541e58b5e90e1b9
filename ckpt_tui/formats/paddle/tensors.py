"""Gathers the tensors of a Paddle checkpoint: those of ranks put together by their metadata."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ckpt_tui.artifacts.torch_tensors import TensorInfo
from ckpt_tui.core.tensors import Chunk, NoteKind
from ckpt_tui.formats.paddle.distributed import Distributed, Part, item_bytes, read_distributed
from ckpt_tui.formats.paddle.distributed_roles import roles_of_keys
from ckpt_tui.formats.paddle.names import is_metadata_name, rank_of_data
from ckpt_tui.formats.pickle_file.tensors import add_pickles
from ckpt_tui.formats.tensor_files import tensor_files

if TYPE_CHECKING:
    from ckpt_tui.formats.shared.tensors_gathering import Gathering


def add_tensors(gathering: Gathering) -> None:
    """Gathers every tensor of the distributed form, then those of the other files."""
    tree = gathering.files.tree
    names = {entry.path: entry.path.rpartition("/")[2] for entry in tree.files()}
    indexes = [path for path, name in names.items() if is_metadata_name(name)]
    for directory in sorted({path[: path.rfind("/") + 1] for path in indexes}):
        _add_distributed(gathering, read_distributed(gathering.files, directory))
    own = [path for path, name in names.items() if rank_of_data(name) is not None]
    passed = {*own, *indexes} if indexes else set()
    add_pickles(gathering, [e for e in tensor_files(tree) if e.path not in passed])


def _add_distributed(gathering: Gathering, found: Distributed) -> None:
    if not found.parts:
        reason = found.findings[0].message if found.findings else ""
        gathering.note(NoteKind.UNREADABLE, found.metadata_path, detail=reason)
        return
    roles = roles_of_keys(found)
    parts: dict[str, list[Part]] = {}
    for part in found.parts:
        parts.setdefault(part.key, []).append(part)
    for key, own in parts.items():
        dtype, shape = found.dtypes.get(key, ""), found.shapes.get(key, ())
        chunks = tuple(_chunk(found, part, item_bytes(dtype)) for part in own)
        stored = sum(chunk.size_bytes for chunk in chunks)
        size_bytes = math.prod(shape) * item_bytes(dtype)
        gathering.add(key, dtype, shape, size_bytes, roles.get(key, ""), chunks, stored)


def _chunk(found: Distributed, part: Part, item: int) -> Chunk:
    shape = part.shape or ()
    rank = rank_of_data(part.path.rpartition("/")[2])
    size_bytes = math.prod(shape) * item
    return Chunk(part.path, rank, part.offsets, shape, size_bytes, _begin(found, part))


def _begin(found: Distributed, part: Part) -> int | None:
    pickle = found.pickles.get(part.path)
    held = pickle.value.get(part.key) if pickle and isinstance(pickle.value, dict) else None
    if pickle is None or not isinstance(held, TensorInfo):
        return None
    stored = pickle.stored.get(held.storage_key)
    return stored.offset if stored is not None else None
