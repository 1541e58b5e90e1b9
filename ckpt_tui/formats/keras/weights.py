"""The roles in weights as Keras 3 lays them out: `layers/…/vars/0`, `optimizer/vars/0`.

The optimizer is in there even where only weights were asked for (`save_weights_only=True`).
"""

from __future__ import annotations

import re
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.artifacts.hdf5.attributes import text_of
from ckpt_tui.artifacts.hdf5.numbers import read_number
from ckpt_tui.artifacts.limits import ArtifactError
from ckpt_tui.core.facts import RoleFacts
from ckpt_tui.core.vocabulary import METRICS, MODEL, OPTIMIZER, PROGRESS, RNG, SCHEDULER
from ckpt_tui.formats.keras.agreement import empty_layers, lacks_moments
from ckpt_tui.formats.shared.problems import capped, lacks_content

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ckpt_tui.artifacts.hdf5.contents import Contents, Dataset
    from ckpt_tui.core.findings import Finding
    from ckpt_tui.formats.keras.optimizers import Expected

_VARIABLES = "vars"
_OPTIMIZER = re.compile(r"(?:.+_)?optimizers?(?:_\w+)?")
_INNER = "inner_optimizer"
_SCALING = "loss_scale_optimizer"
_NAME = "name"
_METRICS = frozenset({"metrics", "_metrics", "compile_metrics", "_compile_metrics"})
_SEEDS = "seed_generator"


class Placed(NamedTuple):
    """A dataset and the file that holds it."""

    file: str
    dataset: Dataset


class Weights(NamedTuple):
    """What weights hold.

    Attributes:
        roles: One entry a role.
        findings: What is missing in them.
        iterations: Of the optimizer; None without one.
    """

    roles: tuple[RoleFacts, ...]
    findings: tuple[Finding, ...] = ()
    iterations: int | None = None


def role_of(path: str) -> str:
    """The state that a dataset belongs to, by its path."""
    parts = path.split("/")
    if _OPTIMIZER.fullmatch(parts[0]):
        return OPTIMIZER
    if parts[0] in _METRICS:
        return METRICS
    return RNG if any(part.startswith(_SEEDS) for part in parts) else MODEL


def is_scaled(groups: Iterable[str]) -> bool:
    """Whether weights with these groups hold an optimizer within a loss-scaling one."""
    return any(role_of(group) == OPTIMIZER and _INNER in group.split("/") for group in groups)


def read_weights(parts: Iterable[tuple[str, Contents]], expected: Expected | None) -> Weights:
    """The roles of one save.

    Args:
        parts: Each file's name and contents; several for sharded weights.
        expected: What the optimizer keeps, where a configuration tells it.

    Raises:
        ArtifactError: A number cannot be read.
    """
    found = _collected(parts)
    by_role: dict[str, list[Placed]] = {}
    for one in found.placed:
        by_role.setdefault(role_of(one.dataset.path), []).append(one)
    findings = _absent_variables(found, by_role.get(MODEL, []))
    roles = [
        role_of_datasets(role, by_role[role]) for role in (MODEL, RNG, METRICS) if role in by_role
    ]
    optimizer = by_role.get(OPTIMIZER, [])
    iterations = _iterations(found.counts)
    if _is_state(optimizer, expected, iterations):
        roles += _of_optimizer(optimizer, iterations)
        findings += _torn_optimizer(optimizer, expected, found.optimizer_name)
    return Weights(tuple(roles), tuple(findings), iterations)


class _Collected(NamedTuple):
    """All files of one save taken together.

    Attributes:
        placed: Every dataset.
        groups: Paths of the groups.
        counts: Path → value of the first variable of each optimizer.
        optimizer_name: As it is stored; "" where there are several optimizers, or none.
    """

    placed: list[Placed]
    groups: list[str]
    counts: dict[str, int | float | None]
    optimizer_name: str


def _collected(parts: Iterable[tuple[str, Contents]]) -> _Collected:
    placed: list[Placed] = []
    groups: list[str] = []
    counts: dict[str, int | float | None] = {}
    name = ""
    for file, contents in parts:
        groups += contents.groups
        name = _optimizer_name(contents) or name
        for path, dataset in contents.datasets.items():
            placed.append(Placed(file, dataset))
            if role_of(path) == OPTIMIZER and path.endswith(f"/{_VARIABLES}/0"):
                counts[path] = read_number(contents, dataset)
    return _Collected(placed, groups, counts, name)


