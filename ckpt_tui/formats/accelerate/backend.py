"""Where model and optimizer come from: accelerate's own files, or those of the job's backend.

FSDP keeps them in DCP directories, in one file each, or in one file per rank; DeepSpeed in a
directory that is its tag; Megatron-LM in its own iteration directory. Weights that a hook of the
job saved (`save_pretrained` into a subdirectory) are taken as they are.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.core.facts import ParallelAxis, Reshard, RoleFacts, ShardFacts, TensorFacts
from ckpt_tui.core.files import Kind
from ckpt_tui.core.vocabulary import EXPORT, MODEL, OPTIMIZER, PROGRESS, RNG
from ckpt_tui.formats.accelerate.hooked import read_hooked_model
from ckpt_tui.formats.accelerate.names import (
    DEEPSPEED_DIRECTORY,
    FSDP_DIRECTORY,
    FSDP_FILE,
    FSDP_RANK_FILE,
    MEGATRON_DIRECTORY,
    MODEL_FILE,
    numbered,
    numbered_name,
)
from ckpt_tui.formats.accelerate.objects import NO_OBJECTS, Objects, read_optimizers
from ckpt_tui.formats.accelerate.ranked import read_rank_files
from ckpt_tui.formats.dcp.content import read_dcp
from ckpt_tui.formats.dcp.files import METADATA, holds_dcp
from ckpt_tui.formats.dcp.parts import read_dcp_parts
from ckpt_tui.formats.deepspeed.content import read_deepspeed, reshard_of
from ckpt_tui.formats.deepspeed.names import holds_deepspeed
from ckpt_tui.formats.shared.beside import read_beside
from ckpt_tui.formats.shared.bounds import MOST_TENSORS
from ckpt_tui.formats.shared.file_table import Mark
from ckpt_tui.formats.shared.nested import (
    nested_files,
    outer_findings,
    outer_marks,
    outer_roles,
    outer_shards,
    outer_tensors,
)
from ckpt_tui.formats.shared.problems import missing_file, unopened
from ckpt_tui.formats.shared.resharding import BY_RANK, WHOLE
from ckpt_tui.formats.shared.state_file import refused
from ckpt_tui.formats.shared.weight_file import read_weight_file

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ckpt_tui.core.files import FileEntry
    from ckpt_tui.core.findings import Finding
    from ckpt_tui.formats.base import CheckpointFiles

_HIGHER = "one with a higher number is there"
_RULE = "no commit mark: every file's own end decides (accelerate)"
_DCP_RULE = "each FSDP part's `.metadata` is renamed into place last; the other files have no mark"
_DEEPSPEED_RULE = "no commit mark: every file's own end and the count of ranks decide (DeepSpeed)"
_FSDP_RESHARD = Reshard(
    True, "natively: FSDP's parts are resharded on load; each process has a random state", (RNG,)
)


class Backend(NamedTuple):
    """Model and optimizer.

    Attributes:
        name: "", "fsdp", "deepspeed", "megatron" or "hook".
        optimizers: Accelerate's own optimizer files, where the backend leaves them to it.
        rule: How a save is known to be whole.
        missing: A `.metadata` that a DCP part still lacks, or "".
    """

    name: str = ""
    roles: tuple[RoleFacts, ...] = ()
    findings: tuple[Finding, ...] = ()
    marks: Mapping[str, Mark] = MappingProxyType({})
    world_size: int | None = None
    optimizers: Objects = NO_OBJECTS
    missing: str = ""
    rule: str = _RULE
    shards: tuple[ShardFacts, ...] = ()
    expected_ranks: tuple[int, ...] | None = None
    reshard: Reshard = WHOLE
    tensors: tuple[TensorFacts, ...] = ()
    tensors_total: int = 0
    not_checked: tuple[str, ...] = ()
    axes: tuple[ParallelAxis, ...] = ()


def read_backend(files: CheckpointFiles) -> Backend:
    """Model and optimizer as the loader of the job's backend would take them."""
    inside = [e.path for e in files.tree.entries if e.kind is Kind.DIRECTORY and "/" not in e.path]
    tags = [name for name in inside if DEEPSPEED_DIRECTORY.fullmatch(name) and _tagged(files, name)]
    if tags:
        return _deepspeed(files, tags)
    iterations = [name for name in inside if MEGATRON_DIRECTORY.fullmatch(name)]
    if iterations:
        return _megatron(files, iterations[-1])
    parts = [name for name in inside if FSDP_DIRECTORY.fullmatch(name)]
    ranked = [e for e in files.tree.files() if FSDP_RANK_FILE.fullmatch(e.path)]
    if parts or ranked or numbered(files.tree, FSDP_FILE):
        return _fsdp(files, parts, ranked)
    return _own(files)


def _tagged(files: CheckpointFiles, directory: str) -> bool:
    prefix = f"{directory}/"
    names = (e.path.removeprefix(prefix) for e in files.tree.files() if e.path.startswith(prefix))
    return holds_deepspeed(names)


