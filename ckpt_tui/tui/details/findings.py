"""The Findings tab: what is wrong, what to do, how it was judged, what nobody checked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.tui.icons import SEVERITY_LOOKS
from ckpt_tui.tui.lines import BLANK, Line, Tone, cut, line, pad, piece, wrapped
from ckpt_tui.words import say, say_sentence

if TYPE_CHECKING:
    from ckpt_tui.core.checkpoint import Checkpoint
    from ckpt_tui.core.findings import Finding
    from ckpt_tui.core.runs import Run

_INDENT = 2
_LABEL = 13


def findings_lines(checkpoint: Checkpoint, run: Run | None, width: int) -> list[Line]:
    """The checkpoint's findings, then the reasons, then the run's findings."""
    lines: list[Line] = []
    for finding in checkpoint.findings:
        lines += [*_finding(finding, width), BLANK]
    if not checkpoint.findings:
        lines += [line(piece(f"✔ {say('no findings')}", Tone.OK)), BLANK]
    lines += _labelled(say("judged by"), say_sentence(checkpoint.why), width)
    for place, text in enumerate(checkpoint.facts.not_checked):
        label = "" if place else say("not checked")
        lines += _labelled(label, say_sentence(text), width)
    if run is not None and run.findings:
        lines += [BLANK, line(piece(say("about the run"), Tone.BOLD))]
        for finding in run.findings:
            lines += [*_finding(finding, width), BLANK]
    return lines


def _finding(finding: Finding, width: int) -> list[Line]:
    look = SEVERITY_LOOKS[finding.severity]
    path = piece(f"   {finding.path}" if finding.path else "", Tone.DIM)
    lines = [cut(line(piece(f"{look.icon} {finding.code}", look.tone), path), width)]
    lines += _indented(say_sentence(finding.message), Tone.PLAIN, width)
    remedy = say_sentence(finding.remedy)
    lines += _indented(f"→ {remedy}" if remedy else "", Tone.BUSY, width)
    return lines


def _indented(text: str, tone: Tone, width: int) -> list[Line]:
    if not text:
        return []
    return [line(" " * _INDENT, piece(row, tone)) for row in wrapped(text, width - _INDENT)]


def _labelled(label: str, text: str, width: int) -> list[Line]:
    rows = wrapped(text, width - _LABEL)
    heads = [label, *[""] * (len(rows) - 1)]
    return [
        line(*pad(line(piece(head, Tone.DIM)), _LABEL), row)
        for head, row in zip(heads, rows, strict=True)
    ]
