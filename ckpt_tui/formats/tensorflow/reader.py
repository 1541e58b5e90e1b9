"""Reads TensorFlow's checkpoints: an index, which commits and describes, and data files.

The data files are renamed to their final names, then the index is written in place, then the
temporary directory goes, then the text `checkpoint` is replaced (seen with TensorFlow 2.21;
`MergeBundles` of its `core/util/tensor_bundle/tensor_bundle.cc`).
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ckpt_tui.formats.tensorflow.bundle import read_files
from ckpt_tui.formats.tensorflow.claims import claim_of_directory, groups_of_files
from ckpt_tui.formats.tensorflow.leftovers import read_leftover
from ckpt_tui.formats.tensorflow.names import temporary_prefix
from ckpt_tui.formats.tensorflow.pointers import pointers_of
from ckpt_tui.formats.tensorflow.saved_model import read_saved_model

if TYPE_CHECKING:
    from ckpt_tui.core.facts import CheckpointFacts, RawPointer
    from ckpt_tui.formats.base import CheckpointFiles, ClaimKind
    from ckpt_tui.fs.listing import Directory


class TensorFlowReader:
    """Checkpoints of `tf.train.Checkpoint` and TF1's Saver, and SavedModels."""

    name = "tensorflow"

    def claims_directory(self, directory: Directory) -> ClaimKind:
        """A SavedModel, or the temporary directory of a save that never ended."""
        return claim_of_directory(directory)

    def claims_files(self, directory: Directory) -> tuple[tuple[str, ...], ...]:
        """Each index with its data files."""
        return groups_of_files(directory)

    def pointers(self, directory: Directory) -> tuple[RawPointer, ...]:
        """The text `checkpoint`."""
        return pointers_of(directory)

    def read(self, files: CheckpointFiles) -> CheckpointFacts:
        """Reads one checkpoint."""
        if files.claim.members:
            return read_files(files, self.name)
        if temporary_prefix(os.path.basename(files.path)) is not None:
            return read_leftover(files, self.name)
        return read_saved_model(files, self.name)
