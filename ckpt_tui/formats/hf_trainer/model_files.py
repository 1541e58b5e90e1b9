"""A model in one or several files, as `save_pretrained` writes it: weights, shards and an index.

Names are those of transformers and peft: `model.safetensors`, `pytorch_model.bin`, the same with
`-00001-of-00003` and a JSON index, `adapter_model.*`. Transformers' loader prefers safetensors to
torch, and one file to shards.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.artifacts.limits import ArtifactError
from ckpt_tui.core.facts import RoleFacts, TensorFacts
from ckpt_tui.core.files import Kind
from ckpt_tui.core.findings import Finding
from ckpt_tui.core.text import plural, words
from ckpt_tui.core.vocabulary import MODEL, Effect, Severity
from ckpt_tui.formats.shared.bounds import MOST_TENSORS
from ckpt_tui.formats.shared.file_table import Mark
from ckpt_tui.formats.shared.json_files import read_json_object
from ckpt_tui.formats.shared.problems import (
    capped,
    extra_shard,
    finding_of_error,
    missing_file,
    outside_path,
)
from ckpt_tui.formats.shared.weight_file import WeightFile, read_weight_file

if TYPE_CHECKING:
    from ckpt_tui.formats.base import CheckpointFiles


_WHOLE = ("model.safetensors", "pytorch_model.bin")
_ADAPTER = ("adapter_model.safetensors", "adapter_model.bin")
_INDEX = ("model.safetensors.index.json", "pytorch_model.bin.index.json")
_SHARD = re.compile(r"(?:model|pytorch_model)-(\d{1,9})-of-(\d{1,9})\.(?:safetensors|bin)")
_WEIGHTS = re.compile(
    r"(?:model|pytorch_model)(?:-\d{1,9}-of-\d{1,9})?\.(?:safetensors|bin)(?:\.index\.json)?"
    r"|adapter_model\.(?:safetensors|bin)"
)


class ModelFiles(NamedTuple):
    """The model as its files hold it.

    Attributes:
        role: The model role; None where no tensor of it can be read.
        findings: What is missing, damaged, empty or foreign.
        marks: Role of every weight file, by relative path.
        tensors: At most `MOST_TENSORS`; `tensors_total` is the real count.
        chosen: The file that the loader opens first (weights or an index), "" for none.
    """

    role: RoleFacts | None
    findings: tuple[Finding, ...]
    marks: dict[str, Mark]
    tensors: tuple[TensorFacts, ...] = ()
    tensors_total: int = 0
    chosen: str = ""


def is_weights_name(name: str) -> bool:
    """Whether transformers or peft give that name to weights or to their index."""
    return _WEIGHTS.fullmatch(name) is not None


def read_model_files(files: CheckpointFiles) -> ModelFiles:
    """Reads the weights that transformers' loader would take from the directory."""
    there = {e.path: e for e in files.tree.entries if e.kind in (Kind.FILE, Kind.LINK)}
    chosen = _choose(set(there))
    marks = {path: Mark(MODEL) for path in there if is_weights_name(path.rpartition("/")[2])}
    if not chosen:
        return _without_index(sorted(marks), marks)
    if chosen[0].endswith(".json"):
        wanted, findings = _read_index(files, chosen[0])
    else:
        wanted, findings = {path: frozenset[str]() for path in chosen}, []
    read: list[WeightFile] = []
    for path in sorted(wanted):
        entry = there.get(path)
        if entry is None:
            places = plural(len(wanted[path]), "tensor")
            findings.append(missing_file(path, f"`{chosen[0]}` places {places} in it"))
        elif entry.kind is Kind.LINK:
            findings.append(outside_path(path, "it holds weights"))
        else:
            read.append(read_weight_file(files, path))
            findings.extend(read[-1].findings)
    everything = frozenset[str]().union(*(weights.names for weights in read))
    for weights in read:
        findings.extend(_lacking(weights, wanted[weights.path] - everything, chosen[0]))
    foreign = [p for p in sorted(marks) if _SHARD.fullmatch(p) and p not in wanted]
    if foreign and chosen[0].endswith(".json"):
        findings.append(extra_shard(foreign, f"`{chosen[0]}`"))
    return _joined(chosen, read, capped(findings), marks)


