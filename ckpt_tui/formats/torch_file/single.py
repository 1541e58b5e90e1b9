"""Reads a checkpoint that is one torch file."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from ckpt_tui.artifacts.weights_only import is_refused
from ckpt_tui.core.facts import (
    CheckpointFacts,
    CommitFacts,
    LoaderFacts,
    RoleFacts,
)
from ckpt_tui.core.vocabulary import MODEL, OPTIMIZER, PROGRESS
from ckpt_tui.formats.base import HandOver
from ckpt_tui.formats.lightning.trainer_state import is_trainer_state
from ckpt_tui.formats.shared.archive_roles import ArchiveContent, read_archive_content
from ckpt_tui.formats.shared.common_facts import common_facts
from ckpt_tui.formats.shared.file_table import table_of_one
from ckpt_tui.formats.shared.links_and_holes import hollow_files, preallocated
from ckpt_tui.formats.shared.named_progress import progress_of_name
from ckpt_tui.formats.shared.names import epoch_of_name, has_number, is_staging_name
from ckpt_tui.formats.shared.nemo_marker import with_marker
from ckpt_tui.formats.shared.pointers import follows_series
from ckpt_tui.formats.shared.problems import may_run_code, name_disagrees
from ckpt_tui.formats.shared.role_merge import merge_roles
from ckpt_tui.formats.shared.series import series_step, stem_of
from ckpt_tui.formats.torch_file.rank_parts import opened_ranks
from ckpt_tui.formats.torch_file.trainer_steps import step_of
from ckpt_tui.formats.torch_file.unkeyed import with_unkeyed

if TYPE_CHECKING:
    from ckpt_tui.formats.base import CheckpointFiles
    from ckpt_tui.formats.shared.archive_step import FoundStep

_RULE = "no commit mark: the end of the archive decides (torch.save writes in place)"
_SERIES_WORDS = ("ckpt", "checkpoint", "chkpt", "snapshot", "resume", "state")


def read_single(files: CheckpointFiles, format_name: str) -> CheckpointFacts | HandOver:
    """Reads one file: roles and step by its keys, the step by its name where no key holds it.

    A file of Lightning's Trainer is handed over, whatever its name is.
    """
    path = files.claim.members[0]
    entry = files.tree.get(path)
    content, findings = read_archive_content(files, path)
    if content is not None and is_trainer_state(content.value):
        return HandOver("lightning")
    if content is not None:
        content = with_unkeyed(content, path)
    found = list(findings)
    named = series_step(path)
    epoch = content.epoch if content is not None else None
    held = step_of(content) if content is not None else None
    step = held.value if held is not None else None
    if held is not None:
        found += name_disagrees(named, step, epoch, f"key `{held.key}`")
    if entry is not None and is_staging_name(path) and (holes := preallocated(entry)):
        found.append(holes)
    found += [holes for holes in hollow_files(files.tree) if holes not in found]
    roles = _roles(content, path, named, held) if content is not None else ()
    committed = entry.mtime_ns / 1e9 if entry is not None else None
    commit = with_marker(CommitFacts(_RULE, None, committed_at=committed), files)
    final = step if step is not None else named
    return common_facts(files, format_name, commit)._replace(
        step=final,
        ordinal=_ordinal(epoch, path) if final is None else None,
        roles=roles,
        files=table_of_one(entry, roles),
        findings=tuple(found),
        loader=_loader(files, path, content),
        export=_is_export(path, content),
        declared=content is not None,
        evidence=_evidence(content, held, named),
        tensors=content.tensors if content is not None else (),
        tensors_total=content.tensors_total if content is not None else 0,
    )


def _roles(
    content: ArchiveContent, path: str, named: int | None, held: FoundStep | None
) -> tuple[RoleFacts, ...]:
    """The loop of a numbered series takes the step from the name where no key holds it."""
    roles = content.roles
    by_name = progress_of_name(path, named, "no key holds it")
    if content.role(PROGRESS) is not None:
        return merge_roles(roles)
    if held is not None:
        roles = (*roles, RoleFacts(PROGRESS, None, 1, f"key `{held.key}` in {path}", paths=(path,)))
    elif by_name is not None:
        roles = (*roles, by_name._replace(files=1, paths=(path,)))
    return merge_roles(roles)


def _ordinal(epoch: int | None, path: str) -> int | None:
    return epoch if epoch is not None else epoch_of_name(path)


def _loader(files: CheckpointFiles, path: str, content: ArchiveContent | None) -> LoaderFacts:
    """What torch since 2.6 refuses by default, such as numpy's random state, its job allows."""
    refused = content is not None and is_refused(content.globals, content.protocol)
    trusted = content is not None and refused and not may_run_code(content.findings)
    more = ", weights_only=False" if trusted else ""
    flag = f"torch.load({json.dumps(files.path)}{more})"
    return LoaderFacts(flag=flag, tag=stem_of(files.name), opens=opened_ranks([path]))


def _is_export(path: str, content: ArchiveContent | None) -> bool:
    """Weights alone under a name that is none of a series: `model_final.pt`."""
    if content is None or content.role(MODEL) is None or has_number(stem_of(path)):
        return False
    if any(role.role in (OPTIMIZER, PROGRESS) for role in content.roles) or follows_series(path):
        return False
    return not any(word in path.lower() for word in _SERIES_WORDS)


def _evidence(content: ArchiveContent | None, held: FoundStep | None, named: int | None) -> str:
    parts = []
    if held is not None:
        parts.append(f"step from key `{held.key}`")
    elif named is not None:
        parts.append("step from the file's name")
    if content is not None and content.empty_keys:
        parts.append(f"nothing under {', '.join(f'`{key}`' for key in content.empty_keys[:3])}")
    return "; ".join(parts)
