"""Which files of a loop of its own are checkpoints: by their names, and by what they hold.

An ending proves nothing: `.npz` and `.msgpack` files are data sets and embeddings, too. A
checkpoint holds a model beside an optimizer or a step, or it is called as one and holds a model.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.core.files import Kind
from ckpt_tui.core.vocabulary import (
    CONFIG,
    DATALOADER,
    METRICS,
    MODEL,
    OPTIMIZER,
    PROGRESS,
    RNG,
    SCHEDULER,
)
from ckpt_tui.formats.shared.plain_names import PlainName, plain_name_of
from ckpt_tui.formats.shared.roles import role_of_file_name
from ckpt_tui.formats.shared.series import is_step_directory

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ckpt_tui.core.files import FileEntry
    from ckpt_tui.formats.shared.plain_looks import Look
    from ckpt_tui.fs.listing import Directory

JSON = ".json"
_FEW = 4
_MOST_UNTOLD = 1000
"""Files with names that tell nothing which are looked into, as long as none holds a model."""
_BESIDE = (OPTIMIZER, SCHEDULER, RNG, DATALOADER, METRICS, CONFIG)
_SIDECARS = (PROGRESS, METRICS, CONFIG)
_FOREIGN = (".pt", ".pth", ".ckpt", ".bin", ".safetensors", ".distcp", ".metadata", ".index", ".h5")


class PlainFormat(NamedTuple):
    """One kind of file.

    Attributes:
        endings: Of its names.
        look: (path, inode, size, mtime in nanoseconds) → what the file holds.
    """

    endings: tuple[str, ...]
    look: Callable[[str, int, int, int], Look]


class _Named(NamedTuple):
    entry: FileEntry
    name: PlainName
    look: Look


def is_one_checkpoint(directory: Directory, endings: tuple[str, ...]) -> bool:
    """Whether a directory is one checkpoint, by its names: states in files of their own.

    In a directory of a step one file is enough, unless it is one of a series itself.
    """
    names = directory.file_names()
    if any(name.endswith(_FOREIGN) for name in names):
        return False
    mine = [n for name in names if (n := plain_name_of(name, endings)) is not None]
    plain = [name for name in mine if name.step is None and not name.staged]
    roles = {name.role for name in plain}
    if OPTIMIZER in roles and roles & {MODEL, PROGRESS}:
        return True
    if MODEL in roles and PROGRESS in roles | {
        role_of_file_name(name.removesuffix(JSON)) for name in names if name.endswith(JSON)
    }:
        return True
    told = any(name.role not in (None, METRICS, CONFIG) or name.of_series for name in plain)
    return is_step_directory(directory.name) and told and len(plain) == len(mine)


def checkpoint_groups(directory: Directory, kind: PlainFormat) -> tuple[tuple[str, ...], ...]:
    """Groups of files that are one checkpoint each; the first of a group names it."""
    entries = [
        entry
        for entry in directory.entries
        if entry.kind is Kind.FILE and entry.link_target is None
    ]
    named = _looked_at(directory, entries, kind)
    final = [one for one in named if not one.name.staged]
    whole = [one for one in final if one.look.is_state]
    weights = [one for one in final if one not in whole and _is_weights(one)]
    families = {one.name.family for one in (*whole, *weights)}
    broken = [one for one in final if not one.look.readable and _is_called(one, families)]
    groups = [[one.entry.path] for one in (*whole, *_alone(broken, weights))]
    groups += _by_step(weights)
    taken = {path for group in groups for path in group}
    beside = _Beside([one for one in final if one.entry.path not in taken], entries)
    found = [_with_files_beside(group, kind, beside) for group in groups]
    staged = [one for one in named if one.name.staged and _is_called(one, families)]
    return tuple(found) + tuple((one.entry.path,) for one in staged)


def _looked_at(
    directory: Directory, entries: Sequence[FileEntry], kind: PlainFormat
) -> list[_Named]:
    """The files with what they hold; of a data set's many shards only a few are looked at."""
    families: dict[str, list[tuple[FileEntry, PlainName]]] = {}
    for entry in entries:
        name = plain_name_of(entry.path, kind.endings)
        if name is not None:
            families.setdefault(name.family, []).append((entry, name))
    found: list[_Named] = []
    untold = 0
    for family in families.values():
        probes = family[:1] + family[-1:]
        telling = family[0][1].of_series or family[0][1].role is not None
        if not telling and untold > _MOST_UNTOLD:
            continue
        if len(family) <= _FEW or telling or any(_is_told(directory, e, kind) for e, _ in probes):
            looks = [_Named(e, name, _look(directory, e, kind)) for e, name in family]
            untold += 0 if any(MODEL in one.look.roles for one in looks) else len(looks)
            found += looks
    return found


