"""How a DeepSpeed job was laid out: ZeRO stage, ranks, steps, as its files say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.artifacts.inert import Instance
from ckpt_tui.formats.deepspeed.names import PartKind, PartName
from ckpt_tui.formats.shared.archive_step import whole_number

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ckpt_tui.formats.deepspeed.parts import Part, Parts


_PARTITION_KEY = "single_partition_of_fp32_groups"


class Layout(NamedTuple):
    """Who had to write what.

    Attributes:
        stage: ZeRO stage 0 to 3; None where nothing tells it.
        dp_world_size: Data-parallel ranks; at least what the file names show.
        mp_world_size: Model-parallel ranks, pipeline stages included.
        source: What told the number of ranks, for messages.
        prefix: Prefix of the optimizer files ("bf16_").
        partitioned: Each rank keeps its own part of the optimizer: ZeRO, or the bf16 optimizer,
            which splits it at stage 0, too.
    """

    stage: int | None
    dp_world_size: int
    mp_world_size: int
    source: str
    prefix: str
    partitioned: bool = False

    @property
    def world_size(self) -> int:
        """Number of processes of the job."""
        return self.dp_world_size * self.mp_world_size

    def rank(self, name: PartName) -> int:
        """The writer of a file: model-parallel ranks are neighbours."""
        return (name.dp_rank or 0) * self.mp_world_size + name.mp_rank

    def model_files(self) -> list[PartName]:
        """The model files that the loader opens."""
        if self.stage == 3:
            return [PartName(PartKind.MODEL, dp, mp) for dp, mp in self._all_ranks()]
        return [PartName(PartKind.MODEL, None, mp) for mp in range(self.mp_world_size)]

    def optimizer_files(self) -> list[PartName]:
        """The ZeRO partitions that the loader opens."""
        return [PartName(PartKind.OPTIMIZER, dp, mp, self.prefix) for dp, mp in self._all_ranks()]

    def _all_ranks(self) -> Iterable[tuple[int, int]]:
        return product(range(self.dp_world_size), range(self.mp_world_size))


def layout_of(parts: Parts) -> Layout:
    """The layout, by the first model file that can be read, else by other files and names."""
    models = parts.of_kind(PartKind.MODEL)
    optimizers = parts.of_kind(PartKind.OPTIMIZER)
    told = next((part for part in models if part.number("dp_world_size")), None)
    dp_ranks = [p.name.dp_rank for p in (*models, *optimizers) if p.name.dp_rank is not None]
    mp_ranks = [part.name.mp_rank for part in (*models, *optimizers)]
    if told is not None:
        dp = told.number("dp_world_size") or 1
        mp = told.number("mp_world_size") or 1
        source = f"`dp_world_size` in {told.path}"
    else:
        dp, source = _partitions(optimizers)
        mp = max(mp_ranks, default=0) + 1
    return Layout(
        stage=_stage(models, optimizers),
        dp_world_size=dp if dp else max(dp_ranks, default=0) + 1,
        mp_world_size=mp,
        source=source or "the ranks in the file names",
        prefix=_prefix(models, optimizers),
        partitioned=_is_partitioned(models, optimizers),
    )


def _is_partitioned(models: tuple[Part, ...], optimizers: tuple[Part, ...]) -> bool:
    """Whether the loader wants each rank's partition; a whole optimizer is in the model file."""
    whole = (_mapping(part.value.get("optimizer")) for part in models)
    held = [found for found in whole if found]
    if held:
        return any(_PARTITION_KEY in found for found in held)
    return bool(_stage(models, optimizers) or optimizers)


def _partitions(optimizers: tuple[Part, ...]) -> tuple[int, str]:
    """The number of partitions that a ZeRO file names: one integer, or one per group."""
    for part in optimizers:
        count = _inner(part).get("partition_count")
        number = whole_number(max(count, key=str) if isinstance(count, list) and count else count)
        if number:
            return number, f"`partition_count` in {part.path}"
    return 0, ""


def _stage(models: tuple[Part, ...], optimizers: tuple[Part, ...]) -> int | None:
    for part in (*models, *optimizers):
        zero = _mapping(_mapping(part.value.get("ds_config")).get("zero_optimization"))
        stage = whole_number(zero.get("stage"))
        if stage is None:
            stage = _number_of_enum(_inner(part).get("zero_stage"))
        if stage is not None and stage <= 3:
            return stage
    if any(part.name.dp_rank is not None for part in models):
        return 3
    return 1 if optimizers else None


def _prefix(models: tuple[Part, ...], optimizers: tuple[Part, ...]) -> str:
    """The prefix of most optimizer files; the configured precision breaks a tie."""
    counted = Counter(part.name.prefix for part in optimizers)
    if not counted:
        return "bf16_" if _bf16(models) else ""
    most = max(counted.values())
    best = sorted(prefix for prefix, count in counted.items() if count == most)
    return "bf16_" if "bf16_" in best and _bf16(models) else best[0]


def _bf16(models: tuple[Part, ...]) -> bool:
    configs = (_mapping(part.value.get("ds_config")) for part in models)
    return any(_mapping(config.get("bf16")).get("enabled") is True for config in configs)


def _inner(part: Part) -> Mapping[object, object]:
    return _mapping(part.value.get("optimizer_state_dict"))


def _number_of_enum(value: object) -> int | None:
    """`ZeroStageEnum(2)` is pickled as a call with its number."""
    if isinstance(value, Instance):
        return whole_number(value.args[0]) if value.args else None
    return whole_number(value)


def _mapping(value: object) -> Mapping[object, object]:
    return value if isinstance(value, Mapping) else {}