def _absent_variables(found: _Collected, model: list[Placed]) -> list[Finding]:
    """Gaps in the numbers of a layer's variables, and layers that must have some."""
    if not model:
        return []
    empty = empty_layers(found.groups, [one.dataset.path for one in found.placed])
    absent = [f"variable {number} of {group}" for group, number in _gaps(model)]
    absent += [f"variables of {layer}" for layer in empty]
    return capped([lacks_content(model[0].file, what, "Keras") for what in absent])


def _optimizer_name(contents: Contents) -> str:
    """The name that an optimizer has in its group's attributes; "" where there is none."""
    names = []
    for group, attributes in contents.groups.items():
        if role_of(group) == OPTIMIZER and group.endswith(f"/{_VARIABLES}"):
            with suppress(ArtifactError):  # Keras does not look at it
                names.append(text_of(contents.view, attributes, _NAME) or "")
    own = [name for name in names if name and not name.startswith(_SCALING)]
    return own[0] if len(own) == 1 else ""


def _iterations(counts: dict[str, int | float | None]) -> int | None:
    """The count of the optimizer within a loss-scaling one, else of the first that has one."""
    order = sorted(counts, key=lambda path: (_INNER not in path, path))
    found = (counts[path] for path in order)
    return next((value for value in found if isinstance(value, int)), None)


def _is_state(optimizer: list[Placed], expected: Expected | None, iterations: int | None) -> bool:
    """Whether there is more than the two scalars of an optimizer that never was built.

    One that keeps nothing per variable (SGD without momentum) has no more than these.
    """
    if not optimizer:
        return False
    if any(one.dataset.shape for one in optimizer):
        return True
    return bool(iterations) if expected is None or expected.slots is None else not expected.slots


def _of_optimizer(optimizer: list[Placed], iterations: int | None) -> list[RoleFacts]:
    return [role_of_datasets(OPTIMIZER, optimizer), *roles_of_count(iterations, optimizer[0].file)]


def roles_of_count(iterations: int | None, path: str) -> list[RoleFacts]:
    """What the count of iterations restores, which every loader takes from the file.

    Args:
        iterations: Of the optimizer; None without a count.
        path: Relative path of the file that holds it.
    """
    if iterations is None:
        return []
    count = f"{iterations} iterations in the optimizer"
    rate = "the optimizer's learning rate, or the iterations that a schedule goes by"
    return [
        RoleFacts(PROGRESS, None, 1, count, paths=(path,)),
        RoleFacts(SCHEDULER, None, 1, rate, paths=(path,)),
    ]


def role_of_datasets(role: str, placed: list[Placed]) -> RoleFacts:
    """One role with the bytes of the datasets that hold it, of which there is one at least."""
    files = tuple(dict.fromkeys(one.file for one in placed))
    size = sum(one.dataset.size_bytes for one in placed)
    top = placed[0].dataset.path.partition("/")[0]
    evidence = f"{len(placed)} variables, such as those under {top}"
    return RoleFacts(role, size, len(files), evidence, paths=files)


def _torn_optimizer(optimizer: list[Placed], expected: Expected | None, name: str) -> list[Finding]:
    """What it lacks: Keras passes over one of another number of variables, and only warns."""
    file = optimizer[0].file
    found = [
        lacks_content(file, f"variable {number} of {group}", "Keras")
        for group, number in _gaps(optimizer)
    ]
    if found:
        return found
    inner = any(_INNER in one.dataset.path for one in optimizer)
    shapes = [
        one.dataset.shape
        for one in optimizer
        if one.dataset.shape and (not inner or _INNER in one.dataset.path)
    ]
    slots = expected.slots if expected is not None else None
    each = slots if slots and len(shapes) % slots else lacks_moments(name, shapes)
    if each:
        return [lacks_content(file, f"{each} moments for each trained variable", "Keras")]
    return []


def _gaps(placed: Iterable[Placed]) -> list[tuple[str, int]]:
    """(Group, number) of the first variable that is absent where later ones are there."""
    numbers: dict[str, set[int]] = {}
    for one in placed:
        group, _, name = one.dataset.path.rpartition("/")
        if group.rpartition("/")[2] == _VARIABLES and name.isdecimal():
            numbers.setdefault(group, set()).add(int(name))
    return [
        (group, next(n for n in range(len(found) + 1) if n not in found))
        for group, found in sorted(numbers.items())
        if max(found) >= len(found)
    ]
