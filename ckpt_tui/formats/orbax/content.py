"""What one item holds, read within bounds, and what stops its restore."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.artifacts.json_document import read_json
from ckpt_tui.artifacts.limits import ArtifactError
from ckpt_tui.artifacts.source import require_content
from ckpt_tui.artifacts.zarr_metadata import NAMES
from ckpt_tui.core.findings import Finding
from ckpt_tui.core.vocabulary import Effect, Severity
from ckpt_tui.formats.orbax.items import (
    JAX_KEY,
    JSON_FILES,
    KERAS_MODEL,
    METRICS_FILE,
    Item,
    Kind,
    is_of_keras,
)
from ckpt_tui.formats.orbax.names import (
    MARKER,
    TEMPORARY,
    TREE_METADATA,
    final_name,
    processes_by_name,
)
from ckpt_tui.formats.orbax.pytree import PyTree, read_pytree
from ckpt_tui.formats.orbax.small_files import OF_TREE, Demands
from ckpt_tui.formats.shared.problems import capped, finding_of_error, missing_file

if TYPE_CHECKING:
    from ckpt_tui.formats.base import CheckpointFiles

_SINGLE_ARRAY = "checkpoint"
"""Name of the array that an item is which is no tree; JAX's key is one."""
_RESTORE = "a restore that asks for the item stops without it"


class Content(NamedTuple):
    """What was read of an item.

    Attributes:
        item: The item.
        findings: What is wrong with it.
        pytrees: The trees in it: one, or that of a random key.
        document: What a JSON item holds; None for any other.
        missing_processes: Those whose part of an iterator is not there.
        opens: Files that only some checkpoints need, and this one does.
    """

    item: Item
    findings: tuple[Finding, ...] = ()
    pytrees: tuple[PyTree, ...] = ()
    document: object = None
    missing_processes: tuple[int, ...] = ()
    opens: frozenset[str] = frozenset()


def read_item(files: CheckpointFiles, item: Item) -> Content:
    """Reads one item; whatever is wrong with it is a finding."""
    if not item.there:
        return Content(item, () if item.kind is Kind.METRICS else (_absent(item),))
    if item.kind is Kind.TREE:
        demands = _of_array(files, item) if _is_array(files, item) else OF_TREE
        tree = read_pytree(files, item.directory, item, demands)
        return Content(item, tree.findings, (tree,), opens=tree.opens)
    if item.kind in (Kind.JSON, Kind.METRICS):
        return _json(files, item)
    if item.kind is Kind.RANDOM_KEY:
        return _random_key(files, item)
    if item.kind is Kind.ITERATOR:
        return _iterator(files, item)
    if item.kind is Kind.EMPTY and item.name != METRICS_FILE:
        return Content(item, (_empty(item),))
    return Content(item)


def _is_array(files: CheckpointFiles, item: Item) -> bool:
    """Whether an item is one array, by its handler or, where none is named, by its files.

    No `_METADATA` lists that array before 0.12.
    """
    if item.handler:
        return "ArrayCheckpoint" in item.handler
    listed = files.tree.get(item.directory + TREE_METADATA) is not None
    place = f"{item.directory}{_SINGLE_ARRAY}"
    return not listed and any(files.tree.get(f"{place}/{name}") is not None for name in NAMES)


def _of_array(files: CheckpointFiles, item: Item) -> Demands:
    """One array is restored without a target: since 0.12 to where it lay at the save."""
    recent = files.tree.get(item.directory + MARKER) is not None
    return Demands((_SINGLE_ARRAY,), recent, recent)


def without_what_keras_skips(contents: list[Content]) -> list[Content]:
    """`Model.load_weights` reads no more than the state: the model is of the script's making.

    Seen with keras 3.15.1: the item with the model's configuration may be cut or gone.
    """
    if not is_of_keras(content.item for content in contents):
        return contents
    return [
        content._replace(findings=tuple(map(_skipped, content.findings)))
        if content.item.name == KERAS_MODEL
        else content
        for content in contents
    ]


