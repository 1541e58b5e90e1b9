"""`plan --retention`: what a policy would keep and free. It prints, and deletes nothing."""

from __future__ import annotations

import argparse
import math
from typing import TYPE_CHECKING, Any

from ckpt_tui.core.printable import printable
from ckpt_tui.core.text import bytes_text
from ckpt_tui.planner.retention import (
    Policy,
    apply_policy,
    checkpoints_against_corruption,
    days_until_full,
    days_until_full_under,
)
from ckpt_tui.planner.stored import NO_LOSS_TOLD, stored_of
from ckpt_tui.planner.units import format_duration
from ckpt_tui.words import say, say_count
from ckpt_tui.words.wrapping import paragraph

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ckpt_tui.cli.plan_directory import Directory
    from ckpt_tui.planner.result import Plan
    from ckpt_tui.planner.retention import Outcome

_FIELDS = {"last": "last", "every": "every_steps", "best": "best"}
_MOST_NAMES = 12


def policy_of(text: str) -> Policy:
    """Reads `last=3,every=1000,best=2`; what is not named keeps nothing."""
    values: dict[str, int] = {}
    for part in text.split(","):
        name, _, number = part.strip().partition("=")
        if name not in _FIELDS or not number.isdecimal() or not 1 <= int(number) <= 10**9:
            raise argparse.ArgumentTypeError(
                say(
                    "{text}: need whole numbers from 1 such as last=3,every=1000,best=2",
                    text=repr(text),
                )
            )
        values[_FIELDS[name]] = int(number)
    return Policy(**values)


def retention_text(
    plan: Plan,
    directory: Directory | None,
    policy: Policy | None,
    corruption_found_minutes: float | None,
) -> str:
    """Lines about what is kept and how long the disk lasts; "" where nothing was asked."""
    lines: list[str] = []
    if policy is not None and directory is not None:
        lines += _outcome_lines(directory, policy)
    if directory is not None:
        lines += _full_lines(directory, policy)
    if corruption_found_minutes is not None:
        lines += _corruption_lines(plan, corruption_found_minutes)
    return "\n".join(lines)


def retention_document(
    plan: Plan,
    directory: Directory | None,
    policy: Policy | None,
    corruption_found_minutes: float | None,
) -> dict[str, Any]:
    """The same as plain JSON values; null is unknown."""
    document: dict[str, Any] = {
        "policy": policy._asdict() if policy else None,
        "days_until_full": None,
        "days_until_full_with_policy": None,
        "least_checkpoints_against_corruption": None,
    }
    if directory is not None:
        document["days_until_full"] = _finite(_days(directory, None))
        if policy is not None:
            outcome = outcome_of(directory, policy)
            document["days_until_full_with_policy"] = _finite(_days(directory, policy))
            document["kept"] = [stored.path for stored in outcome.kept]
            document["freed"] = [stored.path for stored in outcome.freed]
            document["kept_bytes"] = outcome.kept_bytes
            document["freed_bytes"] = outcome.freed_bytes
    if corruption_found_minutes is not None:
        document["least_checkpoints_against_corruption"] = {
            f"{interval:g}": checkpoints_against_corruption(corruption_found_minutes, interval)
            for interval in _intervals(plan)
        }
    return document


def outcome_of(directory: Directory, policy: Policy) -> Outcome:
    """What the policy would do with the checkpoints that lie there now."""
    return apply_policy(stored_of(directory.run), policy)


def _outcome_lines(directory: Directory, policy: Policy) -> Iterator[str]:
    outcome = outcome_of(directory, policy)
    yield say_count(
        len(outcome.kept),
        "The policy would keep {count} checkpoint ({kept_size}) and free {freed} ({freed_size})."
        " Nothing is deleted here.",
        "The policy would keep {count} checkpoints ({kept_size}) and free {freed} ({freed_size})."
        " Nothing is deleted here.",
        kept_size=bytes_text(outcome.kept_bytes),
        freed=len(outcome.freed),
        freed_size=bytes_text(outcome.freed_bytes),
    )
    for word, group in ((say("keep"), outcome.kept), (say("free"), outcome.freed)):
        for stored in group[:_MOST_NAMES]:
            state = "" if stored.resumable else f"  ({say('not resumable')})"
            yield f"  {word} step {stored.step}  {printable(stored.path)}{state}"
        if len(group) > _MOST_NAMES:
            yield say("  {word} {count} more", word=word, count=len(group) - _MOST_NAMES)
    if policy.best and not any(s.metric is not None for s in outcome.kept + outcome.freed):
        yield f"  best=: {say(NO_LOSS_TOLD)}{say('.')}"


def _full_lines(directory: Directory, policy: Policy | None) -> Iterator[str]:
    cadence = directory.observed.cadence
    if directory.free_bytes is None or not cadence.interval_minutes:
        return
    days = _days(directory, None)
    if math.isfinite(days):
        yield say(
            "The disk ({size} free) is full in {time} if nothing is removed.",
            size=bytes_text(directory.free_bytes),
            time=format_duration(days * 1440),
        )
    if policy is not None:
        days = _days(directory, policy)
        if math.isfinite(days):
            yield say("With the policy it is full in {time}.", time=format_duration(days * 1440))
        else:
            yield say("With the policy it does not fill up.")


def _days(directory: Directory, policy: Policy | None) -> float:
    """Days until the disk is full; infinite where it never is, or nothing shows the pace."""
    cadence = directory.observed.cadence
    free, size, interval = directory.free_bytes, cadence.checkpoint_bytes, cadence.interval_minutes
    if free is None or not size or interval is None:
        return math.inf
    if policy is None:
        return days_until_full(free, size, interval)
    outcome = outcome_of(directory, policy)
    return days_until_full_under(policy, outcome, free, size, interval, cadence.interval_steps)


def _corruption_lines(plan: Plan, late_minutes: float) -> Iterator[str]:
    counts = say(", ").join(
        f"{format_duration(each)} {checkpoints_against_corruption(late_minutes, each)}"
        for each in _intervals(plan)
    )
    text = say(
        "Against silent corruption found {time} late keep at least so many, by interval: {counts}",
        time=format_duration(late_minutes),
        counts=counts,
    )
    yield from paragraph(text, 80, rest="  ")


def _intervals(plan: Plan) -> tuple[float, ...]:
    current = plan.inputs.current_interval_minutes
    listed = plan.inputs.intervals_minutes
    return listed if current is None else tuple(dict.fromkeys((current, *listed)))


def _finite(days: float) -> float | None:
    return days if math.isfinite(days) else None
