"""Reads one claimed checkpoint, and adds what holds for every format."""

from __future__ import annotations

import os
import shlex
from typing import TYPE_CHECKING

from ckpt_tui.core.facts import CheckpointFacts, CommitFacts
from ckpt_tui.core.findings import Finding
from ckpt_tui.core.vocabulary import Effect, Severity
from ckpt_tui.formats.base import CheckpointFiles, HandOver
from ckpt_tui.formats.claiming import staged
from ckpt_tui.formats.registry import reader
from ckpt_tui.formats.shared.names import step_of_name
from ckpt_tui.fs.listing import TOO_MUCH

if TYPE_CHECKING:
    from ckpt_tui.artifacts.limits import Limits
    from ckpt_tui.core.files import Tree
    from ckpt_tui.formats.base import Claim


def read_checkpoint(claim: Claim, tree: Tree, limits: Limits) -> CheckpointFacts:
    """Facts of one checkpoint; a reader that fails gives facts with an `unknown` finding.

    Args:
        claim: What was recognised, and by which reader.
        tree: Its listing.
        limits: Bounds of every read.
    """
    if tree.link_target:
        return _not_followed(claim, tree)
    try:
        facts = _read_by_content(claim, tree, limits)
    except Exception as error:  # a reader's bug must cost one row, not the whole screen
        facts = _unread(claim, tree, f"the reader failed: {type(error).__name__}: {error}")
    if claim.export and not facts.export:
        facts = facts._replace(export=True)
    if tree.problems:
        facts = facts._replace(findings=facts.findings + _unlisted(tree))
    if staged(claim):
        facts = _as_staging(facts)
    return facts


def _read_by_content(claim: Claim, tree: Tree, limits: Limits) -> CheckpointFacts:
    """Facts by the claiming reader, or by the one that it hands the checkpoint over to.

    Raises:
        ValueError: The second reader hands it on, too.
    """
    facts = reader(claim.reader).read(CheckpointFiles(claim, tree, limits))
    if isinstance(facts, HandOver):
        handed = claim._replace(reader=facts.reader)
        facts = reader(facts.reader).read(CheckpointFiles(handed, tree, limits))
    if isinstance(facts, HandOver):
        raise ValueError(f"{claim.reader} and {facts.reader} hand it to each other")
    return facts


def _not_followed(claim: Claim, tree: Tree) -> CheckpointFacts:
    """An attempt that is a link out of the searched directory, or to nothing."""
    target = os.path.normpath(os.path.join(os.path.dirname(claim.path), tree.link_target))
    finding = Finding(
        "outside-path",
        Severity.ERROR,
        "",
        f"it is a link to {tree.link_target}, not followed",
        f"Check its target by name: ckpt-tui check {shlex.quote(target)}",
        Effect.UNKNOWN,
    )
    return _facts(claim, tree, finding)


def _unread(claim: Claim, tree: Tree, message: str) -> CheckpointFacts:
    finding = Finding(
        "reader-failed",
        Severity.ERROR,
        "",
        message,
        "Report it with the file that causes it; judge this checkpoint by hand.",
        Effect.UNKNOWN,
    )
    return _facts(claim, tree, finding)


def _facts(claim: Claim, tree: Tree, finding: Finding) -> CheckpointFacts:
    """Facts of what was not read: its place among the others, by its name, and why."""
    name = os.path.basename(claim.path)
    return CheckpointFacts(
        path=claim.path,
        name=name,
        format=claim.reader,
        step=step_of_name(name),
        commit=CommitFacts("not read", None),
        findings=(finding,),
        size_bytes=tree.total_bytes(),
    )


def _unlisted(tree: Tree) -> tuple[Finding, ...]:
    return tuple(
        Finding(
            _code_of(why),
            Severity.ERROR,
            path,
            f"cannot be listed: {why}",
            "Look at it with an account that may read it.",
            Effect.UNKNOWN,
        )
        for path, why in tree.problems
    )


def _code_of(why: str) -> str:
    if "ermission" in why:
        return "permission-denied"
    return "limit-exceeded" if why == TOO_MUCH else "io-error"


def _as_staging(facts: CheckpointFacts) -> CheckpointFacts:
    """What still has a temporary name was not committed, whatever is in it."""
    finding = Finding(
        "staging-leftover",
        Severity.WARNING,
        "",
        "it still has a temporary name: the rename that commits it never came",
        "Remove it once no job writes it.",
    )
    known = {known.code for known in facts.findings}
    return facts._replace(
        staging=True,
        commit=facts.commit._replace(
            rule="the whole checkpoint is renamed to its final name last",
            met=False,
            missing="rename to its final name",
        ),
        findings=facts.findings + (() if "staging-leftover" in known else (finding,)),
    )
