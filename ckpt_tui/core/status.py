"""How the watching goes, as far as anybody but the watcher needs to know."""

from __future__ import annotations

from typing import Protocol


class Status(Protocol):
    """How the watching goes; times are monotonic seconds."""

    @property
    def mode(self) -> str:
        """How changes are heard of ("inotify", "poll")."""

    @property
    def reason(self) -> str:
        """Why that mode was chosen."""

    @property
    def last_look_monotonic(self) -> float | None:
        """When the last look ended; None before the first."""

    @property
    def error(self) -> str | None:
        """Why the last look failed; None where it did not."""

    @property
    def hanging_since_monotonic(self) -> float | None:
        """Since when a look has waited for an answer that does not come; None where none hangs."""

    @property
    def hanging_path(self) -> str:
        """What that look waits for; "" where that is not known."""

    @property
    def calls_per_second(self) -> float:
        """Calls of the file system over the last seconds."""

    @property
    def rest_seconds(self) -> float | None:
        """The pause between looks where slowness made it longer; None at the usual pace."""
