"""Reads bare safetensors files and folders of them: exports, which are never resumed from.

A folder with a configuration beside its weights is the `hf-trainer` reader's.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from ckpt_tui.core.facts import CheckpointFacts, CommitFacts, LoaderFacts
from ckpt_tui.core.findings import Finding
from ckpt_tui.core.vocabulary import MODEL, Effect, Severity
from ckpt_tui.formats.base import ClaimKind
from ckpt_tui.formats.safetensors_file.names import ENDING, absent_shards, groups, shard_name
from ckpt_tui.formats.shared.bounds import MOST_TENSORS
from ckpt_tui.formats.shared.common_facts import common_facts
from ckpt_tui.formats.shared.file_table import Mark, file_table
from ckpt_tui.formats.shared.links_and_holes import hollow_files
from ckpt_tui.formats.shared.problems import capped, missing_file
from ckpt_tui.formats.shared.safetensors_model import SafetensorsModel, read_safetensors_model
from ckpt_tui.formats.shared.series import is_step_directory, series_step
from ckpt_tui.formats.shared.times import save_times

if TYPE_CHECKING:
    from ckpt_tui.core.facts import RawPointer
    from ckpt_tui.formats.base import CheckpointFiles
    from ckpt_tui.fs.listing import Directory

_RULE = "no commit mark: each file's header says how long it has to be (safetensors)"


class SafetensorsFileReader:
    """Weights in safetensors files of their own."""

    name = "safetensors-file"

    def claims_directory(self, directory: Directory) -> ClaimKind:
        """Only files are claimed."""
        return ClaimKind.NO

    def claims_files(self, directory: Directory) -> tuple[tuple[str, ...], ...]:
        """Each model; in a directory named for a step they are a part of that checkpoint."""
        if is_step_directory(directory.name):
            return ()
        found = groups(n for n in directory.file_names() if not n.startswith("."))
        return tuple(group for group in found if any(name.endswith(ENDING) for name in group))

    def pointers(self, directory: Directory) -> tuple[RawPointer, ...]:
        """Nothing points at an export."""
        return ()

    def read(self, files: CheckpointFiles) -> CheckpointFacts:
        """Reads the headers, and compares with index and names."""
        model = read_safetensors_model(files, list(files.tree.files()))
        tensors = model.tensors
        times = save_times(files.tree.files(), None)
        return common_facts(files, self.name, CommitFacts(_RULE, None), times)._replace(
            step=_step(files.name),
            roles=model.roles,
            files=file_table(files.tree, {path: Mark(MODEL) for path in model.headers}),
            findings=_findings(files, model),
            loader=LoaderFacts(flag=f"load_file({json.dumps(files.path)})", tag=files.name),
            export=True,
            tensors=tensors[:MOST_TENSORS],
            tensors_total=len(tensors),
        )


def _step(name: str) -> int | None:
    return series_step(name.removesuffix(ENDING)) if shard_name(name) is None else None


def _findings(files: CheckpointFiles, model: SafetensorsModel) -> tuple[Finding, ...]:
    found = [*model.findings, *hollow_files(files.tree)]
    named = {finding.path for finding in model.findings}
    absent = [path for path in absent_shards(files.claim.members) if path not in named]
    found += capped([missing_file(path, "the other shards' names count it") for path in absent])
    if model.headers and not model.roles and not found:
        found.append(_empty(files.name))
    return tuple(found)


def _empty(name: str) -> Finding:
    return Finding(
        "empty-tensors",
        Severity.ERROR,
        name,
        f"{name} is readable, but holds no tensor",
        "Export the weights again from a whole checkpoint.",
        Effect.INCOMPLETE,
    )
