"""A disk so slow that a kill lands inside a small file; what a framework does stays the same."""

from __future__ import annotations

import builtins
import io
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

PIECE_BYTES = 1024
PAUSE_SECONDS = 0.002

_save = torch.save


class SlowFile(io.FileIO):
    """A file that takes about half a mebibyte per second."""

    def write(self, data: ReadableBuffer, /) -> int:
        view = memoryview(data).cast("B")
        for start in range(0, len(view), PIECE_BYTES):
            super().write(view[start : start + PIECE_BYTES])
            time.sleep(PAUSE_SECONDS)
        return len(view)


def slow_open(path: str | Path, mode: str = "r") -> Any:
    """Like `open`, but writing is slow."""
    return SlowFile(path, "w") if mode == "wb" else builtins.open(path, mode)


def slow_torch_save(name: str) -> None:
    """Makes `torch.save` slow for files whose path contains the name."""

    def save(value: object, target: Any, *arguments: Any, **options: Any) -> None:
        if isinstance(target, str | Path) and name in str(target):
            with SlowFile(target, "w") as file:
                _save(value, file, *arguments, **options)
        else:
            _save(value, target, *arguments, **options)

    torch.save = save
