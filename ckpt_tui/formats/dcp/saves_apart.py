"""Whether the data files of a torch DCP checkpoint are of one save, by the optimizer's counters.

The optimizer keeps a step for each parameter, and each step is stored in one rank's file only.
"""

from __future__ import annotations

import time
from collections import Counter
from typing import TYPE_CHECKING

from ckpt_tui.artifacts.dcp_items import read_dcp_scalar
from ckpt_tui.artifacts.limits import ArtifactError
from ckpt_tui.core.vocabulary import OPTIMIZER, PROGRESS, SCHEDULER
from ckpt_tui.formats.dcp.files import METADATA, rank_of_data_file
from ckpt_tui.formats.shared.archive_step import whole_number
from ckpt_tui.formats.shared.roles import STEP_KEYS
from ckpt_tui.formats.shared.saves_apart import (
    left_of_earlier_save,
    mixed_saves,
    stands_apart,
    steps_differ,
    written_after_commit,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ckpt_tui.artifacts.dcp_metadata import DcpItem, DcpMetadata
    from ckpt_tui.core.findings import Finding
    from ckpt_tui.formats.base import CheckpointFiles

_MOST_FILES = 512
_MOST_PER_FILE = 8
_ENOUGH = 4
_SECONDS = 0.5
_WHAT = "the optimizer's step"
_LAGS = "its parameters were trained for a shorter time"


def files_apart(
    files: CheckpointFiles, metadata: DcpMetadata, role_by_key: Mapping[str, str]
) -> tuple[Finding, ...]:
    """Compares the optimizer's steps between the files, and else their times.

    A parameter that was frozen for a time lags behind, so one low step is no proof: a file is of
    another save where all its counters say so, or where it was also written at another time.

    Args:
        files: The checkpoint.
        metadata: Its metadata.
        role_by_key: Role of each key that has one.
    """
    steps = _read_counters(files, _counters(metadata, role_by_key, (OPTIMIZER,)))
    usual = _usual(steps)
    strange = {path: own[0] for path, own in steps.items() if own and usual not in own}
    if usual is None or not strange:
        return _by_time(files, metadata)
    alike = next(path for path, own in steps.items() if usual in own)
    others = _counters(metadata, role_by_key, (SCHEDULER, PROGRESS))
    also = _read_counters(files, {path: others[path] for path in strange if path in others})
    proven = {
        path: step
        for path, step in strange.items()
        if _proves(steps[path], also.get(path, []), step) or _written_apart(files, path, strange)
    }
    if proven:
        return (mixed_saves(_WHAT, proven | {alike: usual}),)
    if len(set(strange.values())) > 1 or len(strange) * 2 > len(steps):
        return ()  # experts and frozen layers lag by as many steps as they were left out
    return (steps_differ(_WHAT, strange | {alike: usual}, _LAGS),)


def optimizer_step(
    files: CheckpointFiles, metadata: DcpMetadata, role_by_key: Mapping[str, str]
) -> int | None:
    """The highest step that the optimizer counts, as far as its counters are read, or None.

    Args:
        files: The checkpoint.
        metadata: Its metadata.
        role_by_key: Role of each key that has one.
    """
    steps = _read_counters(files, _counters(metadata, role_by_key, (OPTIMIZER,)))
    return max((step for own in steps.values() for step in own), default=None)


def _counters(
    metadata: DcpMetadata, role_by_key: Mapping[str, str], roles: tuple[str, ...]
) -> dict[str, list[DcpItem]]:
    """By file, the items that hold a counter of one of these roles."""
    found: dict[str, list[DcpItem]] = {}
    for item in metadata.storage:
        role = role_by_key.get(item.key)
        if role in roles and not item.transformed and _counts(item.key, role):
            found.setdefault(item.relative_path, []).append(item)
    return found


def _counts(key: str, role: str | None) -> bool:
    last = key.rpartition(".")[2]
    if role == OPTIMIZER:
        return last == "step" and "param_groups" not in key
    return last == "last_epoch" if role == SCHEDULER else last in STEP_KEYS


def _read_counters(
    files: CheckpointFiles, counters: Mapping[str, list[DcpItem]]
) -> dict[str, list[int]]:
    """The numbers in each file, as many as the bounds allow; damage is told elsewhere."""
    end = time.monotonic() + _SECONDS
    found: dict[str, list[int]] = {}
    for path, items in list(counters.items())[:_MOST_FILES]:
        if time.monotonic() > end:
            break
        try:
            with files.open(path) as source:
                chosen = items[:: -(-len(items) // _MOST_PER_FILE) or 1]
                values = [read_dcp_scalar(source, item, None, files.limits) for item in chosen]
        except ArtifactError:
            continue
        numbers = [n for value in values if (n := whole_number(value)) is not None]
        if numbers:
            found[path] = numbers
    return found


def _usual(steps: Mapping[str, list[int]]) -> int | None:
    """The step that most files hold, the highest of several; None where all are of one file."""
    counted = Counter(step for own in steps.values() for step in set(own))
    if len(steps) < 2:
        return None
    return max(counted, key=lambda step: (counted[step], step))


def _proves(own: list[int], others: list[int], step: int) -> bool:
    """Whether a file's counters say the same, too many or of too many kinds for a lag."""
    return {*own, *others} == {step} and (bool(others) or len(own) >= _ENOUGH)


def _written_apart(files: CheckpointFiles, path: str, strange: Mapping[str, int]) -> bool:
    entry = files.tree.get(path)
    rest = [
        other
        for other in files.tree.files()
        if (rank_of_data_file(other.path) is not None or other.path == METADATA)
        and other.path not in strange
    ]
    return entry is not None and len(rest) > 1 and stands_apart(entry, rest)


def _by_time(files: CheckpointFiles, metadata: DcpMetadata) -> tuple[Finding, ...]:
    """Remarks where a rank's file is far older, or younger than the commit; written at once."""
    wanted = {item.relative_path for item in metadata.storage}
    entries = [entry for entry in files.tree.files() if entry.path in wanted]
    ranks = {rank_of_data_file(entry.path) for entry in entries}
    found = left_of_earlier_save(entries) if len(ranks) == len(entries) else ()
    marker = files.tree.get(METADATA)
    return found or (written_after_commit(entries, marker) if marker is not None else ())
