"""What the table `alarms` of the configuration asks for, as values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from ckpt_tui.core.alarms.sight import DEFAULT_LIMITS, Limits
from ckpt_tui.core.alarms.values import AlarmLevel

if TYPE_CHECKING:
    from collections.abc import Iterable

TIMEOUT_SECONDS = 10.0


class AlertSettings(NamedTuple):
    """When there is an alarm, and whom it reaches.

    Attributes:
        limits: When there is one.
        bell: Whether the terminal's bell rings.
        notify: Whether the terminal is asked for a notification of the desktop.
        command: Program and arguments; empty for none.
        webhook: Web address; "" for none.
        level: The least level that leaves the screen.
        timeout_seconds: Time for the program, and for the post.
    """

    limits: Limits = DEFAULT_LIMITS
    bell: bool = False
    notify: bool = False
    command: tuple[str, ...] = ()
    webhook: str = ""
    level: AlarmLevel = AlarmLevel.WARNING
    timeout_seconds: float = TIMEOUT_SECONDS

    @property
    def carries(self) -> bool:
        """Whether a program or a web address is told."""
        return bool(self.command or self.webhook)


QUIET = AlertSettings()


def alert_settings(pairs: Iterable[tuple[str, Any]]) -> AlertSettings:
    """From the keys of a configuration, each of which was checked.

    Raises:
        ValueError: A key is none of these.
    """
    given = dict(pairs)
    limits = {name: given.pop(name) for name in Limits._fields if name in given}
    strange = given.keys() - set(AlertSettings._fields)
    if strange:
        raise ValueError(f"no keys of [alarms]: {', '.join(sorted(strange))}")
    if "level" in given:
        given["level"] = AlarmLevel(str(given["level"]))
    return QUIET._replace(**given, limits=DEFAULT_LIMITS._replace(**limits))
