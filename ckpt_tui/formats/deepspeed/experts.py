"""Expert files of a DeepSpeed step: a mixture keeps one for each expert of each of its layers."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from ckpt_tui.artifacts.inert import as_mapping
from ckpt_tui.formats.deepspeed.names import PartKind
from ckpt_tui.formats.shared.archive_step import whole_number
from ckpt_tui.formats.shared.problems import capped, missing_file

if TYPE_CHECKING:
    from ckpt_tui.core.findings import Finding
    from ckpt_tui.formats.deepspeed.parts import Part, Parts

_MOST_EXPERTS = 100_000
_EXPERT = re.compile(r"(layer_\d+_)?expert_(\d+)")
_EXPERT_GROUP = re.compile(r"ep_size_(\d{1,6})")
_EXPERT_OPTIMIZER = re.compile(r"expp_rank_(\d+)")


def expert_gaps(parts: Parts) -> tuple[Finding, ...]:
    """Expert files that the counts of the model file, or the other layers, demand."""
    if any(_is_in_partitions(part) for part in parts.of_kind(PartKind.MODEL)):
        return ()
    there = {part.path: part for part in parts.of_kind(PartKind.EXPERT)}
    experts = _experts_by_layer(parts, list(there))
    mp_ranks = sorted({part.name.mp_rank for part in there.values()} or {0})
    wanted = (
        (f"{layer}expert_{expert}_mp_rank_{mp_rank:02d}_model_states.pt", count)
        for layer, count in sorted(experts.items())
        for expert in range(count)
        for mp_rank in mp_ranks
    )
    found = [
        missing_file(name, f"this layer of the mixture has {count} experts")
        for name, count in islice(wanted, _MOST_EXPERTS)
        if name not in there
    ]
    return tuple(capped(found))


def _experts_by_layer(parts: Parts, paths: list[str]) -> dict[str, int]:
    """Prefix of a layer's files → its number of experts.

    A layer that the model file does not count has as many as the largest that is known.
    """
    named: dict[str, int] = {}
    for found in map(_EXPERT.match, paths):
        if found is not None:
            layer = found[1] or ""
            named[layer] = max(named.get(layer, 0), int(found[2]) + 1)
    models = parts.of_kind(PartKind.MODEL)
    counted = next((counts for part in models if (counts := _counts_of(part))), {})
    most = max([*named.values(), *counted.values()], default=0)
    return dict.fromkeys(named, most) | ({} if "" in named else counted)


def _is_in_partitions(part: Part) -> bool:
    """AutoEP at ZeRO stage 3 keeps the experts in the optimizer's partitions."""
    return part.name.dp_rank is not None and bool(part.value.get("ds_autoep_layers"))


def _counts_of(part: Part) -> dict[str, int]:
    """`num_experts` of a model file: one count per mixture layer, or one for all in old files."""
    found = part.value.get("num_experts")
    if not isinstance(found, list):
        number = whole_number(found)
        return {"": number} if number else {}
    counts = {f"layer_{layer}_": whole_number(count) for layer, count in enumerate(found)}
    return {layer: count for layer, count in counts.items() if count}


def expert_optimizer_gaps(parts: Parts) -> tuple[Finding, ...]:
    """Optimizers of a mixture without ZeRO: one file for each expert-parallel rank.

    The loader takes the optimizer from these files only, though the model file has a copy of one.
    """
    models = parts.of_kind(PartKind.MODEL)
    there = {p.path for p in parts.of_kind(PartKind.EXPERT) if _EXPERT_OPTIMIZER.match(p.path)}
    copied = any(part.value.get("optimizer") for part in models)
    if not any(map(_counts_of, models)) or not (there or copied):
        return ()
    mp_ranks = {part.name.mp_rank for part in models}
    wanted = [
        f"expp_rank_{rank}_mp_rank_{mp_rank:02d}_optim_states.pt"
        for rank in range(_expert_parallel_ranks(parts))
        for mp_rank in sorted(mp_ranks)
    ]
    why = "without ZeRO each expert-parallel rank keeps its optimizer in a file"
    return tuple(capped([missing_file(name, why) for name in wanted if name not in there]))


def _expert_parallel_ranks(parts: Parts) -> int:
    """How many ranks share the experts: by the optimizer's groups (`ep_size_2`), or by names."""
    named = [
        int(found[1])
        for part in parts.of_kind(PartKind.MODEL)
        for group in _optimizer_groups(part)
        if (found := _EXPERT_GROUP.fullmatch(str(as_mapping(group).get("name"))))
    ]
    ranks = (
        int(found[1]) + 1
        for part in parts.of_kind(PartKind.EXPERT)
        if (found := _EXPERT_OPTIMIZER.match(part.path))
    )
    return min(max([1, *named, *ranks]), _MOST_EXPERTS)


def _optimizer_groups(part: Part) -> list[object]:
    """Parameter groups of the optimizer in a model file; the bf16 one wraps torch's own."""
    outer = as_mapping(part.value.get("optimizer"))
    inner = as_mapping(outer.get("optimizer_state_dict")) or outer
    groups = inner.get("param_groups")
    return groups if isinstance(groups, list) else []
