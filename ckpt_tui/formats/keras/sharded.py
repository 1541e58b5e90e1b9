"""Weights in several files: `save_weights("model.weights.json", max_shard_size=…)`.

The index is written anew each time a shard is full, the last time with the sizes of all: until
then it counts a variable more than the shards hold.
"""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.artifacts.hdf5.contents import read_contents
from ckpt_tui.artifacts.json_document import read_json
from ckpt_tui.artifacts.limits import ArtifactError
from ckpt_tui.core.facts import CommitFacts
from ckpt_tui.core.vocabulary import OPTIMIZER
from ckpt_tui.formats.keras.loading import RESHARD, loader_of, skips_optimizer
from ckpt_tui.formats.keras.names import number_of
from ckpt_tui.formats.keras.opened import tensors_of
from ckpt_tui.formats.keras.single import step_evidence
from ckpt_tui.formats.keras.weights import Weights, read_weights
from ckpt_tui.formats.shared.bounds import MOST_TENSORS
from ckpt_tui.formats.shared.common_facts import common_facts
from ckpt_tui.formats.shared.file_table import Mark, file_table
from ckpt_tui.formats.shared.links_and_holes import hollow_files
from ckpt_tui.formats.shared.problems import (
    capped,
    extra_shard,
    finding_of_error,
    lacks_content,
    missing_file,
)
from ckpt_tui.formats.shared.times import save_times

if TYPE_CHECKING:
    from ckpt_tui.artifacts.hdf5.contents import Contents
    from ckpt_tui.core.facts import CheckpointFacts, TensorFacts
    from ckpt_tui.core.findings import Finding
    from ckpt_tui.formats.base import CheckpointFiles

_RULE = "the index counts the bytes of all shards; it is written last, with the last shard (Keras)"
_MOST_SHARDS = 10_000


class _Index(NamedTuple):
    """The index: (group, file) of all variables, and the bytes of all of them."""

    places: tuple[tuple[str, str], ...]
    total_bytes: float

    @property
    def shards(self) -> tuple[str, ...]:
        """Names of the files, in the order of their first mention."""
        return tuple(dict.fromkeys(file for _, file in self.places))


class _Read(NamedTuple):
    weights: Weights
    findings: tuple[Finding, ...]
    stored_bytes: int
    tensors: tuple[TensorFacts, ...]
    tensors_total: int


def read_sharded(files: CheckpointFiles, format_name: str) -> CheckpointFacts:
    """Reads an index and the shards that it names."""
    path = files.claim.members[0]
    try:
        with files.open(path) as source:
            index = _index_of(read_json(source, files.limits), source.name)
    except ArtifactError as error:
        return _facts(
            files, format_name, CommitFacts(_RULE, None), (finding_of_error(error, path),)
        )
    read = _read_shards(files, index)
    whole = read.stored_bytes >= index.total_bytes or bool(read.findings)
    commit = CommitFacts(_RULE, whole, "" if whole else "the rest of its shards")
    named = (path, *index.shards)
    others = [name for name in files.claim.members if name not in named]
    findings = [*read.findings, *read.weights.findings]
    if others and whole:
        findings.append(extra_shard(others, path))
    has_optimizer = any(role.role == OPTIMIZER for role in read.weights.roles)
    if has_optimizer:
        findings.append(skips_optimizer(path))
    iterations = read.weights.iterations if has_optimizer else None
    return _facts(files, format_name, commit, tuple(findings))._replace(
        step=iterations,
        roles=read.weights.roles,
        declared=not read.findings,
        evidence=step_evidence(iterations, number_of(path)),
        tensors=read.tensors,
        tensors_total=read.tensors_total,
    )


def _facts(
    files: CheckpointFiles, format_name: str, commit: CommitFacts, findings: tuple[Finding, ...]
) -> CheckpointFacts:
    path = files.claim.members[0]
    times = save_times(files.tree.files(), files.tree.get(path))
    marks = {path: Mark("", None, "the index")}
    return common_facts(files, format_name, commit, times)._replace(
        ordinal=number_of(path),
        files=file_table(files.tree, marks),
        findings=(*findings, *hollow_files(files.tree)),
        loader=loader_of(files.path),
        reshard=RESHARD,
        save_mode="sync",
    )


def _index_of(document: object, path: str) -> _Index:
    inside = document if isinstance(document, dict) else {}
    weight_map, metadata = inside.get("weight_map"), inside.get("metadata")
    total = metadata.get("total_size") if isinstance(metadata, dict) else None
    if not isinstance(weight_map, dict) or not isinstance(total, (int, float)):
        raise ArtifactError("invalid-json", "it is no index of Keras's sharded weights", path)
    places = []
    for group, named in weight_map.items():
        for file in named if isinstance(named, list) else [named]:
            if not isinstance(file, str) or "/" in file:
                raise ArtifactError("invalid-json", "it names a shard that is no file", path)
            places.append((group.strip("/"), file))
    if len({file for _, file in places}) > _MOST_SHARDS:
        raise ArtifactError("limit-exceeded", f"it names more than {_MOST_SHARDS} shards", path)
    return _Index(tuple(places), total)


def _read_shards(files: CheckpointFiles, index: _Index) -> _Read:
    findings: list[Finding] = []
    parts: list[tuple[str, Contents]] = []
    tensors: list[TensorFacts] = []
    with ExitStack() as stack:
        for name in index.shards:
            if files.tree.get(name) is None:
                findings.append(missing_file(name, "the index places variables in it"))
                continue
            try:
                source = stack.enter_context(files.open(name))
                contents = read_contents(source, files.limits)
                tensors += tensors_of(contents, name)
            except ArtifactError as error:
                findings.append(finding_of_error(error, name))
                continue
            parts.append((name, contents))
        findings += _absent_groups(index, dict(parts))
        try:
            weights = read_weights(parts, None)
        except ArtifactError as error:
            weights = Weights((), (finding_of_error(error, ""),))
    sizes = [d.size_bytes for _, contents in parts for d in contents.datasets.values()]
    return _Read(
        weights, tuple(capped(findings)), sum(sizes), tuple(tensors[:MOST_TENSORS]), len(sizes)
    )


def _absent_groups(index: _Index, parts: dict[str, Contents]) -> list[Finding]:
    """Groups that the index places in a shard which does not hold them."""
    return [
        lacks_content(file, f"group {group}", "Keras")
        for group, file in index.places
        if file in parts and group not in parts[file].groups
    ]
