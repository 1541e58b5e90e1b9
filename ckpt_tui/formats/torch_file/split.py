"""Reads a checkpoint that is several torch files: one per role, one per rank, or both."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from ckpt_tui.core.facts import (
    CheckpointFacts,
    CommitFacts,
    LoaderFacts,
    OwnChoice,
    Reshard,
    RoleFacts,
    ShardFacts,
)
from ckpt_tui.core.vocabulary import PROGRESS, RNG, Effect
from ckpt_tui.formats.dcp.files import rank_of_data_file
from ckpt_tui.formats.shared.beside import Beside, read_beside
from ckpt_tui.formats.shared.bounds import MOST_TENSORS
from ckpt_tui.formats.shared.common_facts import common_facts
from ckpt_tui.formats.shared.links_and_holes import links_and_holes
from ckpt_tui.formats.shared.named_progress import progress_of_name
from ckpt_tui.formats.shared.names import epoch_of_name
from ckpt_tui.formats.shared.problems import name_disagrees
from ckpt_tui.formats.shared.resharding import BY_RANK, by_dcp
from ckpt_tui.formats.shared.role_merge import merge_roles
from ckpt_tui.formats.shared.safetensors_model import read_safetensors_model
from ckpt_tui.formats.shared.saves_apart import step_to_show
from ckpt_tui.formats.shared.series import series_step, stem_of
from ckpt_tui.formats.shared.shards import shard_problem
from ckpt_tui.formats.shared.times import save_times
from ckpt_tui.formats.torch_file.names import determined_files, is_counted, is_foreign_file
from ckpt_tui.formats.torch_file.rank_parts import RankParts, opened_ranks, rank_parts
from ckpt_tui.formats.torch_file.saves_apart import files_apart
from ckpt_tui.formats.torch_file.side_by_side import opened_parts, read_all_dcp
from ckpt_tui.formats.torch_file.trainer_steps import step_of
from ckpt_tui.formats.torch_file.twice import saved_twice
from ckpt_tui.formats.torch_file.unkeyed import role_of_part

if TYPE_CHECKING:
    from ckpt_tui.core.files import FileEntry
    from ckpt_tui.core.findings import Finding
    from ckpt_tui.formats.base import CheckpointFiles
    from ckpt_tui.formats.dcp.parts import DcpParts

_RULE = "no commit mark: every file's own end decides (torch.save writes in place)"
_DCP_RULE = "each DCP part's `.metadata` is renamed into place last; the other files have no mark"
_EXPORTS = ("huggingface/", "hf_model/")
_MOST_DEPTH = 3


def read_split(files: CheckpointFiles, format_name: str) -> CheckpointFacts:
    """Reads every file, and checks that no rank's part is absent."""
    entries = _own_files(files)
    parts, dcp = rank_parts(entries, files.base), read_all_dcp(files)
    world_size = parts.world_size or dcp.world_size
    beside = _with_unkeyed(read_beside(files, entries, world_size))
    weights = read_safetensors_model(files, entries)
    findings = [*parts.findings, *dcp.findings, *beside.findings, *weights.findings]
    findings += links_and_holes(files.tree)
    findings += [*files_apart(files, parts, beside), *saved_twice(entries)]
    beside = _with_trainer_step(beside)
    named = None if is_counted(files.name) else series_step(files.name)
    step = beside.step.value if beside.step is not None else None
    final = step_to_show(step, named, findings)
    if beside.step is not None and not files.name.isdecimal():
        where = f"key `{beside.step.key}` in {beside.step_path}"
        findings += name_disagrees(named, final, beside.epoch, where)
    roles = _roles(files, (*beside.roles, *weights.roles, *dcp.roles), named)
    times = save_times(entries, None)
    return common_facts(files, format_name, _commit(dcp), times)._replace(
        step=final,
        ordinal=_ordinal(files, beside) if final is None else None,
        world_size=world_size,
        expected_ranks=parts.expected_ranks,
        roles=roles,
        shards=_shards(parts, findings),
        files=beside.files,
        findings=tuple(dict.fromkeys(findings)),
        loader=_loader(files, parts, entries),
        reshard=_reshard(parts, dcp),
        evidence=_evidence(beside, named),
        tensors=tuple(t for c in beside.contents.values() for t in c.tensors)[:MOST_TENSORS],
        tensors_total=sum(content.tensors_total for content in beside.contents.values()),
    )