def _is_told(directory: Directory, entry: FileEntry, kind: PlainFormat) -> bool:
    return MODEL in _look(directory, entry, kind).roles


def _look(directory: Directory, entry: FileEntry, kind: PlainFormat) -> Look:
    path = os.path.join(directory.path, entry.path)
    return kind.look(path, entry.inode, entry.size_bytes, entry.mtime_ns)


def _is_weights(one: _Named) -> bool:
    """A model without more: by its keys, or by the name that arrays go under."""
    if not one.look.readable or one.name.role in _BESIDE:
        return False
    if MODEL in one.look.roles:
        return one.name.step is not None or one.name.of_series or one.name.of_weights
    return one.look.has_arrays and not one.look.roles and one.name.of_weights


def _is_called(one: _Named, families: set[str]) -> bool:
    """Whether a file that tells nothing, or has a temporary name, is called as a checkpoint is."""
    if one.look.is_state or one.name.family in families:
        return True
    if one.look.readable and not one.look.has_arrays:
        return False
    return (
        one.name.of_series
        and (one.name.role in (None, MODEL, PROGRESS))
        and not (one.look.readable and one.look.roles and not one.look.is_state)
    )


def _alone(broken: Sequence[_Named], weights: Sequence[_Named]) -> list[_Named]:
    """Those that are no part of a checkpoint in several files, which names its step otherwise."""
    steps = {one.name.step for one in weights if one.name.step is not None}
    return [one for one in broken if one.name.role not in _BESIDE and one.name.step not in steps]


def _by_step(weights: Sequence[_Named]) -> list[list[str]]:
    """Models of one step belong together: `actor_100`, `critic_100`."""
    found: dict[object, list[str]] = {}
    for one in weights:
        key = one.name.step if one.name.step is not None else one.entry.path
        found.setdefault(key, []).append(one.entry.path)
    return list(found.values())


class _Beside:
    """Files that may belong to a checkpoint, by what their names share with it."""

    def __init__(self, others: Sequence[_Named], entries: Sequence[FileEntry]) -> None:
        self._states: dict[int, list[str]] = {}
        self._by_step: dict[int, list[str]] = {}
        self._by_stem: dict[str, list[str]] = {}
        self._place: dict[str, int] = {}
        for one in others:
            if one.name.step is not None and one.name.role in _BESIDE:
                self._states.setdefault(one.name.step, []).append(one.entry.path)
        for place, entry in enumerate(entries):
            side = plain_name_of(entry.path, (JSON,))
            if side is None or side.staged:
                continue
            self._place[entry.path] = place
            self._by_stem.setdefault(side.stem, []).append(entry.path)
            if side.step is not None and side.role in _SIDECARS:
                self._by_step.setdefault(side.step, []).append(entry.path)

    def of(self, main: PlainName) -> list[str]:
        """States of the same step, then the JSON files of the same stem or step in their order."""
        sidecars = set(self._by_stem.get(main.stem, ()))
        if main.step is None:
            return sorted(sidecars, key=self._place.__getitem__)
        sidecars.update(self._by_step.get(main.step, ()))
        return [
            *self._states.get(main.step, ()),
            *sorted(sidecars, key=self._place.__getitem__),
        ]


def _with_files_beside(group: list[str], kind: PlainFormat, beside: _Beside) -> tuple[str, ...]:
    """Adds what belongs to a checkpoint by its name."""
    main = plain_name_of(group[0], kind.endings)
    return tuple(group) if main is None else (*group, *beside.of(main))
