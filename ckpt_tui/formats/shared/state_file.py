"""A file that holds the state of one thing: an optimizer, a scheduler, a random generator.

The loaders that read such files do it with `torch.load(…, weights_only=True)`: a damaged, foreign
or unsafe file stops a resume even where the same file's absence would be passed over.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.core.facts import RoleFacts
from ckpt_tui.core.files import Kind
from ckpt_tui.core.vocabulary import Effect, Severity
from ckpt_tui.formats.shared.archive_counts import Counts
from ckpt_tui.formats.shared.archive_roles import read_archive_content
from ckpt_tui.formats.shared.file_table import Mark
from ckpt_tui.formats.shared.problems import lacks_content, refused_pickle, unopened

if TYPE_CHECKING:
    from collections.abc import Callable, Set

    from ckpt_tui.core.files import FileEntry
    from ckpt_tui.core.findings import Finding
    from ckpt_tui.formats.base import CheckpointFiles


class StatePart(NamedTuple):
    """One or several files of a role.

    Attributes:
        role: The role, or None where no file holds it.
        findings: What is wrong with them.
        marks: Role and rank of the files, by relative path.
        world_size: Number of writers, where the files show it.
        counts: How often optimizer or scheduler has stepped.
        value: The inert top-level value of a single file; None where it could not be read.
    """

    role: RoleFacts | None
    findings: tuple[Finding, ...]
    marks: dict[str, Mark]
    world_size: int | None = None
    counts: Counts = Counts()
    value: object = None


NO_STATE = StatePart(None, (), {})


def read_state_file(
    files: CheckpointFiles,
    entry: FileEntry,
    role: str,
    fits: Callable[[object], bool],
    loader: str,
    rank: int | None = None,
    allowed: Set[str] | None = frozenset(),
) -> StatePart:
    """Reads one state file.

    Args:
        files: The checkpoint.
        entry: The file, or a link in its place.
        role: What it has to hold.
        fits: Whether a top-level value can be that.
        loader: Who loads it, for the messages ("the Trainer").
        rank: Its writer, where it has one.
        allowed: Globals that the loader allows besides those that torch does; None where it does
            not open the file as a rule.
    """
    marks = {entry.path: Mark(role, rank)}
    if entry.kind is Kind.LINK:
        return StatePart(None, (unopened(entry, f"it holds the {role}"),), marks)
    content, findings = read_archive_content(files, entry.path)
    if content is None:
        return StatePart(None, findings, marks)
    findings = tuple(refused(found) for found in findings)
    if not findings and allowed is not None:
        findings = refused_pickle(content.globals, entry.path, allowed, recent=content.recent)
    if not fits(content.value):
        foreign = lacks_content(entry.path, f"{role} state", loader)
        return StatePart(None, (*findings, foreign), marks, value=content.value)
    inner = content.role(role)
    evidence = f"the keys of {entry.path}" if inner is None else inner.evidence
    facts = RoleFacts(role, entry.size_bytes, 1, evidence, paths=(entry.path,))
    return StatePart(facts, findings, marks, counts=content.counts, value=content.value)


def refused(finding: Finding) -> Finding:
    """`weights_only=True` refuses a pickle that names such a global."""
    if finding.code != "unsafe-pickle":
        return finding
    return finding._replace(severity=Severity.ERROR, effect=Effect.INCOMPLETE)


def is_optimizer(value: object) -> bool:
    """Its loader raises where the groups are not as many as the job's own."""
    return isinstance(value, Mapping) and "state" in value and bool(value.get("param_groups"))


def is_scheduler(value: object) -> bool:
    """Its loader raises for an empty one."""
    if not isinstance(value, Mapping) or not value:
        return False
    return "param_groups" not in value and "numpy" not in value
