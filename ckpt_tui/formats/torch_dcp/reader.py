"""Reads checkpoints of torch.distributed.checkpoint: `.metadata` beside `__R_I.distcp` files.

Every rank writes its files under their final names; then rank 0 writes `.metadata.tmp` and renames
it. Nothing else marks the commit, and an old `.metadata` survives a save into the same directory.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from ckpt_tui.core.facts import (
    CheckpointFacts,
    CommitFacts,
    LoaderFacts,
    OwnChoice,
    Reshard,
)
from ckpt_tui.core.vocabulary import DATALOADER, PROGRESS, RNG
from ckpt_tui.formats.base import ClaimKind, HandOver
from ckpt_tui.formats.dcp.content import DcpContent, read_dcp
from ckpt_tui.formats.dcp.files import (
    METADATA,
    METADATA_TMP,
    files_of_save,
    finish_command,
    holds_dcp,
    index_facts,
    rank_of_data_file,
)
from ckpt_tui.formats.lightning.names import META
from ckpt_tui.formats.shared.beside import Beside, read_beside
from ckpt_tui.formats.shared.common_facts import common_facts
from ckpt_tui.formats.shared.links_and_holes import links_and_holes
from ckpt_tui.formats.shared.names import epoch_of_name, step_of_name
from ckpt_tui.formats.shared.nemo_marker import with_marker
from ckpt_tui.formats.shared.pointers import run_pointers
from ckpt_tui.formats.shared.problems import name_disagrees
from ckpt_tui.formats.shared.resharding import by_dcp
from ckpt_tui.formats.shared.role_merge import merge_roles
from ckpt_tui.formats.shared.saves_apart import step_to_show
from ckpt_tui.formats.shared.times import save_times
from ckpt_tui.formats.torch_dcp.hf_storage import is_hf_storage, read_hf_storage

if TYPE_CHECKING:
    from ckpt_tui.core.facts import RawPointer
    from ckpt_tui.core.files import FileEntry
    from ckpt_tui.formats.base import CheckpointFiles
    from ckpt_tui.fs.listing import Directory

_RULE = "`.metadata` is renamed into place after every rank's data (torch DCP)"
_LIGHTNING_KEYS = frozenset({"state_dict", "optimizer_0"})
_TITANS_KEYS = frozenset({"train_state", "lr_scheduler"})
_TITANS_NAME = re.compile(r"step-\d+")


class TorchDcpReader:
    """Checkpoints that `torch.distributed.checkpoint.save` wrote."""

    name = "torch-dcp"

    def claims_directory(self, directory: Directory) -> ClaimKind:
        """A directory with `.metadata` or `__R_I.distcp`, or one of HuggingFaceStorageWriter."""
        names = directory.file_names()
        if METADATA in names or any(rank_of_data_file(name) is not None for name in names):
            return ClaimKind.CHECKPOINT
        return ClaimKind.CHECKPOINT if is_hf_storage(directory) else ClaimKind.NO

    def claims_files(self, directory: Directory) -> tuple[tuple[str, ...], ...]:
        """No checkpoint of this format is a bare file."""
        return ()

    def pointers(self, directory: Directory) -> tuple[RawPointer, ...]:
        """DCP keeps none; loops write links and text files of their own."""
        return run_pointers(directory)

    def read(self, files: CheckpointFiles) -> CheckpointFacts | HandOver:
        """Reads one checkpoint; one with Lightning's keys and no step is handed over."""
        names = [entry.path for entry in files.tree.files()]
        if not holds_dcp(names) and any(name.endswith(".safetensors") for name in names):
            return read_hf_storage(files, self.name)
        return _read(files, self.name)


