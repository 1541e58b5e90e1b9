"""Reads what loops write with `pickle.dump`: arrays of numpy or jax in a dictionary or a tuple.

A pickle ends with its STOP opcode and has no checksum; `pickle.load` fails on one that is cut, and
does not look at what follows. Loops that want a commit write beside it and `os.replace`.

A directory of other formats may have names that a pickle can have, too: what looks into files is
imported only where one is looked into.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.formats.base import ClaimKind
from ckpt_tui.formats.pickle_file.claims import checkpoint_files, is_split
from ckpt_tui.formats.shared.pointers import run_pointers

if TYPE_CHECKING:
    from ckpt_tui.core.facts import CheckpointFacts, RawPointer
    from ckpt_tui.formats.base import CheckpointFiles
    from ckpt_tui.fs.listing import Directory


class PickleFileReader:
    """Pickles of hand-written loops: one file, or one for each state."""

    name = "pickle-file"

    def claims_directory(self, directory: Directory) -> ClaimKind:
        """A directory with one pickle for each state."""
        return ClaimKind.CHECKPOINT if is_split(directory) else ClaimKind.NO

    def claims_files(self, directory: Directory) -> tuple[tuple[str, ...], ...]:
        """Pickles that hold a training state; data sets and results are left alone."""
        return checkpoint_files(directory)

    def pointers(self, directory: Directory) -> tuple[RawPointer, ...]:
        """Links, and texts such as `latest.txt`."""
        return run_pointers(directory)

    def read(self, files: CheckpointFiles) -> CheckpointFacts:
        """Reads one checkpoint."""
        from ckpt_tui.formats.pickle_file.states import read_pickles

        return read_pickles(files)
