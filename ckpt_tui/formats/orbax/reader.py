"""Reads Orbax checkpoints: steps of `CheckpointManager`, and what checkpointers write alone.

What is a step and when it is committed is in `commit`; what an item needs to be restored in
`content` and `pytree`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.artifacts.limits import ArtifactError
from ckpt_tui.core.findings import Finding
from ckpt_tui.core.vocabulary import MODEL, Effect, Severity
from ckpt_tui.formats.base import ClaimKind
from ckpt_tui.formats.orbax.claims import is_step
from ckpt_tui.formats.orbax.commit import commit_of
from ckpt_tui.formats.orbax.content import read_item, without_what_keras_skips
from ckpt_tui.formats.orbax.items import MOST_ITEMS, Kind, items_of
from ckpt_tui.formats.orbax.loading import loader_of
from ckpt_tui.formats.orbax.names import FREE_MARK, MARKER, STEP_METADATA, is_temporary
from ckpt_tui.formats.orbax.processes import processes_of, reshard_of, shards_of
from ckpt_tui.formats.orbax.roles import roles_of
from ckpt_tui.formats.orbax.step_metadata import read_step_metadata
from ckpt_tui.formats.orbax.steps import step_of
from ckpt_tui.formats.orbax.tables import marks_of, tensor_facts, with_times
from ckpt_tui.formats.shared.bounds import MOST_TENSORS
from ckpt_tui.formats.shared.common_facts import common_facts
from ckpt_tui.formats.shared.file_table import file_table
from ckpt_tui.formats.shared.links_and_holes import links_and_holes
from ckpt_tui.formats.shared.problems import finding_of_error, missing_file, staging_leftover
from ckpt_tui.formats.shared.role_merge import merge_roles

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ckpt_tui.core.facts import CheckpointFacts, RawPointer
    from ckpt_tui.formats.base import CheckpointFiles
    from ckpt_tui.formats.orbax.commit import Protocol
    from ckpt_tui.formats.orbax.content import Content
    from ckpt_tui.formats.orbax.items import Item
    from ckpt_tui.formats.orbax.step_metadata import StepMetadata
    from ckpt_tui.fs.listing import Directory

_REMOVAL = "partly-deleted"
_NOT_PROTECTED = "the bytes of tensors: nothing protects values outside the database's nodes"


class OrbaxReader:
    """Checkpoints of `orbax-checkpoint`, 0.4 to 0.12 and the v1 API."""

    name = "orbax"

    def claims_directory(self, directory: Directory) -> ClaimKind:
        """By the names that only Orbax writes; a step with a temporary name is one, too."""
        return ClaimKind.CHECKPOINT if is_step(directory) else ClaimKind.NO

    def claims_files(self, directory: Directory) -> tuple[tuple[str, ...], ...]:
        """A step is always a directory."""
        return ()

    def pointers(self, directory: Directory) -> tuple[RawPointer, ...]:
        """Orbax has none: a manager takes the highest number."""
        return ()

    def read(self, files: CheckpointFiles) -> CheckpointFacts:
        """Reads one checkpoint."""
        metadata = read_step_metadata(files)
        items = items_of(files, metadata)
        read = [read_item(files, item) for item in items[:MOST_ITEMS]]
        contents = without_what_keras_skips(read)
        trees = [tree.tree for content in contents for tree in content.pytrees]
        marks = any(tree.is_marked for tree in trees)
        protocol = commit_of(files, metadata, items, marks=marks)
        findings = [f for content in contents for f in content.findings]
        findings += _of_step(files, metadata, items[:MOST_ITEMS])
        if len(items) > MOST_ITEMS:
            beyond = f"it has {len(items)} items, more than the limit of {MOST_ITEMS}"
            findings.append(finding_of_error(ArtifactError("limit-exceeded", beyond), ""))
        return _facts(files, metadata, contents, protocol, findings)


def _facts(
    files: CheckpointFiles,
    metadata: StepMetadata,
    contents: list[Content],
    protocol: Protocol,
    findings: list[Finding],
) -> CheckpointFacts:
    step = step_of(files, contents)
    by_item = {content.item.directory: roles_of(content) for content in contents}
    found = [role for roles in by_item.values() for role in roles]
    roles = merge_roles([*found, *([step.role] if step.role is not None else [])])
    processes = processes_of(files.tree)
    findings += [*step.findings, *links_and_holes(files.tree)]
    commit = protocol.facts
    if not any(role.role == MODEL for role in roles) or _is_being_removed(findings):
        commit = commit._replace(finish="")
    tensors = tensor_facts(contents)
    facts = common_facts(files, OrbaxReader.name, commit)._replace(
        step=step.value,
        ordinal=step.ordinal,
        world_size=processes.number,
        expected_ranks=tuple(range(processes.number)) if processes.number else None,
        roles=roles,
        shards=shards_of(processes, findings),
        files=file_table(files.tree, marks_of(files, contents, by_item, processes)),
        findings=tuple(findings),
        loader=loader_of(files, contents, metadata.single),
        reshard=reshard_of(contents),
        declared=bool(metadata.handlers or metadata.single),
        not_checked=_not_checked(contents),
        evidence="; ".join(text for text in (protocol.evidence, step.evidence) if text),
        neighbours=protocol.neighbours,
        tensors=tensors[:MOST_TENSORS],
        tensors_total=len(tensors),
    )
    return with_times(facts, files, metadata)


def _of_step(files: CheckpointFiles, metadata: StepMetadata, items: list[Item]) -> list[Finding]:
    """What is wrong with the step's own files; a manager restores without any of them."""
    found = []
    if not is_temporary(files.name):
        temporary = [item for item in items if item.is_temporary]
        found += [staging_leftover(item.directory.rstrip("/")) for item in temporary]
    if metadata.error is not None:
        error = finding_of_error(metadata.error, STEP_METADATA)
        remedy = "A restore works without it; times and handlers are lost."
        found.append(error._replace(severity=Severity.WARNING, effect=Effect.NONE, remedy=remedy))
    if metadata.there or not items:
        return found
    if files.tree.get(FREE_MARK) is not None:
        return [*found, missing_file(STEP_METADATA, "`ocp.load` knows a checkpoint by it")]
    recent = any(files.tree.get(item.directory + MARKER) is not None for item in items)
    if recent and not is_temporary(files.name):
        found.append(_lacks_metadata())
    return found


def _is_being_removed(findings: list[Finding]) -> bool:
    return any(finding.code == _REMOVAL for finding in findings)


def _lacks_metadata() -> Finding:
    return Finding(
        _REMOVAL,
        Severity.WARNING,
        STEP_METADATA,
        f"{STEP_METADATA} is gone, which the version that wrote the rest writes, too: a removal"
        " was cut half-way, or it was not copied",
        "A restore works without it; rather resume from a younger checkpoint.",
    )


def _not_checked(contents: Sequence[Content]) -> tuple[str, ...]:
    """What nobody looked at."""
    said = [_NOT_PROTECTED]
    unread = sum(tree.unread for content in contents for tree in content.pytrees)
    if unread:
        said.append(f"the ends of {unread} chunk files")
    if any(tree.tree.omits_fill for content in contents for tree in content.pytrees):
        said.append("chunks that are absent: versions before 0.11 left chunks of zeros out")
    names = [content.item.name for content in contents if content.item.kind is Kind.OTHER]
    said += [f"item `{name}`: its handler is not known" for name in names]
    return tuple(said)
