"""Reads a checkpoint that is one file: `.keras`, `.weights.h5` or a whole model in `.h5`."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from ckpt_tui.core.facts import CommitFacts
from ckpt_tui.core.vocabulary import OPTIMIZER, PROGRESS
from ckpt_tui.formats.keras.loading import (
    RESHARD,
    WRITTEN_IN_PLACE,
    loader_of,
    skips_optimizer,
)
from ckpt_tui.formats.keras.names import WEIGHTS, number_of
from ckpt_tui.formats.keras.opened import Opened, open_weights
from ckpt_tui.formats.shared.common_facts import common_facts
from ckpt_tui.formats.shared.file_table import table_of_one
from ckpt_tui.formats.shared.links_and_holes import hollow_files
from ckpt_tui.formats.shared.pointers import follows_series

if TYPE_CHECKING:
    from ckpt_tui.core.facts import CheckpointFacts
    from ckpt_tui.formats.base import CheckpointFiles

_CLOSED = "its writer clears the consistency flags of the file when it closes it (HDF5)"


def read_single(files: CheckpointFiles, format_name: str) -> CheckpointFacts:
    """Reads one file: roles and iterations by its content, the epoch by its name."""
    path = files.claim.members[0]
    entry = files.tree.get(path)
    opened = open_weights(files, path)
    committed = entry.mtime_ns / 1e9 if entry is not None else None
    findings = [*opened.findings, *hollow_files(files.tree)]
    held = {role.role for role in opened.roles}
    step = opened.iterations if PROGRESS in held else None
    if OPTIMIZER in held and path.endswith(WEIGHTS):
        findings.append(skips_optimizer(path))
    return common_facts(files, format_name, commit_of(opened, committed, files.path))._replace(
        step=step,
        ordinal=number_of(path),
        roles=opened.roles,
        files=table_of_one(entry, opened.roles),
        findings=tuple(findings),
        loader=loader_of(files.path, opened.objects, scaled=opened.scaled),
        reshard=RESHARD,
        export=_is_export(path, opened),
        declared=opened.readable,
        save_mode="sync",
        evidence=step_evidence(step, number_of(path)),
        tensors=opened.tensors,
        tensors_total=opened.tensors_total,
        not_checked=() if opened.compared else ("the bytes of tensors",),
    )


def commit_of(opened: Opened, committed_at: float | None, path: str) -> CommitFacts:
    """No commit mark, but for a file that its writer says is still open.

    Args:
        opened: What it holds.
        committed_at: Seconds since the epoch of its last write.
        path: Absolute path of the HDF5 file.
    """
    if opened.is_open:
        clear = f"h5clear -s {shlex.quote(path)}"
        return CommitFacts(_CLOSED, False, "the close of the file", committed_at, finish=clear)
    return CommitFacts(WRITTEN_IN_PLACE, None, committed_at=committed_at)


def step_evidence(iterations: int | None, number: int | None) -> str:
    """Where the step comes from, and what the number in the name is."""
    if iterations is not None:
        return "step from the optimizer's iterations"
    return "only the name carries a number" if number is not None else ""


def _is_export(path: str, opened: Opened) -> bool:
    """A model without an optimizer under a name that is none of a series: `final.keras`."""
    if not opened.readable or {OPTIMIZER, PROGRESS} & {role.role for role in opened.roles}:
        return False
    return number_of(path) is None and not follows_series(path)
