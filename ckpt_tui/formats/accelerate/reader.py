"""Checkpoints of `Accelerator.save_state`, with FSDP's, DeepSpeed's or Megatron-LM's parts inside.

The main process writes weights, optimizers, schedulers, samplers, its random state, then registered
objects, each in place or by safetensors' own rename; the other processes write their random states
without waiting. Nothing marks the end. The step is a registered object's, or the loop's own.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

from ckpt_tui.core.facts import CheckpointFacts, CommitFacts, LoaderFacts, OwnChoice
from ckpt_tui.core.vocabulary import MODEL, OPTIMIZER, OTHER, PROGRESS, RNG
from ckpt_tui.formats.accelerate.content import AccelerateContent, read_accelerate
from ckpt_tui.formats.accelerate.names import count_of_saves, is_accelerate
from ckpt_tui.formats.base import ClaimKind
from ckpt_tui.formats.shared.common_facts import common_facts
from ckpt_tui.formats.shared.file_table import file_table
from ckpt_tui.formats.shared.links_and_holes import links_out
from ckpt_tui.formats.shared.pointers import run_pointers
from ckpt_tui.formats.shared.problems import name_disagrees
from ckpt_tui.formats.shared.safetensors_leftovers import leftovers_and_holes
from ckpt_tui.formats.shared.saves_apart import step_to_show
from ckpt_tui.formats.shared.times import save_times

if TYPE_CHECKING:
    from ckpt_tui.core.facts import RawPointer
    from ckpt_tui.formats.base import CheckpointFiles
    from ckpt_tui.fs.listing import Directory

NAME = "accelerate"

_AUTOMATIC = "checkpoints"
_NO_STEP = (
    "`load_state` asks for no step: accelerate keeps none but in an object that the job registers"
    " (`register_for_checkpointing`), or in the name that the job gives (step_500)"
)


class AccelerateReader:
    """Reads `checkpoint_N/`, `step_N/` and the like."""

    name = NAME

    def claims_directory(self, directory: Directory) -> ClaimKind:
        """A directory with files that only accelerate names so, or a save that was cut early."""
        return ClaimKind.CHECKPOINT if is_accelerate(directory) else ClaimKind.NO

    def claims_files(self, directory: Directory) -> tuple[tuple[str, ...], ...]:
        """A save is always a directory."""
        return ()

    def pointers(self, directory: Directory) -> tuple[RawPointer, ...]:
        """Accelerate keeps none, and follows none that a loop writes."""
        return tuple(pointer._replace(default=False) for pointer in run_pointers(directory))

    def read(self, files: CheckpointFiles) -> CheckpointFacts:
        """Reads one save."""
        content = read_accelerate(files)
        findings = (*content.findings, *leftovers_and_holes(files.tree), *links_out(files.tree))
        step = step_to_show(content.step, content.named, findings)
        findings += tuple(name_disagrees(content.named, step, content.epoch, _where(content)))
        backend = content.backend
        times = save_times(files.tree.files(), None)
        commit = CommitFacts(backend.rule, False if backend.missing else None, backend.missing)
        return common_facts(files, NAME, commit, times)._replace(
            step=step,
            ordinal=_ordinal(files, content) if step is None else None,
            world_size=content.world_size,
            expected_ranks=backend.expected_ranks,
            roles=content.roles,
            shards=backend.shards,
            axes=backend.axes,
            files=file_table(files.tree, content.marks),
            findings=tuple(dict.fromkeys(findings)),
            loader=_loader(files, content),
            reshard=backend.reshard,
            save_mode="sync",
            not_checked=content.not_checked,
            evidence=_evidence(content, step),
            tensors=backend.tensors,
            tensors_total=backend.tensors_total,
        )


def _ordinal(files: CheckpointFiles, content: AccelerateContent) -> int | None:
    return content.epoch if content.epoch is not None else count_of_saves(files.name)


def _loader(files: CheckpointFiles, content: AccelerateContent) -> LoaderFacts:
    """Told nothing, a job with automatic naming takes the highest number in `checkpoints/`."""
    counted = count_of_saves(files.name) is not None
    automatic = counted and os.path.basename(os.path.dirname(files.path)) == _AUTOMATIC
    return LoaderFacts(
        needs=frozenset({MODEL, OPTIMIZER}),
        tolerates=frozenset({RNG, OTHER}),
        flag=f"accelerator.load_state({json.dumps(files.path)})",
        tag=files.name,
        own_choice=OwnChoice.HIGHEST_NAME if automatic else OwnChoice.NONE,
        opens=content.opens,
    )


def _where(content: AccelerateContent) -> str:
    key = content.custom.step.key if content.custom.step is not None else ""
    return f"key `{key}` in {content.custom.path}"


def _evidence(content: AccelerateContent, step: int | None) -> str:
    if content.step is not None and step == content.step:
        return f"step from {_where(content)}"
    held = {role.role for role in content.roles}
    if step is None and OPTIMIZER in held and PROGRESS not in held:
        return _NO_STEP
    return "step from the directory's name" if step is not None else ""
