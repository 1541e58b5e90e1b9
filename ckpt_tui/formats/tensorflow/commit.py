"""When a save was finished, and what lies beside a checkpoint that was not."""

from __future__ import annotations

import os

from ckpt_tui.artifacts.limits import ArtifactError
from ckpt_tui.core.facts import NeighbourFacts
from ckpt_tui.core.findings import Finding
from ckpt_tui.core.vocabulary import Effect, Severity
from ckpt_tui.formats.tensorflow.names import STATE_FILE, temporary_prefix
from ckpt_tui.formats.tensorflow.state_file import read_state_file
from ckpt_tui.fs.listing import list_names
from ckpt_tui.fs.paths import is_there

RULE = "the index is written last, in place, after the data files are renamed (TensorFlow)"


def temporary_beside(base: str, prefix: str) -> NeighbourFacts:
    """The temporary directory of a checkpoint, whether or not it is there.

    Args:
        base: Absolute path of the run's directory.
        prefix: What the names of the checkpoint's files begin with.
    """
    path = os.path.join(base, f"{prefix}_temp")
    return NeighbourFacts(path, is_there(path))


def any_temporary_beside(base: str, prefix: str) -> NeighbourFacts:
    """The same, under the names of TF1's Saver, too: those take a look at the whole directory."""
    known = temporary_beside(base, prefix)
    if known.there:
        return known
    names = list_names(base).directory_names()
    found = [name for name in names if temporary_prefix(name) == prefix]
    return NeighbourFacts(os.path.join(base, found[0]), True) if found else known


def left_behind(path: str) -> Finding:
    """A temporary directory beside a checkpoint that is committed."""
    name = os.path.basename(path)
    return Finding(
        "staging-leftover",
        Severity.INFO,
        "",
        f"{name} is still beside it: the job stopped before it removed its temporary directory",
        "Remove it once no job writes it.",
    )


def was_committed(base: str, prefix: str) -> bool:
    """Whether the run's state file counts it among the older ones that were kept."""
    try:
        state = read_state_file(base)
    except ArtifactError:
        return False
    kept = {os.path.basename(path) for path in state.kept}
    return prefix in kept and os.path.basename(state.latest) != prefix


def half_removed(index: str) -> Finding:
    """Data without the index, of a checkpoint that had been committed."""
    return Finding(
        "partly-deleted",
        Severity.WARNING,
        index,
        f"{index} is gone, and `{STATE_FILE}` still counts it among the older checkpoints: its"
        " removal was cut half-way",
        "Safe to delete; resume from a younger checkpoint.",
        Effect.INCOMPLETE,
    )
