"""Reads checkpoints of `flax.training.checkpoints` that are msgpack files.

With Orbax as its backend, the default since 0.7, `checkpoint_N` is a directory of that format.
What reads a file is imported where there is one: many directories of others have such names.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.formats.base import ClaimKind
from ckpt_tui.formats.shared.pointers import run_pointers

if TYPE_CHECKING:
    from ckpt_tui.core.facts import CheckpointFacts, RawPointer
    from ckpt_tui.formats.base import CheckpointFiles
    from ckpt_tui.fs.listing import Directory


class FlaxReader:
    """Checkpoints of `flax.training.checkpoints.save_checkpoint`."""

    name = "flax"

    def claims_directory(self, directory: Directory) -> ClaimKind:
        """Only files are claimed: a directory of that name is one of Orbax."""
        return ClaimKind.NO

    def claims_files(self, directory: Directory) -> tuple[tuple[str, ...], ...]:
        """Each file of a series by its prefix, the temporary one included."""
        if not any(name[-1].isdigit() or name.endswith("tmp") for name in directory.file_names()):
            return ()
        from ckpt_tui.formats.flax.claims import checkpoint_files

        return checkpoint_files(directory)

    def pointers(self, directory: Directory) -> tuple[RawPointer, ...]:
        """The framework has none; loops keep links and texts."""
        return run_pointers(directory)

    def read(self, files: CheckpointFiles) -> CheckpointFacts:
        """Reads one checkpoint."""
        from ckpt_tui.formats.flax.content import read_flax

        return read_flax(files, self.name)
