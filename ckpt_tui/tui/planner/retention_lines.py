"""What a retention policy would keep and free in a run, as lines; nothing is ever removed."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.core.cadence import cadence_of
from ckpt_tui.core.text import bytes_text
from ckpt_tui.planner import units
from ckpt_tui.planner.retention import (
    Policy,
    apply_policy,
    checkpoints_against_corruption,
    days_until_full,
    days_until_full_under,
)
from ckpt_tui.planner.saver_settings import steps_of
from ckpt_tui.planner.storage import storage_of
from ckpt_tui.planner.stored import NO_LOSS_TOLD, stored_of
from ckpt_tui.tui.icons import WARNING_MARK
from ckpt_tui.tui.lines import BLANK, Line, Tone, cut, line, piece, wrapped
from ckpt_tui.tui.planner.figures import interval_text
from ckpt_tui.tui.planner.grid import GridColumn, grid_lines
from ckpt_tui.words import later, say, say_count

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ckpt_tui.core.runs import Run
    from ckpt_tui.planner.result import Plan
    from ckpt_tui.planner.retention import Stored

FIELDS = ("last", "every_steps", "best", "late")
_COUNT_LABELS = {"last": later("last"), "every_steps": later("every"), "best": later("best")}
_MOST = 10**9
_SOON_DAYS = 2.0
_MANY_DAYS = 36_525.0
_MOST_ROWS = 500
_BY_INTERVAL = (
    GridColumn("interval", later("interval"), left=True),
    GridColumn("day", later("a day")),
    GridColumn("all", later("in all")),
    GridColumn("count", later("kept")),
    GridColumn("kept", later("their size")),
)


class Asked(NamedTuple):
    """A policy, and how late silent corruption may be found (minutes; None: not asked)."""

    policy: Policy
    late_minutes: float | None = None


def asked_from(texts: Mapping[str, str]) -> Asked:
    """Reads what was typed; an empty text asks nothing.

    Raises:
        ValueError: A text cannot be read; the message names the field and gives an example.
    """
    counts = {name: _count(name, texts.get(name, "")) for name in FIELDS[:3]}
    late = texts.get("late", "").strip()
    try:
        minutes = units.parse_duration(late) if late else None
    except ValueError as error:
        raise ValueError(
            say("`{label}`: need a time such as 2h", label=say("found after"))
        ) from error
    return Asked(Policy(**counts), minutes)


def _count(name: str, text: str) -> int | None:
    if not text.strip():
        return None
    try:
        count = units.parse_count(text)
    except ValueError:
        count = 0
    if not 1 <= count <= _MOST:
        raise ValueError(
            say(
                "`{label}`: need a whole number from 1 such as {example}, or nothing",
                label=say(_COUNT_LABELS[name]),
                example=1000 if name == "every_steps" else 3,
            )
        )
    return count


def retention_lines(
    run: Run | None, plan: Plan, asked: Asked, free_bytes: int | None, width: int
) -> list[Line]:
    """What would stay and go, how long the disk lasts, what each listed interval leaves."""
    stored = stored_of(run) if run is not None else ()
    lines = _outcome_lines(stored, asked.policy, width)
    for text, tone in _advice(stored, plan, asked, free_bytes, _interval_steps(run, plan)):
        lines += [line(" ", piece(row, tone)) for row in wrapped(text, width - 2)]
    lines += _interval_lines(plan, asked.policy, width)
    return [cut(each, width) for each in [*lines, *_list_lines(stored, asked.policy)]]


def _outcome_lines(stored: Sequence[Stored], policy: Policy, width: int) -> list[Line]:
    if not stored:
        text = say("this run has no checkpoints with a step yet")
        return [line(piece(f" {text}", Tone.WARN))]
    outcome = apply_policy(stored, policy)
    kept = say_count(
        len(outcome.kept),
        "keeps {count} checkpoint, {size}",
        "keeps {count} checkpoints, {size}",
        size=bytes_text(outcome.kept_bytes),
    )
    freed = say(
        "would free {count}, {size}",
        count=len(outcome.freed),
        size=bytes_text(outcome.freed_bytes),
    )
    lines = [line(" ", piece(kept, Tone.OK), "   ", piece(freed, Tone.WARN))]
    if policy.best and all(each.metric is None for each in stored):
        lines += [line(" ", piece(row, Tone.WARN)) for row in wrapped(say(NO_LOSS_TOLD), width - 2)]
    return lines


def _advice(
    stored: Sequence[Stored],
    plan: Plan,
    asked: Asked,
    free_bytes: int | None,
    interval_steps: int | None,
) -> list[tuple[str, Tone]]:
    said = []
    interval = _interval(plan)
    sizes = (each.size_bytes for each in stored if each.resumable)
    size = next(sizes, plan.inputs.checkpoint_bytes or 0)
    if free_bytes is not None and size:
        days = days_until_full(free_bytes, size, interval)
        text = say(
            "{free} free: full in {time} at one save of {size} every {interval}, if nothing is"
            " removed",
            free=bytes_text(free_bytes),
            time=_days_text(days),
            size=bytes_text(size),
            interval=interval_text(interval),
        )
        said.append((text, Tone.WARN if days < _SOON_DAYS else Tone.PLAIN))
        outcome = apply_policy(stored, asked.policy)
        days = days_until_full_under(
            asked.policy, outcome, free_bytes, size, interval, interval_steps
        )
        said.append(_under_policy(days))
    if asked.late_minutes is not None:
        count = checkpoints_against_corruption(asked.late_minutes, interval)
        late = units.format_duration(asked.late_minutes)
        enough = (asked.policy.last or 1) >= count
        text = say(
            "against silent corruption found {time} late: the last {count} at least",
            time=late,
            count=count,
        )
        if enough:
            said.append((f"✔ {text}", Tone.OK))
        else:
            text = say("{text}, not {count}", text=text, count=asked.policy.last or 1)
            said.append((f"{WARNING_MARK} {text}", Tone.WARN))
    return said


def _interval(plan: Plan) -> float:
    """The present interval, else the one that the plan would set, minutes."""
    return plan.inputs.current_interval_minutes or plan.interval_to_set


def _interval_steps(run: Run | None, plan: Plan) -> int | None:
    """Steps between two saves: as the plan's step time gives them, else as the run shows them."""
    if plan.inputs.step_seconds is not None:
        return steps_of(_interval(plan), plan.inputs.step_seconds)
    return cadence_of(run.checkpoints).interval_steps if run is not None else None


