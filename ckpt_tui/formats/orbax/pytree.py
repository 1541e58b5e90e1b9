"""A tree of arrays as Orbax stores it, and what of it the loader opens without fail.

With a target tree (the author's call) Orbax reads `_METADATA`, the store of arrays, every file in
`array_metadatas`, and `_strings.json` where a leaf is a string. It then does not need `_sharding`;
nor does it look at the databases of single processes, but through the merged one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.artifacts.limits import ArtifactError
from ckpt_tui.artifacts.msgpack import read_msgpack
from ckpt_tui.artifacts.ocdbt_manifest import MANIFEST
from ckpt_tui.core.files import Kind
from ckpt_tui.core.vocabulary import Effect, Severity
from ckpt_tui.formats.orbax.arrays import (
    Arrays,
    ChunkFiles,
    check_chunk_files,
    lacking,
    read_arrays,
)
from ckpt_tui.formats.orbax.names import (
    AGGREGATE,
    MARKER,
    TREE_METADATA,
)
from ckpt_tui.formats.orbax.small_files import (
    OF_TREE,
    Demands,
    array_metadatas,
    sharding_findings,
    strings_findings,
)
from ckpt_tui.formats.orbax.store import Store, database_store, files_store
from ckpt_tui.formats.orbax.tree import Tree, read_tree, tree_of_names
from ckpt_tui.formats.shared.problems import finding_of_error, missing_file

if TYPE_CHECKING:
    from ckpt_tui.core.findings import Finding
    from ckpt_tui.formats.base import CheckpointFiles
    from ckpt_tui.formats.orbax.items import Item

_PLACEHOLDER = "PLACEHOLDER://"


class PyTree(NamedTuple):
    """One tree.

    Attributes:
        directory: Where it lies, with a slash at its end; "" where it is the step itself.
        tree: Its leaves.
        arrays: Its arrays.
        findings: What is wrong with it.
        opens: Files that a restore needs for some of its leaves.
        unread: Chunk files that were not opened.
        in_database: Whether its arrays are in a database.
    """

    directory: str
    tree: Tree
    arrays: Arrays
    findings: tuple[Finding, ...] = ()
    opens: frozenset[str] = frozenset()
    unread: int = 0
    in_database: bool = False


def read_pytree(
    files: CheckpointFiles, directory: str, item: Item, demands: Demands = OF_TREE
) -> PyTree:
    """Reads a tree.

    Args:
        files: The checkpoint.
        directory: Where it lies, with a slash at its end.
        item: The item that it is, or is a part of.
        demands: Which small files it cannot be restored without.
    """
    findings: list[Finding] = []
    tree = _tree_or_none(files, directory, findings)
    store = _store_of(files, directory, tree)
    findings += store.findings
    try:
        arrays = read_arrays(files, store)
    except ArtifactError as error:
        found = finding_of_error(error, directory + TREE_METADATA)
        return PyTree(directory, tree or Tree(()), Arrays({}), (*findings, found))
    findings += arrays.findings
    if tree is None:
        tree = tree_of_names(demands.leaves or arrays.by_name)
        if not demands.leaves:
            findings += _without_tree(files, directory, item, tree, findings)
    tree = _without_aggregated(files, directory, tree, findings)
    findings += lacking(files, directory, store, arrays, tree)
    findings += strings_findings(files, directory, tree)
    kept, opens = array_metadatas(files, directory)
    findings += kept if demands.arrays else []
    findings += sharding_findings(files, directory, tree, demands.sharding)
    ends = check_chunk_files(files, arrays) if store.in_files else ChunkFiles()
    findings += ends.findings
    return PyTree(directory, tree, arrays, tuple(findings), opens, ends.unread, not store.in_files)


def _tree_or_none(files: CheckpointFiles, directory: str, findings: list[Finding]) -> Tree | None:
    path = directory + TREE_METADATA
    if files.tree.get(path) is None:
        return None
    try:
        return read_tree(files, directory)
    except ArtifactError as error:
        findings.append(finding_of_error(error, path))
        return None


def _store_of(files: CheckpointFiles, directory: str, tree: Tree | None) -> Store:
    """The database where `_METADATA` says so or, in versions that did not say, where one is."""
    there = files.tree.get(directory + MANIFEST) is not None
    parts = any(entry.path.startswith(f"{directory}ocdbt.process_") for entry in files.tree.entries)
    told = tree.ocdbt if tree is not None else None
    in_database = told if told is not None else there or parts
    if in_database and tree is not None and not tree.arrays() and not there:
        return Store({})  # nothing but strings and empty containers
    return database_store(files, directory) if in_database else files_store(files, directory)


def _without_tree(
    files: CheckpointFiles, directory: str, item: Item, tree: Tree, findings: list[Finding]
) -> list[Finding]:
    """`_METADATA` is absent: 0.12 takes the target's structure where that is all dictionaries."""
    path = directory + TREE_METADATA
    if any(finding.path == path for finding in findings):
        return []
    recent = any(
        files.tree.get(place + MARKER) is not None for place in {directory, item.directory, ""}
    )
    sequences = any(key.isdecimal() for leaf in tree.leaves for key in leaf.keys)
    by_flax = not item.name and files.name.rpartition("_")[0].endswith("checkpoint")
    if recent and tree.leaves and not item.is_of_v1 and (by_flax or not sequences):
        return [
            missing_file(path, "Orbax 0.12 loads it with a target tree only")._replace(
                severity=Severity.WARNING, effect=Effect.NONE
            )
        ]
    return [missing_file(path, "it lists the leaves of the tree, and the loader stops without")]


def _without_aggregated(
    files: CheckpointFiles, directory: str, tree: Tree, findings: list[Finding]
) -> Tree:
    """The tree without the leaves whose values are kept in `checkpoint`, as versions to 0.5 did."""
    path = directory + AGGREGATE
    entry = files.tree.get(path)
    if entry is None or entry.kind is not Kind.FILE:  # an array may have this name, too
        return tree
    try:
        with files.open(path) as source:
            value = read_msgpack(source, files.limits)
    except ArtifactError as error:
        findings.append(finding_of_error(error, path))
        return tree
    kept = [leaf for leaf in tree.leaves if not (leaf.stored and _has_value(value, leaf.keys))]
    return tree._replace(leaves=tuple(kept))


def _has_value(value: object, keys: tuple[str, ...]) -> bool:
    for key in keys:
        if not isinstance(value, dict) or key not in value:
            return False
        value = value[key]
    return not (isinstance(value, str) and value.startswith(_PLACEHOLDER))
