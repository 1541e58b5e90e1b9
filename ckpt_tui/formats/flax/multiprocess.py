"""Arrays that no process holds whole: `save_checkpoint_multiprocess` keeps them beside the file.

In their place the msgpack has the text `//GDAPlaceholder:params/dense/kernel`; the array is the
zarr directory `checkpoint_N_gda/params/dense/kernel`, which is renamed before the file is. Chunks
that hold nothing but zeros are not written, so that an absent one proves nothing.
"""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from ckpt_tui.artifacts.json_document import read_json
from ckpt_tui.artifacts.limits import ArtifactError
from ckpt_tui.artifacts.numpy_dtypes import dtype_of_name
from ckpt_tui.artifacts.source import FileSource
from ckpt_tui.artifacts.stored_array import StoredArray
from ckpt_tui.core.facts import NeighbourFacts
from ckpt_tui.formats.flax.names import ARRAYS_ENDING
from ckpt_tui.formats.shared.array_tree import nodes
from ckpt_tui.formats.shared.bounds import MOST_TENSORS
from ckpt_tui.formats.shared.problems import (
    capped,
    finding_of_error,
    missing_file,
    outside_path,
)
from ckpt_tui.fs import calls

if TYPE_CHECKING:
    from ckpt_tui.artifacts.limits import Limits
    from ckpt_tui.core.findings import Finding

_PLACEHOLDER = "//GDAPlaceholder:"
_DESCRIPTION = ".zarray"
_MOST_BYTES = 1 << 62
_MOST_DIMENSIONS = 64
_UNKNOWN = StoredArray("unknown", (1,), 1)


class ArraysBeside(NamedTuple):
    """What a file says of arrays beside it.

    Attributes:
        named: How many it names.
        findings: Those that are not there, or cannot be read.
        neighbours: What was asked about them.
    """

    named: int = 0
    findings: tuple[Finding, ...] = ()
    neighbours: tuple[NeighbourFacts, ...] = ()


def take_arrays_beside(tree: object, path: str, limits: Limits) -> ArraysBeside:
    """Puts descriptions of arrays in the place of the texts that stand for them.

    Args:
        tree: The file's tree, which is changed.
        path: Absolute path of the file.
        limits: Bounds of reading a description.
    """
    found: list[Finding] = []
    neighbours: list[NeighbourFacts] = []
    named = 0
    for node in nodes(tree):
        if not isinstance(node.value, dict):
            continue
        for key, value in node.value.items():
            if isinstance(value, str) and value.startswith(_PLACEHOLDER):
                named += 1
                node.value[key] = _UNKNOWN
                if named <= MOST_TENSORS:
                    subpath = value.removeprefix(_PLACEHOLDER)
                    node.value[key] = _array(subpath, path, limits, found, neighbours)
    return ArraysBeside(named, tuple(capped(found)), tuple(neighbours))


def _array(
    subpath: str,
    path: str,
    limits: Limits,
    found: list[Finding],
    neighbours: list[NeighbourFacts],
) -> StoredArray:
    """What one text stands for; one that leads out is not followed."""
    directory = os.path.basename(path) + ARRAYS_ENDING
    relative = f"{directory}/{subpath}/{_DESCRIPTION}"
    wanted_by = f"{os.path.basename(path)} keeps an array there"
    if ".." in subpath.split("/") or subpath.startswith("/"):
        found.append(missing_file(relative, wanted_by))
        return _UNKNOWN
    place = os.path.join(os.path.dirname(path), relative)
    there = calls.lexists(place)
    neighbours.append(NeighbourFacts(place, there))
    if not there:
        found.append(missing_file(relative, wanted_by))
        return _UNKNOWN
    if not _is_inside(place, os.path.dirname(path)):
        found.append(outside_path(relative, wanted_by))
        return _UNKNOWN
    try:
        with FileSource(place) as source:
            return _described(read_json(source, limits))
    except ArtifactError as error:
        found.append(finding_of_error(error, relative))
        return _UNKNOWN


def _is_inside(place: str, base: str) -> bool:
    """Whether no link on the way to a file leads out of a directory."""
    real_base = calls.realpath(base)
    return os.path.commonpath([calls.realpath(place), real_base]) == real_base


def _described(document: object) -> StoredArray:
    """An array by its zarr description.

    Raises:
        ArtifactError: ``invalid-json``: it describes none.
    """
    fields = document if isinstance(document, Mapping) else {}
    shape, code = fields.get("shape"), fields.get("dtype")
    dtype = dtype_of_name(code) if isinstance(code, str) else None
    lengths: list[Any] = shape if isinstance(shape, list) else [None]
    whole = all(isinstance(n, int) and 0 <= n <= _MOST_BYTES for n in lengths)
    if not whole or len(lengths) > _MOST_DIMENSIONS or dtype is None:
        raise ArtifactError("invalid-json", "it describes no array")
    size_bytes = math.prod(lengths) * dtype.item_bytes
    if size_bytes > _MOST_BYTES:
        raise ArtifactError("invalid-json", "its shape has more elements than can be")
    return StoredArray(dtype.name, tuple(lengths), size_bytes)
