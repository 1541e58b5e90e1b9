"""Hypothesis strategies for the core's named tuples, made from their annotations."""

from __future__ import annotations

from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import Any, get_args, get_origin, get_type_hints

from hypothesis import strategies as st

from ckpt_tui.core.checkpoint import Checkpoint
from ckpt_tui.core.facts import CheckpointFacts
from ckpt_tui.core.findings import Finding
from ckpt_tui.core.restarts import Restart
from ckpt_tui.core.runs import Run
from ckpt_tui.core.verified import VerifiedFacts

_NAMES = {
    kind.__name__: kind
    for kind in (Checkpoint, CheckpointFacts, Finding, Restart, Run, VerifiedFacts)
}
_SHORT = 3

# Names of files hold any byte: those that are no UTF-8 are lone surrogates.
_CHARACTERS = st.characters(exclude_categories=["Cs"])
_BYTES = st.characters(min_codepoint=0xDC80, max_codepoint=0xDCFF)
_TEXT = st.text(_CHARACTERS | _BYTES, max_size=6)
_SCALARS: dict[Any, st.SearchStrategy[Any]] = {
    str: _TEXT,
    int: st.integers(-(2**63), 2**63),
    bool: st.booleans(),
    float: st.floats(allow_nan=False),
    NoneType: st.none(),
}


@cache
def any_value(annotation: Any) -> st.SearchStrategy[Any]:
    """Any value that an annotation allows; what may be of any length is short."""
    origin, inner = get_origin(annotation), get_args(annotation)
    if annotation in _SCALARS:
        return _SCALARS[annotation]
    if isinstance(annotation, UnionType):
        return st.one_of(*map(any_value, inner))
    if origin is tuple and inner[-1] is ...:
        return st.lists(any_value(inner[0]), max_size=_SHORT).map(tuple)
    if origin is tuple:
        return st.tuples(*map(any_value, inner))
    if origin is frozenset:
        return st.frozensets(any_value(inner[0]), max_size=_SHORT)
    if issubclass(annotation, Enum):
        return st.sampled_from(annotation)
    hints = get_type_hints(annotation, localns=_NAMES)
    return st.builds(annotation, **{name: any_value(hints[name]) for name in annotation._fields})
