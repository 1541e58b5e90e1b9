"""What a simulation said, as lines: the spread of the wall time beside the formula, a histogram."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.tui.icons import WARNING_MARK
from ckpt_tui.tui.lines import BLANK, Line, Piece, Tone, flowed, line, piece
from ckpt_tui.tui.planner.figures import interval_text, precise_time
from ckpt_tui.words import say

if TYPE_CHECKING:
    from ckpt_tui.planner.inputs import PlanInputs
    from ckpt_tui.planner.rows import ExactRow
    from ckpt_tui.planner.simulation.result import Mean, Simulated

HISTOGRAM_ROWS = 6
_EIGHTHS = " ▁▂▃▄▅▆▇█"
_PROGRESS_CELLS = 24
_LEAST_WIDTH = 30
_LEFT = "  "


class Comparison(NamedTuple):
    """A simulated plan and the formulas' row for the same interval.

    Attributes:
        follows_run: Whether the formula is the expectation of just this run.
    """

    inputs: PlanInputs
    row: ExactRow
    simulated: Simulated
    follows_run: bool


def progress_line(share: float, interval_minutes: float, ascii_only: bool) -> Line:
    """How far a simulation has come, and how to end it."""
    done = round(share * _PROGRESS_CELLS)
    full, empty = ("#", ".") if ascii_only else ("█", "░")
    text = say("simulating every {interval}", interval=interval_text(interval_minutes))
    return line(
        piece(f" {text}  ", Tone.BOLD),
        piece(full * done, Tone.BUSY),
        piece(empty * (_PROGRESS_CELLS - done), Tone.DIM),
        piece(f" {100 * share:3.0f} %"),
        piece(f"  {say('esc cancels')}", Tone.DIM),
    )


def result_lines(
    shown: Comparison, width: int, *, stale: bool, ascii_only: bool = False
) -> list[Line]:
    """Mean and spread by both, whether they agree, and the histogram.

    Args:
        shown: What to tell.
        width: Cells there are.
        stale: The plan is another one by now.
        ascii_only: Draw with ASCII characters.
    """
    simulated, row = shown.simulated, shown.row
    title = say("{count} runs simulated", count=f"{simulated.runs:,}")
    head = [line(piece(f" {title}", Tone.BOLD))]
    head.append(line(say("every {interval}", interval=interval_text(row.interval_minutes))))
    if stale:
        text = f"{WARNING_MARK} {say('of the plan before the last change')}"
        head.append(line(piece(text, Tone.WARN)))
    lines = flowed([*head, line(piece(say("esc closes"), Tone.DIM))], width)
    lines += _wall_lines(shown, width)
    lines += _indented(_parts(shown), width)
    lines += histogram_lines(simulated, width, ascii_only)
    return lines


def _wall_lines(shown: Comparison, width: int) -> list[Line]:
    simulated, budget = shown.simulated, shown.row.budget
    low, _, middle, _, high = simulated.quantiles_minutes
    half_width = precise_time(simulated.wall_minutes.half_width)
    mean = _mean(say("simulated mean "), simulated.wall_minutes.value)
    dim = line(piece(f"± {half_width} (99 %)", Tone.DIM))
    median = line(say("median {time}", time=precise_time(middle)))
    lines = _indented([mean, dim, _spread(low, high), median], width)
    if budget is None:
        return lines
    formula = [_mean(say("formula   mean "), budget.wall_minutes)]
    if shown.row.wall_band_minutes is not None:
        formula.append(_spread(*shown.row.wall_band_minutes))
    verdict = _verdict(shown, simulated.wall_minutes, budget.wall_minutes)
    return [*lines, *_indented(formula, width), *_indented([verdict], width)]


def _mean(whose: str, minutes: float) -> Line:
    return line(whose, piece(precise_time(minutes), Tone.BOLD))


def _spread(low: float, high: float) -> Line:
    return line(say("5 to 95 %: {low} to {high}", low=precise_time(low), high=precise_time(high)))


def _indented(parts: list[Line], width: int) -> list[Line]:
    return [(Piece(_LEFT), *row) for row in flowed(parts, width - len(_LEFT), "  ")]


def _verdict(shown: Comparison, mean: Mean, expected: float) -> Line:
    if mean.agrees_with(expected):
        text = say("they agree: the formula lies in the simulation's 99 % interval")
        return line(piece(f"✔ {text}", Tone.OK))
    apart = f"{abs(mean.value - expected) / mean.value:.2%}".replace("%", " %")
    text = say("they differ by {share}", share=apart)
    if not shown.follows_run:
        text += say(": under Weibull failures the formula is a long-run average, not this run's")
    return line(piece(f"{WARNING_MARK} {text}", Tone.WARN))


def _parts(shown: Comparison) -> list[Line]:
    """Each part of the lost time by simulation, and the formula's behind it."""
    simulated, budget = shown.simulated, shown.row.budget
    names = {
        "save": say("save"),
        "rollback": say("rollback"),
        "down": say("down"),
        "reload": say("reload"),
    }
    parts = []
    for name, told in names.items():
        mean: Mean = getattr(simulated, f"{name}_minutes")
        text = f"{told} {precise_time(mean.value)}"
        if budget is not None:
            text += f" ({precise_time(getattr(budget, f'{name}_minutes'))})"
        parts.append(line(text))
    faults = say("faults {count}", count=f"{simulated.failures.value:.2f}")
    parts.append(line(faults + (f" ({budget.failures:.2f})" if budget is not None else "")))
    return parts


def histogram_lines(simulated: Simulated, width: int, ascii_only: bool = False) -> list[Line]:
    """Runs by wall time; under it a box from 5 to 95 % with the middle half and the median."""
    cells = min(len(simulated.counts) * 2, width - 2 * len(_LEFT))
    if cells < _LEAST_WIDTH:
        return []
    heights = _spread_over(simulated.counts, cells)
    most = max(heights) or 1
    rows = []
    for row in range(HISTOGRAM_ROWS):
        base = HISTOGRAM_ROWS - 1 - row
        text = "".join(
            _cell(height / most * HISTOGRAM_ROWS - base, ascii_only) for height in heights
        )
        rows.append(line(_LEFT, piece(text.rstrip(), Tone.BUSY)))
    first, last = (precise_time(edge) for edge in simulated.edges_minutes)
    gap = " " * max(1, cells - len(first) - len(last))
    scale = line(_LEFT, piece(f"{first}{gap}{last}", Tone.DIM))
    return [*rows, _box_line(simulated, cells, ascii_only), scale]


def _cell(filled: float, ascii_only: bool) -> str:
    if ascii_only:
        return "#" if filled >= 0.5 else " "
    return _EIGHTHS[max(0, min(8, round(filled * 8)))]


def _spread_over(counts: tuple[int, ...], cells: int) -> list[int]:
    return [counts[cell * len(counts) // cells] for cell in range(cells)]


def _box_line(simulated: Simulated, cells: int, ascii_only: bool) -> Line:
    low, high = simulated.edges_minutes
    if high <= low:
        return BLANK
    places = [
        min(cells - 1, int((each - low) / (high - low) * cells))
        for each in simulated.quantiles_minutes
    ]
    thin, thick, middle = ("-", "=", "|") if ascii_only else ("─", "━", "┃")
    start, box, half, box_end, end = places
    text = " " * start + thin * (end - start + 1)
    text = text[:box] + thick * (box_end - box + 1) + text[box_end + 1 :]
    text = text[:half] + middle + text[half + 1 :]
    return line(_LEFT, piece(text, Tone.ACCENT))
