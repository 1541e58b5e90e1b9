"""Tensors added up: by role, by data type, and what is shared."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ckpt_tui.core.tensors import Tensor


class Total(NamedTuple):
    """Tensors of one kind.

    Attributes:
        name: The role or data type; "" for tensors of no known role.
        tensors: How many.
        elements: Numbers in them; a storage that several share counts once.
        size_bytes: Stored bytes, counted likewise.
    """

    name: str
    tensors: int
    elements: int
    size_bytes: int


class Totals(NamedTuple):
    """All of them.

    Attributes:
        all: Whatever was added up; its name is "".
        by_role: The largest first.
        by_dtype: The largest first.
        shared: Tensors that share the bytes of another one; its bytes are those not counted again.
    """

    all: Total
    by_role: tuple[Total, ...]
    by_dtype: tuple[Total, ...]
    shared: Total


class _Sum:
    """Counts of one kind while they grow."""

    __slots__ = ("elements", "size_bytes", "tensors")

    def __init__(self) -> None:
        self.tensors = self.elements = self.size_bytes = 0

    def add(self, elements: int, size_bytes: int) -> None:
        self.tensors += 1
        self.elements += elements
        self.size_bytes += size_bytes

    def total(self, name: str) -> Total:
        return Total(name, self.tensors, self.elements, self.size_bytes)


def totals_of(tensors: Iterable[Tensor]) -> Totals:
    """Adds tensors up; each stored byte counts once."""
    whole, shared = _Sum(), _Sum()
    by_role: dict[str, _Sum] = {}
    by_dtype: dict[str, _Sum] = {}
    for tensor in tensors:
        elements, stored = math.prod(tensor.shape), tensor.stored_bytes
        if tensor.shares:
            shared.add(0, tensor.size_bytes - stored)
            elements = elements * stored // tensor.size_bytes if tensor.size_bytes else 0
        whole.add(elements, stored)
        for groups, name in ((by_role, tensor.role), (by_dtype, tensor.dtype)):
            group = groups.get(name)
            if group is None:
                group = groups[name] = _Sum()
            group.add(elements, stored)
    return Totals(whole.total(""), _sorted(by_role), _sorted(by_dtype), shared.total(""))


def _sorted(groups: dict[str, _Sum]) -> tuple[Total, ...]:
    found = [group.total(name) for name, group in groups.items()]
    return tuple(sorted(found, key=lambda total: (-total.size_bytes, -total.tensors, total.name)))
