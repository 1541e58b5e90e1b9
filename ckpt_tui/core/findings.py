"""A finding is one problem: a stable code, how loud it is, where it is, and what to do."""

from __future__ import annotations

from typing import NamedTuple

from ckpt_tui.core.vocabulary import Effect, Severity


class Finding(NamedTuple):
    """One problem of a checkpoint or of a run.

    Attributes:
        code: Stable kebab-case name, listed in docs/findings.md with its cause and remedy.
        path: Absolute path, or a path relative to the checkpoint; "" is the checkpoint itself.
        effect: What it does to the verdict; NONE for remarks.
    """

    code: str
    severity: Severity
    path: str
    message: str
    remedy: str
    effect: Effect = Effect.NONE


def has_effect(findings: tuple[Finding, ...], effect: Effect) -> bool:
    """Whether any finding has that effect."""
    return any(finding.effect is effect for finding in findings)


def first_with_effect(findings: tuple[Finding, ...], effect: Effect) -> Finding | None:
    """The first finding of that effect, which explains a verdict best."""
    return next((finding for finding in findings if finding.effect is effect), None)


def worst_severity(findings: tuple[Finding, ...]) -> Severity | None:
    """The loudest severity among them, or None."""
    order = (Severity.INFO, Severity.WARNING, Severity.ERROR)
    return max((finding.severity for finding in findings), key=order.index, default=None)
