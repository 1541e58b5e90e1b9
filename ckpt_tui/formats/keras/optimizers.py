"""What the optimizers of Keras keep for each variable that they train, by their configuration.

Each has its count of iterations first, then the learning rate unless a schedule gives it, then
the slots: moments of the trainable variables (`keras.src.optimizers`, Keras 3.15).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

_SLOTS = {
    "Adam": 2, "AdamW": 2, "Nadam": 2, "Adamax": 2, "Adadelta": 2, "Ftrl": 2, "Lamb": 2,
    "Adagrad": 1, "Lion": 1, "RMSprop": 1, "SGD": 0,
}  # fmt: skip
_MORE = {
    "Adam": ("amsgrad",),
    "AdamW": ("amsgrad",),
    "RMSprop": ("momentum", "centered"),
    "SGD": ("momentum",),
}
"""Settings that add a slot where they are on."""

_OF_ALL = ("use_ema", "gradient_accumulation_steps")
_WRAPPER = "LossScaleOptimizer"
_MOST_WRAPPERS = 8


class Expected(NamedTuple):
    """What an optimizer keeps.

    Attributes:
        name: Its class.
        slots: Arrays for each trainable variable; None where that is not known here.
        scheduled: Whether a schedule gives the learning rate.
    """

    name: str
    slots: int | None
    scheduled: bool


def scales_loss(config: object) -> bool:
    """Whether a serialised configuration names an optimizer that scales its loss."""
    return isinstance(config, dict) and config.get("class_name") == _WRAPPER


def expected_of(config: object) -> Expected | None:
    """What the optimizer keeps that a serialised configuration names; None where it names none."""
    for _ in range(_MOST_WRAPPERS):
        if not isinstance(config, dict) or not isinstance(config.get("class_name"), str):
            return None
        name, inside = config["class_name"], config.get("config")
        inside = inside if isinstance(inside, dict) else {}
        if name != _WRAPPER:
            scheduled = isinstance(inside.get("learning_rate"), dict)
            return Expected(name, _slots_of(name, inside), scheduled)
        config = inside.get("inner_optimizer")
    return None


def _slots_of(name: str, config: Mapping[str, object]) -> int | None:
    slots = _SLOTS.get(name)
    if slots is None:
        return None
    return slots + sum(bool(config.get(key)) for key in (*_MORE.get(name, ()), *_OF_ALL))
