"""Reads a checkpoint whose files have their final names."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.artifacts.limits import ArtifactError
from ckpt_tui.artifacts.tensor_bundle import INDEX_ENDING, read_bundle
from ckpt_tui.core.facts import CheckpointFacts, CommitFacts
from ckpt_tui.core.vocabulary import CONFIG, Effect
from ckpt_tui.formats.shared.common_facts import common_facts
from ckpt_tui.formats.shared.file_table import Mark, file_table
from ckpt_tui.formats.shared.links_and_holes import links_and_holes
from ckpt_tui.formats.shared.problems import name_disagrees
from ckpt_tui.formats.shared.times import save_times
from ckpt_tui.formats.tensorflow.commit import RULE, left_behind, temporary_beside
from ckpt_tui.formats.tensorflow.key_roles import object_path
from ckpt_tui.formats.tensorflow.loading import RESHARD, loader_facts
from ckpt_tui.formats.tensorflow.names import (
    META_ENDING,
    data_name,
    index_prefix,
    number_of,
    ordinal_of,
)
from ckpt_tui.formats.tensorflow.roles import RoleTable, role_table, roles_of, tensor_facts
from ckpt_tui.formats.tensorflow.scalars import Told, read_told
from ckpt_tui.formats.tensorflow.stored import Stored, check_stored, data_of_another_save
from ckpt_tui.formats.tensorflow.unindexed import with_unreadable_index, without_index

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ckpt_tui.core.findings import Finding
    from ckpt_tui.formats.base import CheckpointFiles


class Content(NamedTuple):
    """What an index and the small values behind it say.

    Attributes:
        stored: The index with its data.
        told: Counters and the object graph.
        table: The role of each key.
        findings: What is wrong.
    """

    stored: Stored
    told: Told
    table: RoleTable
    findings: tuple[Finding, ...]


def content_of(stored: Stored) -> Content:
    """Reads what an index names, as far as it has to be read."""
    findings = check_stored(stored)
    broken = {finding.path for finding in findings if finding.effect is not Effect.NONE}
    told = read_told(stored, broken)
    if not broken and not told.findings:
        findings += data_of_another_save(stored)
    table = role_table(stored, told)
    return Content(stored, told, table, (*findings, *told.findings, *table.findings))


def read_files(files: CheckpointFiles, format_name: str) -> CheckpointFacts:
    """Reads a checkpoint of an index and data files."""
    first = files.claim.members[0]
    named = data_name(first)
    if named is not None:
        return without_index(files, format_name, named.prefix)
    prefix = index_prefix(first) or first
    temporary = temporary_beside(files.base, prefix)
    try:
        with files.open(prefix + INDEX_ENDING) as source:
            bundle = read_bundle(source, files.limits)
    except ArtifactError as error:
        return with_unreadable_index(files, format_name, prefix, error, temporary)
    facts = _facts(files, format_name, content_of(Stored(files, prefix, bundle)))
    left = (left_behind(temporary.path),) if temporary.there else ()
    return facts._replace(findings=(*facts.findings, *left), neighbours=(temporary,))


def _facts(files: CheckpointFiles, format_name: str, content: Content) -> CheckpointFacts:
    stored, told = content.stored, content.told
    number = number_of(stored.prefix)
    step = told.step.value if told.step is not None else None
    if step is None and told.epoch is None and not _counts_saves(told, number):
        step = None if told.unread else number
    data = [entry for entry in files.tree.files() if data_name(entry.path) is not None]
    times = save_times(data, files.tree.get(stored.index_path))
    tensors, total = tensor_facts(stored, content.table)
    commit = CommitFacts(RULE, True, rewritten=_rewritten(files, content))
    return common_facts(files, format_name, commit, times)._replace(
        checkpoint_id=stored.prefix,
        step=step,
        ordinal=ordinal_of(stored.prefix, epoch_of(told)),
        roles=roles_of(stored, told, content.table),
        files=file_table(files.tree, _marks(files, content)),
        findings=(
            *content.findings, *links_and_holes(files.tree), *_mismatch(told, number)
        ),
        loader=loader_facts(
            files.base,
            stored.prefix,
            of_graph=told.graph is not None,
            kept_by_manager=told.graph is None or told.saves is not None,
        ),
        reshard=RESHARD,
        declared=True,
        evidence=_evidence(told),
        tensors=tensors,
        tensors_total=total,
    )  # fmt: skip


def epoch_of(told: Told) -> int | None:
    """The content's count of epochs."""
    return told.epoch.value if told.epoch is not None else None


def _rewritten(files: CheckpointFiles, content: Content) -> bool:
    """Whether a save over this prefix has put its data in place, and not yet its index."""
    index = files.tree.get(content.stored.index_path)
    newest = max((e.mtime_ns for e in files.tree.files() if data_name(e.path)), default=0)
    young = index is not None and newest > index.mtime_ns
    return young and any(finding.code == "checksum-mismatch" for finding in content.findings)


def _counts_saves(told: Told, number: int | None) -> bool:
    """Whether the number in the name is how often `save` was called."""
    return told.saves is not None and told.saves.value in (0, number)


def _mismatch(told: Told, number: int | None) -> list[Finding]:
    """A name may hold the step or a count of saves, which an asynchronous save leaves at 0."""
    counts = {c.value for c in (told.saves, told.iterations, told.epoch) if c is not None}
    if told.step is None or told.saves is None or number in counts or not told.saves.value:
        return []
    where = f"key `{object_path(told.step.key)[-1]}`"
    return name_disagrees(number, told.step.value, None, where)


def _evidence(told: Told) -> str:
    if told.step is None:
        return ""
    return f"step from key `{'/'.join(object_path(told.step.key))}`"


def _marks(files: CheckpointFiles, content: Content) -> Mapping[str, Mark]:
    """What each data file holds."""
    held: dict[str, dict[str, None]] = {}
    for entry in content.stored.bundle.entries:
        role = content.table.of_key.get(entry.key, "")
        if role and not entry.slices:
            held.setdefault(content.stored.path_of(entry), {})[role] = None
    marks = {
        path: Mark(next(iter(roles)) if len(roles) == 1 else "", note=f"holds {', '.join(roles)}")
        for path, roles in held.items()
    }
    marks |= {e.path: Mark(CONFIG) for e in files.tree.files() if e.path.endswith(META_ENDING)}
    return marks
