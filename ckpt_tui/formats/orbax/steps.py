"""The step of a checkpoint: the loader takes it from the name, a leaf of its tree may hold it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.core.facts import RoleFacts
from ckpt_tui.core.findings import Finding
from ckpt_tui.core.vocabulary import OPTIMIZER, PROGRESS, Severity
from ckpt_tui.formats.orbax.names import STEP_METADATA, TREE_METADATA, final_name
from ckpt_tui.formats.shared.archive_step import whole_number
from ckpt_tui.formats.shared.named_progress import progress_of_name
from ckpt_tui.formats.shared.names import step_of_name
from ckpt_tui.formats.shared.roles import STEP_KEYS, role_of_key

if TYPE_CHECKING:
    from ckpt_tui.formats.base import CheckpointFiles
    from ckpt_tui.formats.orbax.content import Content
    from ckpt_tui.formats.orbax.pytree import PyTree
    from ckpt_tui.formats.orbax.tree import Leaf

_DEEPEST_STEP = 3
_OF_KERAS = ("optimizer_variables", "iteration")


class Step(NamedTuple):
    """Where a checkpoint stands.

    Attributes:
        value: Training iteration; None where unknown.
        ordinal: What the name counts, where that is no step (Keras names epochs).
        evidence: Where the step was seen.
        role: Progress; None where neither name nor content has a number.
        findings: Where name and content disagree.
    """

    value: int | None
    ordinal: int | None = None
    evidence: str = ""
    role: RoleFacts | None = None
    findings: tuple[Finding, ...] = ()


class _Found(NamedTuple):
    value: int
    key: str
    path: str
    by_keras: bool = False


def step_of(files: CheckpointFiles, contents: list[Content]) -> Step:
    """The step by the name and, where the tree has a leaf for it, by that.

    A loop that counts from 0 names a step one less than its state counts: then the name holds.
    """
    name = final_name(files.name)
    named = step_of_name(name)
    found = _of_trees(files, contents, named) or (
        _of_documents(contents) if named is None else None
    )
    if found is None:
        role = progress_of_name(name, named, f"the loader takes it from there, not {STEP_METADATA}")
        return Step(named, evidence="step from the name" if named is not None else "", role=role)
    evidence = f"step from key `{found.key}` in {found.path}"
    role = RoleFacts(PROGRESS, None, 1, f"key `{found.key}` in {found.path}", paths=(found.path,))
    if found.by_keras:  # the callback names epochs
        return Step(found.value, named, evidence, role)
    if named is not None and abs(found.value - named) == 1:
        seen = f"step from the name; key `{found.key}` in {found.path} counts from another start"
        return Step(named, None, seen, role)
    return Step(found.value, None, evidence, role, _disagreement(named, found))


def _disagreement(named: int | None, found: _Found) -> tuple[Finding, ...]:
    if named is None or named == found.value:
        return ()
    return (
        Finding(
            "step-mismatch",
            Severity.WARNING,
            "",
            f"the name says step {named}, key `{found.key}` says {found.value}",
            "The content's step is used; a manager is asked for the number in the name.",
        ),
    )


def _of_trees(files: CheckpointFiles, contents: list[Content], named: int | None) -> _Found | None:
    """An optimizer in an item of its own counts its updates: only where the name has no number."""
    for content in contents:
        if named is not None and role_of_key(content.item.name) == OPTIMIZER:
            continue
        for tree in content.pytrees:
            found = _of_tree(files, tree)
            if found is not None:
                return found
    return None


def _of_tree(files: CheckpointFiles, tree: PyTree) -> _Found | None:
    candidates = sorted(
        (leaf for leaf in tree.tree.leaves if _is_step(leaf)),
        key=lambda leaf: (len(leaf.keys), _rank(leaf)),
    )
    for leaf in candidates:
        value = whole_number(tree.arrays.scalar(files, leaf.name))
        if value is not None:
            by_keras = leaf.keys[0] == _OF_KERAS[0]
            return _Found(value, leaf.name, tree.directory + TREE_METADATA, by_keras)
    return None


def _is_step(leaf: Leaf) -> bool:
    if not leaf.stored or not leaf.keys:
        return False
    if leaf.keys[0] == _OF_KERAS[0]:
        return leaf.keys[-1] in (_OF_KERAS[1], "iterations") and len(leaf.keys) <= _DEEPEST_STEP
    inside = {key.lower() for key in leaf.keys[:-1]}
    plain = leaf.keys[-1].lower() in STEP_KEYS and len(leaf.keys) <= _DEEPEST_STEP
    return plain and not inside & {"opt_state", "optimizer", "params", "metrics"}


def _rank(leaf: Leaf) -> int:
    key = leaf.keys[-1].lower()
    return STEP_KEYS.index(key) if key in STEP_KEYS else len(STEP_KEYS)


def _of_documents(contents: list[Content]) -> _Found | None:
    """A JSON item with a step: only where the name has no number."""
    for content in contents:
        held = content.document
        for key in STEP_KEYS if isinstance(held, dict) else ():
            value = whole_number(held.get(key)) if isinstance(held, dict) else None
            if value is not None:
                return _Found(value, key, content.item.directory.rstrip("/"))
    return None