def _choose(names: set[str]) -> tuple[str, ...]:
    """What the loader opens: one whole file, else adapters, else an index."""
    for candidates in (_WHOLE, _ADAPTER):
        for name in candidates:
            if name in names:
                return (name,)
    inner = sorted(n for n in names if n.count("/") == 1 and n.endswith(_ADAPTER))
    if inner:
        return tuple(inner)
    return tuple(name for name in _INDEX if name in names)[:1]


def _read_index(
    files: CheckpointFiles, index: str
) -> tuple[dict[str, frozenset[str]], list[Finding]]:
    """File → names of the tensors that the index places in it."""
    try:
        placed = read_json_object(files, index).get("weight_map")
        if not isinstance(placed, dict) or not placed:
            raise ArtifactError("invalid-json", "it has no `weight_map` that names any tensor")
    except ArtifactError as error:
        return {}, [finding_of_error(error, index)]
    wanted: dict[str, set[str]] = {}
    findings: list[Finding] = []
    for name, path in placed.items():
        if not isinstance(path, str) or "/" in path or path in ("", ".", ".."):
            findings.append(outside_path(index, f"it places {name!r} in {str(path)[:80]!r}"))
            continue
        wanted.setdefault(path, set()).add(name)
    return {path: frozenset(names) for path, names in wanted.items()}, findings


def _lacking(weights: WeightFile, absent: frozenset[str], index: str) -> tuple[Finding, ...]:
    """Tensors that no shard has; one that lies in another shard is loaded all the same."""
    lacks = sorted(absent) if weights.readable else []
    if not lacks:
        return ()
    return (
        Finding(
            "missing-shard",
            Severity.ERROR,
            weights.path,
            f"{weights.path} lacks {plural(len(lacks), 'tensor')} that `{index}` places in it, such"
            f" as {lacks[0]!r}; the loader would go on without them",
            "Resume from another checkpoint: this shard is of another save or model.",
            Effect.INCOMPLETE,
        ),
    )


def _without_index(paths: list[str], marks: dict[str, Mark]) -> ModelFiles:
    """Shards without the index that the loader looks for; nothing at all is no finding."""
    shards = [path for path in paths if _SHARD.fullmatch(path)]
    if not shards:
        return ModelFiles(None, (), marks)
    index = _INDEX[0] if shards[0].endswith(".safetensors") else _INDEX[1]
    why = f"{plural(len(shards), 'shard')} without an index, so that the loader finds no model"
    return ModelFiles(None, (missing_file(index, why),), marks)


def _joined(
    chosen: tuple[str, ...], read: list[WeightFile], findings: list[Finding], marks: dict[str, Mark]
) -> ModelFiles:
    tensors = tuple(tensor for weights in read for tensor in weights.tensors)
    size_bytes = sum(weights.tensor_bytes for weights in read)
    whole = [weights.path for weights in read if weights.readable]
    role = None
    if size_bytes:
        names = words(whole[:2]) if len(whole) < 3 else f"{len(whole)} files"
        named = f", named by {chosen[0]}" if chosen[0] not in whole else ""
        evidence = f"{plural(len(tensors), 'tensor')} in {names}{named}"
        role = RoleFacts(MODEL, size_bytes, len(whole), evidence, paths=tuple(whole))
    elif whole and len(whole) == len(read):
        findings = [*findings, _empty(whole[0])]
    return ModelFiles(role, tuple(findings), marks, tensors[:MOST_TENSORS], len(tensors), chosen[0])


def _empty(path: str) -> Finding:
    return Finding(
        "empty-tensors",
        Severity.ERROR,
        path,
        f"{path} is readable, but holds no tensor elements: the weights were never gathered",
        "Take the weights from another checkpoint, or from the optimizer's partitions.",
        Effect.INCOMPLETE,
    )
