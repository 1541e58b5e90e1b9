"""Reads checkpoints of PaddlePaddle: files of `paddle.save`, and its distributed form.

`paddle.save` opens the final name and writes in place, without a rename or fsync; a state is a
pickle, so its STOP opcode is all that marks its end. `paddle.distributed.save_state_dict` writes
`0.metadata` first and the data of each rank (`RANK_0.distcp`) after it, the opposite of torch DCP:
that the metadata is whole proves nothing (paddle 3.3.1, `flex_checkpoint/dcp/save_state_dict.py`).

Directories of others may have names that Paddle's can have, too: what reads files is imported where
there is one.
"""

from __future__ import annotations

import json
import os
import shlex
from typing import TYPE_CHECKING

from ckpt_tui.core.facts import CheckpointFacts, CommitFacts, LoaderFacts, OwnChoice, RoleFacts
from ckpt_tui.core.vocabulary import MODEL, OPTIMIZER, PROGRESS, SCHEDULER
from ckpt_tui.formats.paddle.claims import claim_directory, claim_files
from ckpt_tui.formats.paddle.names import (
    FINAL,
    SURE_ENDINGS,
    epoch_of_stem,
    stem_of,
    step_of_stem,
)
from ckpt_tui.formats.shared.common_facts import common_facts
from ckpt_tui.formats.shared.file_table import file_table
from ckpt_tui.formats.shared.links_and_holes import links_and_holes
from ckpt_tui.formats.shared.named_progress import progress_of_name
from ckpt_tui.formats.shared.pointers import run_pointers
from ckpt_tui.formats.shared.problems import name_disagrees
from ckpt_tui.formats.shared.role_merge import merge_roles
from ckpt_tui.formats.shared.saves_apart import step_to_show
from ckpt_tui.formats.shared.series import is_step_directory, series_step
from ckpt_tui.formats.shared.times import save_times

if TYPE_CHECKING:
    from ckpt_tui.core.facts import RawPointer
    from ckpt_tui.formats.base import CheckpointFiles, ClaimKind
    from ckpt_tui.formats.paddle.content import PaddleContent
    from ckpt_tui.fs.listing import Directory

NAME = "paddle"
_RULE = "no commit mark: each pickle's own end decides (paddle.save writes in place)"
_DISTRIBUTED_RULE = (
    "no commit mark: the metadata is written first, so every file that it names has to be whole"
    " (paddle.distributed)"
)


class PaddleReader:
    """Checkpoints of PaddlePaddle, hapi, PaddleNLP and loops that call `paddle.save`."""

    name = NAME

    def claims_directory(self, directory: Directory) -> ClaimKind:
        """A directory with the files of one save."""
        return claim_directory(directory)

    def claims_files(self, directory: Directory) -> tuple[tuple[str, ...], ...]:
        """Files of one stem or number: `2.pdparams` with `2.pdopt`."""
        return claim_files(directory)

    def pointers(self, directory: Directory) -> tuple[RawPointer, ...]:
        """Paddle has none; loops keep links and texts."""
        return run_pointers(directory)

    def read(self, files: CheckpointFiles) -> CheckpointFacts:
        """Reads one checkpoint or export."""
        from ckpt_tui.formats.paddle.content import read_content

        content = read_content(files)
        step_named, epoch_named = _numbers_of_name(files)
        findings = [*content.findings, *links_and_holes(files.tree)]
        held = content.step.value if content.step is not None else None
        step = step_to_show(held, step_named, findings)
        epoch = content.epoch if content.epoch is not None else epoch_named
        if content.step is not None and step_named is not None:
            where = f"key `{content.step.key}` in {content.step_path}"
            findings += name_disagrees(step_named, step, content.epoch, where)
        rule = _DISTRIBUTED_RULE if content.distributed else _RULE
        times = save_times(files.tree.files(), None)
        return common_facts(files, NAME, CommitFacts(rule, None), times)._replace(
            step=step,
            ordinal=epoch if step is None else None,
            world_size=content.world_size,
            expected_ranks=content.expected_ranks,
            roles=_roles(files, content, step_named),
            shards=content.shards,
            files=file_table(files.tree, content.marks),
            findings=tuple(dict.fromkeys(findings)),
            loader=_loader(files, content),
            reshard=content.reshard,
            export=_is_final(files, content),
            evidence=_evidence(content, step_named),
            tensors=content.tensors,
            tensors_total=content.tensors_total,
        )


