"""The training step that a torch archive holds: an integer, or a tensor of one element."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.artifacts.inert import Instance
from ckpt_tui.artifacts.limits import ArtifactError
from ckpt_tui.artifacts.torch_archive import TensorInfo, tensor_scalar
from ckpt_tui.core.vocabulary import PROGRESS
from ckpt_tui.formats.shared.roles import EPOCH_KEYS, STEP_KEYS, role_of_key

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from ckpt_tui.artifacts.source import Source
    from ckpt_tui.artifacts.torch_archive import TorchArchive

_LARGEST = 2**62


class FoundStep(NamedTuple):
    """A step and the key that holds it (`train_state.step`)."""

    value: int
    key: str


def find_step(value: object, number_of: Callable[[object], int | None]) -> FoundStep | None:
    """The step by the most telling key: top level first, then inside `train_state` and the like.

    Args:
        value: An inert top-level value.
        number_of: Turns what a key holds into a number; a tensor's bytes may have to be read.
    """
    for prefix, level in _levels(value):
        for key in STEP_KEYS:
            if key in level:
                number = number_of(level[key])
                if number is not None:
                    return FoundStep(number, prefix + key)
    return None


def numbers_of(archive: TorchArchive, source: Source) -> Callable[[object], int | None]:
    """Turns values of an archive into numbers; tensors of one element are read."""

    def number_of(value: object) -> int | None:
        if not isinstance(value, TensorInfo):
            return whole_number(value)
        try:
            return whole_number(tensor_scalar(archive, source, value))
        except ArtifactError:
            return None

    return number_of


def find_epoch(value: object) -> int | None:
    """The count of epochs that a checkpoint's top level names, or None."""
    for _, level in _levels(value):
        for key in EPOCH_KEYS:
            number = whole_number(level.get(key))
            if number is not None:
                return number
    return None


def whole_number(value: object) -> int | None:
    """An integer, or a float that is one; no boolean, nothing negative."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    whole = int(value) if value == value and abs(value) < _LARGEST else -1
    return whole if whole >= 0 and whole == value else None


def holds_progress(value: object) -> bool:
    """Whether a value under a progress key can hold a step."""
    if isinstance(value, bool):
        return False
    if isinstance(value, dict | Instance):
        level = value if isinstance(value, dict) else value.attributes
        return any(key in level for key in (*STEP_KEYS, *EPOCH_KEYS))
    return isinstance(value, int | float | TensorInfo)


def _levels(value: object) -> Iterator[tuple[str, Mapping[object, object]]]:
    """Dictionaries that may hold the step: the top, then progress values one level below."""
    if not isinstance(value, dict):
        return
    yield "", value
    for key, part in value.items():
        wraps = role_of_key(key) == PROGRESS or key in ("state", "extra_state")
        if not wraps:
            continue
        if isinstance(part, dict):
            yield f"{key}.", part
        elif isinstance(part, Instance):
            yield f"{key}.", part.attributes
