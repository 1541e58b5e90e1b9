"""Reads what Lightning's DeepSpeed strategy writes: `latest` and `checkpoint/` in one directory.

The Trainer's state is the client state in DeepSpeed's model files; DeepSpeed restores the
optimizer, Lightning its own list of schedulers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.core.facts import CheckpointFacts, CommitFacts
from ckpt_tui.core.files import Kind
from ckpt_tui.core.vocabulary import PROGRESS
from ckpt_tui.formats.deepspeed.content import read_deepspeed, reshard_of
from ckpt_tui.formats.deepspeed.latest import tag_by_latest
from ckpt_tui.formats.deepspeed.names import PartKind, parse_part
from ckpt_tui.formats.lightning.loader import loader_of
from ckpt_tui.formats.lightning.names import DEEPSPEED_TAG, epoch_in_name, step_in_name
from ckpt_tui.formats.lightning.trainer_state import is_trainer_state, read_trainer_state
from ckpt_tui.formats.shared.common_facts import common_facts
from ckpt_tui.formats.shared.file_table import file_table
from ckpt_tui.formats.shared.links_and_holes import links_and_holes
from ckpt_tui.formats.shared.nemo_marker import with_marker
from ckpt_tui.formats.shared.nested import (
    nested_files,
    outer_findings,
    outer_marks,
    outer_roles,
    outer_shards,
    outer_tensors,
)
from ckpt_tui.formats.shared.problems import name_disagrees
from ckpt_tui.formats.shared.times import save_times

if TYPE_CHECKING:
    from ckpt_tui.formats.base import CheckpointFiles
    from ckpt_tui.formats.deepspeed.content import DeepSpeedContent
    from ckpt_tui.formats.lightning.trainer_state import TrainerState

_RULE = "no commit mark: each file's end mark and the count of ranks decide (DeepSpeed)"


def is_deepspeed_form(files: CheckpointFiles) -> bool:
    """Whether the directory holds DeepSpeed's files one level down."""
    return any(
        path.count("/") == 1 and parse_part(path.partition("/")[2]) is not None
        for path in (entry.path for entry in files.tree.files())
    )


def read_deepspeed_form(files: CheckpointFiles, format_name: str) -> CheckpointFacts:
    """Reads one directory of that form."""
    tags = [e.path for e in files.tree.entries if e.kind is Kind.DIRECTORY and "/" not in e.path]
    best = DEEPSPEED_TAG if DEEPSPEED_TAG in tags else tags[0]
    tag, findings = tag_by_latest(files, tags, best)
    content = read_deepspeed(nested_files(files, tag))
    state = _state(content, tag)
    findings += outer_findings(tag, content.findings)
    named = step_in_name(files.name)
    step = state.step if state is not None else named
    if state is not None:
        findings += (*state.findings, *name_disagrees(named, step, None, f"key `{state.key}`"))
    roles = outer_roles(tag, (role for role in content.roles if role.role != PROGRESS))
    times = save_times(files.tree.files(), None)
    return common_facts(
        files, format_name, with_marker(CommitFacts(_RULE, None), files), times
    )._replace(
        step=step,
        ordinal=epoch_in_name(files.name) if step is None else None,
        world_size=content.world_size,
        expected_ranks=content.expected_ranks,
        roles=(*roles, *((state.role,) if state is not None and state.role else ())),
        shards=outer_shards(tag, content.shards),
        axes=content.axes,
        files=file_table(files.tree, outer_marks(tag, content.marks)),
        findings=(*findings, *links_and_holes(files.tree)),
        loader=loader_of(files, state, findings),
        reshard=reshard_of(content),
        save_mode="sync",
        not_checked=content.not_checked,
        evidence=f"step from key `{state.key}`" if state is not None else "",
        tensors=outer_tensors(tag, content.tensors),
        tensors_total=content.tensors_total,
    )


def _state(content: DeepSpeedContent, tag: str) -> TrainerState | None:
    """The client state, which every model file repeats."""
    for part in content.parts.of_kind(PartKind.MODEL):
        if is_trainer_state(part.value):
            return read_trainer_state(part.value, f"{tag}/{part.path}", optimizers_apart=True)
    return None
