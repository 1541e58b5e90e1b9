"""Whole models in one HDF5 file, as `model.save("….h5")` writes them, and bare weights of Keras 2.

Keras 3 builds the optimizer anew when it loads such a file, and drops the moments without a word:
only an optimizer that keeps none (SGD without momentum) comes back whole.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.artifacts.hdf5.attributes import text_of
from ckpt_tui.artifacts.hdf5.numbers import read_number
from ckpt_tui.artifacts.json_document import parse_json
from ckpt_tui.core.facts import RoleFacts
from ckpt_tui.core.findings import Finding
from ckpt_tui.core.vocabulary import (
    CONFIG,
    MODEL,
    OPTIMIZER,
    Severity,
)
from ckpt_tui.formats.keras.legacy_names import absent_weights
from ckpt_tui.formats.keras.weights import Placed, role_of_datasets, roles_of_count
from ckpt_tui.formats.shared.problems import lacks_content

if TYPE_CHECKING:
    from ckpt_tui.artifacts.hdf5.contents import Contents, Dataset
    from ckpt_tui.artifacts.limits import Limits

_MODEL, _OPTIMIZER = "model_weights", "optimizer_weights"
_MODEL_CONFIG, _TRAINING_CONFIG, _VERSION = "model_config", "training_config", "keras_version"
_LAYERS = "layer_names"
_COUNTS = ("iteration", "iterations", "iter:0", "iteration:0", "iterations:0")
_REFUSED_LOSSES = frozenset({"mse", "mae", "mape", "msle", "bce", "kld"})
"""Short names of losses that Keras 3 takes for metrics, and stops at."""


class Legacy(NamedTuple):
    """What such a file holds.

    Attributes:
        roles: One entry a role.
        findings: What Keras would not restore.
        iterations: Of the optimizer; None without one.
        objects: What has to be passed as `custom_objects`, as Python text, or "".
    """

    roles: tuple[RoleFacts, ...]
    findings: tuple[Finding, ...] = ()
    iterations: int | None = None
    objects: str = ""


def is_legacy(contents: Contents) -> bool:
    """Whether a file is of the older layout: one group a layer, the model's text in attributes."""
    root = contents.groups[""]
    return _MODEL in contents.groups or _LAYERS in root or _MODEL_CONFIG in root


def read_legacy(contents: Contents, path: str, limits: Limits) -> Legacy:
    """The roles of one file.

    Raises:
        ArtifactError: An attribute or a number cannot be read.
    """
    root = contents.groups[""]
    optimizer = [d for p, d in contents.datasets.items() if p.startswith(f"{_OPTIMIZER}/")]
    model = [d for p, d in contents.datasets.items() if not p.startswith(f"{_OPTIMIZER}/")]
    roles = [_role(MODEL, model, path)] if model else []
    text = text_of(contents.view, root, _MODEL_CONFIG)
    if text is not None:
        parse_json(text.encode("utf-8", "surrogateescape"), limits, path)
        roles.append(RoleFacts(CONFIG, len(text), 1, f"attribute `{_MODEL_CONFIG}`", paths=(path,)))
    elif _MODEL in contents.groups and optimizer:
        return Legacy(tuple(roles), (lacks_content(path, f"`{_MODEL_CONFIG}`", "Keras"),))
    absent = absent_weights(contents)
    if absent is not None:
        return Legacy(tuple(roles), (lacks_content(path, absent, "Keras"),))
    iterations = _iterations(contents, optimizer)
    slots = [dataset for dataset in optimizer if dataset.shape]
    if not slots and not iterations:
        return Legacy(tuple(roles))
    training = _training(contents, path, limits)
    loss = training.get("loss") if isinstance(training, dict) else None
    refused = isinstance(loss, str) and loss.lower() in _REFUSED_LOSSES
    restored = not slots or _version(contents).startswith("2.")
    findings: tuple[Finding, ...] = ()
    if slots:
        findings = ((_of_keras_2 if restored else _drops_moments)(path),)
    elif refused:
        findings = (_refuses_loss(path, str(loss)),)
    if restored:
        roles.append(_role(OPTIMIZER, optimizer, path))
    roles += roles_of_count(iterations, path)
    objects = f'{{"{loss}": keras.losses.get("{loss}")}}' if refused else ""
    return Legacy(tuple(roles), findings, iterations, objects)


def _iterations(contents: Contents, optimizer: list[Dataset]) -> int | None:
    for dataset in optimizer:
        if dataset.path.rpartition("/")[2] in _COUNTS:
            value = read_number(contents, dataset)
            if isinstance(value, int):
                return value
    return None


def _training(contents: Contents, path: str, limits: Limits) -> object:
    text = text_of(contents.view, contents.groups[""], _TRAINING_CONFIG)
    if text is None:
        return None
    return parse_json(text.encode("utf-8", "surrogateescape"), limits, path)


def _version(contents: Contents) -> str:
    for group in ("", _MODEL):
        found = text_of(contents.view, contents.groups.get(group, {}), _VERSION)
        if found is not None:
            return found
    return ""


def _role(role: str, datasets: list[Dataset], path: str) -> RoleFacts:
    return role_of_datasets(role, [Placed(path, dataset) for dataset in datasets])


def _drops_moments(path: str) -> Finding:
    return Finding(
        "lossy-loader",
        Severity.WARNING,
        path,
        "the optimizer's moments are in it, but Keras 3 restores only weights and iterations of a"
        " whole model in HDF5 and drops the moments without a word",
        "Resume from a `.keras` or `.weights.h5` file; from this one only weights can be had.",
    )


def _of_keras_2(path: str) -> Finding:
    return Finding(
        "lossy-loader",
        Severity.WARNING,
        path,
        "Keras 2 wrote it; Keras 3 would drop the optimizer's moments without a word",
        "Load it with Keras 2 (`tf_keras`), as the job that wrote it does.",
    )


def _refuses_loss(path: str, loss: str) -> Finding:
    return Finding(
        "lossy-loader",
        Severity.WARNING,
        path,
        f"Keras 3 stops at the loss {loss!r} in it unless it is passed as a custom object",
        "Pass `custom_objects` as the command to load it shows.",
    )
