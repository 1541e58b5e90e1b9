"""How checkpoints are to be judged: options of the command line over what configuration says."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.cli.sources import Sources, sources_of
from ckpt_tui.config.settings import ALARMS, CHECK, NO_SETTINGS, Settings
from ckpt_tui.core.checkpoint import Requirements
from ckpt_tui.core.vocabulary import REQUIRED_ROLES
from ckpt_tui.formats.shared.roles import NO_SYNONYMS, Synonyms
from ckpt_tui.store.members import Options

if TYPE_CHECKING:
    import argparse

    from ckpt_tui.config.settings import Value

_STALL_AFTER_SECONDS = Options().stall_after_seconds


class Judging(NamedTuple):
    """How the checkpoints below one path are judged.

    Attributes:
        options: For the store.
        synonyms: For the readers; in use while the store looks.
        remarks: (path, reason) of a file, or of keys in it, that were ignored or weaken something.
        settings: All that configuration says there.
    """

    options: Options = Options()
    synonyms: Synonyms = NO_SYNONYMS
    remarks: tuple[tuple[str, str], ...] = ()
    settings: Settings = NO_SETTINGS

    @property
    def alarms(self) -> tuple[tuple[str, Value], ...]:
        """(key of the table `alarms`, value)."""
        return tuple(self.settings.table(ALARMS).items())


class Asked(NamedTuple):
    """What was asked for, before the file beside the checkpoints is looked at.

    Attributes:
        sources: What configuration says wherever one looks.
        required: Roles that the command line names; None where it names none.
        stall_after_seconds: The same of a save that does not grow.
    """

    sources: Sources = Sources()
    required: tuple[str, ...] | None = None
    world_size: int | None = None
    stall_after_seconds: float | None = None

    def judging_of(self, path: str) -> Judging:
        """How to judge what lies below a path; a bad file there is told and ignored."""
        settings, remarks = self.sources.found_for(path)
        roles = self.required or settings.require or REQUIRED_ROLES
        stall = self.stall_after_seconds
        if stall is None:
            stall = settings.number(CHECK, "stall_after", _STALL_AFTER_SECONDS)
        options = Options(Requirements(roles, self.world_size), stall_after_seconds=stall)
        return Judging(options, settings.synonyms(), remarks, settings)


def asked_by(arguments: argparse.Namespace) -> Asked:
    """What the command line, the user's own files and the environment ask for.

    Raises:
        UsageError: One of these is not right, or was named and is not there.
    """
    return Asked(
        sources_of(arguments), arguments.require, arguments.world_size, arguments.stall_after
    )
