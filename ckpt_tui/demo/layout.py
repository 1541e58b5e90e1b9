"""Where the simulated job puts its checkpoints."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.demo.plan import MANIFEST, TORCH_FILE

if TYPE_CHECKING:
    from pathlib import Path

RUN_NAMES = {MANIFEST: "sharded", TORCH_FILE: "plain"}
POINTER_NAME = "latest"

_NAME = re.compile(r"step-(\d{6,12})|ckpt_(\d{6,12})\.pt")


class Saved(NamedTuple):
    """A checkpoint found in a run directory, good or not."""

    step: int
    path: Path


def checkpoint_name(checkpoint_format: str, step: int) -> str:
    """The checkpoint's name inside its run directory."""
    return f"step-{step:06}" if checkpoint_format == MANIFEST else f"ckpt_{step:06}.pt"


def saved_checkpoints(run_directory: Path) -> list[Saved]:
    """Every checkpoint of a run, good or not, the lowest step first."""
    found = []
    for path in run_directory.iterdir() if run_directory.is_dir() else ():
        match = _NAME.fullmatch(path.name)
        if match:
            found.append(Saved(int(match[1] or match[2]), path))
    return sorted(found)


def write_pointer(run_directory: Path, name: str) -> None:
    """Lets the run's pointer name a checkpoint; a reader sees the old name or the new one."""
    partial = run_directory / f"{POINTER_NAME}.tmp"
    partial.write_text(f"{name}\n", encoding="utf-8")
    partial.replace(run_directory / POINTER_NAME)
