"""Durations, rates and lists as people type them, and durations as people read them."""

from __future__ import annotations

import math
import re

from ckpt_tui.words import say

_NUMBER = r"(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?"
_PART = re.compile(rf"({_NUMBER})\s*([a-z]+)\s*")
_MINUTES_BY_UNIT = {
    "ms": 1 / 60_000,
    **dict.fromkeys(("s", "sec", "secs", "second", "seconds"), 1 / 60),
    **dict.fromkeys(("m", "min", "mins", "minute", "minutes"), 1.0),
    **dict.fromkeys(("h", "hr", "hrs", "hour", "hours"), 60.0),
    **dict.fromkeys(("d", "day", "days"), 1440.0),
    **dict.fromkeys(("w", "week", "weeks"), 10_080.0),
}
_HOURS_BY_UNIT = {unit: minutes / 60 for unit, minutes in _MINUTES_BY_UNIT.items()}
_RATE = re.compile(rf"({_NUMBER})\s*(?:/|per)\s*([a-z]+)")
_NODE_RATE = re.compile(
    rf"({_NUMBER})\s*(?:/|per)\s*1000\s*(?:nd|node-?\s*days?)\s*[x×*]\s*([0-9]+)(?:\s*nodes?)?"
)
_BYTES = re.compile(rf"({_NUMBER})\s*(?:([kmgtpe])(i?)b?|b|bytes?)?")
_BYTE_PREFIXES = "kmgtpe"
_STEPS = re.compile(r"([0-9]+)steps?")
_MINUTES_PER_HOUR = 60
_MINUTES_PER_DAY = 1440
_SECONDS_PER_DAY = 86_400
_LONGEST_EXACT_MINUTES = 1e5 * _MINUTES_PER_DAY


def parse_number(text: str) -> float:
    """Reads a plain decimal number of at least 0.

    Raises:
        ValueError: If the text is anything else, or no finite number.
    """
    lowered = text.strip().lower()
    if not re.fullmatch(_NUMBER, lowered):
        raise ValueError(say("not a number: {text}", text=repr(text)))
    return _finite(float(lowered))


def parse_count(text: str) -> int:
    """Reads a whole number of at least 0; `16,384` and `16_384` are read too.

    Raises:
        ValueError: If the text is anything else.
    """
    digits = re.sub(r"(?<=[0-9])[,_](?=[0-9]{3})", "", text.strip())
    if not re.fullmatch(r"[0-9]{1,18}", digits):
        raise ValueError(f"not a whole number: {text!r}")
    return int(digits)


def parse_duration(text: str) -> float:
    """Reads a time such as `2m`, `40s`, `2m10s`, `24h` or `54d`, in minutes.

    A bare number is minutes. Units go from large to small, each once.

    Raises:
        ValueError: If the text is anything else.
    """
    lowered = text.strip().lower()
    if re.fullmatch(_NUMBER, lowered):
        return parse_number(lowered)
    total = 0.0
    position, last_unit = 0, math.inf
    while position < len(lowered):
        part = _PART.match(lowered, position)
        unit = _MINUTES_BY_UNIT.get(part[2]) if part else None
        if part is None or unit is None or unit >= last_unit:
            raise ValueError(say("not a time: {text}", text=repr(text)))
        total += float(part[1]) * unit
        position, last_unit = part.end(), unit
    if position == 0:
        raise ValueError(say("no time given"))
    return _finite(total)


def parse_seconds(text: str) -> float:
    """Reads a time as `parse_duration` does, in seconds; a bare number is seconds.

    Raises:
        ValueError: If the text is anything else.
    """
    stripped = text.strip()
    if stripped[-1:].isdigit() or stripped.endswith("."):
        return parse_number(stripped)
    return parse_duration(stripped) * 60


