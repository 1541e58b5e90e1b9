"""Which tensors lie in which file of a checkpoint, to name what is wrong."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ckpt_tui.core.tensors import Tensor

_MOST_NAMED = 3


class TensorPlaces:
    """Names by file.

    Attributes:
        listed: The tensors of the checkpoint.
    """

    def __init__(self, listed: Sequence[Tensor]) -> None:
        self.listed = listed

    def of_file(self, path: str) -> str:
        """The tensors of which a part lies in a file; "" for none."""
        return joined(self._files.get(path, []))

    @cached_property
    def _files(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for tensor in self.listed:
            for path in dict.fromkeys(chunk.path for chunk in tensor.chunks):
                found.setdefault(path, []).append(tensor.name)
        return found


def joined(names: Sequence[str]) -> str:
    """The first few names, and that there are more."""
    more = ", …" if len(names) > _MOST_NAMED else ""
    return ", ".join(names[:_MOST_NAMED]) + more
