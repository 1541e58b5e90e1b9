"""The items of a step: directories with one state each, or the step itself as the only item."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.artifacts.ocdbt_manifest import MANIFEST
from ckpt_tui.core.files import Kind as EntryKind
from ckpt_tui.formats.orbax.names import (
    AGGREGATE,
    ARRAY_METADATAS,
    MARKER,
    SHARDING,
    STRINGS,
    TEMPORARY,
    TREE_METADATA,
    final_name,
    process_of,
    processes_by_name,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Set

    from ckpt_tui.formats.base import CheckpointFiles
    from ckpt_tui.formats.orbax.step_metadata import StepMetadata

JSON_FILES = ("metadata", "data.json")
METRICS_FILE = "metrics"
KERAS_STATE, KERAS_MODEL = "pytree", "model_config"
JAX_KEY, NUMPY_KEY = "jax_random_key", "np_random_key"
MOST_ITEMS = 256
"""More than any job has; each is looked for among all files of the step."""
_ARRAY_NAMES = frozenset({".zarray", "zarr.json"})


class Kind(StrEnum):
    """What an item holds, by its handler or by the files that only one handler writes."""

    TREE = "tree"
    JSON = "json"
    METRICS = "metrics"
    RANDOM_KEY = "random-key"
    ITERATOR = "iterator"  # of a data loader, one file for each process
    EMPTY = "empty"
    OTHER = "other"  # of a handler that is not known: nothing of it can be checked


class Item(NamedTuple):
    """One item.

    Attributes:
        name: As the job calls it; "" where the step itself is the item.
        directory: Where it lies, with a slash at its end; "" for the step itself.
        kind: What it holds.
        handler: Dotted class of its handler, or "".
        there: Whether the directory exists.
    """

    name: str
    directory: str
    kind: Kind
    handler: str = ""
    there: bool = True

    @property
    def is_temporary(self) -> bool:
        """Whether it still has the name that it is written under."""
        return TEMPORARY in self.directory

    @property
    def is_of_v1(self) -> bool:
        """Whether the handler is one of the v1 API, which is stricter."""
        return ".v1." in self.handler


def items_of(files: CheckpointFiles, metadata: StepMetadata) -> list[Item]:
    """All items, those included that are named and not there.

    Args:
        files: The checkpoint.
        metadata: What the step says of itself.
    """
    below = _names_below(files)
    top = below.get("", frozenset())
    if metadata.single or kind_by_files(top, below, "") is Kind.TREE:
        return [Item("", "", kind_by_files(top, below, ""), metadata.single)]
    found = {}
    for name in _directories(below):
        item = final_name(name)
        if metadata.handlers and item not in metadata.handlers:
            continue  # somebody else's
        handler = metadata.handlers.get(item, "")
        by_files = kind_by_files(below.get(name, frozenset()), below, name)
        kind = _kind_of_handler(handler, item) or by_files
        if by_files is Kind.EMPTY and kind is not Kind.METRICS:
            kind = Kind.EMPTY
        found[item] = Item(item, f"{name}/", kind, handler)
    for item, handler in metadata.handlers.items():
        if item not in found:
            kind = _kind_of_handler(handler, item) or Kind.OTHER
            found[item] = Item(item, f"{item}/", kind, handler, there=False)
    return [found[item] for item in sorted(found)]


def is_of_keras(items: Iterable[Item]) -> bool:
    """Whether `keras.callbacks.OrbaxCheckpoint` wrote it."""
    return {item.name for item in items} == {KERAS_STATE, KERAS_MODEL}


def kind_by_files(names: Set[str], below: dict[str, frozenset[str]], directory: str) -> Kind:
    """What a directory holds, by the names in it.

    Args:
        names: Names directly in it.
        below: Directory → names directly in it, two levels deep.
        directory: Its own path, without a slash at its end.
    """
    if any(name.startswith((JAX_KEY, NUMPY_KEY)) for name in names):
        return Kind.RANDOM_KEY
    if names & {TREE_METADATA, MANIFEST, ARRAY_METADATAS, SHARDING, STRINGS}:
        return Kind.TREE
    if any(name.startswith("ocdbt.process_") for name in names):
        return Kind.TREE
    if any(processes_by_name(name) for name in names):
        return Kind.ITERATOR
    prefix = f"{directory}/" if directory else ""
    if any(below.get(prefix + name, frozenset()) & _ARRAY_NAMES for name in names):
        return Kind.TREE
    if METRICS_FILE in names and directory.partition(TEMPORARY)[0] == METRICS_FILE:
        return Kind.METRICS
    if names & frozenset(JSON_FILES):
        return Kind.JSON
    if AGGREGATE in names:
        return Kind.TREE
    return Kind.OTHER if names - {MARKER} else Kind.EMPTY


def _kind_of_handler(handler: str, item: str) -> Kind | None:
    name = handler.rpartition(".")[2]
    if "RandomKey" in name:
        return Kind.RANDOM_KEY
    if "PyTree" in name or "Standard" in name or "ArrayCheckpoint" in name:
        return Kind.TREE
    if "Metrics" in name or ("Json" in name and item == METRICS_FILE):
        return Kind.METRICS
    if "Json" in name:
        return Kind.JSON
    if handler.startswith("grain."):
        return Kind.ITERATOR
    return None


def _directories(below: dict[str, frozenset[str]]) -> list[str]:
    """Names of the directories directly in the step that are items."""
    return [
        name
        for name in below
        if name and "/" not in name and not name.startswith(".") and process_of(name) is None
    ]


def _names_below(files: CheckpointFiles) -> dict[str, frozenset[str]]:
    """Directory → the names directly in it, two levels deep; "" is the step."""
    found: dict[str, set[str]] = {"": set()}
    for entry in files.tree.entries:
        if entry.kind is EntryKind.DIRECTORY:
            found.setdefault(entry.path, set())
        parts = entry.path.split("/", 3)
        for depth, name in enumerate(parts[:3]):
            found.setdefault("/".join(parts[:depth]), set()).add(name)
    return {directory: frozenset(names) for directory, names in found.items()}
