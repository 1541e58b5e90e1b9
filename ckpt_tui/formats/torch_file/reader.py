"""Reads checkpoints of `torch.save`: single files, and directories split per role or per rank.

`torch.save` opens the final name and writes in place, so there is no commit mark: the archive's
own end decides.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.formats.base import ClaimKind
from ckpt_tui.formats.shared.pointers import run_pointers
from ckpt_tui.formats.torch_file.claims import checkpoint_files, is_one_checkpoint
from ckpt_tui.formats.torch_file.single import read_single
from ckpt_tui.formats.torch_file.split import read_split

if TYPE_CHECKING:
    from ckpt_tui.core.facts import CheckpointFacts, RawPointer
    from ckpt_tui.formats.base import CheckpointFiles, HandOver
    from ckpt_tui.fs.listing import Directory


class TorchFileReader:
    """Checkpoints that training loops wrote with `torch.save`."""

    name = "torch-file"

    def claims_directory(self, directory: Directory) -> ClaimKind:
        """A directory whose torch files are parts of one checkpoint."""
        return ClaimKind.CHECKPOINT if is_one_checkpoint(directory) else ClaimKind.NO

    def claims_files(self, directory: Directory) -> tuple[tuple[str, ...], ...]:
        """Each torch file of a series, and each group of ranks' parts."""
        return checkpoint_files(directory)

    def pointers(self, directory: Directory) -> tuple[RawPointer, ...]:
        """Links such as `latest.pt`, and texts with a name or a step."""
        return run_pointers(directory)

    def read(self, files: CheckpointFiles) -> CheckpointFacts | HandOver:
        """Reads one checkpoint."""
        if len(files.claim.members) == 1:
            return read_single(files, self.name)
        return read_split(files, self.name)
