"""What the person who starts the dashboard can choose."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.alerts.settings import QUIET, AlertSettings
from ckpt_tui.core.clock import Clock, SystemClock
from ckpt_tui.planner.inputs import PlanInputs
from ckpt_tui.tui.widgets.panel import FaultTerms

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ckpt_tui.core.snapshot import Snapshot
    from ckpt_tui.formats.near_misses import Nearby
    from ckpt_tui.history.database import History
    from ckpt_tui.tui.remembered import Remembered
    from ckpt_tui.tui.tensors.shelf import TensorSource
    from ckpt_tui.tui.verify.queue import Verifier
    from ckpt_tui.tui.widgets.panel import Panel

_PLAN = PlanInputs()
_COERCED = ("C.UTF-8", "C.utf8", "UTF-8")
_POOR_TERMINALS = ("linux", "dumb", "vt100", "vt220")


class DashboardOptions(NamedTuple):
    """Options of the dashboard.

    Attributes:
        ascii: Draw with ASCII characters only.
        mouse: Listen to the mouse; without it the terminal's own selection works.
        columns: Keys of the table's columns, in order; `w` shows all.
        sort: What rows are sorted by at first, column keys; - before one is the largest first.
            Empty for the order that was chosen last.
        keymap: Id of an action → its keys, in place of those that it has by default.
        theme: Name of a theme; "auto" goes by the terminal's colours.
        reload_minutes: Time to read a checkpoint back after a fault.
        down_minutes: Detection, requeue and start after a fault.
        fault_rate_per_hour: Faults of the whole job.
        reload_assumed: Whether nobody has said how long a reload takes.
        panel: Makes the widget that `P` shows and hides (the planner); None leaves the key out.
        alerts: When there is an alarm, and whom it reaches.
        clock: Where the time comes from.
        history: What was kept of runs, for the timeline; None where nothing is.
        tensors: Reads the headers of a checkpoint; None shows what looks saw of them.
        remembered: Filters and order of earlier starts; None where nothing is remembered.
        document: Makes the answer of `check --json` from a picture and the time in seconds since
            the epoch, for the export; None leaves that out.
        nearby: Looks around a path at which nothing is found, for what may have been meant; it may
            take seconds. None leaves that out.
        verifier: Verifies the bytes of checkpoints; None leaves the keys out.
    """

    ascii: bool = False
    mouse: bool = True
    theme: str = "textual-dark"
    reload_minutes: float = _PLAN.reload_minutes
    down_minutes: float = _PLAN.down_minutes
    fault_rate_per_hour: float = _PLAN.fault_rate_per_hour
    reload_assumed: bool = True
    columns: tuple[str, ...] = ()
    sort: tuple[str, ...] = ()
    keymap: Mapping[str, tuple[str, ...]] = MappingProxyType({})
    panel: Callable[[], Panel] | None = None
    alerts: AlertSettings = QUIET
    clock: Clock = SystemClock()
    history: History | None = None
    tensors: TensorSource | None = None
    remembered: Remembered | None = None
    document: Callable[[Snapshot, float], str] | None = None
    nearby: Callable[[str], Nearby] | None = None
    verifier: Verifier | None = None

    @property
    def fault_terms(self) -> FaultTerms:
        """What the header reckons with until the panel says otherwise."""
        return FaultTerms(
            self.reload_minutes, self.down_minutes, self.fault_rate_per_hour, self.reload_assumed
        )


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