def _with_unkeyed(beside: Beside) -> Beside:
    """What files hold whose keys name nothing: a list of optimizers, a TorchScript module."""
    told = {p: role for p, held in beside.contents.items() if (role := role_of_part(held, p))}
    marked = (
        file._replace(role=told[file.path].role) if file.path in told else file
        for file in beside.files
    )
    return beside._replace(roles=(*beside.roles, *told.values()), files=tuple(marked))


def _with_trainer_step(beside: Beside) -> Beside:
    """The step that a published trainer keeps in a place of its own."""
    if beside.step is not None:
        return beside
    for path, content in beside.contents.items():
        held = step_of(content)
        if held is not None:
            progress = RoleFacts(PROGRESS, None, 1, f"key `{held.key}` in {path}", paths=(path,))
            return beside._replace(step=held, step_path=path, roles=(*beside.roles, progress))
    return beside


def _own_files(files: CheckpointFiles) -> list[FileEntry]:
    """The checkpoint's files, without an export that lies inside and without side notes."""
    return [
        entry
        for entry in files.tree.files()
        if entry.path.count("/") < _MOST_DEPTH
        and not any(f"/{entry.path}".find(f"/{export}") >= 0 for export in _EXPORTS)
        and not is_foreign_file(entry.path.rpartition("/")[2])
        and rank_of_data_file(entry.path) is None
    ]


def _ordinal(files: CheckpointFiles, beside: Beside) -> int | None:
    if beside.epoch is not None:
        return beside.epoch
    epoch = epoch_of_name(files.name)
    return epoch if epoch is not None else series_step(files.name)


def _commit(dcp: DcpParts) -> CommitFacts:
    """DCP parts have a commit mark of their own, the other files have none."""
    if dcp.missing:
        return CommitFacts(_DCP_RULE, False, dcp.missing)
    return CommitFacts(_DCP_RULE if dcp.directories else _RULE, None)


def _roles(
    files: CheckpointFiles, parts: tuple[RoleFacts, ...], named: int | None
) -> tuple[RoleFacts, ...]:
    roles = list(merge_roles(parts))
    by_name = progress_of_name(files.name, named, "no key holds it")
    if by_name is not None and all(role.role != PROGRESS for role in roles):
        roles.append(by_name)
    return tuple(roles)


def _shards(parts: RankParts, findings: list[Finding]) -> tuple[ShardFacts, ...]:
    problems = {f.path: shard_problem(f) for f in findings if f.effect is not Effect.NONE}
    return tuple(
        shard._replace(problem=next((problems[p] for p in shard.paths if p in problems), ""))
        for shard in parts.shards
    )


def _loader(files: CheckpointFiles, parts: RankParts, entries: list[FileEntry]) -> LoaderFacts:
    opens = opened_parts(entries)
    if parts.named_world_size:
        flag = f"trainer.resume_mode=resume_path trainer.resume_from_path={shlex.quote(files.path)}"
        # Without its tracker file verl trains from scratch, and only prints a line.
        return LoaderFacts(flag=flag, tag=files.name, own_choice=OwnChoice.POINTER, opens=opens)
    opens |= determined_files(entry.path for entry in entries)
    opens |= opened_ranks(entry.path for entry in entries)
    return LoaderFacts(flag=files.path, tag=stem_of(files.name), opens=opens)


def _reshard(parts: RankParts, dcp: DcpParts) -> Reshard | None:
    if parts.named_world_size:
        return BY_RANK
    if dcp.directories:
        return by_dcp((RNG,))
    return None


def _evidence(beside: Beside, named: int | None) -> str:
    if beside.step is not None:
        return f"step from key `{beside.step.key}` in {beside.step_path}"
    return "step from the name" if named is not None else ""
