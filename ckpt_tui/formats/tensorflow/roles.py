"""The roles of a bundle: what its keys and its object graph say each tensor is for."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.artifacts.limits import ArtifactError
from ckpt_tui.artifacts.tensor_bundle import STRING, VARIANT
from ckpt_tui.core.facts import RoleFacts, TensorFacts
from ckpt_tui.core.vocabulary import MODEL, OPTIMIZER, PROGRESS, SCHEDULER
from ckpt_tui.formats.shared.bounds import MOST_TENSORS
from ckpt_tui.formats.shared.named_progress import progress_of_name
from ckpt_tui.formats.shared.problems import finding_of_error
from ckpt_tui.formats.tensorflow.key_roles import (
    ATTRIBUTE,
    SAVE_COUNTER,
    object_path,
    role_by_key,
    roles_by_graph,
)
from ckpt_tui.formats.tensorflow.meta_graph import trains_by_plain_descent
from ckpt_tui.formats.tensorflow.names import META_ENDING, number_of
from ckpt_tui.formats.tensorflow.object_graph import GRAPH_KEY, read_object_graph

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ckpt_tui.artifacts.tensor_bundle import BundleEntry
    from ckpt_tui.core.findings import Finding
    from ckpt_tui.formats.tensorflow.scalars import Counter, Told
    from ckpt_tui.formats.tensorflow.stored import Stored

_RATE = ("_learning_rate", "learning_rate", "_current_learning_rate")


class RoleTable(NamedTuple):
    """What each key is for.

    Attributes:
        of_key: Key → role, "" for what is none.
        by_graph: Whether the object graph told any, not the keys alone.
        findings: What of the object graph could not be read.
    """

    of_key: Mapping[str, str]
    by_graph: bool
    findings: tuple[Finding, ...] = ()


def role_table(stored: Stored, told: Told) -> RoleTable:
    """Gives each key of a bundle its role."""
    by_graph: Mapping[str, str | None] = {}
    findings: tuple[Finding, ...] = ()
    if told.graph is not None:
        try:
            by_graph = roles_by_graph(read_object_graph(told.graph, stored.index_path))
        except ArtifactError as error:
            findings = (finding_of_error(error, stored.index_path),)
    counters = {c.key for c in (told.step, told.epoch) if c is not None} - _key(told.iterations)
    table = {}
    for entry in stored.bundle.entries:
        if not entry.is_slice:
            table[entry.key] = _role(entry, by_graph, counters)
    if MODEL not in table.values():
        scalars = (e for e in stored.bundle.entries if not table.get(e.key) and _is_float(e))
        table.update((entry.key, MODEL) for entry in scalars)
    return RoleTable(table, bool(by_graph), findings)


def _key(counter: Counter | None) -> set[str]:
    return {counter.key} if counter is not None else set()


def _role(entry: BundleEntry, by_graph: Mapping[str, str | None], counters: set[str]) -> str:
    if entry.key in counters:
        return PROGRESS
    if entry.key == GRAPH_KEY or object_path(entry.key) == (SAVE_COUNTER,):
        return ""
    role = by_graph.get(entry.key) or role_by_key(entry.key)
    if role is None and entry.shape and entry.dtype not in (STRING, VARIANT):
        return MODEL  # a variable that is held under any name
    return role or ""


def _is_float(entry: BundleEntry) -> bool:
    return "float" in entry.dtype or entry.dtype.startswith("complex")


def roles_of(stored: Stored, told: Told, table: RoleTable) -> tuple[RoleFacts, ...]:
    """The roles that are there, with their bytes and the files that hold them."""
    sizes: dict[str, int] = {}
    paths: dict[str, dict[str, None]] = {}
    first: dict[str, str] = {}
    for entry in stored.bundle.entries:
        role = table.of_key.get(entry.key, "")
        if entry.slices or not role:
            continue
        sizes[role] = sizes.get(role, 0) + entry.size_bytes
        paths.setdefault(role, {})[stored.path_of(entry)] = None
        first.setdefault(role, entry.key)
    found = [
        RoleFacts(
            role,
            size,
            len(paths[role]),
            _told_by(table, _shown(first[role]), stored.index_path),
            paths=tuple(paths[role]),
        )
        for role, size in sizes.items()
    ]
    return (*found, *_implied(stored, told, table, frozenset(sizes)))


def _told_by(table: RoleTable, key: str, path: str) -> str:
    if table.by_graph:
        return f"key `{key}` in {path}, by its object graph"
    return f"key `{key}` in {path}, by its keys"


def _implied(stored: Stored, told: Told, table: RoleTable, have: frozenset[str]) -> list[RoleFacts]:
    """Roles that another one holds: an optimizer's count moves a schedule, and may be the step.

    Gradient descent without momentum keeps nothing: of a graph of TF1 the step is all its state.
    """
    found = []
    alone = told.graph is None and told.step is not None and OPTIMIZER not in have
    if alone and trains_by_plain_descent(stored):
        path = stored.prefix + META_ENDING
        evidence = f"the graph in {path} trains by plain gradient descent, which keeps no variables"
        found.append(RoleFacts(OPTIMIZER, None, 1, evidence, paths=(path,)))
    rate = next((key for key in table.of_key if object_path(key)[-1] in _RATE), None)
    held = told.iterations.key if told.iterations is not None else rate
    if SCHEDULER not in have and OPTIMIZER in have and held is not None:
        found.append(_within(stored, SCHEDULER, held))
    counter = told.step or told.epoch or told.saves
    if PROGRESS not in have and counter is not None:
        found.append(
            _within(stored, PROGRESS, f"key `{_shown(counter.key)}` in {stored.index_path}")
        )
    elif PROGRESS not in have:
        named = progress_of_name(stored.prefix, number_of(stored.prefix), "no key holds it")
        found += [named] if named is not None else []
    return found


def _within(stored: Stored, role: str, key: str) -> RoleFacts:
    evidence = f"key `{_shown(key)}` in {stored.index_path}"
    return RoleFacts(role, None, 1, evidence, paths=(stored.index_path,))


def _shown(key: str) -> str:
    return key.partition(ATTRIBUTE)[0]


def tensor_facts(stored: Stored, table: RoleTable) -> tuple[tuple[TensorFacts, ...], int]:
    """The first tensors, and how many there are."""
    whole = [e for e in stored.bundle.entries if not e.is_slice and e.key != GRAPH_KEY]
    sizes: dict[str, int] = {}
    for entry in stored.bundle.entries:
        sizes[entry.key] = sizes.get(entry.key, 0) + entry.size_bytes
    shown = tuple(
        TensorFacts(
            _shown(entry.key),
            entry.dtype,
            entry.shape,
            sizes[entry.key],
            table.of_key[entry.key],
            "" if entry.slices else stored.path_of(entry),
        )
        for entry in whole[:MOST_TENSORS]
    )
    return shown, len(whole)
