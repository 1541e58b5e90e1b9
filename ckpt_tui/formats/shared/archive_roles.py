"""Which roles one torch archive holds: told by its top-level keys and the shape of its values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from ckpt_tui.artifacts.inert import Instance
from ckpt_tui.artifacts.torch_archive import TensorInfo, read_torch_archive
from ckpt_tui.core.facts import RoleFacts, TensorFacts
from ckpt_tui.core.vocabulary import MODEL, OPTIMIZER, PROGRESS, RNG, SCHEDULER
from ckpt_tui.formats.shared.archive_counts import Counts, counts_of
from ckpt_tui.formats.shared.archive_step import (
    FoundStep,
    find_epoch,
    find_step,
    holds_progress,
    numbers_of,
)
from ckpt_tui.formats.shared.bounds import MOST_TENSORS
from ckpt_tui.formats.shared.one_file import read_one_file
from ckpt_tui.formats.shared.problems import unsafe_pickle
from ckpt_tui.formats.shared.roles import role_of_file_name, role_of_key
from ckpt_tui.formats.shared.tensor_walk import NamedTensor, has_tensor, tensor_bytes, walk_tensors

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from ckpt_tui.artifacts.limits import Limits
    from ckpt_tui.artifacts.source import Source
    from ckpt_tui.artifacts.torch_archive import TorchArchive
    from ckpt_tui.core.findings import Finding
    from ckpt_tui.formats.base import CheckpointFiles

_SHOWN_KEYS = 3
_MOST_NAMES = 8
"""A state may have a few: `model` and `module`."""
_FORMAT_VERSION = ".format_version"
_Key = TypeVar("_Key")
_Names = Counter[tuple[int, str | None]]

# Dictionaries that are the state of one thing, whatever they are called.
_SIGNATURES = (
    (OPTIMIZER, ({"state", "param_groups"},)),
    (
        SCHEDULER,
        ({"last_epoch", "_step_count"}, {"last_epoch", "base_lrs"}, {"last_epoch", "_last_lr"}),
    ),
    (RNG, ({"random_state", "torch_manual_seed"}, {"python", "numpy", "cpu"})),
)


class ArchiveContent(NamedTuple):
    """What one torch archive holds.

    Attributes:
        value: The inert top-level value, for keys that only one reader knows.
        roles: One entry per role, each with this file as its only path.
        step: Training iteration, where a key holds it.
        epoch: Count of epochs, where a key holds it.
        empty_keys: Keys that name a role but hold nothing (`optimizer: None`).
        tensors: At most `MOST_TENSORS` of them; `tensors_total` is the real count.
        findings: Remarks about the archive (a global that could run code).
        counts: How often optimizer and scheduler have stepped, where the file is their state.
        globals: Qualified names of all globals that its pickle names.
        protocol: Of that pickle.
        recent: True where torch 2.7 or newer wrote it (it has a record `.format_version`).
    """

    value: object
    roles: tuple[RoleFacts, ...]
    step: FoundStep | None
    epoch: int | None
    empty_keys: tuple[str, ...] = ()
    tensors: tuple[TensorFacts, ...] = ()
    tensors_total: int = 0
    findings: tuple[Finding, ...] = ()
    counts: Counts = Counts()
    globals: frozenset[str] = frozenset()
    protocol: int = 2
    recent: bool = False

    @property
    def top(self) -> Mapping[object, object]:
        """The top-level dictionary; empty where the value is none."""
        return self.value if isinstance(self.value, Mapping) else {}

    def role(self, name: str) -> RoleFacts | None:
        """The facts of one role, or None where the archive does not hold it."""
        return next((role for role in self.roles if role.role == name), None)


def read_archive_content(
    files: CheckpointFiles, path: str
) -> tuple[ArchiveContent | None, tuple[Finding, ...]]:
    """Reads one torch file of a checkpoint; what is wrong with it comes back as findings.

    Args:
        files: The checkpoint.
        path: Relative path of the file, as its tree names it.
    """

    def read(source: Source, limits: Limits) -> ArchiveContent:
        return archive_content(read_torch_archive(source, limits), source, path)

    content, problems = read_one_file(files, path, read, "it is read as a torch archive")
    return content, problems if content is None else content.findings


def archive_content(archive: TorchArchive, source: Source, path: str) -> ArchiveContent:
    """Roles, step and tensors of an archive that has been read.

    Args:
        archive: The archive.
        source: Its file, still open: a step may be a tensor.
        path: Relative path, for the evidence.
    """
    content = content_of_value(archive.value, numbers_of(archive, source), archive.globals, path)
    recent = _FORMAT_VERSION in archive.zip_records
    return content._replace(protocol=archive.protocol, recent=recent)


def content_of_value(
    value: object,
    number_of: Callable[[object], int | None],
    names: Iterable[str],
    path: str,
) -> ArchiveContent:
    """Roles, step and tensors of an inert value, wherever it was read from.

    Args:
        value: Containers and scalars, `TensorInfo` for tensors.
        number_of: Turns what a key holds into a number; a tensor's bytes may have to be read.
        names: Qualified names of the globals that its pickle names.
        path: Relative path, for the evidence.
    """
    keyed, empty = _sort_by_role(value)
    # The `step` inside a random state or an optimizer counts something else.
    counts = _role_of_whole(value) is None
    step = find_step(value, number_of) if counts else None
    epoch = find_epoch(value) if counts else None
    roles, listed = [], []
    for role, parts in keyed.items():
        tensors = [t for key, part in parts for t in walk_tensors(part, key)]
        listed += [(role, tensor) for tensor in tensors]
        roles.append(_role_facts(role, parts, tensors, path))
    if epoch is not None and PROGRESS not in keyed:
        roles.append(RoleFacts(PROGRESS, None, 1, f"key `epoch` in {path}", paths=(path,)))
    return ArchiveContent(
        value=value,
        roles=tuple(roles),
        step=step,
        epoch=epoch,
        empty_keys=empty,
        tensors=tuple(_tensor_facts(role, tensor, path) for role, tensor in listed[:MOST_TENSORS]),
        tensors_total=len(listed),
        findings=unsafe_pickle(names, path),
        counts=counts_of(value, number_of),
        globals=frozenset(names),
    )


_Parts = dict[str, list[tuple[str, object]]]


def parts_by_role(value: object) -> dict[str, list[tuple[str, object]]]:
    """Role → its keys with what they hold; the key is "" where the whole value is the state."""
    return _sort_by_role(value)[0]


def _sort_by_role(value: object) -> tuple[_Parts, tuple[str, ...]]:
    """Role → its (key, value) pairs, and the keys that name a role but hold nothing."""
    whole = _role_of_whole(value)
    if whole is not None:
        return {whole: [("", value)]}, ()
    found: _Parts = {}
    empty: list[str] = []
    names = _Names()
    for key, part in _under_few_names(value, names) if isinstance(value, dict) else ():
        inner = _wrapped(key, part)
        for name, item in _under_few_names(inner, names) if inner else ((str(key), part),):
            role = _role_of_item(name.rsplit("/", 1)[-1], item)
            if role is None:
                continue
            if _holds_state(role, item):
                found.setdefault(role, []).append((name, item))
            elif item is None or item in ({}, [], ()):
                empty.append(name)
    return found, tuple(empty)


def _under_few_names(value: Mapping[_Key, object], names: _Names) -> Iterator[tuple[_Key, object]]:
    """The pairs; one object that hundreds of keys share would be walked hundreds of times.

    Args:
        value: Keys and what they hold.
        names: How many keys of each role each object was found under so far.
    """
    for key, part in value.items():
        place = (id(part), role_of_key(str(key).rsplit("/", 1)[-1]))
        names[place] += isinstance(part, dict | list | Instance)
        if names[place] <= _MOST_NAMES:
            yield key, part


def _wrapped(key: object, part: object) -> dict[str, object]:
    """The items of a dictionary that wraps the whole checkpoint under one key (`state`)."""
    if not isinstance(part, dict) or role_of_key(key) not in (None, PROGRESS):
        return {}
    roles = {role_of_key(name) for name in part}
    if MODEL in roles and roles & {OPTIMIZER, PROGRESS, SCHEDULER}:
        return {f"{key}/{name}": item for name, item in part.items()}
    return {}


def _role_of_whole(value: object) -> str | None:
    """The role of a file whose top-level value is the state of one thing."""
    if isinstance(value, Instance):
        return MODEL if {"_modules", "_parameters"} & set(value.attributes) else None
    if not isinstance(value, dict) or not value:
        return None
    signed = _signed(value)
    if signed is not None:
        return signed
    named = sum(role_of_key(key) is not None for key in value)
    bare = all(isinstance(key, str) and _is_leaf(part) for key, part in value.items())
    return MODEL if bare and named < len(value) and has_tensor(value) else None


def _is_leaf(value: object) -> bool:
    """A tensor, or the odd extra that a state dict may hold (None, bytes, a version number)."""
    return isinstance(value, TensorInfo | Instance) or value is None


def _signed(value: object) -> str | None:
    if not isinstance(value, dict):
        return None
    keys = {key for key in value if isinstance(key, str)}
    return next((role for role, marks in _SIGNATURES if any(mark <= keys for mark in marks)), None)


def _role_of_item(key: str, value: object) -> str | None:
    role = role_of_key(key)
    if role is not None:
        return role
    signed = _signed(value)
    if signed is not None:
        return signed
    by_words = role_of_file_name(key)
    if by_words == RNG and isinstance(value, TensorInfo | list | tuple | dict):
        return RNG
    if key.lower().endswith("state_dict") and isinstance(value, dict) and has_tensor(value):
        return MODEL
    return None


def _holds_state(role: str, value: object) -> bool:
    """Whether a value can be the state that its key names: `model: "gpt2"` is none."""
    if value is None or value in ({}, [], ()):
        return False
    if role == MODEL:
        return isinstance(value, Instance) or has_tensor(value)
    if role in (OPTIMIZER, SCHEDULER):
        return isinstance(value, dict | list | tuple | Instance)
    if role == PROGRESS:
        return holds_progress(value)
    return True


def _role_facts(
    role: str, parts: list[tuple[str, object]], tensors: list[NamedTensor], path: str
) -> RoleFacts:
    keys = [key for key, _ in parts if key]
    shown = ", ".join(f"`{key}`" for key in keys[:_SHOWN_KEYS])
    if len(keys) > _SHOWN_KEYS:
        shown += f" and {len(keys) - _SHOWN_KEYS} more"
    evidence = f"key {shown} in {path}" if keys else f"the content of {path}"
    if role == OPTIMIZER and not tensors:
        evidence += ", without any state tensor (saved before the first step, or plain SGD)"
    return RoleFacts(role, tensor_bytes(tensors) or None, 1, evidence, paths=(path,))


def _tensor_facts(role: str, tensor: NamedTensor, path: str) -> TensorFacts:
    info = tensor.info
    return TensorFacts(tensor.name, str(info.dtype), tuple(info.shape), info.size_bytes, role, path)
