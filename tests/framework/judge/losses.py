"""Single files that a finished checkpoint loses."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import random
    from pathlib import Path

KINDS = ("removed", "emptied", "cut")


def files_of(checkpoint: Path) -> list[Path]:
    """The files of a checkpoint: those below a directory, those of an index, or itself."""
    if checkpoint.is_dir():
        return sorted(path for path in checkpoint.rglob("*") if path.is_file())
    if checkpoint.suffix == ".index":
        return sorted(checkpoint.parent.glob(f"{checkpoint.stem}.*"))
    return [checkpoint]


def lose(checkpoint: Path, chance: random.Random) -> str:
    """Takes a file, or its end, away from a checkpoint; says which.

    A checkpoint that is a single file is not removed: nothing would be left to judge.
    """
    files = files_of(checkpoint)
    path = chance.choice(files)
    kind = chance.choice(KINDS[len(files) == 1 :])
    size_bytes = path.stat().st_size
    if kind == "removed":
        path.unlink()
        return f"{path.name} removed"
    length = 0 if kind == "emptied" else chance.randrange(max(1, size_bytes))
    os.truncate(path, length)
    return f"{path.name} cut from {size_bytes} to {length} bytes"
