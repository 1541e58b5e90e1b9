"""How checkpoints are to be judged: options of the command line over files of configuration.

The weakest first: the user's file, the one beside the checkpoints, `--config`, the command line.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.cli.parsing import UsageError
from ckpt_tui.config.files import (
    file_beside,
    read_beside,
    read_own,
    users_file,
    users_file_counts,
)
from ckpt_tui.config.settings import (
    NO_SETTINGS,
    ConfigError,
    Settings,
    merged,
    not_from_here_text,
)
from ckpt_tui.core.checkpoint import Requirements
from ckpt_tui.core.printable import printable
from ckpt_tui.core.vocabulary import REQUIRED_ROLES
from ckpt_tui.formats.shared.roles import NO_SYNONYMS, Synonyms
from ckpt_tui.store.members import Options

if TYPE_CHECKING:
    import argparse

    from ckpt_tui.config.settings import AlarmValue


class Judging(NamedTuple):
    """How the checkpoints below one path are judged.

    Attributes:
        options: For the store.
        synonyms: For the readers; in use while the store looks.
        remarks: (path, reason) of a file, or of keys in it, that were ignored.
        alarms: (key of the table `alarms`, value).
    """

    options: Options = Options()
    synonyms: Synonyms = NO_SYNONYMS
    remarks: tuple[tuple[str, str], ...] = ()
    alarms: tuple[tuple[str, AlarmValue], ...] = ()


class Asked(NamedTuple):
    """What was asked for, before the file beside the checkpoints is looked at.

    Attributes:
        own: Settings of the user's file.
        explicit: Settings of `--config`.
        required: Roles that the command line names; None where it names none.
        beside: Whether the file beside the checkpoints counts.
    """

    own: Settings = NO_SETTINGS
    explicit: Settings = NO_SETTINGS
    required: tuple[str, ...] | None = None
    world_size: int | None = None
    stall_after_seconds: float = 120.0
    beside: bool = False

    def settings_for(self, path: str) -> Settings:
        """All settings that hold for a path.

        Raises:
            ConfigError: The file beside it is not right.
        """
        place = file_beside(path) if self.beside else ""
        return merged((self.own, read_beside(place) if place else NO_SETTINGS, self.explicit))

    def judging_of(self, path: str) -> Judging:
        """How to judge what lies below a path; a bad file there is told and ignored."""
        remarks: tuple[tuple[str, str], ...] = ()
        try:
            settings = self.settings_for(path)
        except ConfigError as error:
            settings = merged((self.own, self.explicit))
            remarks = ((error.path, f"ignored: {error.message}"),)
        if settings.not_from_here:
            remarks += ((file_beside(path), not_from_here_text(settings)),)
        roles = self.required or settings.require or REQUIRED_ROLES
        requirements = Requirements(roles, self.world_size)
        options = Options(requirements, stall_after_seconds=self.stall_after_seconds)
        return Judging(options, settings.synonyms(), remarks, settings.alarms)


def asked_by(arguments: argparse.Namespace) -> Asked:
    """What the command line and the user's own files ask for.

    Raises:
        UsageError: One of these files is not right, or was named and is not there.
    """
    try:
        own, explicit = _read_own_files(arguments.config, arguments.no_config)
    except ConfigError as error:
        raise UsageError(f"ckpt-tui: {printable(str(error))}") from error
    return Asked(
        own,
        explicit,
        arguments.require,
        arguments.world_size,
        arguments.stall_after,
        beside=not arguments.no_config,
    )


def _read_own_files(named: str | None, without: bool) -> tuple[Settings, Settings]:
    """The user's file and the one that `--config` names."""
    if without:
        return NO_SETTINGS, NO_SETTINGS
    counts = users_file_counts(os.environ)
    return (
        read_own(users_file(os.environ)) if counts else NO_SETTINGS,
        read_own(os.path.abspath(named)) if named is not None else NO_SETTINGS,
    )
