"""Whether the files of one DeepSpeed step belong together, and hold what its loader takes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ckpt_tui.core.findings import Finding
from ckpt_tui.core.text import words
from ckpt_tui.core.vocabulary import Severity
from ckpt_tui.formats.deepspeed.names import PartKind
from ckpt_tui.formats.shared.problems import lacks_content
from ckpt_tui.formats.shared.saves_apart import mixed_saves

if TYPE_CHECKING:
    from ckpt_tui.formats.deepspeed.parts import Part, Parts

# The loader reads these without a default, so their absence raises.
_MODEL_NUMBERS = ("global_steps", "skipped_steps", "dp_world_size", "mp_world_size")


def lacking_keys(parts: Parts, universal: bool) -> tuple[Finding, ...]:
    """Readable files without a key that DeepSpeed's loader takes from them.

    Args:
        parts: The files of the step.
        universal: Whether it was converted: the weights are then not taken from `module`.
    """
    layered = bool(parts.of_kind(PartKind.LAYER))
    found = []
    for part in parts.parts:
        if part.content is None:
            continue
        lacks = _lacks(part, weights_here=not universal and not layered)
        if lacks:
            keys = words([f"`{key}`" for key in lacks[:3]])
            found.append(lacks_content(part.path, keys, "DeepSpeed's loader"))
    return tuple(found)


def files_apart(parts: Parts) -> tuple[Finding, ...]:
    """Every rank's files must be of one step, and every partition of one optimizer step."""
    models, partitions = parts.of_kind(PartKind.MODEL), parts.of_kind(PartKind.OPTIMIZER)
    partitions += tuple(part for part in parts.of_kind(PartKind.EXPERT) if _is_optimizer(part))
    counted = {
        "global_steps": _known({part.path: part.number("global_steps") for part in models}),
        "dp_world_size": _known({part.path: part.number("dp_world_size") for part in models}),
        "the optimizer's step": _known({part.path: part.optimizer_step for part in partitions}),
    }
    differing = ((what, own) for what, own in counted.items() if len(set(own.values())) > 1)
    found = tuple(mixed_saves(what, own) for what, own in differing)
    return found or _optimizer_apart(models, partitions)


def _lacks(part: Part, weights_here: bool) -> list[str]:
    if _is_optimizer(part) and part.name.kind is PartKind.EXPERT:
        return [] if isinstance(part.value.get("optimizer"), Mapping) else ["optimizer"]
    if part.name.kind is PartKind.OPTIMIZER:
        held = isinstance(part.value.get("optimizer_state_dict"), Mapping)
        return [] if held else ["optimizer_state_dict"]
    if part.name.kind is not PartKind.MODEL:
        return []
    lacks = [key for key in _MODEL_NUMBERS if part.number(key) is None]
    if weights_here and not isinstance(part.value.get("module"), Mapping):
        lacks.insert(0, "module")
    return lacks


def _is_optimizer(part: Part) -> bool:
    return "optim_states" in part.path


def _optimizer_apart(models: tuple[Part, ...], partitions: tuple[Part, ...]) -> tuple[Finding, ...]:
    """The optimizer cannot have stepped more often than the model; less often it can.

    It steps less often in a run that went on without its optimizer state (`load_checkpoint(…,
    load_optimizer_states=False)`), and wherever overflows were skipped. Old versions begin with a
    step of their own that sets up the state.
    """
    model = next((part for part in models if part.number("global_steps") is not None), None)
    partition = next((part for part in partitions if part.optimizer_step is not None), None)
    if model is None or partition is None:
        return ()
    steps, own = model.number("global_steps") or 0, partition.optimizer_step or 0
    skipped = model.number("skipped_steps") or 0
    if own > steps + 1:
        return (mixed_saves("the step", {model.path: steps, partition.path: own}),)
    if own + skipped >= steps:
        return ()
    return (
        Finding(
            "step-mismatch",
            Severity.WARNING,
            partition.path,
            f"the optimizer has made {own} steps, the model {steps}: it began anew on the way,"
            " or its files are of an earlier save",
            "Compare with the run's other checkpoints before you rely on its optimizer state.",
        ),
    )


def _known(found: Mapping[str, int | None]) -> dict[str, int]:
    return {path: number for path, number in found.items() if number is not None}
