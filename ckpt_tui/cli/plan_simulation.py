"""`plan --simulate`: whole runs stepped from failure to failure, beside the formula."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, NamedTuple

from ckpt_tui.cli.parsing import UsageError
from ckpt_tui.planner.units import format_duration
from ckpt_tui.words import later, say, say_sentence
from ckpt_tui.words.wrapping import at_right, padded

if TYPE_CHECKING:
    from ckpt_tui.planner.result import Plan
    from ckpt_tui.planner.rows import ExactRow
    from ckpt_tui.planner.simulation.result import Simulated

HOW_TO_GET_IT = later(
    "ckpt-tui plan: --simulate needs numpy, which comes with the extra `sim`:"
    " pip install 'ckpt-tui[sim]'"
)

_MINUTES_PER_DAY = 1440


class Beside(NamedTuple):
    """One listed interval, simulated.

    Attributes:
        result: None where it cannot be simulated.
        problem: Why, or "".
        agrees: Whether the formula's wall time lies in the simulation's 99 % interval.
    """

    row: ExactRow
    result: Simulated | None
    problem: str
    agrees: bool | None


def simulated(plan: Plan, runs: int, seed: int) -> tuple[Beside, ...]:
    """Simulates every listed interval; tells its progress on a terminal's stderr.

    Raises:
        UsageError: numpy is not there.
    """
    if find_spec("numpy") is None:
        raise UsageError(say(HOW_TO_GET_IT))
    return tuple(_beside(plan, row, runs, seed) for row in plan.exact_rows)


def _beside(plan: Plan, row: ExactRow, runs: int, seed: int) -> Beside:
    from ckpt_tui.planner.simulation.simulate import CannotSimulateError, simulate

    steps = simulate(plan.inputs, row.interval_minutes, runs, seed)
    try:
        while True:
            _tell(row.interval_minutes, next(steps))
    except StopIteration as end:
        result: Simulated = end.value
    except CannotSimulateError as error:
        return Beside(row, None, str(error), None)
    agrees = None
    if row.budget is not None and plan.follows_run:
        agrees = result.wall_minutes.agrees_with(row.budget.wall_minutes)
    return Beside(row, result, "", agrees)


def _tell(interval_minutes: float, share: float) -> None:
    if sys.stderr.isatty():
        end = "\n" if share >= 1 else ""
        text = say(
            "simulating {interval}: {share}",
            interval=format_duration(interval_minutes),
            share=f"{100 * share:3.0f} %",
        )
        print(f"\r{text}", end=end, file=sys.stderr, flush=True)


def simulation_text(results: tuple[Beside, ...], runs: int, seed: int) -> str:
    """A line an interval, of at most 80 columns."""
    lines = [
        say("Simulated, {runs} runs each, seed {seed}: wall time", runs=runs, seed=seed),
        f"  {padded(say('interval'), 12)}{at_right(say('formula'), 12)}"
        f"{at_right(say('mean ± 99 %'), 22)}{at_right(say('5 % to 95 %'), 25)}",
    ]
    lines += [line for each in results for line in _lines_of(each)]
    return "\n".join(lines)


def _lines_of(each: Beside) -> list[str]:
    name = f"  {format_duration(each.row.interval_minutes):<12}"
    if each.result is None:
        why = say("cannot be simulated: {reason}", reason=say_sentence(each.problem))
        return [f"{name}{why}"[:80]]
    mean, half = each.result.wall_minutes
    low, *_, high = each.result.quantiles_minutes
    formula = _short(each.row.budget.wall_minutes) if each.row.budget else "–"
    spread = at_right(say("{low} to {high}", low=_short(low), high=_short(high)), 25)
    around = f"{_short(mean)} ± {format_duration(half)}"
    good = f"  {say('ok')}" if each.agrees else ""
    lines = [f"{name}{formula:>12}{around:>22}{spread}{good}"]
    if each.agrees is None:
        lines.append(f"    {say('the formula is a long-run average, so it is not compared')}")
    elif not each.agrees:
        lines.append(f"    {say('the formula lies outside: one in a hundred does by chance')}")
    return lines


def _short(minutes: float) -> str:
    """A duration; without seconds from a day on, so that columns stay apart."""
    return format_duration(round(minutes) if minutes >= _MINUTES_PER_DAY else minutes)


def simulation_document(results: tuple[Beside, ...], runs: int, seed: int) -> dict[str, Any]:
    """The same as plain JSON values."""
    return {"runs": runs, "seed": seed, "rows": [_row_document(each) for each in results]}


def _row_document(each: Beside) -> dict[str, Any]:
    document: dict[str, Any] = {
        "interval_minutes": each.row.interval_minutes,
        "problem": each.problem or None,
        "agrees": each.agrees,
    }
    if each.result is None:
        return document
    parts = ("wall", "save", "rollback", "down", "reload")
    means = {f"{part}_minutes": getattr(each.result, f"{part}_minutes").value for part in parts}
    low, quarter, half, three_quarters, high = each.result.quantiles_minutes
    return {
        **document,
        **means,
        "failures": each.result.failures.value,
        "wall_half_width_99_minutes": each.result.wall_minutes.half_width,
        "wall_5_percent_minutes": low,
        "wall_25_percent_minutes": quarter,
        "wall_50_percent_minutes": half,
        "wall_75_percent_minutes": three_quarters,
        "wall_95_percent_minutes": high,
    }
