"""The launch arguments that Megatron-LM stores in its checkpoints, as an inert `Namespace`."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.artifacts.inert import as_mapping
from ckpt_tui.formats.shared.archive_step import whole_number

if TYPE_CHECKING:
    from collections.abc import Mapping

_LARGEST = 2**31


class Arguments(NamedTuple):
    """What the arguments say of the job; sizes in ranks, None where they do not say.

    Attributes:
        there: The checkpoint holds arguments at all.
        tensor: Tensor-parallel size.
        pipeline: Pipeline-parallel size.
        expert: Expert-parallel size.
        expert_tensor: Tensor-parallel size of the experts.
        data: Data-parallel size.
        world_size: Processes of the job.
        distributed_optimizer: Whether the optimizer's state is kept apart from the model's.
        saves_optimizer: False where the job was told to leave it out.
        async_save: Whether the job saved in the background.
        freezes: Whether parts of the model were frozen; a rank of such parts has no optimizer.
        oldest: Whether they name sizes as checkpoint versions before 3 did.
        context: Context-parallel size.
        pipeline_inside_data: Whether pipeline stages are nearer neighbours than data-parallel
            ranks (`--use-tp-pp-dp-mapping`).
        separate_encoder: Whether an encoder has ranks of its own, before the decoder's.
    """

    there: bool = False
    tensor: int | None = None
    pipeline: int | None = None
    expert: int | None = None
    expert_tensor: int | None = None
    data: int | None = None
    world_size: int | None = None
    distributed_optimizer: bool | None = None
    saves_optimizer: bool = True
    async_save: bool | None = None
    freezes: bool = False
    oldest: bool = False
    context: int | None = None
    pipeline_inside_data: bool = False
    separate_encoder: bool = False


def arguments_of(value: object) -> Arguments:
    """Reads the value under `args`; anything but a namespace or dictionary gives none."""
    found = as_mapping(value)
    if not found:
        return Arguments()
    # Checkpoint version 2 and older: `model_parallel_size`.
    tensor = _size(found, "tensor_model_parallel_size") or _size(found, "model_parallel_size")
    return Arguments(
        there=True,
        tensor=tensor,
        pipeline=_size(found, "pipeline_model_parallel_size"),
        expert=_size(found, "expert_model_parallel_size"),
        expert_tensor=_size(found, "expert_tensor_parallel_size"),
        data=_size(found, "data_parallel_size"),
        world_size=_size(found, "world_size"),
        distributed_optimizer=_flag(found, "use_distributed_optimizer"),
        saves_optimizer=_flag(found, "no_save_optim") is not True,
        async_save=_flag(found, "async_save"),
        freezes=any(str(key).startswith("freeze") and found[key] is True for key in found),
        oldest="model_parallel_size" in found,
        context=_size(found, "context_parallel_size"),
        pipeline_inside_data=_flag(found, "use_tp_pp_dp_mapping") is True,
        separate_encoder=_size(found, "encoder_pipeline_model_parallel_size") is not None,
    )


def _size(found: Mapping[object, object], key: str) -> int | None:
    number = whole_number(found.get(key))
    return number if number is not None and 0 < number < _LARGEST else None


def _flag(found: Mapping[object, object], key: str) -> bool | None:
    value = found.get(key)
    return value if isinstance(value, bool) else None
