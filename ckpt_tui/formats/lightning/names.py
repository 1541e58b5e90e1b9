"""Names that Lightning's ModelCheckpoint gives, and which files and directories may be its own.

`epoch=1-step=8-val_loss=3.36.ckpt`, `-v1` where the name was taken, `last.ckpt`; NeMo adds `-last`
to the whole name; SLURM's automatic resume writes `hpc_ckpt_N.ckpt`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ckpt_tui.core.files import Kind
from ckpt_tui.formats.dcp.files import holds_dcp
from ckpt_tui.formats.deepspeed.names import holds_deepspeed

if TYPE_CHECKING:
    from ckpt_tui.fs.listing import Directory

ENDING = ".ckpt"
META = "meta.pt"
DEEPSPEED_TAG = "checkpoint"

_STEP = re.compile(r"(?<![A-Za-z])step[=_-]?0*(\d{1,18})(?!\d)")
_EPOCH = re.compile(r"(?<![A-Za-z])epoch[=_-]?0*(\d{1,9})(?!\d)")
_METRIC = re.compile(r"[A-Za-z]\w*=-?\d")
_LAST = re.compile(r"last(?:[-_.]|$)|.*-last(?:-v\d+)?$")
_SLURM = re.compile(r"hpc_ckpt_\d+")


def is_last_name(name: str) -> bool:
    """Whether `ckpt_path="last"` (or NeMo's resume) may take a checkpoint of that name."""
    return name.endswith(ENDING) and _LAST.match(name.removesuffix(ENDING)) is not None


def step_in_name(name: str) -> int | None:
    """The step in `epoch=1-step=8.ckpt`; a metric's value is none."""
    found = _STEP.findall(name)
    return int(found[-1]) if found else None


def epoch_in_name(name: str) -> int | None:
    """The epoch in `epoch=1-step=8.ckpt`."""
    found = _EPOCH.findall(name)
    return int(found[-1]) if found else None


def own_files(directory: Directory) -> tuple[str, ...]:
    """Checkpoint files in a directory: all of them where any is named as Lightning names it."""
    names = [
        entry.path
        for entry in directory.entries
        if entry.kind is Kind.FILE
        and entry.link_target is None
        and entry.path.endswith(ENDING)
        and not entry.path.startswith(".")
    ]
    return tuple(names) if any(map(_is_telling, names)) else ()


def is_own_directory(directory: Directory) -> bool:
    """Whether a directory is one sharded checkpoint, by the names in it."""
    names = directory.file_names()
    if META in names and holds_dcp(names):
        return True
    if not directory.name.endswith(ENDING):
        return False
    if META in names or holds_dcp(names):
        return True
    inside = DEEPSPEED_TAG in directory.directory_names()
    return inside and holds_deepspeed(directory.sub(DEEPSPEED_TAG).file_names())


def _is_telling(name: str) -> bool:
    stem = name.removesuffix(ENDING)
    return bool(_METRIC.search(stem) or _SLURM.fullmatch(stem)) or is_last_name(name)
