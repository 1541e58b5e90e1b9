"""The third answer: what needs a look, and what the last restart cost."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.core.pointers import may_be_older
from ckpt_tui.core.text import duration_text, plural
from ckpt_tui.core.vocabulary import Level, PointerState, Severity
from ckpt_tui.tui.icons import WARNING_MARK
from ckpt_tui.tui.lines import BLANK, Line, Tone, first_fit, joined, line, piece, width_of
from ckpt_tui.tui.rows.notes import FAULTY, reason_of, utc_text

if TYPE_CHECKING:
    from ckpt_tui.core.runs import Pointer, Run
    from ckpt_tui.tui.view import View

PLENTY = 20.0
"""From so many saves on the free space is no news."""
_POINTER_SAYS = {
    PointerState.STALE: "is behind the newest",
    PointerState.AHEAD: "cannot be followed",
    PointerState.DANGLING: "names what is not there",
    PointerState.UNREADABLE: "cannot be read",
    PointerState.LOOP: "is a link to itself",
}


class Problem(NamedTuple):
    """Something that needs a look; `bad` where it can cost a restart."""

    text: str
    bad: bool


def look_line(view: View, width: int) -> Line:
    """The number of problems and the first of them; where there are none, that all is well."""
    if view.first_look or (view.snapshot.error and not view.snapshot.runs):
        return BLANK
    if view.run is None or not view.run.checkpoints:
        return BLANK
    found = problems_of(view)
    room = _room(view.run, view.snapshot.free_bytes)
    if not found:
        well = line(piece("  ✔ nothing else needs a look", Tone.DIM))
        return first_fit([(well, room), (well, BLANK)], width)
    tone = Tone.BAD if any(problem.bad for problem in found) else Tone.WARN
    verb = "needs" if len(found) == 1 else "need"
    head = line(piece(f" {WARNING_MARK} {len(found)} {verb} a look:", tone), " ")
    for shown in range(len(found), 0, -1):
        text = _listed(head, found, shown)
        if width_of(text) + width_of(room) + 2 <= width:
            return first_fit([(text, room)], width)
    return first_fit([(_listed(head, found, 1), BLANK)], width)


def _listed(head: Line, found: list[Problem], shown: int) -> Line:
    parts = [line(problem.text) for problem in found[:shown]]
    if shown < len(found):
        parts.append(line(piece(f"{len(found) - shown} more (f)", Tone.DIM)))
    return (*head, *joined(parts))


def problems_of(view: View) -> list[Problem]:
    """What needs a look: the watching itself, damaged checkpoints, pointers, other runs."""
    found = _watch_problems(view)
    found += [Problem(f"{path}: {why}", True) for path, why in view.snapshot.problems]
    found += [Problem(f"{path}: {why}", False) for path, why in view.snapshot.remarks]
    run = view.run
    if run is None:
        return found
    floor = run.resume.order if run.resume else None
    for checkpoint in run.attempts:
        if checkpoint.verdict in FAULTY:
            text = f"{checkpoint.title}: {reason_of(checkpoint) or checkpoint.verdict.value}"
            found.append(Problem(text, floor is None or checkpoint.order > floor))
    found.extend(
        Problem(_pointer_text(pointer, run), pointer.state is not PointerState.STALE)
        for pointer in run.pointers
        if pointer.state is not PointerState.OK and not may_be_older(pointer, run.resume)
    )
    found.extend(
        Problem(finding.message, finding.severity is Severity.ERROR)
        for finding in run.findings
        if finding.severity is not Severity.INFO and not finding.code.startswith("pointer-")
    )
    found.extend(
        Problem(f"{other.name}: nothing to resume from", True)
        for other in view.snapshot.current
        if other is not run and other.level is Level.CRITICAL
    )
    return sorted(found, key=lambda problem: not problem.bad)


def _watch_problems(view: View) -> list[Problem]:
    status = view.status
    found = []
    if status.hanging_since_monotonic is not None:
        hung = view.monotonic - status.hanging_since_monotonic
        since = utc_text(view.now - hung, view.now)
        found.append(Problem(f"{view.snapshot.root} has not answered since {since}", True))
    if status.error:
        found.append(Problem(f"the last look failed: {status.error}", True))
    return found


def _pointer_text(pointer: Pointer, run: Run) -> str:
    name = posixpath.basename(pointer.path)
    target = posixpath.basename(pointer.target or "")
    flying = run.in_flight
    if flying is not None and flying.path == pointer.target:
        return f"{name} names {target}, which is still being written"
    names = f" (names {target})" if target else ""
    return f"{name} {_POINTER_SAYS.get(pointer.state, pointer.state.value)}{names}"


def _room(run: Run, free_bytes: int | None) -> Line:
    """How many more saves the disk takes, where that is few."""
    sizes = [c.facts.size_bytes for c in (run.resume, *run.good) if c is not None]
    if free_bytes is None or not sizes or not sizes[0]:
        return BLANK
    saves = free_bytes / sizes[0]
    if saves >= PLENTY:
        return BLANK
    tone = Tone.BAD if saves < 1 else Tone.WARN if saves < 3 else Tone.DIM
    return line(piece(f"disk: room for {saves:.1f} saves ", tone))


def restart_line(view: View, width: int) -> Line:
    """What the last restart cost, as far as the checkpoints show."""
    if view.run is None or not view.run.restarts:
        return BLANK
    restart = view.run.restarts[-1]
    origin = "a step that is gone" if restart.from_step is None else f"step {restart.from_step}"
    lost = (
        f"{plural(restart.lost_steps, 'step')} {'was' if restart.lost_steps == 1 else 'were'} lost"
    )
    at = utc_text(restart.at, view.now)
    ago = duration_text(max(0.0, view.now - restart.at))
    count = len(view.run.restarts)
    total = line(piece(f"{plural(count, 'restart')} in all ", Tone.DIM)) if count > 1 else BLANK
    head = line(piece("  ↻ ", Tone.WARN))
    long = (*head, piece(f"after the restart at {at} the job went on from {origin}; {lost}"))
    short = (*head, piece(f"restart {ago} ago from {origin}; {lost}"))
    return first_fit([(long, total), (long, BLANK), (short, BLANK)], width)
