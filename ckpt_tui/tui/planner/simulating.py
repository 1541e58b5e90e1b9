"""Simulates a plan behind the screen: progress, cancel, and what came out of it."""

from __future__ import annotations

import contextlib
import threading
import time
from typing import TYPE_CHECKING

from textual.message import Message

from ckpt_tui.planner.inputs import PlanInputsError
from ckpt_tui.planner.models import model_for
from ckpt_tui.planner.rows import exact_row
from ckpt_tui.tui.lines import Line, Tone, line, piece, wrapped
from ckpt_tui.tui.planner.simulation_lines import Comparison, progress_line, result_lines
from ckpt_tui.tui.widgets.line_view import ASCII_CLASS, TextLines
from ckpt_tui.words import later, say, say_sentence

if TYPE_CHECKING:
    from textual import events

    from ckpt_tui.planner.inputs import PlanInputs
    from ckpt_tui.planner.result import Plan
    from ckpt_tui.planner.simulation.result import Simulated

WITHOUT_NUMPY = later(
    "the simulation needs numpy: pip install 'ckpt-tui[sim]'; the formulas need nothing"
)
_PAUSE_SECONDS = 0.005
"""Between two batches, so that a key need not wait for its turn."""


class SimulationView(TextLines):
    """One simulation at a time, on a thread of its own; it is empty until one has ended."""

    class Changed(Message):
        """It began, went on, ended, or was closed."""

    class _Progressed(Message):
        def __init__(self, ticket: object, share: float) -> None:
            super().__init__()
            self.ticket, self.share = ticket, share

    class _Ended(Message):
        def __init__(self, ticket: object, outcome: Simulated | str) -> None:
            super().__init__()
            self.ticket, self.outcome = ticket, outcome

    def __init__(self, *, widget_id: str | None = None) -> None:
        super().__init__(widget_id=widget_id)
        self._stop: threading.Event | None = None
        self._plan: Plan | None = None
        self._interval_minutes = 0.0
        self._share = 0.0
        self._shown: Comparison | str | None = None
        self._now: PlanInputs | None = None

    @property
    def is_running(self) -> bool:
        """Whether a simulation is under way."""
        return self._stop is not None

    @property
    def is_open(self) -> bool:
        """Whether there is something to see."""
        return self.is_running or self._shown is not None

    @property
    def progress(self) -> list[Line]:
        """One line while a simulation is under way."""
        if not self.is_running:
            return []
        ascii_only = self.app.has_class(ASCII_CLASS)
        return [progress_line(self._share, self._interval_minutes, ascii_only)]

    @property
    def shown(self) -> Comparison | str | None:
        """What came out last: a result, or why there is none."""
        return self._shown

    def start(self, plan: Plan, interval_minutes: float) -> None:
        """Simulates a plan at one interval; a simulation under way is given up for it."""
        self.cancel()
        self._plan, self._interval_minutes = plan, interval_minutes
        self._shown, self._share = None, 0.0
        self._stop = threading.Event()
        worker = threading.Thread(
            target=self._simulate, args=(plan.inputs, interval_minutes, self._stop), daemon=True
        )
        worker.start()
        self._tell()

    def cancel(self) -> bool:
        """Gives up the simulation under way, or closes the result; says whether there was one."""
        was_open = self.is_open
        if self._stop is not None:
            self._stop.set()
        self._stop, self._shown = None, None
        self._tell()
        return was_open

    def note_plan(self, inputs: PlanInputs) -> None:
        """Told of the present plan, so that an older one's result is called that."""
        if inputs != self._now:
            self._now = inputs
            self._draw()

    def on_unmount(self) -> None:
        """The thread ends with the widget."""
        if self._stop is not None:
            self._stop.set()

    def on_resize(self, _event: events.Resize) -> None:
        """The lines are as long as the screen."""
        self._draw()

    def _simulate(self, inputs: PlanInputs, interval: float, stop: threading.Event) -> None:
        """Runs on the thread; it tells by messages only."""
        try:
            from ckpt_tui.planner.simulation import simulate as simulation
        except ImportError:
            self._say(stop, self._Ended(stop, WITHOUT_NUMPY))
            return
        batches = simulation.simulate(inputs, interval)
        told = 0
        try:
            while not stop.is_set():
                share = next(batches)
                if int(100 * share) != told:
                    told = int(100 * share)
                    self._say(stop, self._Progressed(stop, share))
                time.sleep(_PAUSE_SECONDS)
        except StopIteration as end:
            self._say(stop, self._Ended(stop, end.value))
        except (PlanInputsError, simulation.CannotSimulateError) as error:
            self._say(stop, self._Ended(stop, str(error)))

    def _say(self, stop: threading.Event, message: Message) -> None:
        """From the thread to the screen, as long as somebody waits for it."""
        if not stop.is_set():
            with contextlib.suppress(RuntimeError):  # the program has just ended
                self.post_message(message)

    def on_simulation_view__progressed(self, message: _Progressed) -> None:
        """Says how far it is."""
        message.stop()
        if message.ticket is self._stop:
            self._share = message.share
            self.post_message(self.Changed())

    def on_simulation_view__ended(self, message: _Ended) -> None:
        """Puts the result beside the formulas."""
        message.stop()
        plan = self._plan
        if message.ticket is not self._stop or plan is None:
            return
        self._stop = None
        if isinstance(message.outcome, str):
            self.show_result(message.outcome)
            return
        row = exact_row(plan.inputs, model_for(plan.inputs), self._interval_minutes)
        self.show_result(Comparison(plan.inputs, row, message.outcome, plan.follows_run))

    def show_result(self, result: Comparison | str) -> None:
        """Shows a result, or why there is none."""
        self._shown = result
        self._tell()

    def _tell(self) -> None:
        self._draw()
        self.post_message(self.Changed())

    def _draw(self) -> None:
        self.set_lines(self._lines_for(self.size.width or self.app.size.width))

    def _lines_for(self, width: int) -> list[Line]:
        if isinstance(self._shown, str):
            rows = wrapped(say_sentence(say(self._shown)), width - 2)
            return [line(" ", piece(row, Tone.WARN)) for row in rows]
        if self._shown is None:
            return []
        stale = self._shown.inputs != self._now
        ascii_only = self.app.has_class(ASCII_CLASS)
        return result_lines(self._shown, width, stale=stale, ascii_only=ascii_only)
