"""A reader of files that a loop of its own writes, whose endings also other data have."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.formats.base import ClaimKind
from ckpt_tui.formats.shared.plain_groups import checkpoint_groups, is_one_checkpoint
from ckpt_tui.formats.shared.plain_states import PlainKind, read_plain
from ckpt_tui.formats.shared.pointers import run_pointers

if TYPE_CHECKING:
    from ckpt_tui.core.facts import CheckpointFacts, RawPointer
    from ckpt_tui.formats.base import CheckpointFiles
    from ckpt_tui.formats.shared.plain_groups import PlainFormat
    from ckpt_tui.fs.listing import Directory


class PlainReader:
    """Files with a model, and directories of them.

    Args:
        plain: How its files are told from data.
        kind: How they are read.

    Attributes:
        name: As the kind has it.
    """

    def __init__(self, plain: PlainFormat, kind: PlainKind) -> None:
        self.name = kind.name
        self._plain = plain
        self._kind = kind

    def claims_directory(self, directory: Directory) -> ClaimKind:
        """A directory with a file for each state."""
        one = is_one_checkpoint(directory, self._plain.endings)
        return ClaimKind.CHECKPOINT if one else ClaimKind.NO

    def claims_files(self, directory: Directory) -> tuple[tuple[str, ...], ...]:
        """Each file that is a checkpoint, with what belongs to it."""
        return checkpoint_groups(directory, self._plain)

    def pointers(self, directory: Directory) -> tuple[RawPointer, ...]:
        """Links, and texts with a name or a step."""
        return run_pointers(directory)

    def read(self, files: CheckpointFiles) -> CheckpointFacts:
        """Reads one checkpoint."""
        return read_plain(files, self._kind)
