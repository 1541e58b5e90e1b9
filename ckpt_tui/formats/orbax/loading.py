"""How a job loads one step by name, and what its framework would take by itself."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

from ckpt_tui.core.facts import LoaderFacts, OwnChoice
from ckpt_tui.core.vocabulary import CONFIG, METRICS
from ckpt_tui.formats.orbax.items import KERAS_MODEL, Kind, is_of_keras
from ckpt_tui.formats.orbax.names import FREE_MARK, final_name, is_step_name, step_prefix
from ckpt_tui.formats.shared.names import step_of_name

if TYPE_CHECKING:
    from ckpt_tui.formats.base import CheckpointFiles
    from ckpt_tui.formats.orbax.content import Content
    from ckpt_tui.formats.orbax.items import Item


def loader_of(files: CheckpointFiles, contents: list[Content], handler: str) -> LoaderFacts:
    """The call by which the step is loaded; a manager takes the highest number by itself.

    Args:
        files: The checkpoint.
        contents: What was read of its items.
        handler: Class of the handler, where the step itself is the only item.
    """
    items = [content.item for content in contents]
    name = final_name(files.name)
    managed = is_step_name(name) and not _is_written_alone(files, items, name)
    return LoaderFacts(
        tolerates=frozenset({METRICS, CONFIG} if is_of_keras(items) else {METRICS}),
        flag=_flag(files, items, handler, managed),
        tag=name,
        own_choice=OwnChoice.HIGHEST_NAME if managed else OwnChoice.NONE,
        opens=frozenset().union(_items_asked_for(items), *(each.opens for each in contents)),
    )


def _items_asked_for(items: list[Item]) -> frozenset[str]:
    """The items that a job restores by name: asked for one that is not there, a manager raises."""
    asked = (item.name for item in items if item.there and item.kind is not Kind.METRICS)
    return frozenset(asked) - ({"", KERAS_MODEL} if is_of_keras(items) else {""})


def is_flax(items: list[Item], name: str) -> bool:
    """Whether `flax.training.checkpoints` wrote it: it has no items, and names of its own."""
    return [item.name for item in items] == [""] and step_prefix(name).endswith("checkpoint")


def _is_written_alone(files: CheckpointFiles, items: list[Item], name: str) -> bool:
    """Whether the job named the directory itself: then it has to name it again."""
    whole = [item.name for item in items] == [""] and not is_flax(items, name)
    return whole or files.tree.get(FREE_MARK) is not None


def _flag(files: CheckpointFiles, items: list[Item], handler: str, managed: bool) -> str:
    path = json.dumps(os.path.join(os.path.dirname(files.path), final_name(files.name)))
    run = json.dumps(os.path.dirname(files.path))
    name = final_name(files.name)
    if is_flax(items, name):
        return f"checkpoints.restore_checkpoint({path}, target)"
    if is_of_keras(items):
        return f"model.load_weights({run})"
    if not managed and files.tree.get(FREE_MARK) is not None:
        return f"ocp.load({path}, abstract_state)"
    if not managed:
        standard = "Standard" in handler
        call = "StandardCheckpointer" if standard else "PyTreeCheckpointer"
        return f"{call}().restore({path}, {'' if standard else 'item='}target)"
    step = step_of_name(name)
    if any(item.is_of_v1 for item in items):
        return f"training.Checkpointer({run}).load({step}, abstract_state)"
    return f"CheckpointManager({run}{_options(name)}).restore({step}, args=…)"


def _options(name: str) -> str:
    """What a manager has to be told of the names of its steps; "" for plain numbers."""
    prefix = step_prefix(name)
    digits = name.removeprefix(prefix).lstrip("_-")
    told = [f"step_prefix={json.dumps(prefix)}"] if prefix else []
    if len(digits) > 1 and digits.startswith("0"):
        told.append(f"step_format_fixed_length={len(digits)}")
    return f", options=CheckpointManagerOptions({', '.join(told)})" if told else ""
