"""Reads checkpoints of Keras: what `ModelCheckpoint`, `model.save` and `BackupAndRestore` write.

All of it is written in place under its final name, so there is no commit mark: the end of the
archive or of the HDF5 file decides. `OrbaxCheckpoint` writes another format.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.formats.base import ClaimKind
from ckpt_tui.formats.keras.backup import read_backup
from ckpt_tui.formats.keras.claims import checkpoint_files, is_backup, is_unzipped
from ckpt_tui.formats.keras.names import SHARD_INDEX
from ckpt_tui.formats.keras.sharded import read_sharded
from ckpt_tui.formats.keras.single import read_single
from ckpt_tui.formats.keras.unzipped import read_unzipped
from ckpt_tui.formats.shared.pointers import run_pointers

if TYPE_CHECKING:
    from ckpt_tui.core.facts import CheckpointFacts, RawPointer
    from ckpt_tui.formats.base import CheckpointFiles
    from ckpt_tui.fs.listing import Directory


class KerasReader:
    """Checkpoints of Keras 2 and 3."""

    name = "keras"

    def claims_directory(self, directory: Directory) -> ClaimKind:
        """A directory of `BackupAndRestore`, or a model that was saved without a zip."""
        names = frozenset(directory.file_names())
        mine = is_backup(names) or is_unzipped(names)
        return ClaimKind.CHECKPOINT if mine else ClaimKind.NO

    def claims_files(self, directory: Directory) -> tuple[tuple[str, ...], ...]:
        """Each file, and each index with its shards."""
        return checkpoint_files(directory)

    def pointers(self, directory: Directory) -> tuple[RawPointer, ...]:
        """`ModelCheckpoint` has none; loops keep links and texts."""
        return run_pointers(directory)

    def read(self, files: CheckpointFiles) -> CheckpointFacts:
        """Reads one checkpoint."""
        if files.claim.members:
            sharded = files.claim.members[0].endswith(SHARD_INDEX)
            return (read_sharded if sharded else read_single)(files, self.name)
        names = frozenset(entry.path for entry in files.tree.files())
        return (read_backup if is_backup(names) else read_unzipped)(files, self.name)
