"""What the framework would load if it were told nothing, compared with the resume point."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from ckpt_tui.core.facts import OwnChoice
from ckpt_tui.core.findings import Finding
from ckpt_tui.core.vocabulary import Severity, Verdict

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ckpt_tui.core.checkpoint import Checkpoint
    from ckpt_tui.core.runs import Pointer

_LAST_NUMBER = re.compile(r"(\d{1,18})(?!.*\d)")


def own_choice_findings(
    checkpoints: Sequence[Checkpoint], pointers: Sequence[Pointer], resume: Checkpoint | None
) -> tuple[Finding, ...]:
    """A finding where the framework's own choice would not be the resume point.

    A broken pointer has findings of its own; here it counts only where there is none at all.
    """
    own = [c for c in checkpoints if not c.facts.export and not c.facts.alias]
    choices = {c.facts.loader.own_choice for c in own}
    if resume is None or len(choices) != 1:
        return ()
    if choices == {OwnChoice.HIGHEST_NAME}:
        return _trap(max(own, key=_number), resume)
    if choices == {OwnChoice.POINTER} and not any(pointer.default for pointer in pointers):
        return (_starts_from_zero(resume),)
    return ()


def _trap(picked: Checkpoint, resume: Checkpoint) -> tuple[Finding, ...]:
    if picked.path == resume.path or picked.verdict is Verdict.SAVING:
        return ()
    name = os.path.basename(picked.path)
    return (
        Finding(
            "auto-resume-trap",
            Severity.WARNING,
            picked.path,
            f"told to find the latest by itself, the framework takes {name} ({picked.verdict})",
            f"Name the resume point yourself: {resume.facts.loader.flag or resume.path}",
        ),
    )


def _starts_from_zero(resume: Checkpoint) -> Finding:
    return Finding(
        "starts-from-zero",
        Severity.WARNING,
        os.path.dirname(resume.path),
        "no pointer names a checkpoint: a job that is told nothing starts from step 0 silently",
        f"Name the resume point yourself: {resume.facts.loader.flag or resume.path}",
    )


def _number(checkpoint: Checkpoint) -> int:
    found = _LAST_NUMBER.search(checkpoint.facts.name)
    return int(found.group(1)) if found else -1
