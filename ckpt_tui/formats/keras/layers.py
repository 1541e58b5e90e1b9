"""Which variables the layers of a model must have, by the configuration in the archive."""

from __future__ import annotations

import re
from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

_GROUP = "layers"
_MODELS = ("Sequential", "Functional")
_MOST_LAYERS = 100_000


def _with_bias(config: Mapping[str, Any]) -> int:
    return 1 + bool(config.get("use_bias", True))


def _normalised(config: Mapping[str, Any]) -> int:
    return 2 + bool(config.get("center", True)) + bool(config.get("scale", True))


_VARIABLES: dict[str, Callable[[Mapping[str, Any]], int]] = {
    "Dense": _with_bias,
    "Conv1D": _with_bias,
    "Conv2D": _with_bias,
    "Conv3D": _with_bias,
    "Conv1DTranspose": _with_bias,
    "Conv2DTranspose": _with_bias,
    "Conv3DTranspose": _with_bias,
    "DepthwiseConv2D": _with_bias,
    "BatchNormalization": _normalised,
    "Embedding": lambda config: 1,
}
"""Class of a layer → how many variables of its own it has when nothing adds some."""

_DEEPER = ("LSTM", "GRU", "SimpleRNN")
"""Layers whose cell has the variables."""


def missing_layers(config: object, variables: Iterable[str]) -> Iterator[str]:
    """Places in the weights where a layer's variables are absent or too few; Keras stops at these.

    A layer in two models is stored once, where it is met first, but made anew for each model:
    such an archive cannot be loaded at all.

    Args:
        config: The document of `config.json`.
        variables: Paths of all datasets in the weights.
    """
    counts: Counter[str] = Counter()
    for path in variables:
        parts = path.split("/")
        counts.update("/".join(parts[:end]) for end in range(1, len(parts)))
    for kind, settings, path in islice(_placed_layers(config), _MOST_LAYERS):
        if kind in _DEEPER:
            if not counts[f"{path}/cell/vars"]:
                yield f"{path}/cell"
        elif _is_plain(kind, settings) and counts[f"{path}/vars"] < _VARIABLES[kind](settings):
            yield path


class _Layer(NamedTuple):
    """A layer's class, its settings, and where its variables are."""

    kind: str
    settings: Mapping[str, Any]
    path: str


def _placed_layers(config: object) -> Iterator[_Layer]:
    """All layers of Sequential and Functional models, those within one another included."""
    pending = [(config, "")]
    while pending:
        model, place = pending.pop()
        used: Counter[str] = Counter()
        for name, settings, layer in _layers_of(model):
            snake = _snake(name)
            number = used[snake]
            used[snake] += 1
            path = f"{place}{_GROUP}/{snake}{f'_{number}' if number else ''}"
            yield _Layer(name, settings, path)
            if name in _MODELS:
                pending.append((layer, f"{path}/"))


def _layers_of(model: object) -> Iterator[tuple[str, Mapping[str, Any], object]]:
    """Class, settings and document of each layer of a Sequential or Functional model."""
    if not isinstance(model, dict) or model.get("class_name") not in _MODELS:
        return
    inside = model.get("config")
    layers = inside.get("layers") if isinstance(inside, dict) else None
    for layer in layers if isinstance(layers, list) else ():
        if isinstance(layer, dict) and isinstance(layer.get("class_name"), str):
            if layer.get("registered_name") not in (None, layer["class_name"]):
                continue  # somebody's own class of that name
            settings = layer.get("config")
            yield layer["class_name"], settings if isinstance(settings, dict) else {}, layer


def _is_plain(name: str, settings: Mapping[str, Any]) -> bool:
    """Whether its number of variables is known: no quantisation, no low-rank adapter adds some."""
    if name not in _VARIABLES:
        return False
    policy = settings.get("dtype")
    quantised = isinstance(policy, dict) and policy.get("class_name") != "DTypePolicy"
    adapted = settings.get("quantization_config") or settings.get("lora_rank")
    return not (quantised or adapted)


def _snake(name: str) -> str:
    """As Keras's `to_snake_case` makes it: `Conv1D` → `conv1d`, `MultiHead` → `multi_head`."""
    name = re.sub(r"\W+", "", name)
    name = re.sub("(.)([A-Z][a-z]+)", r"\1_\2", name)
    return re.sub("([a-z])([A-Z])", r"\1_\2", name).lower()
