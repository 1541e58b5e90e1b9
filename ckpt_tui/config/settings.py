"""What a configuration file can set, and how several files are put together."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.formats.shared.roles import Synonyms

if TYPE_CHECKING:
    from collections.abc import Iterable

AlarmValue = bool | float | str | tuple[str, ...]

FILE_NAME = ".ckpt-tui.toml"
"""The file beside checkpoints, in the directory that is looked at or the one above it."""


class Settings(NamedTuple):
    """What one file, or several together, set.

    Attributes:
        roles: (name in lower case, role): further synonyms.
        step_keys: Further keys that hold the step, the most telling first.
        epoch_keys: Further keys that hold a count of epochs.
        require: Roles that a resumed run needs; None where it is not set.
        alarms: (key of the table `alarms`, value), each checked.
        not_from_here: Keys of that table that a file beside checkpoints may not set, and did.
    """

    roles: tuple[tuple[str, str], ...] = ()
    step_keys: tuple[str, ...] = ()
    epoch_keys: tuple[str, ...] = ()
    require: tuple[str, ...] | None = None
    alarms: tuple[tuple[str, AlarmValue], ...] = ()
    not_from_here: tuple[str, ...] = ()

    def synonyms(self) -> Synonyms:
        """What readers get of it."""
        return Synonyms(self.roles, self.step_keys, self.epoch_keys)


NO_SETTINGS = Settings()


class ConfigError(Exception):
    """A file cannot be used; the text names it, the place in it, and what to do."""

    def __init__(self, path: str, message: str) -> None:
        super().__init__(path, message)
        self.path = path
        self.message = message

    def __str__(self) -> str:
        return f"{self.path}: {self.message}"


def merged(weakest_first: Iterable[Settings]) -> Settings:
    """Puts settings together: names one by one, lists after each other, the nearest first."""
    roles: dict[str, str] = {}
    alarms: dict[str, AlarmValue] = {}
    refused: tuple[str, ...] = ()
    whole = NO_SETTINGS
    for settings in weakest_first:
        roles |= dict(settings.roles)
        alarms |= dict(settings.alarms)
        refused += settings.not_from_here
        whole = Settings(
            (),
            tuple(dict.fromkeys((*settings.step_keys, *whole.step_keys))),
            tuple(dict.fromkeys((*settings.epoch_keys, *whole.epoch_keys))),
            whole.require if settings.require is None else settings.require,
        )
    return whole._replace(
        roles=tuple(sorted(roles.items())),
        alarms=tuple(sorted(alarms.items())),
        not_from_here=tuple(dict.fromkeys(refused)),
    )


def not_from_here_text(settings: Settings) -> str:
    """What to say of keys that a file beside checkpoints may not set."""
    keys = ", ".join(settings.not_from_here)
    return f"[alarms] {keys} ignored: only your own file or --config may set it"
