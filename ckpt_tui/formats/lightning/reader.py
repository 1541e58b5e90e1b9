"""Checkpoints of Lightning's Trainer: one file, or a directory of a sharded strategy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.formats.base import ClaimKind
from ckpt_tui.formats.lightning.deepspeed_form import is_deepspeed_form, read_deepspeed_form
from ckpt_tui.formats.lightning.names import is_own_directory, own_files
from ckpt_tui.formats.lightning.pointers import last_pointers
from ckpt_tui.formats.lightning.sharded import read_sharded
from ckpt_tui.formats.lightning.single import read_single

if TYPE_CHECKING:
    from ckpt_tui.core.facts import CheckpointFacts, RawPointer
    from ckpt_tui.formats.base import CheckpointFiles, HandOver
    from ckpt_tui.fs.listing import Directory

NAME = "lightning"


class LightningReader:
    """Reads `epoch=1-step=8.ckpt`, the file and the directory."""

    name = NAME

    def claims_directory(self, directory: Directory) -> ClaimKind:
        """A directory with `meta.pt` beside DCP data, or one named `.ckpt` with either part."""
        return ClaimKind.CHECKPOINT if is_own_directory(directory) else ClaimKind.NO

    def claims_files(self, directory: Directory) -> tuple[tuple[str, ...], ...]:
        """Every `.ckpt` file, where any is named as Lightning names it."""
        return tuple((name,) for name in own_files(directory))

    def pointers(self, directory: Directory) -> tuple[RawPointer, ...]:
        """`last.ckpt` in its three forms, and other links."""
        return last_pointers(directory)

    def read(self, files: CheckpointFiles) -> CheckpointFacts | HandOver:
        """Reads one checkpoint."""
        if files.claim.members:
            return read_single(files, self.name)
        if is_deepspeed_form(files):
            return read_deepspeed_form(files, self.name)
        return read_sharded(files, self.name)
