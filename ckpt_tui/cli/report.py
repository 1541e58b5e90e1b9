"""The answer of `check` as plain text, for people and for logs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.core.printable import printable
from ckpt_tui.core.text import age_text, bytes_text, duration_text
from ckpt_tui.core.verified_findings import is_finite, newest_finite
from ckpt_tui.core.vocabulary import REQUIRED_ROLES, Level, Severity, Verdict
from ckpt_tui.core.world_size import OTHER_SIZE
from ckpt_tui.words import ENGLISH, language, later, say, say_count, say_sentence

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ckpt_tui.core.checkpoint import Checkpoint
    from ckpt_tui.core.findings import Finding
    from ckpt_tui.core.restarts import Restart
    from ckpt_tui.core.runs import Run
    from ckpt_tui.core.snapshot import Snapshot

_LOUD = {Severity.INFO: "-"}
_LETTERS = dict(zip(REQUIRED_ROLES, "MOSRP", strict=True))
_LEVELS = {
    Level.OK: later("OK"),
    Level.WARNING: later("WARNING"),
    Level.CRITICAL: later("CRITICAL"),
    Level.UNKNOWN: later("UNKNOWN"),
    Level.EMPTY: later("EMPTY"),
}
_MOST_FINDINGS = 5
"""Of one checkpoint."""


def report(snapshots: Sequence[Snapshot], now: float) -> str:
    """All runs of all roots; the resume point of each comes first."""
    blocks: list[str] = []
    for snapshot in snapshots:
        blocks.extend(_run_report(run, now, snapshot.world_size) for run in snapshot.runs)
        if not snapshot.runs and not snapshot.error:
            blocks.append(_nothing_found(snapshot))
    return "\n\n".join(blocks)


def _nothing_found(snapshot: Snapshot) -> str:
    return say(
        "{path}: nothing that this version can read found (looked for {formats}, at most 6 levels"
        " down)"
        if snapshot.problems
        else "{path}: no checkpoint found (looked for {formats}, at most 6 levels down)",
        path=printable(snapshot.root),
        formats=", ".join(snapshot.tried),
    )


def _run_report(run: Run, now: float, world_size: int | None = None) -> str:
    """One run, and how it fits a job of that world size, where one was asked for."""
    lines = [f"{printable(run.path)}  {run.format}  {say(_LEVELS[run.level])}"]
    lines.append("  " + _resume_line(run, now))
    if world_size is not None:
        from ckpt_tui.core.asked_size import answer_for_size  # few ask for it

        told = say_sentence(answer_for_size(run, world_size).sentence())
        lines.append(
            say_count(
                world_size,
                "  for {count} rank: {answer}",
                "  for {count} ranks: {answer}",
                answer=printable(told),
            )
        )
    if run.in_flight is not None:
        lines.append(_saving_line(run.in_flight))
    lines.extend(
        f"  {_LOUD.get(f.severity, '!')} {f.code}: {printable(f.path)} {_message(f)}"
        for f in run.findings
    )
    lines.extend(_restart_line(restart) for restart in run.restarts)
    rows = [_head()]
    rows += [_row(run, checkpoint, now) for checkpoint in run.checkpoints]
    lines.extend(_aligned(rows))
    lines.extend(_reasons(run))
    return "\n".join(lines)


def _head() -> tuple[str, ...]:
    return (
        "",
        say("state"),
        say("step"),
        say("age"),
        say("size"),
        say("roles"),
        say("shards"),
        say("name"),
    )


def _message(finding: Finding) -> str:
    return printable(say_sentence(finding.message))


def _resume_line(run: Run, now: float) -> str:
    resume = run.resume
    if resume is None:
        return say("NOTHING TO RESUME FROM: a restart begins at step 0")
    age = now - resume.committed_at if resume.committed_at else None
    text = later("RESUME FROM {title}  {verdict}, committed at a time not known: {path}")
    if age is not None and age < 1:
        text = later("RESUME FROM {title}  {verdict}, committed just now: {path}")
    elif age is not None:
        text = later("RESUME FROM {title}  {verdict}, committed {age} ago: {path}")
    load = f"  [{printable(resume.facts.loader.flag)}]" if resume.facts.loader.flag else ""
    told = say(
        text,
        title=printable(resume.title),
        verdict=say_sentence(resume.verdict),
        age=age_text(age),
        path=printable(resume.path),
    )
    return told + load + _not_finite(run, resume)


def _not_finite(run: Run, resume: Checkpoint) -> str:
    """That a job whose loss became NaN needs another one, and which; "" where nothing says so."""
    if is_finite(resume.facts) is not False:
        return ""
    newest = newest_finite(run.checkpoints)
    if newest is None:
        return say("  BUT IT HOLDS NaN OR INFINITY")
    title = printable(newest.title)
    return say("  BUT IT HOLDS NaN OR INFINITY: {title} is the newest found finite", title=title)


def _restart_line(restart: Restart) -> str:
    origin = restart.from_step
    text = say(
        "  restart: went on from a step that is gone after step {reached}"
        if origin is None
        else "  restart: went on from step {origin} after step {reached}",
        origin=origin,
        reached=restart.reached_step,
    )
    return text + say_count(restart.lost_steps, ", {count} step lost", ", {count} steps lost")


def _saving_line(checkpoint: Checkpoint) -> str:
    progress = checkpoint.progress
    size_bytes = checkpoint.facts.size_bytes if progress is None else progress.size_bytes
    expected = progress.expected_bytes if progress is not None else None
    text = say(
        "  saving {title}: {size} of about {expected}" if expected else "  saving {title}: {size}",
        title=printable(checkpoint.title),
        size=bytes_text(size_bytes),
        expected=bytes_text(expected),
    )
    left = progress.left_seconds if progress is not None else None
    return text + say(", {time} left", time=duration_text(left)) if left else text


def _row(run: Run, checkpoint: Checkpoint, now: float) -> tuple[str, ...]:
    facts = checkpoint.facts
    mark = ">" if run.resume is not None and checkpoint.path == run.resume.path else " "
    age = say_sentence(age_text(now - checkpoint.committed_at)) if checkpoint.committed_at else "–"
    have = facts.role_names()
    roles = "".join(letter if role in have else "·" for role, letter in _LETTERS.items())
    shards = "–"
    if facts.expected_ranks is not None:
        shards = f"{checkpoint.present_shards}/{len(facts.expected_ranks)}"
    name = printable(facts.name)
    if facts.export:
        name = say("{name} (export)", name=name)
    return (
        mark,
        say_sentence(OTHER_SIZE if checkpoint.is_of_other_size else checkpoint.verdict),
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
        name, why = checkpoint.facts.name, say_sentence(checkpoint.why)
        whole = why if checkpoint.why.startswith(name) else f"{name}: {why}"
        lines.append(f"  {printable(whole)}")
        loud = [f for f in checkpoint.findings if f.severity is not Severity.INFO]
        lines.extend(
            f"      {f.code}: {printable(_place(f))}{_message(f)}" for f in loud[:_MOST_FINDINGS]
        )
        if len(loud) > _MOST_FINDINGS:
            lines.append(
                say_count(
                    len(loud) - _MOST_FINDINGS,
                    "      … and {count} finding more (show --json)",
                    "      … and {count} findings more (show --json)",
                )
            )
    return lines


def _place(finding: Finding) -> str:
    """The file, unless the message begins with it."""
    if not finding.path or finding.message.startswith(finding.path):
        return ""
    return f"{finding.path}: "


def _aligned(rows: Sequence[tuple[str, ...]]) -> list[str]:
    width_of = _width_of()
    widths = [max(width_of(row[i]) for row in rows) for i in range(len(rows[0]))]
    right = {2, 3, 4, 6}

    def filled(place: int, cell: str) -> str:
        blank = " " * (widths[place] - width_of(cell))
        return blank + cell if place in right else cell + blank

    return [
        "  " + "  ".join(filled(place, cell) for place, cell in enumerate(row)).rstrip()
        for row in rows
    ]


def _width_of() -> Callable[[str], int]:
    """How many columns a cell takes; titles are of one each in English."""
    if language() == ENGLISH:
        return len
    from ckpt_tui.words.wrapping import columns_of

    return columns_of
