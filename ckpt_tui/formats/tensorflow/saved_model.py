"""Reads a SavedModel: a program with its variables, put out for use elsewhere.

Its variables are a bundle, but no job goes on from it. They are written first, `saved_model.pb`
last (`python/saved_model/save.py` of TensorFlow 2.21).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.artifacts.limits import ArtifactError
from ckpt_tui.artifacts.saved_model import has_object_graph
from ckpt_tui.artifacts.source import require_content
from ckpt_tui.artifacts.tensor_bundle import INDEX_ENDING, read_bundle
from ckpt_tui.core.facts import CheckpointFacts, CommitFacts, RoleFacts
from ckpt_tui.core.vocabulary import CONFIG, MODEL
from ckpt_tui.formats.shared.common_facts import common_facts
from ckpt_tui.formats.shared.file_table import Mark, file_table
from ckpt_tui.formats.shared.links_and_holes import links_and_holes
from ckpt_tui.formats.shared.problems import finding_of_error, missing_file
from ckpt_tui.formats.shared.times import save_times
from ckpt_tui.formats.tensorflow.loading import export_loader
from ckpt_tui.formats.tensorflow.names import SAVED_MODEL_FILES, VARIABLES
from ckpt_tui.formats.tensorflow.stored import Stored, check_stored

if TYPE_CHECKING:
    from ckpt_tui.core.files import FileEntry
    from ckpt_tui.core.findings import Finding
    from ckpt_tui.formats.base import CheckpointFiles

_RULE = "saved_model.pb is written after the variables (SavedModel)"
_PREFIX = f"{VARIABLES}/{VARIABLES}"


def read_saved_model(files: CheckpointFiles, format_name: str) -> CheckpointFacts:
    """Reads an export: its program's outline, and its variables by their index."""
    program = next((e for name in SAVED_MODEL_FILES if (e := files.tree.get(name))), None)
    missing = "" if program is not None else SAVED_MODEL_FILES[0]
    commit = CommitFacts(_RULE, program is not None, missing)
    findings = [*_program_problems(files, program)] if program is not None else []
    stored, found = _variables(files)
    findings += found
    times = save_times(files.tree.files(), program)
    roles = (_model(program, stored),) if program is not None else ()
    marks = {e.path: Mark(CONFIG) for e in files.tree.files() if "/" not in e.path}
    marks |= {e.path: Mark(MODEL) for e in files.tree.files() if e.path.startswith(VARIABLES)}
    return common_facts(files, format_name, commit, times)._replace(
        roles=roles,
        files=file_table(files.tree, marks),
        findings=(*findings, *links_and_holes(files.tree)),
        loader=export_loader(files.path, files.name),
        export=True,
        declared=True,
    )


def _model(program: FileEntry, stored: Stored | None) -> RoleFacts:
    if stored is None:
        return RoleFacts(MODEL, program.size_bytes, 1, program.path, paths=(program.path,))
    data = {stored.path_of(entry) for entry in stored.bundle.entries if not entry.slices}
    size_bytes = sum(entry.size_bytes for entry in stored.bundle.entries)
    paths = (program.path, *sorted(data))
    return RoleFacts(
        MODEL, size_bytes, len(paths), f"variables in {stored.index_path}", paths=paths
    )


def _variables(files: CheckpointFiles) -> tuple[Stored | None, list[Finding]]:
    """The bundle of variables; a program of TensorFlow 1 may have none."""
    index = _PREFIX + INDEX_ENDING
    if files.tree.get(index) is None:
        return None, []
    try:
        with files.open(index) as source:
            stored = Stored(files, _PREFIX, read_bundle(source, files.limits))
    except ArtifactError as error:
        return None, [finding_of_error(error, index)]
    return stored, check_stored(stored)


def _program_problems(files: CheckpointFiles, program: FileEntry) -> list[Finding]:
    try:
        with files.open(program.path) as source:
            require_content(source)
            objects = program.path == SAVED_MODEL_FILES[0] and has_object_graph(
                source, files.limits
            )
    except ArtifactError as error:
        return [finding_of_error(error, program.path)]
    index = _PREFIX + INDEX_ENDING
    if files.tree.get(index) is not None:
        return []
    data = next((e.path for e in files.tree.files() if e.path.startswith(f"{_PREFIX}.data-")), "")
    if objects or data:
        return [missing_file(index, f"{data or program.path} needs it")]
    return []
