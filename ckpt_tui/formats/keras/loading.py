"""How Keras loads what it wrote, and what it does not say."""

from __future__ import annotations

import json

from ckpt_tui.core.facts import LoaderFacts, Reshard
from ckpt_tui.core.findings import Finding
from ckpt_tui.core.vocabulary import CONFIG, Severity
from ckpt_tui.formats.keras.names import SHARD_INDEX, WEIGHTS

WRITTEN_IN_PLACE = "no commit mark: the file's own end decides (Keras writes in place)"
NEVER_IN_WEIGHTS = frozenset({CONFIG})
"""What archives of whole models beside them hold, and weights alone by design do not."""
RESHARD = Reshard(True, "Keras does not split its state: every process loads all of it")


def loader_of(path: str, objects: str = "", *, scaled: bool = False) -> LoaderFacts:
    """What to call to load a file or directory.

    Args:
        path: Absolute path.
        objects: What has to be passed as `custom_objects`, as Python text, or "".
        scaled: Whether the policy has to be that of mixed precision.
    """
    shown = json.dumps(path)
    if path.endswith((WEIGHTS, SHARD_INDEX)):
        build = "model.optimizer.build(model.trainable_variables)"
        flag = f"{build}; model.load_weights({shown})"
        return LoaderFacts(flag=flag, tolerates=NEVER_IN_WEIGHTS)
    more = f", custom_objects={objects}" if objects else ""
    policy = 'keras.config.set_dtype_policy("mixed_float16"); ' if scaled else ""
    return LoaderFacts(flag=f"{policy}keras.models.load_model({shown}{more})")


def skips_optimizer(path: str) -> Finding:
    """`load_weights` passes over the optimizer where it was not built before."""
    return Finding(
        "lossy-loader",
        Severity.INFO,
        path,
        "the optimizer is in it, but `load_weights` passes over it with no more than a warning"
        " unless the model's optimizer was built before",
        "Call `model.optimizer.build(model.trainable_variables)` before `model.load_weights`.",
    )


def drops_scaled(path: str) -> Finding:
    """The optimizer scales its loss, but the configuration does not say so.

    `compile` wraps an optimizer by the policy of the process that calls it, so that one of
    another policy has another number of variables and is passed over.
    """
    return Finding(
        "lossy-loader",
        Severity.INFO,
        path,
        "its optimizer scales the loss: `load_model` passes it over with no more than a warning"
        " unless the process has set the policy `mixed_float16` before",
        'Call `keras.config.set_dtype_policy("mixed_float16")` before `load_model`.',
    )


def compiles_nothing(path: str) -> Finding:
    """The weights hold an optimizer; the configuration, as of an uncompiled model, names none."""
    return Finding(
        "lossy-loader",
        Severity.WARNING,
        path,
        "an optimizer is in its weights, but its configuration names none:"
        " `load_model` makes no optimizer and passes it over",
        "Compile the model, call `model.optimizer.build(model.trainable_variables)`, then"
        " `model.load_weights` on this file.",
    )
