"""The tag that `latest` inside a checkpoint names: DeepSpeed loads that directory and no other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.artifacts.json_document import read_text
from ckpt_tui.artifacts.limits import ArtifactError
from ckpt_tui.core.findings import Finding
from ckpt_tui.core.vocabulary import Effect, Severity

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ckpt_tui.formats.base import CheckpointFiles

LATEST = "latest"


def tag_by_latest(
    files: CheckpointFiles, tags: Sequence[str], best: str
) -> tuple[str, tuple[Finding, ...]]:
    """The directory that DeepSpeed will load, or the best one with why it will not find it.

    Args:
        files: The outer checkpoint.
        tags: Its directories that hold DeepSpeed's files.
        best: The one to read where `latest` does not tell.
    """
    try:
        with files.open(LATEST) as source:
            named = read_text(source, files.limits).strip()
    except ArtifactError as error:
        absent = files.tree.get(LATEST) is None
        problem = "is missing" if absent else f"cannot be read: {error.message}"
        return best, (_lost_tag("pointer-unreadable", problem, best),)
    if named in tags:
        return named, ()
    problem = f"names {named[:80]!r}, which is not there"
    return best, (_lost_tag("pointer-dangling", problem, best),)


def _lost_tag(code: str, problem: str, tag: str) -> Finding:
    return Finding(
        code,
        Severity.ERROR,
        LATEST,
        f"{LATEST} {problem}: DeepSpeed does not find its part of the checkpoint",
        f"If {tag}/ is whole, write its name into {LATEST}: printf %s {tag} > {LATEST}",
        Effect.INCOMPLETE,
    )


def told_apart(lost: Iterable[Finding], tag: str, whole: bool) -> tuple[Finding, ...]:
    """Says of a lost tag whether naming it would be enough.

    Args:
        lost: What `tag_by_latest` found.
        tag: The directory that was read in its place.
        whole: Whether its files are.
    """
    remedy = f"{tag}/ is whole, so write its name into {LATEST}: printf %s {tag} > {LATEST}"
    if not whole:
        remedy = f"Resume from another checkpoint: {tag}/ is not whole either."
    return tuple(finding._replace(remedy=remedy) for finding in lost)