def _under_policy(days: float) -> tuple[str, Tone]:
    if math.isinf(days):
        return say("with this policy it does not fill up"), Tone.OK
    tone = Tone.WARN if days < _SOON_DAYS else Tone.PLAIN
    return say("with this policy: full in {time}", time=_days_text(days)), tone


def _days_text(days: float) -> str:
    if days >= _MANY_DAYS:
        return say("> 100 years")
    return say("{count} days", count=f"{days:.1f}")


def _interval_lines(plan: Plan, policy: Policy, width: int) -> list[Line]:
    rows = []
    for row in plan.exact_rows:
        storage = storage_of(plan.inputs, row, policy)
        if storage is None:
            text = say(
                "give the planner a checkpoint's size to see what each interval writes and keeps"
            )
            hint = [line(" ", piece(row, Tone.DIM)) for row in wrapped(text, width - 2)]
            return [BLANK, *hint]
        rows.append(
            {
                "interval": piece(interval_text(row.interval_minutes)),
                "day": piece(bytes_text(storage.bytes_per_day)),
                "all": piece(bytes_text(storage.written_bytes)),
                "count": piece(str(storage.kept_checkpoints)),
                "kept": piece(bytes_text(storage.kept_bytes)),
            }
        )
    run = interval_text(plan.inputs.run_minutes)
    text = say("by interval, over a run of {time}", time=run)
    title = line(piece(f" {text}", Tone.BOLD))
    _, *table = grid_lines(_BY_INTERVAL, rows, [piece("  ")] * len(rows), width)
    return [BLANK, title, *table]


def _list_lines(stored: Sequence[Stored], policy: Policy) -> list[Line]:
    if not stored:
        return []
    kept = {each.path for each in apply_policy(stored, policy).kept}
    lines = [BLANK, line(piece(f" {say('newest first')}", Tone.BOLD))]
    for each in stored[:_MOST_ROWS]:
        stays = each.path in kept
        keep, free = f"  ✔ {say('keep')}  ", f"  · {say('free')}  "
        mark = piece(keep, Tone.OK) if stays else piece(free, Tone.DIM)
        why = "" if each.resumable else f"  {say('cannot be resumed')}"
        text = f"step {each.step}  {bytes_text(each.size_bytes)}{why}"
        lines.append(line(mark, piece(text, Tone.PLAIN if stays else Tone.DIM)))
    if len(stored) > _MOST_ROWS:
        text = say("and {count} more", count=len(stored) - _MOST_ROWS)
        lines.append(line(piece(f"  {text}", Tone.DIM)))
    return lines
