"""`_METADATA` of a pytree item: the leaves of the tree that was saved, and how they are stored.

JSON since 0.4 (`metadata/tree.py`): an entry for each leaf with the keys that lead to it and the
type of its value. The name of a leaf's array is its keys with dots between them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.artifacts.limits import ArtifactError
from ckpt_tui.formats.orbax.names import TREE_METADATA
from ckpt_tui.formats.shared.json_files import read_json_object

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ckpt_tui.formats.base import CheckpointFiles

_STRING = "string"
_JAX_ARRAY = "jax.Array"
_KEY_TYPES = (1, 2)  # of a sequence, of a dictionary; a loader raises at any other
_VALUE_FIELDS = frozenset({"value_type", "skip_deserialize"})
_EMPTY = frozenset({"None", "Dict", "List", "Tuple", "NamedTuple", "Mapping", "EmptyState"})


class Leaf(NamedTuple):
    """One leaf of a tree.

    Attributes:
        keys: The way to it, from the top.
        kind: Type of its value as written ("jax.Array", "scalar", "string", "None", …); "" where
            only the stored array tells of it.
        stored: Whether there is an array for it.
        flat_name: The one key that it was saved under, where `keys` are the parts of that.
    """

    keys: tuple[str, ...]
    kind: str = ""
    stored: bool = True
    flat_name: str = ""

    @property
    def name(self) -> str:
        """Name of its array, and of its entry among the strings."""
        return self.flat_name or ".".join(self.keys)


class Tree(NamedTuple):
    """The tree of one item.

    Attributes:
        leaves: All of them, empty containers included, in the order of the file.
        ocdbt: Whether the arrays are in a database; None where the version did not write that.
        omits_fill: True where an absent chunk may stand for the fill value: versions before 0.11
            left such chunks out, and no reader complains.
    """

    leaves: tuple[Leaf, ...]
    ocdbt: bool | None = None
    omits_fill: bool = False

    @property
    def is_marked(self) -> bool:
        """Whether the version that wrote it (0.12 or later) leaves `commit_success.txt` as well."""
        return self.ocdbt is not None

    def arrays(self) -> list[Leaf]:
        """The leaves for which there has to be an array."""
        return [leaf for leaf in self.leaves if leaf.stored]

    def strings(self) -> list[Leaf]:
        """The leaves that are kept in the file of strings."""
        return [leaf for leaf in self.leaves if leaf.kind == _STRING]

    def has_jax_arrays(self) -> bool:
        """Whether any leaf is an array whose placement on devices was stored, too."""
        return any(leaf.kind == _JAX_ARRAY for leaf in self.leaves)


def read_tree(files: CheckpointFiles, directory: str) -> Tree:
    """Reads an item's `_METADATA`.

    Args:
        files: The checkpoint.
        directory: The item's, with a slash at its end; "" where the step is the item.

    Raises:
        ArtifactError: It is not there, or cannot be read.
    """
    document = read_json_object(files, directory + TREE_METADATA)
    entries = document.get("tree_metadata")
    if not isinstance(entries, dict):
        raise ArtifactError("invalid-json", "it has no `tree_metadata`")
    ocdbt = document.get("use_ocdbt")
    return Tree(
        tuple(_leaf(name, entry) for name, entry in entries.items()),
        ocdbt if isinstance(ocdbt, bool) else None,
        document.get("store_array_data_equal_to_fill_value") is not True,
    )


def tree_of_names(names: Iterable[str]) -> Tree:
    """A tree as far as the names of its arrays tell it, for an item without `_METADATA`."""
    return Tree(tuple(Leaf(tuple(name.split("."))) for name in names))


def _leaf(name: str, entry: object) -> Leaf:
    fields = entry if isinstance(entry, dict) else {}
    keys, value = fields.get("key_metadata"), fields.get("value_metadata")
    if not isinstance(keys, list) or not isinstance(value, dict):
        raise ArtifactError("invalid-json", f"its entry {name!r} has no keys or no value")
    named = [key for key in keys if isinstance(key, dict) and "key" in key]
    known = all(key.get("key_type") in _KEY_TYPES for key in named)
    if len(named) != len(keys) or not known or not value.keys() >= _VALUE_FIELDS:
        message = f"its entry {name!r} lacks what says where its value goes, and of what type it is"
        raise ArtifactError("invalid-json", message)
    path = tuple(str(key["key"]) for key in named)
    written = value.get("value_type")
    kind = written if isinstance(written, str) else ""
    passed_over = value.get("skip_deserialize") is True or kind in _EMPTY
    return Leaf(path, kind, not passed_over and kind != _STRING)
