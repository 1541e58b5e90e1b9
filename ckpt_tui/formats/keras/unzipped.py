"""A model as a directory: `model.save(directory, zipped=False)` writes what `.keras` zips."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ckpt_tui.artifacts.json_document import read_json
from ckpt_tui.artifacts.limits import ArtifactError
from ckpt_tui.core.facts import RoleFacts
from ckpt_tui.core.vocabulary import CONFIG as CONFIG_ROLE
from ckpt_tui.core.vocabulary import OPTIMIZER
from ckpt_tui.formats.keras.archive import unread_weights
from ckpt_tui.formats.keras.loading import RESHARD, loader_of
from ckpt_tui.formats.keras.names import CONFIG, INNER_NUMPY, INNER_WEIGHTS, number_of
from ckpt_tui.formats.keras.opened import Opened, open_weights
from ckpt_tui.formats.keras.single import commit_of, step_evidence
from ckpt_tui.formats.shared.common_facts import common_facts
from ckpt_tui.formats.shared.file_table import Mark, file_table
from ckpt_tui.formats.shared.links_and_holes import links_and_holes
from ckpt_tui.formats.shared.problems import finding_of_error, missing_file
from ckpt_tui.formats.shared.times import save_times

if TYPE_CHECKING:
    from ckpt_tui.core.facts import CheckpointFacts
    from ckpt_tui.core.findings import Finding
    from ckpt_tui.formats.base import CheckpointFiles


def read_unzipped(files: CheckpointFiles, format_name: str) -> CheckpointFacts:
    """Reads the configuration and the weights; the weights are written last."""
    config, findings = _config(files)
    opened = _weights(files, config)
    roles = opened.roles
    if config is not None:
        roles = (*roles, RoleFacts(CONFIG_ROLE, None, 1, CONFIG, paths=(CONFIG,)))
    times = save_times(files.tree.files(), files.tree.get(INNER_WEIGHTS))
    commit = commit_of(opened, times.committed_at, os.path.join(files.path, INNER_WEIGHTS))
    has_optimizer = any(role.role == OPTIMIZER for role in roles)
    iterations = opened.iterations if has_optimizer else None
    return common_facts(files, format_name, commit, times)._replace(
        step=iterations,
        ordinal=number_of(files.name),
        roles=roles,
        files=file_table(files.tree, {CONFIG: Mark(CONFIG_ROLE)}),
        findings=(*findings, *opened.findings, *links_and_holes(files.tree)),
        loader=loader_of(files.path, scaled=opened.scaled),
        reshard=RESHARD,
        declared=opened.readable,
        save_mode="sync",
        evidence=step_evidence(iterations, number_of(files.name)),
        tensors=opened.tensors,
        tensors_total=opened.tensors_total,
    )


def _config(files: CheckpointFiles) -> tuple[object, tuple[Finding, ...]]:
    if files.tree.get(CONFIG) is None:
        return None, (missing_file(CONFIG, "Keras makes the model from it"),)
    try:
        with files.open(CONFIG) as source:
            return read_json(source, files.limits), ()
    except ArtifactError as error:
        return None, (finding_of_error(error, CONFIG),)


def _weights(files: CheckpointFiles, config: object) -> Opened:
    if files.tree.get(INNER_WEIGHTS) is not None:
        return open_weights(files, INNER_WEIGHTS, config)
    if files.tree.get(INNER_NUMPY) is not None:
        return Opened(findings=(finding_of_error(unread_weights(files.path), ""),))
    return Opened(findings=(missing_file(INNER_WEIGHTS, "it holds every state"),))
