"""One line for monitoring systems, with performance data (the Nagios plug-in form)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.cli.exit_codes import ExitCode, badness, exit_code_of
from ckpt_tui.cli.looking import complaints
from ckpt_tui.core.printable import printable
from ckpt_tui.core.text import age_text
from ckpt_tui.core.verified_findings import is_finite
from ckpt_tui.core.vocabulary import Level

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ckpt_tui.core.runs import Run
    from ckpt_tui.core.snapshot import Snapshot
    from ckpt_tui.core.thresholds import Thresholds


def plugin_line(
    told: Sequence[tuple[Snapshot, Thresholds]], level: Level, now: float
) -> tuple[str, ExitCode]:
    """The line and its exit code, 0 to 3: an empty directory is fine unless one is expected.

    Args:
        told: What is seen at each path, and the limits there.
        level: The worst of all.
        now: Seconds since the epoch.
    """
    code = ExitCode.OK if level is Level.EMPTY else exit_code_of(level)
    snapshots = [snapshot for snapshot, _ in told]
    runs = [run for snapshot in snapshots for run in snapshot.runs]
    errors = list(complaints(snapshots))
    worst_first = sorted(runs, key=lambda run: badness(run.level))  # a pager cuts the line
    said = "; ".join(errors + [_say(run, now) for run in worst_first]) or "no checkpoint yet"
    said = said.replace("|", "¦")  # the line's own mark before performance data
    figures = " ".join(
        _figures(run, thresholds, now) for snapshot, thresholds in told for run in snapshot.runs
    )
    line = f"CKPT {code.name} - {said}" + (f" | {figures}" if figures else "")
    return printable(line), code


def _say(run: Run, now: float) -> str:
    if run.resume is None:
        return f"{run.name}: nothing to resume from"
    known = run.resume.committed_at
    age = f", {age_text(now - known)} old" if known and now - known >= 1 else ""
    newer = len(run.rejected_newer)
    unusable = f", {newer} newer unusable" if newer else ""
    nan = ", holds NaN or infinity" if is_finite(run.resume.facts) is False else ""
    facts = f"{run.resume.verdict}{nan}{age}{unusable}"
    return f"{run.name}: resume from {run.resume.title} ({facts})"


def _figures(run: Run, thresholds: Thresholds, now: float) -> str:
    name = "".join(c if c.isalnum() or c in "-_." else "_" for c in run.name)
    parts = [f"'{name}.good'={len(run.good)}", f"'{name}.checkpoints'={len(run.attempts)}"]
    if run.resume is not None and run.resume.committed_at:
        age = max(0.0, now - run.resume.committed_at)
        warn, crit = thresholds.warn_age_seconds, thresholds.crit_age_seconds
        limits = f";{warn or ''};{crit or ''}" if warn or crit else ""
        parts.append(f"'{name}.age'={age:.0f}s{limits}")
        parts.append(f"'{name}.bytes'={run.resume.facts.size_bytes}B")
    if run.resume is not None and run.resume.step is not None:
        parts.append(f"'{name}.step'={run.resume.step}")
    return " ".join(parts)