def _own(files: CheckpointFiles) -> Backend:
    """Accelerate's loader takes `model.safetensors` before `pytorch_model.bin`."""
    entries = numbered(files.tree, MODEL_FILE)
    optimizers = read_optimizers(files)
    if not entries:
        hooked = read_hooked_model(files)
        return Backend(
            "hook" if hooked.roles else "",
            (*hooked.roles, *optimizers.roles),
            (*hooked.findings, *optimizers.findings),
            {**hooked.marks, **optimizers.marks},
            optimizers=optimizers,
            tensors=hooked.tensors,
            tensors_total=hooked.tensors_total,
            not_checked=hooked.not_checked,
        )
    model = _whole_models(files, entries)
    absent = [n for n in range(max(entries)) if n not in entries]
    gaps = [missing_file(numbered_name("model", n, ".safetensors"), _HIGHER) for n in absent]
    return model._replace(
        roles=(*model.roles, *optimizers.roles),
        findings=(*model.findings, *gaps, *optimizers.findings),
        marks={**_exports(files), **model.marks, **optimizers.marks},
        optimizers=optimizers,
    )


def _whole_models(files: CheckpointFiles, entries: Mapping[int, FileEntry]) -> Backend:
    """Models that are one file each."""
    roles: list[RoleFacts] = []
    findings: list[Finding] = []
    tensors: list[TensorFacts] = []
    for entry in entries.values():
        if entry.kind is not Kind.FILE:
            findings.append(unopened(entry, "it holds a model"))
            continue
        weights = read_weight_file(files, entry.path)
        findings += [refused(finding) for finding in weights.findings]
        tensors += weights.tensors
        roles += [weights.role] if weights.role is not None else []
    return Backend(
        "",
        tuple(roles),
        tuple(findings),
        {entry.path: Mark(MODEL) for entry in entries.values()},
        tensors=tuple(tensors[:MOST_TENSORS]),
        tensors_total=len(tensors),
    )


def _exports(files: CheckpointFiles) -> dict[str, Mark]:
    """Weights that the loader leaves alone, as others are taken first."""
    return {
        entry.path: Mark(EXPORT, None, "not read by load_state")
        for entry in files.tree.files()
        if MODEL_FILE.fullmatch(entry.path)
    }


def _fsdp(files: CheckpointFiles, parts: list[str], ranked: list[FileEntry]) -> Backend:
    dcp = read_dcp_parts(files)
    empty = next((f"{name}/{METADATA}" for name in parts if name not in dcp.directories), "")
    whole = _whole_models(files, numbered(files.tree, FSDP_FILE))
    by_rank = read_rank_files(files, ranked)
    own = any(name.startswith("optimizer") for name in parts) or OPTIMIZER in by_rank.kinds
    optimizers = NO_OBJECTS if own else read_optimizers(files)
    has_model = whole.marks or MODEL in by_rank.kinds
    has_model = has_model or any(name.startswith("pytorch_model_fsdp") for name in parts)
    gaps = () if has_model else (missing_file("pytorch_model_fsdp_0", "FSDP's optimizer is there"),)
    tensors = (*dcp.tensors, *whole.tensors)
    return Backend(
        "fsdp",
        (*dcp.roles, *whole.roles, *by_rank.roles, *optimizers.roles),
        (*dcp.findings, *whole.findings, *by_rank.findings, *optimizers.findings, *gaps),
        {**_exports(files), **dcp.marks, **whole.marks, **by_rank.marks, **optimizers.marks},
        world_size=max(dcp.world_size or 0, by_rank.world_size or 0) or None,
        optimizers=optimizers,
        missing=dcp.missing or empty,
        rule=_DCP_RULE if parts else _RULE,
        shards=dcp.shards or by_rank.shards,
        expected_ranks=dcp.expected_ranks or by_rank.expected_ranks,
        reshard=BY_RANK if by_rank.kinds else _FSDP_RESHARD if parts else WHOLE,
        tensors=tensors[:MOST_TENSORS],
        tensors_total=dcp.tensors_total + whole.tensors_total,
    )


def _deepspeed(files: CheckpointFiles, tags: list[str]) -> Backend:
    """Accelerate passes the tag, so `latest` inside the checkpoint is not read."""
    contents = {tag: read_deepspeed(nested_files(files, tag)) for tag in tags}
    first = contents[tags[0]]
    marks = _exports(files)
    for tag, content in contents.items():
        marks |= outer_marks(tag, content.marks)
    return Backend(
        "deepspeed",
        tuple(
            role
            for tag, content in contents.items()
            for role in outer_roles(tag, content.roles)
            # Random states and the step come from accelerate's own files.
            if role.role not in (RNG, PROGRESS)
        ),
        tuple(
            f for tag, content in contents.items() for f in outer_findings(tag, content.findings)
        ),
        marks,
        first.world_size,
        rule=_DEEPSPEED_RULE,
        shards=outer_shards(tags[0], first.shards),
        expected_ranks=first.expected_ranks,
        reshard=reshard_of(first),
        tensors=outer_tensors(tags[0], first.tensors),
        tensors_total=first.tensors_total,
        not_checked=first.not_checked[1:],
        axes=first.axes,
    )


def _megatron(files: CheckpointFiles, iteration: str) -> Backend:
    """Megatron-LM saves all of its state under `iter_N/`, per model-parallel rank."""
    inner = nested_files(files, iteration)
    if holds_dcp(entry.path for entry in inner.tree.files()):
        content = read_dcp(inner)
        roles, findings = content.keyed.roles, content.findings
        missing = "" if content.committed else f"{iteration}/{METADATA}"
    else:
        beside = read_beside(inner, list(inner.tree.files()), None)
        roles, findings, missing = beside.roles, beside.findings, ""
    return Backend(
        "megatron",
        outer_roles(iteration, (role for role in roles if role.role != PROGRESS)),
        outer_findings(iteration, findings),
        missing=missing,
        reshard=Reshard(None, "as Megatron-LM loads it"),
    )
