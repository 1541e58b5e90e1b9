"""The cost curve on the screen; it is drawn anew only when the plan or its size changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.planner.curve import cost_curve
from ckpt_tui.tui.planner.curve_lines import curve_lines
from ckpt_tui.tui.widgets.line_view import ASCII_CLASS, TextLines

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual import events

    from ckpt_tui.planner.inputs import PlanInputs
    from ckpt_tui.planner.result import Plan


class CurveView(TextLines):
    """Overhead over interval, in braille or in ASCII."""

    def __init__(self, *, widget_id: str | None = None) -> None:
        super().__init__(widget_id=widget_id)
        self._plan: Plan | None = None
        self._credible: tuple[float, float] | None = None
        self._asked: PlanInputs | None = None
        self._points: Sequence[tuple[float, float]] = ()
        self._plot_height = 8

    @property
    def points(self) -> Sequence[tuple[float, float]]:
        """The curve: interval in minutes and overhead as a share."""
        return self._points

    def show(
        self, plan: Plan, plot_height: int, credible: tuple[float, float] | None = None
    ) -> None:
        """Draws the curve of a plan.

        Args:
            plan: A plan.
            plot_height: Lines of the plot without legend and axis.
            credible: Credible interval of the best interval, minutes.
        """
        asked = _without_the_unrelated(plan.inputs)
        if asked != self._asked:
            self._asked, self._points = asked, cost_curve(asked)
        self._plan, self._plot_height, self._credible = plan, plot_height, credible
        self._draw()

    def _draw(self) -> None:
        width = self.size.width
        if self._plan is None or not width:
            return
        ascii_only = self.app.has_class(ASCII_CLASS)
        lines = curve_lines(
            self._plan, self._points, width, self._plot_height, ascii_only, self._credible
        )
        self.set_lines(lines)

    def on_resize(self, _event: events.Resize) -> None:
        """There is more room, or less."""
        self._draw()


def _without_the_unrelated(inputs: PlanInputs) -> PlanInputs:
    """The same inputs, whatever the ones are that the long-run overhead does not depend on."""
    return inputs._replace(
        run_minutes=1440,
        step_seconds=None,
        current_interval_minutes=None,
        gpus=None,
        gpu_hour_price=None,
        checkpoint_bytes=None,
    )