def _numbers_of_name(files: CheckpointFiles) -> tuple[int | None, int | None]:
    """Step and epoch that the name of the directory, or of the files, carries."""
    if files.claim.members:
        stem = stem_of(files.name)
        return step_of_stem(stem), epoch_of_stem(stem)
    name = files.name
    if not is_step_directory(name):
        outer = os.path.basename(os.path.dirname(files.path))
        name = outer if is_step_directory(outer) else name
    step = series_step(name)
    return step, None if step is not None else epoch_of_stem(name)


def _is_final(files: CheckpointFiles, content: PaddleContent) -> bool:
    """What is saved once more at the end of training, and counts nothing itself."""
    final = bool(files.claim.members) and stem_of(files.name) in FINAL
    return final and content.step is None and content.epoch is None


def _roles(
    files: CheckpointFiles, content: PaddleContent, named: int | None
) -> tuple[RoleFacts, ...]:
    """What a loop does not keep in a file it takes from the name; PaddleNLP's Trainer does not."""
    roles = merge_roles(content.roles)
    if content.trainer or any(role.role == PROGRESS for role in roles):
        return roles
    name = stem_of(files.name) if files.claim.members else files.name
    by_name = progress_of_name(name, named, "no key holds it")
    if by_name is None and (epoch := epoch_of_stem(name)) is not None:
        evidence = f"epoch {epoch} in the name {name} (no key holds it)"
        by_name = RoleFacts(PROGRESS, None, 0, evidence)
    return (*roles, by_name) if by_name is not None else roles


def _loader(files: CheckpointFiles, content: PaddleContent) -> LoaderFacts:
    """How its author's call names it; PaddleNLP refuses it without optimizer or scheduler."""
    if content.trainer:
        return LoaderFacts(
            needs=frozenset({MODEL, OPTIMIZER, SCHEDULER, PROGRESS}),
            flag=f"--resume_from_checkpoint {shlex.quote(files.path)}",
            tag=files.name,
            own_choice=OwnChoice.HIGHEST_NAME,
            opens=content.opens,
        )
    if content.distributed:
        return LoaderFacts(
            flag=_distributed_flag(content.data_paths), tag=files.name, opens=content.opens
        )
    if files.claim.members:
        stem = stem_of(files.path)
        opens = frozenset(f"*{ending}" for ending in _opened_endings(files))
        return LoaderFacts(
            flag=f"model.load({json.dumps(stem)})", tag=stem_of(files.name), opens=opens
        )
    return LoaderFacts(flag=files.path, tag=files.name, opens=content.opens)


def _distributed_flag(paths: tuple[str, ...]) -> str:
    """The call, or one for each directory with the state that its name says."""
    names = ["state_dict"]
    if len(paths) > 1:
        names = [f"{os.path.basename(path).removesuffix('_state')}_state" for path in paths]
    return "; ".join(
        f"paddle.distributed.load_state_dict({name}, {json.dumps(path)})"
        for name, path in zip(names, paths, strict=True)
    )


def _opened_endings(files: CheckpointFiles) -> list[str]:
    """Endings of the states that loops load for each checkpoint, without a look if they exist."""
    return [e for e in SURE_ENDINGS if any(name.endswith(e) for name in files.claim.members)]


def _evidence(content: PaddleContent, named: int | None) -> str:
    if content.step is not None:
        return f"step from key `{content.step.key}` in {content.step_path}"
    return "step from the name" if named is not None else ""
