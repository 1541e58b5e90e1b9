"""The random states that each process writes for itself, without waiting for the others.

One that the loader cannot read, or that is not there, is only logged: the load goes on without it.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.artifacts.weights_only import NUMPY_ARRAYS
from ckpt_tui.core.facts import RoleFacts
from ckpt_tui.core.vocabulary import RNG, Effect, Severity
from ckpt_tui.formats.accelerate.names import LOADER, RANDOM_FILE, numbered
from ckpt_tui.formats.shared.bounds import bounded_world_size
from ckpt_tui.formats.shared.file_table import Mark
from ckpt_tui.formats.shared.state_file import read_state_file

if TYPE_CHECKING:
    from ckpt_tui.core.files import FileEntry
    from ckpt_tui.core.findings import Finding
    from ckpt_tui.formats.base import CheckpointFiles

_RANDOM_KEYS = frozenset({"random_state", "numpy_random_seed", "torch_manual_seed"})


class RandomStates(NamedTuple):
    """The random states of the processes.

    Attributes:
        ranks: Processes that have a file, readable or not.
        held: The files whose state the loader can restore, by rank.
    """

    ranks: frozenset[int]
    held: dict[int, FileEntry]
    findings: tuple[Finding, ...] = ()
    marks: Mapping[str, Mark] = MappingProxyType({})

    @property
    def processes(self) -> int | None:
        """One more than the highest rank, or None without any file; not yet bounded."""
        return max(self.ranks, default=-1) + 1 or None


def read_random_states(files: CheckpointFiles) -> RandomStates:
    """`random_states_R.pkl` of each process; one that is damaged restores nothing, without a word.

    The `step` in it is the accelerator's counter of accumulated batches, which starts anew with
    each epoch: it is no progress.
    """
    entries = numbered(files.tree, RANDOM_FILE)
    held: dict[int, FileEntry] = {}
    findings: list[Finding] = []
    for rank, entry in entries.items():
        part = read_state_file(files, entry, RNG, _is_random, LOADER, rank, NUMPY_ARRAYS)
        if part.role is not None and not part.findings:
            held[rank] = entry
        findings += [_only_logged(finding) for finding in part.findings]
    marks = {entry.path: Mark(RNG, rank) for rank, entry in entries.items()}
    return RandomStates(frozenset(entries), held, tuple(findings), marks)


def random_role(states: RandomStates, processes: int | None) -> RoleFacts | None:
    """The random states, with the processes that have none.

    Args:
        states: As they were read.
        processes: Number of processes, bounded; None where it is not known.
    """
    if not states.held:
        return None
    entries = list(states.held.values())
    missing = tuple(rank for rank in range(processes or 0) if rank not in states.held)
    evidence = f"keys `random_state`, `numpy_random_seed`, `torch_manual_seed` in {entries[0].path}"
    evidence += f" and {len(entries) - 1} more" if len(entries) > 1 else ""
    size_bytes = sum(entry.size_bytes for entry in entries)
    paths = tuple(entry.path for entry in entries)
    return RoleFacts(RNG, size_bytes, len(entries), evidence, missing, paths=paths)


def bounded_processes(*counts: int | None) -> tuple[int | None, tuple[Finding, ...]]:
    """The number of processes by all that tells it."""
    most = max((count for count in counts if count), default=None)
    return bounded_world_size(most, "the names of the random states and of the shards")


def _is_random(value: object) -> bool:
    return isinstance(value, Mapping) and set(value) >= _RANDOM_KEYS


def _only_logged(finding: Finding) -> Finding:
    """Whatever is wrong with a random state, the load goes on without it."""
    return finding._replace(
        severity=Severity.WARNING,
        effect=Effect.NONE,
        message=f"{finding.message} (accelerate goes on without this random state)",
        remedy="Resume from another checkpoint if an exact continuation matters.",
    )
