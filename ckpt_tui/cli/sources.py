"""Where a command's settings come from: files of the user's, one beside checkpoints, variables.

The weakest first: the user's file, the one beside the checkpoints, `--config`, the environment;
what stands on the command line wins over all of them.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.cli.parsing import UsageError, wants_json
from ckpt_tui.config.files import (
    file_beside,
    read_beside,
    read_own,
    users_file,
    users_file_counts,
    variables_set,
)
from ckpt_tui.config.settings import (
    CHECK,
    DASHBOARD,
    LANGUAGE,
    NO_SETTINGS,
    ConfigError,
    Settings,
    merged,
)
from ckpt_tui.core.printable import printable
from ckpt_tui.words import say, use

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable


_SWITCHES = frozenset({"CKPT_TUI_HISTORY", "CKPT_TUI_CACHE"})


class Found(NamedTuple):
    """What holds for one path.

    Attributes:
        remarks: (file, what was ignored in it, or what it weakens).
    """

    settings: Settings = NO_SETTINGS
    remarks: tuple[tuple[str, str], ...] = ()


class Sources(NamedTuple):
    """What was read before the file beside the checkpoints is looked for.

    Attributes:
        own: Settings of the user's file.
        explicit: Settings of `--config`.
        variables: Settings of the environment.
        beside: Whether the file beside the checkpoints counts.
    """

    own: Settings = NO_SETTINGS
    explicit: Settings = NO_SETTINGS
    variables: Settings = NO_SETTINGS
    beside: bool = False

    @property
    def without_beside(self) -> Settings:
        """What holds wherever one looks."""
        return merged((self.own, self.explicit, self.variables))

    def found_for(self, path: str) -> Found:
        """What holds for a path; a bad file there is told and ignored."""
        place = file_beside(path) if self.beside else ""
        if not place:
            return Found(self.without_beside)
        try:
            there = read_beside(place)
        except ConfigError as error:
            told = tuple(
                (error.place, say("ignored: {mistake}", mistake=mistake))
                for mistake in error.mistakes
            )
            return Found(self.without_beside, told)
        from ckpt_tui.config.laxer import laxer_texts

        nearer = merged((self.explicit, self.variables))
        counts = [entry for entry in there.entries if nearer.entry(entry.table, entry.key) is None]
        texts = list(laxer_texts(Settings(tuple(counts)), self.without_beside))
        texts += [not_from_here_text(there)] if there.not_from_here else []
        whole = merged((self.own, there, self.explicit, self.variables))
        return Found(whole, tuple((place, text) for text in texts))


def not_from_here_text(settings: Settings) -> str:
    """What to say of keys that a file beside checkpoints may not set."""
    names = ", ".join(settings.not_from_here)
    return say("ignored: {names}: only your own file or --config may set it", names=names)


def sources_of(arguments: argparse.Namespace) -> Sources:
    """Reads the user's own files and the environment, once a command line.

    Raises:
        UsageError: Something there is not right, or was named and is not there; it names all.
    """
    known = getattr(arguments, "sources", None)
    if isinstance(known, Sources):
        return known
    arguments.sources = _read_sources(
        arguments.config,
        files=not arguments.no_config,
        switches=getattr(arguments, "all_variables", False),
    )
    language = arguments.sources.without_beside.value("", LANGUAGE)
    if isinstance(language, str) and arguments.lang is None and not wants_json(arguments):
        use(language)
    return sources_of(arguments)


def _read_sources(named: str | None, *, files: bool, switches: bool) -> Sources:
    mistakes: list[str] = []

    def read(wanted: bool, source: Callable[[], Settings]) -> Settings:
        try:
            return source() if wanted else NO_SETTINGS
        except ConfigError as error:
            mistakes.extend(error.lines)
            return NO_SETTINGS

    counts = files and users_file_counts(os.environ)
    own = read(counts, lambda: read_own(users_file(os.environ)))
    explicit = read(files and named is not None, lambda: read_own(os.path.abspath(named or "")))
    # Switches of history and cache are asked where these are opened: alone they cost nothing here.
    told = set(variables_set(os.environ))
    wanted = switches or bool(own.entries or explicit.entries or told - _SWITCHES)
    variables = read(bool(told) and wanted, _read_variables)
    if mistakes:
        raise UsageError("\n".join(f"ckpt-tui: {printable(line)}" for line in mistakes))
    return Sources(own, explicit, variables, beside=files)


def _read_variables() -> Settings:
    from ckpt_tui.config.variables import read_variables  # only where one is set

    return read_variables(os.environ)


def check_number(arguments: argparse.Namespace, key: str) -> float | None:
    """A key of `check` that holds wherever one looks: of the option, else of what is configured."""
    typed: float | None = getattr(arguments, key)
    if typed is not None:
        return typed
    value = sources_of(arguments).without_beside.value(CHECK, key)
    return float(value) if isinstance(value, int | float) else None


def check_is_on(arguments: argparse.Namespace, key: str) -> bool:
    """A switch of `check` that holds wherever one looks: switched on there, or by the option."""
    typed: bool = getattr(arguments, key)
    return typed or bool(sources_of(arguments).without_beside.value(CHECK, key))


def is_on(typed: bool | None, settings: Settings, key: str, *, usual: bool) -> bool:
    """A switch of the dashboard: as typed, else as configured, else as it usually is."""
    if typed is not None:
        return typed
    value = settings.value(DASHBOARD, key)
    return usual if value is None else bool(value)
