"""The answer of `check` as plain text, for people and for logs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.core.printable import printable
from ckpt_tui.core.text import age_text, bytes_text, duration_text, plural
from ckpt_tui.core.vocabulary import REQUIRED_ROLES, Severity, Verdict
from ckpt_tui.core.world_size import OTHER_SIZE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ckpt_tui.core.checkpoint import Checkpoint
    from ckpt_tui.core.findings import Finding
    from ckpt_tui.core.restarts import Restart
    from ckpt_tui.core.runs import Run
    from ckpt_tui.core.snapshot import Snapshot

_LOUD = {Severity.INFO: "-"}
_LETTERS = dict(zip(REQUIRED_ROLES, "MOSRP", strict=True))


def report(snapshots: Sequence[Snapshot], now: float) -> str:
    """All runs of all roots; the resume point of each comes first."""
    blocks: list[str] = []
    for snapshot in snapshots:
        blocks.extend(_run_report(run, now, snapshot.world_size) for run in snapshot.runs)
        if not snapshot.runs and not snapshot.error:
            found = "nothing that this version can read" if snapshot.problems else "no checkpoint"
            blocks.append(
                f"{printable(snapshot.root)}: {found} found"
                f" (looked for {', '.join(snapshot.tried)}, at most 6 levels down)"
            )
    return "\n\n".join(blocks)


def _run_report(run: Run, now: float, world_size: int | None = None) -> str:
    """One run, and how it fits a job of that world size, where one was asked for."""
    lines = [f"{printable(run.path)}  {run.format}  {run.level.value.upper()}"]
    lines.append("  " + _resume_line(run, now))
    if world_size is not None:
        from ckpt_tui.core.asked_size import answer_for_size  # few ask for it

        answer = answer_for_size(run, world_size)
        lines.append(f"  for {plural(world_size, 'rank')}: {printable(answer.sentence())}")
    if run.in_flight is not None:
        lines.append(f"  saving {printable(run.in_flight.title)}: {_saving(run.in_flight)}")
    lines.extend(
        f"  {_LOUD.get(f.severity, '!')} {f.code}: {printable(f.path)} {printable(f.message)}"
        for f in run.findings
    )
    lines.extend(_restart_line(restart) for restart in run.restarts)
    rows: list[tuple[str, ...]] = [("", "state", "step", "age", "size", "roles", "shards", "name")]
    rows += [_row(run, checkpoint, now) for checkpoint in run.checkpoints]
    lines.extend(_aligned(rows))
    lines.extend(_reasons(run))
    return "\n".join(lines)


def _resume_line(run: Run, now: float) -> str:
    resume = run.resume
    if resume is None:
        return "NOTHING TO RESUME FROM: a restart begins at step 0"
    age = "at a time not known"
    if resume.committed_at:
        age = (
            "just now"
            if now - resume.committed_at < 1
            else (f"{age_text(now - resume.committed_at)} ago")
        )
    load = f"  [{printable(resume.facts.loader.flag)}]" if resume.facts.loader.flag else ""
    return (
        f"RESUME FROM {printable(resume.title)}  {resume.verdict}, committed {age}:"
        f" {printable(resume.path)}{load}"
    )


def _restart_line(restart: Restart) -> str:
    origin = "a step that is gone" if restart.from_step is None else f"step {restart.from_step}"
    return (
        f"  restart: went on from {origin} after step {restart.reached_step},"
        f" {plural(restart.lost_steps, 'step')} lost"
    )


def _saving(checkpoint: Checkpoint) -> str:
    progress = checkpoint.progress
    if progress is None:
        return bytes_text(checkpoint.facts.size_bytes)
    of = f" of about {bytes_text(progress.expected_bytes)}" if progress.expected_bytes else ""
    left = f", {duration_text(progress.eta_seconds)} left" if progress.eta_seconds else ""
    return f"{bytes_text(progress.size_bytes)}{of}{left}"


def _row(run: Run, checkpoint: Checkpoint, now: float) -> tuple[str, ...]:
    facts = checkpoint.facts
    mark = ">" if run.resume is not None and checkpoint.path == run.resume.path else " "
    age = age_text(now - checkpoint.committed_at) if checkpoint.committed_at else "–"
    have = facts.role_names()
    roles = "".join(letter if role in have else "·" for role, letter in _LETTERS.items())
    shards = "–"
    if facts.expected_ranks is not None:
        shards = f"{checkpoint.present_shards}/{len(facts.expected_ranks)}"
    name = printable(facts.name) + (" (export)" if facts.export else "")
    return (
        mark,
        OTHER_SIZE if checkpoint.is_of_other_size else checkpoint.verdict.value,
        _step(checkpoint),
        age,
        bytes_text(facts.size_bytes),
        roles,
        shards,
        name,
    )


def _step(checkpoint: Checkpoint) -> str:
    if checkpoint.step is not None:
        return str(checkpoint.step)
    ordinal = checkpoint.facts.ordinal
    return f"#{ordinal}" if ordinal is not None else "–"


def _reasons(run: Run) -> list[str]:
    """Why each checkpoint that is not exact is what it is, and what to do about errors."""
    lines = []
    for checkpoint in run.checkpoints:
        if checkpoint.verdict is Verdict.EXACT:
            continue
        name, why = checkpoint.facts.name, checkpoint.why
        lines.append(f"  {printable(why if why.startswith(name) else f'{name}: {why}')}")
        loud = [f for f in checkpoint.findings if f.severity is not Severity.INFO]
        lines.extend(
            f"      {f.code}: {printable(_place(f))}{printable(f.message)}" for f in loud[:5]
        )
        if len(loud) > 5:
            lines.append(f"      … and {plural(len(loud) - 5, 'finding')} more (show --json)")
    return lines


def _place(finding: Finding) -> str:
    """The file, unless the message begins with it."""
    if not finding.path or finding.message.startswith(finding.path):
        return ""
    return f"{finding.path}: "


def _aligned(rows: Sequence[tuple[str, ...]]) -> list[str]:
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    right = {2, 3, 4, 6}
    return [
        "  "
        + "  ".join(
            cell.rjust(width) if i in right else cell.ljust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