def _read(files: CheckpointFiles, format_name: str) -> CheckpointFacts | HandOver:
    content = read_dcp(files)
    if files.tree.get(META) is None and _is_lightnings(content):
        return HandOver("lightning")
    beside = read_beside(files, _others(files), content.data.world_size)
    findings = [*content.findings, *beside.findings, *links_and_holes(files.tree)]
    step, where = _step(content, beside)
    named = step_of_name(files.name)
    epoch = _epoch(files, content, beside)
    shown = step_to_show(step, named, findings)
    findings += name_disagrees(named, shown, epoch, where)
    roles = merge_roles((*content.keyed.roles, *beside.roles))
    times = save_times(files_of_save(files, content.data), files.tree.get(METADATA))
    commit = with_marker(_commit(files, content), files)
    return common_facts(files, format_name, commit, times)._replace(
        step=shown,
        ordinal=epoch if step is None and named is None else None,
        world_size=content.data.world_size,
        expected_ranks=content.data.expected_ranks,
        roles=roles,
        shards=content.data.shards,
        files=content.data.files + beside.files + index_facts(files),
        findings=tuple(dict.fromkeys(findings)),
        loader=_loader(files, content),
        reshard=_reshard(content),
        declared=commit.met is True,
        not_checked=content.not_checked,
        evidence=_evidence(content, step if shown == step else None, named, where),
        tensors=content.tensors,
        tensors_total=content.tensors_total,
    )


def _others(files: CheckpointFiles) -> list[FileEntry]:
    return [
        entry
        for entry in files.tree.files()
        if "/" not in entry.path
        and entry.path not in (METADATA, METADATA_TMP)
        and rank_of_data_file(entry.path) is None
    ]


def _is_lightnings(content: DcpContent) -> bool:
    """Lightning keeps the step beside the data, in a file that is not there (yet)."""
    firsts = {key.partition(".")[0] for key in content.keyed.role_by_key}
    return firsts >= _LIGHTNING_KEYS and not content.keyed.has(PROGRESS)


def _step(content: DcpContent, beside: Beside) -> tuple[int | None, str]:
    if content.step is not None:
        return content.step.value, f"key `{content.step.key}`"
    if beside.step is not None:
        return beside.step.value, f"key `{beside.step.key}` in {beside.step_path}"
    return None, ""


def _epoch(files: CheckpointFiles, content: DcpContent, beside: Beside) -> int | None:
    for epoch in (content.epoch, beside.epoch):
        if epoch is not None:
            return epoch
    return epoch_of_name(files.name)


def _commit(files: CheckpointFiles, content: DcpContent) -> CommitFacts:
    if content.committed:
        return CommitFacts(_RULE, True, rewritten=content.data.rewritten)
    finish = finish_command(files.path) if content.whole else ""
    return CommitFacts(_RULE, False, METADATA, finish=finish)


def _loader(files: CheckpointFiles, content: DcpContent) -> LoaderFacts:
    """Torchtitan takes the highest `step-N` that has `.metadata`, and begins anew without any."""
    firsts = {key.partition(".")[0] for key in content.keyed.role_by_key}
    titans = _TITANS_NAME.fullmatch(files.name) is not None and firsts >= _TITANS_KEYS
    return LoaderFacts(
        flag=f"dcp.load(…, checkpoint_id={json.dumps(files.path)})",
        tag=files.name,
        own_choice=OwnChoice.HIGHEST_COMMITTED if titans else OwnChoice.NONE,
    )


def _reshard(content: DcpContent) -> Reshard:
    """Tensors are resharded on load; what was stored per rank fits the old ranks only."""
    loses = tuple(role for role in (RNG, DATALOADER) if role in content.keyed.per_rank)
    return by_dcp(loses)


def _evidence(content: DcpContent, step: int | None, named: int | None, where: str) -> str:
    parts = []
    if step is not None:
        parts.append(f"step from {where}")
    elif named is not None:
        parts.append("step from the directory's name")
    if content.metadata is not None:
        parts.append(
            f"{len(content.metadata.entries)} keys, {content.data.items_read} of"
            f" {content.data.items} stored items read"
        )
    if content.data.rewritten:
        parts.append("data is younger than `.metadata`: a save over this checkpoint never finished")
    return "; ".join(parts)
