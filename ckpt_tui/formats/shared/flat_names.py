"""Roles of flat names that a loop of its own gives its arrays: `W1`, `m_W1`, `v_W1`, `opt_3`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from ckpt_tui.artifacts.stored_array import StoredArray
from ckpt_tui.core.vocabulary import MODEL, OPTIMIZER, PROGRESS
from ckpt_tui.formats.shared.array_tree import number_of
from ckpt_tui.formats.shared.roles import role_of_key

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ckpt_tui.formats.shared.array_tree import StatesByRole

_MOMENT = (
    r"(?:adam_?)?(?:m|v|mu|nu|s|h|mom|momentum|moment1|moment2|vel|velocity|cache|accum"
    r"|exp_avg|exp_avg_sq|trace|square_avg)"
)
_BEFORE = re.compile(rf"(?:opt(?:im)?_)?{_MOMENT}_?(?P<of>.+)", re.IGNORECASE)
_BEHIND = re.compile(rf"(?P<of>.+)_{_MOMENT}", re.IGNORECASE)


def roles_of_flat_names(tree: object) -> StatesByRole:
    """Role → arrays, where the first word of names tells it, or names go in pairs.

    An array whose name is another one's with `m_`, `v_` or the like before it, and whose shape is
    that one's, holds its moments; what has moments is a parameter, and so is all else beside it.
    """
    if not isinstance(tree, Mapping):
        return {}
    found: StatesByRole = {}
    rest: dict[str, StoredArray] = {}
    for name, value in tree.items():
        role = _role_of_first_words(str(name))
        if role == PROGRESS and number_of(value) is None:
            role = None
        if role is not None and (role != MODEL or isinstance(value, StoredArray)):
            found.setdefault(role, []).append(((str(name),), value))
        elif isinstance(value, StoredArray):
            rest[str(name)] = value
    moments = {name for name in rest if _has_parameter(name, rest)}
    if moments:
        found.setdefault(OPTIMIZER, []).extend(((name,), rest[name]) for name in sorted(moments))
    if moments or OPTIMIZER in found:
        others = [((name,), array) for name, array in rest.items() if name not in moments]
        if others:
            found.setdefault(MODEL, []).extend(others)
    return found if OPTIMIZER in found else {}


def _role_of_first_words(name: str) -> str | None:
    """`opt_state_3` and `params_dense_w` by the longest beginning that is a role's name."""
    words = name.split("_")
    for end in range(len(words), 0, -1):
        role = role_of_key("_".join(words[:end]))
        if role is not None:
            return role
    return None


def _has_parameter(name: str, among: Mapping[str, StoredArray]) -> bool:
    return any(
        of != name and of in among and among[of].shape == among[name].shape
        for of in _parameters(name)
    )


def _parameters(name: str) -> Iterator[str]:
    for pattern in (_BEFORE, _BEHIND):
        matched = pattern.fullmatch(name)
        if matched is not None:
            yield matched["of"]
