"""Reads a checkpoint whose index is not there, or cannot be read: names are all that it tells."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.artifacts.tensor_bundle import INDEX_ENDING
from ckpt_tui.core.facts import CheckpointFacts, CommitFacts, NeighbourFacts
from ckpt_tui.formats.shared.common_facts import common_facts
from ckpt_tui.formats.shared.file_table import file_table
from ckpt_tui.formats.shared.links_and_holes import links_and_holes
from ckpt_tui.formats.shared.problems import finding_of_error
from ckpt_tui.formats.shared.times import save_times
from ckpt_tui.formats.tensorflow.commit import (
    RULE,
    any_temporary_beside,
    half_removed,
    was_committed,
)
from ckpt_tui.formats.tensorflow.loading import loader_facts
from ckpt_tui.formats.tensorflow.names import data_name, ordinal_of

if TYPE_CHECKING:
    from ckpt_tui.artifacts.limits import ArtifactError
    from ckpt_tui.formats.base import CheckpointFiles


def with_unreadable_index(
    files: CheckpointFiles,
    format_name: str,
    prefix: str,
    error: ArtifactError,
    temporary: NeighbourFacts,
) -> CheckpointFacts:
    """An index that is cut was never finished as long as its temporary directory is there.

    Args:
        files: The checkpoint.
        format_name: Name of the reader.
        prefix: What the names of its files begin with.
        error: Why the index cannot be read.
        temporary: The temporary directory as it was before the index was opened.
    """
    index = prefix + INDEX_ENDING
    temporary = temporary if temporary.there else any_temporary_beside(files.base, prefix)
    cut = error.code in ("empty-file", "truncated-file") and temporary.there
    commit = CommitFacts(RULE, not cut, f"the rest of {index}" if cut else "")
    facts = _bare(files, format_name, prefix, commit)
    finding = finding_of_error(error, index)
    return facts._replace(findings=(finding, *facts.findings), neighbours=(temporary,))


def without_index(files: CheckpointFiles, format_name: str, prefix: str) -> CheckpointFacts:
    """Data alone: a save that was cut, or a removal, which begins with the index."""
    index = prefix + INDEX_ENDING
    facts = _bare(files, format_name, prefix, CommitFacts(RULE, False, index))
    removed = (half_removed(index),) if was_committed(files.base, prefix) else ()
    temporary = any_temporary_beside(files.base, prefix)
    return facts._replace(findings=(*removed, *facts.findings), neighbours=(temporary,))


def _bare(
    files: CheckpointFiles, format_name: str, prefix: str, commit: CommitFacts
) -> CheckpointFacts:
    """What can be told without an index."""
    data = [entry for entry in files.tree.files() if data_name(entry.path) is not None]
    times = save_times(data, files.tree.get(prefix + INDEX_ENDING))
    return common_facts(files, format_name, commit, times)._replace(
        checkpoint_id=prefix,
        ordinal=ordinal_of(prefix, None),
        files=file_table(files.tree, {}),
        findings=links_and_holes(files.tree),
        loader=loader_facts(files.base, prefix, of_graph=True, kept_by_manager=True),
        not_checked=("its content: the index alone says what belongs to it",),
    )