def parse_share(text: str) -> float:
    """Reads a share such as `5%` or `0.05`, as a number from 0 to 1.

    Raises:
        ValueError: If the text is anything else, a bare number above 1 included.
    """
    stripped = text.strip()
    share = parse_number(stripped.rstrip("%"))
    if stripped.endswith("%"):
        share /= 100
    if share > 1 or stripped.count("%") > 1:
        raise ValueError(f"not a share: {text!r}")
    return share


def parse_rate(text: str) -> float:
    """Reads a failure rate of the whole job, in failures per hour.

    `0.02` and `0.02/h` are rates, `2/d` one per day, `50h` an MTBF, and
    `6.5/1000 node-days x 2048` a node's rate times the nodes.

    Raises:
        ValueError: If the text is anything else.
    """
    lowered = text.strip().lower()
    if re.fullmatch(_NUMBER, lowered):
        return parse_number(lowered)
    if rate := _RATE.fullmatch(lowered):
        if rate[2] not in _HOURS_BY_UNIT:
            raise ValueError(f"not a rate: {text!r}")
        return _finite(float(rate[1]) / _HOURS_BY_UNIT[rate[2]])
    if per_node := _NODE_RATE.fullmatch(lowered):
        return _finite(float(per_node[1]) / 24_000 * int(per_node[2]))
    mtbf_minutes = parse_duration(lowered)
    if mtbf_minutes == 0:
        raise ValueError("an MTBF of 0")
    return _finite(_MINUTES_PER_HOUR / mtbf_minutes)


def parse_bytes(text: str) -> int:
    """Reads a size such as `1.25TiB`, `2.3 TB` or `900M` (powers of 1000 without the i).

    Raises:
        ValueError: If the text is anything else.
    """
    match = _BYTES.fullmatch(text.strip().lower())
    if match is None:
        raise ValueError(f"not a size: {text!r}")
    base = 1024 if match[3] else 1000
    power = _BYTE_PREFIXES.index(match[2]) + 1 if match[2] else 0
    return round(_finite(float(match[1]) * base**power))


def parse_intervals(text: str, step_seconds: float | None = None) -> tuple[float, ...]:
    """Reads a list of times, in minutes; duplicates are dropped.

    Commas or spaces separate. With a known step time, `500steps` is a time too.

    Raises:
        ValueError: If an entry is anything else, or there is none.
    """
    joined = re.sub(r"(?<=[0-9.])\s+(?=[a-z])", "", text.strip().lower())
    entries = [entry for entry in re.split(r"[,;\s]+", joined) if entry]
    if not entries:
        raise ValueError(say("no interval given"))
    return tuple(dict.fromkeys(_interval(entry, step_seconds) for entry in entries))


def format_duration(minutes: float) -> str:
    """Writes a time so that `parse_duration` reads it: `2m10s`, `54d`.

    To the second; to three digits below a minute and above 100,000 days.

    Raises:
        ValueError: If the time is negative or not finite.
    """
    if not 0 <= minutes < math.inf:
        raise ValueError(f"not a time of at least 0: {minutes}")
    short = f"{minutes * 60:.3g}"
    if float(short) < 60:
        return f"{short}s"
    if minutes >= _LONGEST_EXACT_MINUTES:
        return f"{minutes / _MINUTES_PER_DAY:.3g}d"
    days, seconds = divmod(round(minutes * 60), _SECONDS_PER_DAY)
    hours, seconds = divmod(seconds, 3600)
    whole_minutes, seconds = divmod(seconds, 60)
    parts = ((days, "d"), (hours, "h"), (whole_minutes, "m"), (seconds, "s"))
    return "".join(f"{count}{unit}" for count, unit in parts if count)


def _interval(entry: str, step_seconds: float | None) -> float:
    steps = _STEPS.fullmatch(entry)
    if steps is None:
        return parse_duration(entry)
    if step_seconds is None:
        raise ValueError(say("steps need a step time"))
    return int(steps[1]) * step_seconds / 60


def _finite(value: float) -> float:
    if not math.isfinite(value):
        raise ValueError(say("the number is too large"))
    return value
