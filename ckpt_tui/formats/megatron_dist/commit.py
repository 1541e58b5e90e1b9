"""Whether a save of Megatron-Core was finished, and how to finish one that is whole."""

from __future__ import annotations

import json
import shlex
from typing import TYPE_CHECKING

from ckpt_tui.core.facts import CommitFacts
from ckpt_tui.core.vocabulary import Effect
from ckpt_tui.formats.dcp.files import METADATA, finish_command
from ckpt_tui.formats.megatron_dist.common import COMMON_FILE
from ckpt_tui.formats.megatron_dist.index import INDEX, TORCH_DIST
from ckpt_tui.formats.shared.problems import missing_file

if TYPE_CHECKING:
    from ckpt_tui.core.findings import Finding
    from ckpt_tui.formats.base import CheckpointFiles
    from ckpt_tui.formats.dcp.content import DcpContent
    from ckpt_tui.formats.megatron_dist.common import CommonState
    from ckpt_tui.formats.megatron_dist.index import Index

_RULE = "`metadata.json` is written after `.metadata` and all data (Megatron dist_checkpointing)"
_RULE_OF_TORCH = "`.metadata` is renamed into place after every rank's data (torch DCP)"


def _by_torch(content: DcpContent, common: CommonState, index: Index) -> bool:
    """Whether torch's own writer saved it (`--ckpt-format torch_dcp` or `fsdp_dtensor`).

    That writes no common state apart and no `metadata.json`, and stores no sharded object.
    """
    if index.whole:
        return index.backend != TORCH_DIST
    if index.there or common.there or content.metadata is None:
        return False
    return not any("/shard_" in entry.key for entry in content.metadata.entries)


def absent_parts(content: DcpContent, common: CommonState, index: Index) -> list[Finding]:
    """Parts that a committed checkpoint must have."""
    if not index.whole:
        return []
    if not content.committed:
        return [missing_file(METADATA, f"{INDEX} says that the save was finished")]
    if common.there or content.metadata is None or _by_torch(content, common, index):
        return []
    return [missing_file(COMMON_FILE, "no `common_state` is in `.metadata` in its stead either")]


def commit_of(
    files: CheckpointFiles, content: DcpContent, common: CommonState, index: Index
) -> CommitFacts:
    """The rule that applies, and whether it is met."""
    rewritten = content.data.rewritten
    if _by_torch(content, common, index):
        met = content.committed
        return CommitFacts(_RULE_OF_TORCH, met, "" if met else METADATA, rewritten=rewritten)
    if index.whole:
        return CommitFacts(_RULE, True, rewritten=rewritten)
    missing = INDEX if content.committed else METADATA
    if index.there:
        missing = f"a whole {INDEX}"
    finish = ""
    if content.whole and common.there and all(f.effect is Effect.NONE for f in common.findings):
        finish = _finish(files, content, common)
    return CommitFacts(_RULE, False, missing, rewritten=rewritten, finish=finish)


def _finish(files: CheckpointFiles, content: DcpContent, common: CommonState) -> str:
    document: dict[str, object] = {"sharded_backend": TORCH_DIST, "sharded_backend_version": 1}
    if not common.inside:  # later versions know no other field
        document |= {"common_backend": "torch", "common_backend_version": 1}
    rename = "" if content.committed else f"{finish_command(files.path)} && "
    index = shlex.quote(f"{files.path}/{INDEX}")
    return f"{rename}printf %s {shlex.quote(json.dumps(document))} > {index}"
