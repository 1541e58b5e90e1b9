"""DeepSpeed step directories, as `engine.save_checkpoint` and `ds_to_universal` leave them."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

from ckpt_tui.core.facts import CheckpointFacts, CommitFacts, LoaderFacts, OwnChoice, Reshard
from ckpt_tui.core.vocabulary import MODEL, OPTIMIZER, PROGRESS, RNG, SCHEDULER
from ckpt_tui.formats.base import ClaimKind
from ckpt_tui.formats.deepspeed.content import DeepSpeedContent, read_deepspeed, reshard_of
from ckpt_tui.formats.deepspeed.latest import LATEST
from ckpt_tui.formats.deepspeed.names import holds_deepspeed
from ckpt_tui.formats.deepspeed.universal import (
    ZERO_DIRECTORY,
    UniversalContent,
    is_universal,
    read_universal,
    source_of_copy,
)
from ckpt_tui.formats.shared.common_facts import common_facts
from ckpt_tui.formats.shared.file_table import file_table
from ckpt_tui.formats.shared.links_and_holes import links_and_holes
from ckpt_tui.formats.shared.names import step_of_name
from ckpt_tui.formats.shared.pointers import link_pointers, text_pointer
from ckpt_tui.formats.shared.problems import name_disagrees
from ckpt_tui.formats.shared.saves_apart import step_to_show
from ckpt_tui.formats.shared.times import save_times

if TYPE_CHECKING:
    from ckpt_tui.core.facts import RawPointer, RoleFacts
    from ckpt_tui.formats.base import CheckpointFiles
    from ckpt_tui.fs.listing import Directory

NAME = "deepspeed"
LATEST_UNIVERSAL = "latest_universal"

_NO_RULE = (
    "DeepSpeed writes a step in place, without a commit mark: each file's end mark and the count"
    " of ranks decide"
)
_UNIVERSAL_RESHARD = Reshard(True, "natively, with `checkpoint.load_universal: true`", (RNG,))


class DeepSpeedReader:
    """Reads `global_stepN/`, plain, pipelined or converted to the universal form."""

    name = NAME

    def claims_directory(self, directory: Directory) -> ClaimKind:
        """A directory with any file that DeepSpeed names so, or with a universal `zero/` tree."""
        if holds_deepspeed(directory.file_names()):
            return ClaimKind.CHECKPOINT
        universal = directory.name.endswith("_universal")
        if universal and ZERO_DIRECTORY in directory.directory_names():
            return ClaimKind.CHECKPOINT
        return ClaimKind.NO

    def claims_files(self, directory: Directory) -> tuple[tuple[str, ...], ...]:
        """A step is always a directory."""
        return ()

    def pointers(self, directory: Directory) -> tuple[RawPointer, ...]:
        """`latest`, and `latest_universal`, which a job with `load_universal` follows instead."""
        latest = text_pointer(directory, LATEST, _one)
        universal = text_pointer(directory, LATEST_UNIVERSAL, _one, default=not latest)
        links = tuple(link._replace(default=False) for link in link_pointers(directory))
        return latest + universal + links

    def read(self, files: CheckpointFiles) -> CheckpointFacts:
        """Reads one step."""
        universal = is_universal(files)
        content = read_deepspeed(files, universal)
        converted = read_universal(files, content.parts) if universal else None
        times = save_times(files.tree.files(), None)
        named = step_of_name(files.name)
        findings = (*content.findings, *links_and_holes(files.tree))
        shown = step_to_show(content.step, named, findings)
        findings += tuple(name_disagrees(named, shown, None, "`global_steps`"))
        sources = source_of_copy(files, converted)
        return common_facts(files, NAME, CommitFacts(_NO_RULE, None), times)._replace(
            step=shown,
            world_size=None if universal else content.world_size,
            expected_ranks=None if universal else content.expected_ranks,
            roles=_roles(content, converted),
            shards=() if universal else content.shards,
            axes=() if universal else content.axes,
            files=file_table(files.tree, content.marks | (converted.marks if converted else {})),
            findings=findings + (converted.findings if converted else ()),
            loader=_loader(files, content, universal),
            reshard=_UNIVERSAL_RESHARD if universal else reshard_of(content),
            export=any(source.there for source in sources),
            neighbours=sources,
            not_checked=content.not_checked,
            tensors=content.tensors,
            tensors_total=content.tensors_total,
        )


def _one(text: str) -> tuple[str, ...]:
    return (text,)


def _roles(content: DeepSpeedContent, converted: UniversalContent | None) -> tuple[RoleFacts, ...]:
    """A universal checkpoint's weights and moments are in `zero/`, the rest in the model file."""
    if converted is None:
        return content.roles
    rest = (role for role in content.roles if role.role not in (MODEL, OPTIMIZER))
    return (*converted.roles, *rest)


def _loader(files: CheckpointFiles, content: DeepSpeedContent, universal: bool) -> LoaderFacts:
    run, tag = os.path.split(files.path)
    flag = f"load_checkpoint({json.dumps(run)}, tag={json.dumps(tag)})"
    if universal:
        flag += " with checkpoint.load_universal: true"
    scheduler = (SCHEDULER,) if content.has_scheduler else ()
    return LoaderFacts(
        needs=frozenset({MODEL, OPTIMIZER, PROGRESS, *scheduler}),
        tolerates=frozenset({RNG}),
        flag=flag,
        tag=tag,
        own_choice=OwnChoice.POINTER,
    )
