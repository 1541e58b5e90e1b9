"""Whether the tuples of an optimizer's states are whole: msgpack has them as maps from "0" on."""

from __future__ import annotations

from collections.abc import Mapping

from ckpt_tui.core.findings import Finding
from ckpt_tui.core.vocabulary import OPTIMIZER, Effect, Severity
from ckpt_tui.formats.shared.array_states import parts_of
from ckpt_tui.formats.shared.array_tree import nodes
from ckpt_tui.formats.shared.moments import MOMENTS


def gaps_in_tuples(tree: object, path: str) -> tuple[Finding, ...]:
    """A finding where a tuple of the optimizer's states lacks a place: its keys count from 0.

    Holds for files that keep empty states, too, as flax's do.

    Args:
        tree: The whole tree of one file.
        path: Relative path of the file.
    """
    for keys, value in parts_of(tree).get(OPTIMIZER, [((), tree)] if _is_tuple(tree) else []):
        for node in nodes(value, keys):
            if not isinstance(node.value, Mapping) or MOMENTS.intersection(node.keys):
                continue
            names = {str(key) for key in node.value}
            if _is_tuple(node.value):
                wanted = {str(place) for place in range(len(names))}
                if names != wanted:
                    absent = min(wanted - names, default="")
                    return (_gap(path, f"{node.name}.{absent}".lstrip(".")),)
    return ()


def _is_tuple(value: object) -> bool:
    return isinstance(value, Mapping) and bool(value) and all(str(k).isdecimal() for k in value)


def _gap(path: str, name: str) -> Finding:
    return Finding(
        "unreadable-archive",
        Severity.ERROR,
        path,
        f"{path} has no `{name}`, but states that come after it: a name is damaged",
        "Resume from another checkpoint, or copy the file back from where it was whole.",
        Effect.CORRUPT,
    )
