"""The first line: what is watched, how, and how old the picture is."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING

from ckpt_tui.core.text import duration_text, plural
from ckpt_tui.tui.lines import BLANK, Line, Tone, joined, line, piece, short_path, spread, width_of
from ckpt_tui.words import later, say, say_sentence

if TYPE_CHECKING:
    from ckpt_tui.core.runs import Run
    from ckpt_tui.tui.view import View

OLD_SECONDS = 60.0
"""A picture older than this is coloured: something keeps the looks from coming back."""
_LEAST_PATH = 10
_HUNG_PATHS = (40, 24, 12)
"""Cells for the path that hangs, from wide screens to narrow ones."""
_JOINT_CELLS = 3
_MODES = {
    "starting": later("starting"),
    "events": later("events"),
    "poll": later("poll"),
    "replay": later("replay"),
}
"""How it is watched → the word for it, but for names of something."""
_SLOW = later("server slow: looks every {time}")
_SLOW_SHORT = later("slow: looks every {time}")


def where_line(view: View, width: int) -> Line:
    """Path, run, format and ranks at the left; mode, age and count at the right."""
    rights = _watching(view)
    right = next((text for text in rights if width_of(text) <= width * 0.55), rights[-1])
    return spread((*line(" "), *_place(view, width - width_of(right) - 3)), right, width)


def _watching(view: View) -> list[Line]:
    """From long to short; the age of the picture is in each."""
    status = view.status
    if view.paused_for is not None:
        paused = piece(f" {say('PAUSED')} ", Tone.WARN_BLOCK)
        held = duration_text(view.paused_for)
        return [
            line(paused, f" {say('this picture is {age} old, p goes on', age=held)} "),
            line(paused, f" {held}"),
        ]
    if status.hanging_since_monotonic is not None:
        return _hanging(view, max(0.0, view.monotonic - status.hanging_since_monotonic))
    age = _look_age(view)
    known = sum(len(run.checkpoints) for run in view.snapshot.runs)
    count = line(piece(say_sentence(plural(known, "checkpoint")), Tone.PLAIN), " ")
    mode = line(piece(say(_MODES.get(status.mode, status.mode)), Tone.DIM))
    return [
        joined((mode, *_slow(view, _SLOW), *_cost(view), age, count)),
        joined((mode, *_slow(view, _SLOW), *_cost(view), age)),
        joined((*(_slow(view, _SLOW_SHORT) or [mode, *_cost(view)]), age)),
        joined((mode, age)),
        age,
    ]


def _hanging(view: View, hung_seconds: float) -> list[Line]:
    path = view.status.hanging_path or view.snapshot.root
    time = duration_text(hung_seconds)
    paths = [short_path(path, room) for room in (width_of(line(path)), *_HUNG_PATHS)]
    texts = [say("{path} has not answered for {time}", path=each, time=time) for each in paths]
    texts.append(say("it has not answered for {time}", time=time))
    return [line(piece(f" {text} ", Tone.BAD_BLOCK)) for text in texts]


def _cost(view: View) -> list[Line]:
    """What looking by the clock costs the file server, where nothing else tells of changes."""
    rate = view.status.calls_per_second
    text = say("{rate} calls/s", rate=f"{rate:.{0 if rate >= 9.95 else 1}f}")
    return [line(piece(text, Tone.DIM))] if view.status.mode == "poll" else []


def _slow(view: View, text: str) -> list[Line]:
    """That looks were made rarer, so that they are not the load on a slow file server."""
    rest_seconds = view.status.rest_seconds
    if view.status.mode != "poll" or rest_seconds is None:
        return []
    return [line(piece(say(text, time=duration_text(rest_seconds)), Tone.WARN))]


def _look_age(view: View) -> Line:
    """How old the last good look is, and whether one failed."""
    status = view.status
    failed = line(piece(f" {say('look failed')} ", Tone.BAD_BLOCK), " ") if status.error else BLANK
    if status.last_look_monotonic is None:
        return failed or line(piece(say("first look …"), Tone.BUSY))
    age = max(0.0, view.monotonic - status.last_look_monotonic)
    tone = Tone.WARN if age > OLD_SECONDS else Tone.PLAIN
    return (*failed, piece(say("looked {age} ago", age=duration_text(age)), tone))


def _place(view: View, room: int) -> Line:
    """Where the answers below hold: the run comes first where there are several."""
    run, root = view.run, view.snapshot.root
    details = _details(run)
    if run is None or len(view.snapshot.runs) == 1:
        return _fitted(root, line(), Tone.BOLD, details, room)
    place = view.snapshot.runs.index(run) + 1
    place_text = say("({place} of {count})", place=place, count=len(view.snapshot.runs))
    count = line(piece(f" {place_text}", Tone.DIM))
    name = run.name or posixpath.basename(run.path)
    whole = joined((line(piece(name, Tone.ACCENT), *count), *details))
    left = room - width_of(whole) - _JOINT_CELLS
    if left >= _LEAST_PATH:
        return joined((line(piece(short_path(root, left), Tone.BOLD)), whole))
    return _fitted(name, count, Tone.ACCENT, details, room)


def _fitted(path: str, after: Line, tone: Tone, details: list[Line], room: int) -> Line:
    """A path with as many details as there is room for."""
    kept = list(details)
    while kept and _rest(after, kept) + min(width_of(line(path)), _LEAST_PATH) > room:
        kept.pop()
    shown = short_path(path, max(1, room - _rest(after, kept)))
    return joined(((piece(shown, tone), *after), *kept))


def _rest(after: Line, details: list[Line]) -> int:
    return width_of(after) + (width_of(joined(details)) + _JOINT_CELLS if details else 0)


def _details(run: Run | None) -> list[Line]:
    if run is None:
        return []
    size = _world_size(run)
    ranks = [line(piece(say_sentence(plural(size, "rank")), Tone.DIM))] if size else []
    return [line(piece(run.format, Tone.DIM)), *ranks]


def _world_size(run: Run) -> int | None:
    sizes = (c.facts.world_size for c in (run.resume, *run.attempts) if c is not None)
    return next((size for size in sizes if size), None)
