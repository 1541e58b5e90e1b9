"""What configuration sets, where each value comes from, and how sources are put together."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.formats.shared.roles import Synonyms
from ckpt_tui.words import say

if TYPE_CHECKING:
    from collections.abc import Iterable

Value = bool | int | float | str | tuple[str, ...]

FILE_NAME = ".ckpt-tui.toml"
"""The file beside checkpoints, in the directory that is looked at or the one above it."""

ROLES, ALARMS, KEYS, CHECK, PLAN, DASHBOARD = (
    "roles", "alarms", "keys", "check", "plan", "dashboard"
)  # fmt: skip
REQUIRE, LANGUAGE = "require", "language"
STEP_KEYS, EPOCH_KEYS, TAKE_OVER = "step_keys", "epoch_keys", "take_over"

VARIABLE_PREFIX = "CKPT_TUI_"
"""Environment variables that set a key are called so, with the key in capitals."""

SETTLE_SECONDS = 2.0
"""Time between two looks at an unfinished save, where nothing says otherwise."""

RATE_KEYS = ("fault_rate", "mtbf_hours", "node_mtbf_hours", "nodes")
"""Keys of `plan` that say the same thing in several ways: the nearest source has all of it."""


class Origin(NamedTuple):
    """Where a value was set: a file with its line (0 where that cannot be told), or a variable."""

    place: str
    line: int = 0

    def __str__(self) -> str:
        if not self.line:
            return self.place
        return say("{place}, line {line}", place=self.place, line=self.line)


class Entry(NamedTuple):
    """One key that is set, checked.

    Attributes:
        table: The table of the file; "" for a key above all tables.
    """

    table: str
    key: str
    value: Value
    origin: Origin = Origin("")

    @property
    def name(self) -> str:
        """The key with its table, as messages name it."""
        return name_of(self.table, self.key)


def name_of(table: str, key: str) -> str:
    """How messages name a key: `[check] warn_age`, or `require` above all tables."""
    return f"[{table}] {key}" if table else key


class Settings(NamedTuple):
    """What one source, or several together, set.

    Attributes:
        entries: Each key once; those of `roles` once a source, the weakest source first.
        not_from_here: Names of keys that a file beside checkpoints may not set, and did.
    """

    entries: tuple[Entry, ...] = ()
    not_from_here: tuple[str, ...] = ()

    def entry(self, table: str, key: str) -> Entry | None:
        """What sets a key; None where nothing does."""
        return next((e for e in self.entries if (e.table, e.key) == (table, key)), None)

    def value(self, table: str, key: str) -> Value | None:
        """What a key is set to; None where it is not."""
        found = self.entry(table, key)
        return None if found is None else found.value

    def table(self, table: str) -> dict[str, Value]:
        """Key → value, of the keys of a table that are set."""
        return {entry.key: entry.value for entry in self.entries if entry.table == table}

    def number(self, table: str, key: str, usual: float) -> float:
        """The same of a key that holds a number; `usual` where it is not set."""
        value = self.value(table, key)
        return float(value) if isinstance(value, int | float) else usual

    @property
    def require(self) -> tuple[str, ...] | None:
        """Roles that a resumed run needs; None where it is not set."""
        value = self.value("", REQUIRE)
        return value if isinstance(value, tuple) else None

    def synonyms(self) -> Synonyms:
        """What readers get of it: names one by one, of lists the nearest source's first."""
        roles: dict[str, str] = {}
        lists: dict[str, tuple[str, ...]] = {STEP_KEYS: (), EPOCH_KEYS: ()}
        for entry in self.entries:
            if entry.table != ROLES or not isinstance(entry.value, tuple):
                continue
            if entry.key in lists:
                lists[entry.key] = tuple(dict.fromkeys((*entry.value, *lists[entry.key])))
            elif entry.key != TAKE_OVER:
                roles |= dict.fromkeys((name.lower() for name in entry.value), entry.key)
        return Synonyms(tuple(sorted(roles.items())), lists[STEP_KEYS], lists[EPOCH_KEYS])


NO_SETTINGS = Settings()


class ConfigError(Exception):
    """A source cannot be used; each text names the place in it and what to do.

    Attributes:
        place: The file, or the variable.
        mistakes: All that is wrong with it.
    """

    def __init__(self, place: str, *mistakes: str) -> None:
        super().__init__(place, *mistakes)
        self.place = place
        self.mistakes = mistakes

    @property
    def lines(self) -> tuple[str, ...]:
        """A line for each mistake."""
        return tuple(f"{self.place}: {mistake}" for mistake in self.mistakes)

    def __str__(self) -> str:
        return "\n".join(self.lines)


def merged(weakest_first: Iterable[Settings]) -> Settings:
    """Puts settings together: of each key the nearest source's, but names of roles are added up."""
    entries: dict[tuple[str, str, str], Entry] = {}
    refused: dict[str, None] = {}
    for settings in weakest_first:
        refused |= dict.fromkeys(settings.not_from_here)
        if any(map(_is_rate, settings.entries)):  # said in one way here, in another one before
            entries = {place: entry for place, entry in entries.items() if not _is_rate(entry)}
        for entry in settings.entries:
            source = entry.origin.place if entry.table == ROLES else ""
            entries[entry.table, entry.key, source] = entry
    return Settings(tuple(entries.values()), tuple(refused))


def _is_rate(entry: Entry) -> bool:
    return entry.table == PLAN and entry.key in RATE_KEYS
