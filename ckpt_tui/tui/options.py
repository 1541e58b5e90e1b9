"""What the person who starts the dashboard can choose."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.alerts.settings import QUIET, AlertSettings
from ckpt_tui.core.clock import Clock, SystemClock
from ckpt_tui.tui.widgets.panel import FaultTerms

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ckpt_tui.history.database import History
    from ckpt_tui.tui.widgets.panel import Panel

RELOAD_MINUTES = 8.0
DOWN_MINUTES = 0.0
FAULT_RATE_PER_HOUR = 0.02
_COERCED = ("C.UTF-8", "C.utf8", "UTF-8")
_POOR_TERMINALS = ("linux", "dumb", "vt100", "vt220")


class DashboardOptions(NamedTuple):
    """Options of the dashboard.

    Attributes:
        ascii: Draw with ASCII characters only.
        mouse: Listen to the mouse; without it the terminal's own selection works.
        theme: Name of a Textual theme.
        reload_minutes: Time to read a checkpoint back after a fault.
        down_minutes: Detection, requeue and start after a fault.
        fault_rate_per_hour: Faults of the whole job.
        panel: Makes the widget that `P` shows and hides (the planner); None leaves the key out.
        alerts: When there is an alarm, and whom it reaches.
        clock: Where the time comes from.
        history: What was kept of runs, for the timeline; None where nothing is.
    """

    ascii: bool = False
    mouse: bool = True
    theme: str = "textual-dark"
    reload_minutes: float = RELOAD_MINUTES
    down_minutes: float = DOWN_MINUTES
    fault_rate_per_hour: float = FAULT_RATE_PER_HOUR
    panel: Callable[[], Panel] | None = None
    alerts: AlertSettings = QUIET
    clock: Clock = SystemClock()
    history: History | None = None

    @property
    def fault_terms(self) -> FaultTerms:
        """What the header reckons with until the panel says otherwise."""
        return FaultTerms(self.reload_minutes, self.down_minutes, self.fault_rate_per_hour)


DEFAULT_OPTIONS = DashboardOptions()


def wants_ascii(environ: Mapping[str, str], encoding: str | None) -> bool:
    """Whether the terminal is likely to show only ASCII.

    Python itself sets LC_CTYPE where the locale is C (PEP 538), so that value alone proves nothing.

    Args:
        environ: Environment variables.
        encoding: Encoding of stdout.
    """
    if "utf" not in (encoding or "utf-8").lower() or environ.get("TERM") in _POOR_TERMINALS:
        return True
    chosen = environ.get("LC_CTYPE", "")
    if chosen in _COERCED:
        chosen = ""
    locale = environ.get("LC_ALL") or chosen or environ.get("LANG", "")
    return bool(locale) and "utf" not in locale.lower()
