"""The second answer: the save in flight, or how the last one went and when the next is due."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.core.alarms.sight import IDLE_FACTOR
from ckpt_tui.core.alarms.values import AlarmCode
from ckpt_tui.core.cadence import recent_interval_seconds
from ckpt_tui.core.fault_cost import next_commit_minutes
from ckpt_tui.core.text import bytes_text, duration_text, ranks_text
from ckpt_tui.core.vocabulary import Commit
from ckpt_tui.tui.answers.blocks import label, progress_bar
from ckpt_tui.tui.answers.chance import chance_lines
from ckpt_tui.tui.answers.look import is_raised
from ckpt_tui.tui.lines import BLANK, Line, Tone, first_fit, joined, line, piece
from ckpt_tui.tui.rows.notes import ago_text, took_text
from ckpt_tui.words import say, say_sentence

if TYPE_CHECKING:
    from ckpt_tui.core.checkpoint import Checkpoint, RankProgress, SaveProgress
    from ckpt_tui.core.runs import Run
    from ckpt_tui.tui.view import View

BAR_CELLS = 21
LATE_FACTOR = 1.5
"""The next save is late after this many times the usual interval."""
SOON_SECONDS = 10.0
DECIDES_FACTOR = 1.2
LEAST_LATER_SECONDS = 2.0
"""A rank is named that takes so many times as long as all together, and so much longer."""


def saving_line(view: View, width: int) -> Line:
    """The save in flight; else how long the last one took and when the next is due."""
    run = view.run
    if run is None or not run.checkpoints:
        return BLANK
    if run.in_flight is None:
        return _idle(view, run, width)
    return _in_flight(view, run.in_flight, width)


def _in_flight(view: View, saving: Checkpoint, width: int) -> Line:
    head = (*label(say("SAVING"), Tone.BUSY_BLOCK, width), piece(saving.title, Tone.BOLD))
    progress = saving.progress
    if progress is None:
        written = line(say("{size} written", size=bytes_text(saving.facts.size_bytes)))
        return first_fit([((*head, piece("   "), *written), BLANK)], width)
    percent, left, rate, amount = (
        _percent(progress),
        _time_left(progress),
        _rate(progress),
        _amount(progress),
    )
    left_minutes = None if progress.left_seconds is None else progress.left_seconds / 60
    chance, short_chance = chance_lines(view, left_minutes)
    short_left = _short_time_left(progress)

    def level(cells: int, *parts: Line) -> Line:
        bar = _bar(progress, cells)
        return joined((head, (*bar, *line(" " if bar else ""), *percent), *parts), "  ")

    texts = [
        level(BAR_CELLS, amount, rate, left, chance),
        level(BAR_CELLS, amount, rate, left, short_chance),
        level(BAR_CELLS, amount, rate, left),
        level(BAR_CELLS, amount, left),
        level(BAR_CELLS // 2, amount, left),
        level(BAR_CELLS // 2, amount, rate, short_left),
        level(BAR_CELLS // 2, amount, short_left),
        level(BAR_CELLS // 2, short_left),
        level(0, short_left),
        level(0),
    ]
    levels = [(text, BLANK) for text in texts]
    return first_fit(levels, width)


def _bar(progress: SaveProgress, cells: int) -> Line:
    fraction = progress.fraction
    if fraction is None or not cells:
        return BLANK
    return progress_bar(fraction, cells)


def _percent(progress: SaveProgress) -> Line:
    fraction = progress.fraction
    if fraction is None:
        return BLANK
    return line(piece(f"{int(fraction * 100):2d} %", Tone.BUSY))


def _amount(progress: SaveProgress) -> Line:
    if progress.expected_bytes is None:
        return line(say("{size} written", size=bytes_text(progress.size_bytes)))
    size, expected = bytes_text(progress.size_bytes), bytes_text(progress.expected_bytes)
    return line(say("{size} of ~{expected}", size=size, expected=expected))


def _rate(progress: SaveProgress) -> Line:
    if progress.bytes_per_second is None:
        return BLANK
    return line(f"{bytes_text(progress.bytes_per_second)}/s")


def _time_left(progress: SaveProgress) -> Line:
    """The time left, and the rank that alone makes it so long."""
    left, decides = _left_text(progress), _deciding(progress)
    rank = "" if decides is None else say(" (rank {rank} decides)", rank=decides.rank)
    return line(piece(f"{left}{rank}", Tone.BOLD))


def _short_time_left(progress: SaveProgress) -> Line:
    decides = _deciding(progress)
    rank = "" if decides is None else say(" (rank {rank})", rank=decides.rank)
    return line(piece(f"{_left_text(progress)}{rank}", Tone.BOLD))


def _left_text(progress: SaveProgress) -> str:
    """The one figure that table, pane, alarms and the planner go by, too."""
    if progress.silent_ranks:
        return say("waits for {ranks}", ranks=say_sentence(ranks_text(progress.silent_ranks, 2)))
    seconds = progress.left_seconds
    return "" if seconds is None else say("{time} left", time=duration_text(seconds))


def _deciding(progress: SaveProgress) -> RankProgress | None:
    """The slowest rank, where it takes clearly longer than all bytes at the rate of all ranks."""
    if progress.silent_ranks:
        return None
    slowest = progress.slowest[0] if progress.slowest else None
    if slowest is None or slowest.eta_seconds is None:
        return None
    whole = progress.eta_seconds
    late = whole is None or slowest.eta_seconds > DECIDES_FACTOR * whole + LEAST_LATER_SECONDS
    return slowest if late else None


def _idle(view: View, run: Run, width: int) -> Line:
    head = (*label(say("SAVES"), Tone.PICKED, width), piece(say("none in flight"), Tone.DIM))
    committed = (c for c in run.attempts if c.commit is Commit.COMMITTED)
    last = max(committed, key=lambda c: c.committed_at or 0.0, default=None)
    time = took_text(last, f"{say('at least')} ") if last is not None else ""
    took = line(say("last took {time}", time=time)) if time else BLANK
    interval = recent_interval_seconds(run.attempts)
    usual, due = BLANK, BLANK
    if interval is not None and last is not None and last.committed_at is not None:
        usual = line(say("usually every {interval}", interval=duration_text(interval)))
        age = view.now - last.committed_at
        due = BLANK if is_raised(view, AlarmCode.CADENCE_BROKEN) else _due(age, interval)
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
        text = say("last save {ago}", ago=ago_text(age))
        return line(piece(f"{text} ", Tone.WARN))
    if age > interval * LATE_FACTOR:
        text = say("next save late by {time}", time=duration_text(age - interval))
        return line(piece(f"{text} ", Tone.WARN))
    if interval - age < SOON_SECONDS:
        return line(f"{say('next save due now')} ")
    text = say("next save in {time} if it runs", time=duration_text(interval - age))
    return line(f"{text} ")
