"""Whether the parts of one iteration belong together, and hold what Megatron-LM's loader takes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.core.findings import Finding
from ckpt_tui.core.vocabulary import Severity
from ckpt_tui.formats.megatron.arguments import arguments_of
from ckpt_tui.formats.megatron.naming import TRACKER
from ckpt_tui.formats.megatron_legacy.names import FileKind
from ckpt_tui.formats.shared.problems import capped, lacks_content
from ckpt_tui.formats.shared.saves_apart import mixed_saves

if TYPE_CHECKING:
    from ckpt_tui.formats.megatron.arguments import Arguments
    from ckpt_tui.formats.megatron_legacy.demands import Unit
    from ckpt_tui.formats.megatron_legacy.parts import PartFile


def files_apart(units: tuple[Unit, ...]) -> tuple[Finding, ...]:
    """Parts of several iterations: each rank takes its own, so the loader says nothing."""
    steps = {
        unit.model.path: step
        for unit in units
        if unit.model is not None and (step := unit.model.iteration) is not None
    }
    return (mixed_saves("the iteration", steps),) if len(set(steps.values())) > 1 else ()


def lacking_keys(units: tuple[Unit, ...]) -> tuple[Finding, ...]:
    """Readable model files without what the loader takes from them."""
    models = [unit.model for unit in units if unit.model is not None and unit.model.content]
    found = [_lacks(file, "model") for file in models if not file.models]
    found += [_lacks(file, "checkpoint_version") for file in models if _lacks_version(file)]
    without_arguments = [file for file in models if file.value.get("args") is None]
    return (*capped(found), *map(_data_begins_anew, without_arguments[:1]))


def of_distributed_optimizer(
    units: tuple[Unit, ...], arguments: Arguments, step: int | None
) -> tuple[Finding, ...]:
    """What has to be known of a distributed optimizer's files, where there are any."""
    apart = [unit for unit in units if any(map(_is_distributed, unit.others))]
    if not apart:
        return ()
    models = [unit.model for unit in apart if unit.model is not None and unit.model.content]
    without = [file for file in models if "optimizer" not in file.value]
    if arguments.distributed_optimizer:
        return (_by_tracker(step), *capped([_lacks(file, "optimizer") for file in without]))
    return (_by_tracker(step), *map(_without_groups, without[:1]))


def _lacks_version(file: PartFile) -> bool:
    """Without it the loader asks the arguments for a name that only older releases used."""
    arguments = arguments_of(file.value.get("args"))
    return arguments.there and not arguments.oldest and not file.value.get("checkpoint_version")


def _is_distributed(file: PartFile) -> bool:
    return file.name.kind is FileKind.DISTRIBUTED


def _lacks(file: PartFile, key: str) -> Finding:
    return lacks_content(file.path, f"`{key}`", "Megatron-LM")


def _data_begins_anew(file: PartFile) -> Finding:
    return Finding(
        "lossy-loader",
        Severity.WARNING,
        file.path,
        f"{file.path} holds no `args`: Megatron-LM then counts the consumed samples from 0",
        "Expect the data to begin anew, or resume from a checkpoint that has them.",
    )


def _by_tracker(step: int | None) -> Finding:
    wanted = "its iteration" if step is None else str(step)
    return Finding(
        "lossy-loader",
        Severity.INFO,
        "",
        f"Megatron-LM takes {FileKind.DISTRIBUTED} of the iteration that {TRACKER} names, whatever"
        " --ckpt-step says: model and optimizer would be of two iterations",
        f"Where {TRACKER} names another iteration, write {wanted} into it; pass no --ckpt-step.",
    )


def _without_groups(file: PartFile) -> Finding:
    return Finding(
        "lossy-loader",
        Severity.WARNING,
        file.path,
        f"{file.path} holds no `optimizer` (parameter groups and their step), which Megatron-LM"
        f" reads beside {FileKind.DISTRIBUTED}",
        "Load it with the version that wrote it; others may stop at it.",
    )
