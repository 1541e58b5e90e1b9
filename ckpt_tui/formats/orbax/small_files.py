"""The small files beside a tree's arrays: strings, descriptions by each process, placements."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.artifacts.limits import ArtifactError
from ckpt_tui.artifacts.source import require_content
from ckpt_tui.core.vocabulary import Effect, Severity
from ckpt_tui.formats.orbax.names import ARRAY_METADATAS, SHARDING, STRINGS, TREE_METADATA
from ckpt_tui.formats.shared.json_files import read_json_object
from ckpt_tui.formats.shared.problems import capped, finding_of_error, missing_file

if TYPE_CHECKING:
    from ckpt_tui.core.findings import Finding
    from ckpt_tui.formats.base import CheckpointFiles
    from ckpt_tui.formats.orbax.tree import Tree

_PARSED_BYTES = 8 << 20
"""Each process lists all arrays: of so many bytes the rest is only looked at for its end."""


class Demands(NamedTuple):
    """Which of the small files a restore opens without fail; the usual ones of a tree.

    Attributes:
        leaves: The arrays that it is made of, where nothing has to list them; empty where
            `_METADATA` does.
        arrays: Those in `array_metadatas` that are there.
        sharding: `_sharding`: where a loader gives no target.
    """

    leaves: tuple[str, ...] = ()
    arrays: bool = True
    sharding: bool = False


OF_TREE = Demands()
_WANTED_BY = (
    "a restore without a target tree, or by `PyTreeRestore` without `restore_args`, stops at it"
)


def strings_findings(files: CheckpointFiles, directory: str, tree: Tree) -> list[Finding]:
    """What is wrong with the file of strings, where a leaf is one.

    Args:
        files: The checkpoint.
        directory: The tree's, with a slash at its end.
        tree: Its leaves.
    """
    wanted = [leaf.name for leaf in tree.strings()]
    if not wanted:
        return []
    path = directory + STRINGS
    if files.tree.get(path) is None:
        return [missing_file(path, f"`{TREE_METADATA}` lists {len(wanted)} strings in it")]
    try:
        held = read_json_object(files, path)
    except ArtifactError as error:
        return [finding_of_error(error, path)]
    absent = next((name for name in wanted if name not in held), None)
    if absent is None:
        return []
    return [missing_file(f"{path}:{absent}", f"`{TREE_METADATA}` lists this string")]


def array_metadatas(files: CheckpointFiles, directory: str) -> tuple[list[Finding], frozenset[str]]:
    """What is wrong with the files in `array_metadatas`, and those that must not be absent.

    Each that is there has to be right; typed random keys cannot be restored without.
    """
    prefix = f"{directory}{ARRAY_METADATAS}/"
    findings, opens = [], set()
    left = _PARSED_BYTES
    for entry in files.tree.files():
        if not entry.path.startswith(f"{prefix}process_"):
            continue
        left -= entry.size_bytes
        try:
            if left < 0:
                _check_last_byte(files, entry.path)
                continue
            document = read_json_object(files, entry.path)
        except ArtifactError as error:
            findings.append(finding_of_error(error, entry.path))
            continue
        if _has_typed_key(document):
            opens.add(entry.path)
    return capped(findings), frozenset(opens)


def _check_last_byte(files: CheckpointFiles, path: str) -> None:
    """Raises ArtifactError for a document that is cut; of very many no more is looked at."""
    with files.open(path) as source:
        require_content(source)
        if source.read_at(source.size - 1, 1) != b"}":
            raise ArtifactError("invalid-json", "it does not end as a JSON object does")


def _has_typed_key(document: dict[str, object]) -> bool:
    arrays = document.get("array_metadatas")
    for entry in arrays if isinstance(arrays, list) else ():
        fields = entry.get("array_metadata") if isinstance(entry, dict) else None
        if isinstance(fields, dict) and fields.get("ext_metadata"):
            return True
    return False


def sharding_findings(
    files: CheckpointFiles, directory: str, tree: Tree, needed: bool
) -> list[Finding]:
    """What is wrong with the file that says where arrays lay at the save.

    Args:
        files: The checkpoint.
        directory: The tree's, with a slash at its end.
        tree: Its leaves.
        needed: Whether the loader stops without: it does where it is given no target.
    """
    path = directory + SHARDING
    if not tree.has_jax_arrays():
        return []
    try:
        if files.tree.get(path) is not None:
            read_json_object(files, path)
            return []
        found = missing_file(path, _WANTED_BY)
    except ArtifactError as error:
        found = finding_of_error(error, path)
    if needed:
        return [found]
    return [found._replace(severity=Severity.WARNING, effect=Effect.NONE)]