def _skipped(finding: Finding) -> Finding:
    remedy = "`load_weights` works without it; make the model in the script, not by `load_model`."
    return finding._replace(severity=Severity.WARNING, effect=Effect.NONE, remedy=remedy)


def _absent(item: Item) -> Finding:
    return missing_file(item.directory.rstrip("/"), f"the step names this item, and {_RESTORE}")


def _empty(item: Item) -> Finding:
    path = item.directory.rstrip("/")
    return Finding(
        "missing-shard",
        Severity.ERROR,
        path,
        f"{path} is an item with nothing in it" if path else "there is nothing in it",
        "Resume from another checkpoint.",
        Effect.INCOMPLETE,
    )


def _json(files: CheckpointFiles, item: Item) -> Content:
    names = (METRICS_FILE,) if item.kind is Kind.METRICS else JSON_FILES
    path = next((p for n in names if files.tree.get(p := item.directory + n)), "")
    if not path:
        # A manager passes a step without metrics over when it looks for the best one.
        absent = missing_file(item.directory + names[0], _RESTORE)
        return Content(item, () if item.kind is Kind.METRICS else (absent,))
    try:
        with files.open(path) as source:
            return Content(item, document=read_json(source, files.limits))
    except ArtifactError as error:
        return Content(item, (finding_of_error(error, path),))


def _random_key(files: CheckpointFiles, item: Item) -> Content:
    """A key is a tree or array, and a JSON item beside it that says what kind of key it is."""
    names = {
        final_name(entry.path.removeprefix(item.directory).partition("/")[0])
        for entry in files.tree.entries
        if entry.path.startswith(item.directory)
    }
    jax = any(name.startswith(JAX_KEY) for name in names) or "Jax" in item.handler
    key = JAX_KEY if jax else "np_random_key"
    findings: list[Finding] = []
    told = _json(
        files, item._replace(directory=_part(files, item, f"{key}_metadata"), kind=Kind.JSON)
    )
    findings += told.findings
    directory = _part(files, item, key)
    if not any(entry.path.startswith(directory) for entry in files.tree.entries):
        findings.append(missing_file(directory.rstrip("/"), _RESTORE))
        return Content(item, tuple(findings))
    demands = _of_array(files, item) if jax else OF_TREE
    tree = read_pytree(files, directory, item, demands)
    return Content(item, (*findings, *tree.findings), (tree,))


def _part(files: CheckpointFiles, item: Item, name: str) -> str:
    """The directory of a part, under its final or its temporary name."""
    wanted = item.directory + name
    for entry in files.tree.entries:
        if entry.path.startswith(wanted + TEMPORARY):
            rest = entry.path[len(item.directory) :].partition("/")[0]
            return f"{item.directory}{rest}/"
    return f"{wanted}/"


def _iterator(files: CheckpointFiles, item: Item) -> Content:
    """An iterator's state, a file for each process; grain raises where its own is not there."""
    names = {
        entry.path.removeprefix(item.directory): entry
        for entry in files.tree.files()
        if entry.path.startswith(item.directory)
    }
    count = max((processes_by_name(name) or 0 for name in names), default=0)
    wanted = [f"process_{number}-of-{count}.json" for number in range(count)]
    missing = tuple(number for number, name in enumerate(wanted) if name not in names)
    why = f"each of {count} processes stops without its own file"
    findings = [
        missing_file(item.directory + wanted[number], why, rank=number) for number in missing[:1]
    ]
    states = [entry.path for name, entry in names.items() if processes_by_name(name)]
    findings += [found for path in states if (found := _damaged_state(files, path)) is not None]
    return Content(item, tuple(capped(findings)), missing_processes=missing)


def _damaged_state(files: CheckpointFiles, path: str) -> Finding | None:
    """An iterator's state is JSON, unless it is of an iterator that keeps bytes of its own."""
    try:
        with files.open(path) as source:
            require_content(source)
            if source.read_at(0, 1) in (b"{", b"["):
                read_json(source, files.limits)
    except ArtifactError as error:
        return finding_of_error(error, path)
    return None
