"""Reads what a save left that never ended: `ckpt-3_temp`, with the parts of its writers.

Each writer writes a bundle of its own there, `part-00000-of-00002`; then one of them renames the
data files and writes one index for all. The index of an only writer is the one for all.
"""

from __future__ import annotations

import os
import shlex
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.artifacts.limits import ArtifactError
from ckpt_tui.artifacts.tensor_bundle import INDEX_ENDING, data_file_name, read_bundle
from ckpt_tui.core.facts import CheckpointFacts, CommitFacts, NeighbourFacts
from ckpt_tui.core.vocabulary import Effect
from ckpt_tui.formats.base import CheckpointFiles
from ckpt_tui.formats.shared.common_facts import common_facts
from ckpt_tui.formats.shared.file_table import file_table
from ckpt_tui.formats.shared.links_and_holes import links_and_holes
from ckpt_tui.formats.shared.problems import finding_of_error
from ckpt_tui.formats.shared.times import save_times
from ckpt_tui.formats.tensorflow.bundle import Content, content_of, epoch_of
from ckpt_tui.formats.tensorflow.commit import RULE
from ckpt_tui.formats.tensorflow.loading import loader_facts
from ckpt_tui.formats.tensorflow.names import data_name, ordinal_of, part_name, temporary_prefix
from ckpt_tui.formats.tensorflow.roles import roles_of, tensor_facts
from ckpt_tui.formats.tensorflow.scalars import Told
from ckpt_tui.formats.tensorflow.stored import Stored
from ckpt_tui.fs.listing import list_tree
from ckpt_tui.fs.paths import is_there

if TYPE_CHECKING:
    from ckpt_tui.core.findings import Finding

_ONLY_PART = "part-00000-of-00001"


class _Part(NamedTuple):
    """What the only writer's index says.

    Attributes:
        content: None where there is no such index, or it cannot be read.
        moved: Whether its data already have their final name, beside the directory.
        findings: Why the index cannot be read.
    """

    content: Content | None = None
    moved: bool = False
    findings: tuple[Finding, ...] = ()


def read_leftover(files: CheckpointFiles, format_name: str) -> CheckpointFacts:
    """Reads a temporary directory; its content as far as one writer made all of it."""
    base, name = os.path.split(files.path)
    prefix = temporary_prefix(name) or name
    beside = os.path.join(base, data_file_name(prefix, 0, 1))
    neighbour = NeighbourFacts(beside, is_there(beside))
    part = _read_part(files, base, prefix, neighbour.there)
    content = part.content
    told = content.told if content is not None else Told()
    found = content.findings if content is not None else part.findings
    whole = content is not None and all(f.effect is Effect.NONE for f in found)
    finish = _finish(files.path, base, prefix, part.moved) if whole else ""
    commit = CommitFacts(RULE, False, f"{prefix}{INDEX_ENDING}", finish=finish, skipped=True)
    times = save_times(files.tree.files(), None)
    facts = common_facts(files, format_name, commit, times)._replace(
        checkpoint_id=prefix,
        step=told.step.value if told.step is not None else None,
        ordinal=ordinal_of(prefix, epoch_of(told)),
        files=file_table(files.tree, {}),
        findings=(*found, *links_and_holes(files.tree)),
        loader=loader_facts(base, prefix, of_graph=True, kept_by_manager=True),
        staging=True,
        neighbours=(neighbour,),
    )
    return facts if content is None else _with_content(facts, content)


def _with_content(facts: CheckpointFacts, content: Content) -> CheckpointFacts:
    tensors, total = tensor_facts(content.stored, content.table)
    return facts._replace(
        roles=roles_of(content.stored, content.told, content.table),
        declared=True,
        tensors=tensors,
        tensors_total=total,
    )


def _read_part(files: CheckpointFiles, base: str, prefix: str, moved: bool) -> _Part:
    """The index of an only writer, and its data where they lie now."""
    index = _ONLY_PART + INDEX_ENDING
    names = [part_name(entry.path) for entry in files.tree.files()]
    if files.tree.get(index) is None or any(p is None or p.parts != 1 for p in names):
        return _Part()
    inside = any(p is not None and not p.is_index and not p.is_open for p in names)
    try:
        with files.open(index) as source:
            bundle = read_bundle(source, files.limits)
    except ArtifactError as error:
        return _Part(findings=(finding_of_error(error, index),))
    if inside or not moved:
        return _Part(content_of(Stored(files, _ONLY_PART, bundle)))
    outer = _files_beside(files, base, prefix)
    return _Part(content_of(Stored(outer, prefix, bundle)), moved=True)


def _files_beside(files: CheckpointFiles, base: str, prefix: str) -> CheckpointFiles:
    """The data file of an only writer under its final name, as a checkpoint of one file."""
    name = data_file_name(prefix, 0, 1)
    path = os.path.join(base, name)
    claim = files.claim._replace(path=path, members=(name,))
    return CheckpointFiles(claim, list_tree(path, (name,)), files.limits)


def _finish(path: str, base: str, prefix: str, moved: bool) -> str:
    """The renames that were still to come, the index last."""
    data = data_file_name(_ONLY_PART, 0, 1)
    named = data_name(data)
    pairs = [] if moved or named is None else [(data, data_file_name(prefix, 0, 1))]
    pairs.append((_ONLY_PART + INDEX_ENDING, prefix + INDEX_ENDING))
    return " && ".join(
        f"mv {shlex.quote(os.path.join(path, old))} {shlex.quote(os.path.join(base, new))}"
        for old, new in pairs
    )
