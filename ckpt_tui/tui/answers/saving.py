"""The second answer: the save in flight, or how the last one went and when the next is due."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.core.cadence import cadence_of
from ckpt_tui.core.fault_cost import next_commit_minutes
from ckpt_tui.core.text import bytes_text, duration_text, ranks_text
from ckpt_tui.core.vocabulary import Commit
from ckpt_tui.tui.answers.blocks import label
from ckpt_tui.tui.answers.chance import chance_lines
from ckpt_tui.tui.icons import WARNING_MARK
from ckpt_tui.tui.lines import BLANK, Line, Tone, first_fit, joined, line, piece
from ckpt_tui.tui.rows.notes import ago_text, took_text

if TYPE_CHECKING:
    from ckpt_tui.core.checkpoint import Checkpoint, SaveProgress
    from ckpt_tui.core.runs import Run
    from ckpt_tui.tui.view import View

BAR_CELLS = 21
QUIET_SECONDS = 15.0
"""A save in which nothing has grown for so long is worth a word."""
LATE_FACTOR = 1.5
"""The next save is late after this many times the usual interval."""
IDLE_FACTOR = 20.0
"""After this many intervals the job has ended: no longer late, only old."""
SOON_SECONDS = 10.0
_USUAL = 10


def saving_line(view: View, width: int) -> Line:
    """The save in flight; else how long the last one took and when the next is due."""
    run = view.run
    if run is None or not run.checkpoints:
        return BLANK
    if run.in_flight is None:
        return _idle(view, run, width)
    return _in_flight(view, run.in_flight, width)


def _in_flight(view: View, saving: Checkpoint, width: int) -> Line:
    head = (*label("SAVING", Tone.BUSY_BLOCK, width), piece(saving.title, Tone.BOLD))
    progress = saving.progress
    if progress is None:
        written = line(f"{bytes_text(saving.facts.size_bytes)} written")
        return first_fit([((*head, piece("   "), *written), BLANK)], width)
    percent, left, rate, amount = (
        _percent(progress),
        _time_left(progress),
        _rate(progress),
        _amount(progress),
    )
    alarm, cry = _alarm(progress)
    left_minutes = None if progress.eta_seconds is None else progress.eta_seconds / 60
    chance, short_chance = chance_lines(view, left_minutes)

    def level(cells: int, *parts: Line) -> Line:
        bar = _bar(progress, cells)
        return joined((head, (*bar, *line(" " if bar else ""), *percent), *parts), "  ")

    levels = [
        (level(BAR_CELLS, amount, rate, left, chance), alarm),
        (level(BAR_CELLS, amount, rate, left, short_chance), alarm),
        (level(BAR_CELLS, amount, rate, left), alarm),
        (level(BAR_CELLS // 2, amount, rate, left), alarm),
        (level(BAR_CELLS // 2, amount, rate, left), cry),
        (level(BAR_CELLS // 2, amount, left), cry),
        (level(BAR_CELLS // 2, left), cry),
        (level(0, left), cry),
        (level(0), cry),
        (level(0), BLANK),
    ]
    return first_fit(levels, width)


def _bar(progress: SaveProgress, cells: int) -> Line:
    fraction = progress.fraction
    if fraction is None or not cells:
        return BLANK
    full = int(fraction * cells)
    return line(piece("█" * full, Tone.BUSY), piece("░" * (cells - full), Tone.DIM))


def _percent(progress: SaveProgress) -> Line:
    fraction = progress.fraction
    if fraction is None:
        return BLANK
    return line(piece(f"{int(fraction * 100):2d} %", Tone.BUSY))


def _amount(progress: SaveProgress) -> Line:
    if progress.expected_bytes is None:
        return line(f"{bytes_text(progress.size_bytes)} written")
    return line(
        f"{bytes_text(progress.size_bytes)} of ~{bytes_text(progress.expected_bytes)}",
    )


def _rate(progress: SaveProgress) -> Line:
    if progress.bytes_per_second is None:
        return BLANK
    return line(f"{bytes_text(progress.bytes_per_second)}/s")


def _time_left(progress: SaveProgress) -> Line:
    if progress.eta_seconds is None:
        return BLANK
    return line(piece(f"{duration_text(progress.eta_seconds)} left", Tone.BOLD))


def _alarm(progress: SaveProgress) -> tuple[Line, Line]:
    """What is wrong with the save, with and without the time; empty where nothing is."""
    quiet = progress.silent_seconds >= QUIET_SECONDS
    since = f" for {duration_text(progress.silent_seconds)}" if quiet else ""
    if progress.silent_ranks:
        what = f"{WARNING_MARK} {ranks_text(progress.silent_ranks, 2)} silent"
    elif quiet:
        what = f"{WARNING_MARK} nothing grew"
    else:
        return BLANK, BLANK
    return line(piece(f"{what}{since} ", Tone.WARN)), line(piece(f"{what} ", Tone.WARN))


def _idle(view: View, run: Run, width: int) -> Line:
    head = (*label("SAVES", Tone.PICKED, width), piece("none in flight", Tone.DIM))
    last = next((c for c in run.attempts if c.commit is Commit.COMMITTED), None)
    time = took_text(last, "at least ") if last is not None else ""
    took = line(f"last took {time}") if time else BLANK
    interval = usual_interval_seconds(run)
    usual, due = BLANK, BLANK
    if interval is not None and last is not None and last.committed_at is not None:
        usual = line(f"usually every {duration_text(interval)}")
        due = _due(view.now - last.committed_at, interval)
    minutes = None if interval is None else interval / 60
    chance, short_chance = chance_lines(view, next_commit_minutes(run, view.now, minutes))
    levels = [
        (joined((head, took, usual, chance)), due),
        (joined((head, took, usual, short_chance)), due),
        (joined((head, took, short_chance)), due),
        (joined((head, took, usual)), due),
        (joined((head, took)), due),
        (joined((head, took)), BLANK),
        (head, due),
        (head, BLANK),
    ]
    return first_fit(levels, width)


def _due(age: float, interval: float) -> Line:
    if age > interval * IDLE_FACTOR:
        return line(piece(f"last save {ago_text(age)} ", Tone.WARN))
    if age > interval * LATE_FACTOR:
        return line(
            piece(f"{WARNING_MARK} next save late by {duration_text(age - interval)} ", Tone.WARN)
        )
    if interval - age < SOON_SECONDS:
        return line("next save due now ")
    return line(f"next save in about {duration_text(interval - age)} ")


def usual_interval_seconds(run: Run) -> float | None:
    """Usual time between the last commits; None before there are three of them."""
    cadence = cadence_of(run.attempts[:_USUAL])
    if cadence.saves < 3 or cadence.interval_minutes is None:
        return None
    return cadence.interval_minutes * 60
