"""What Megatron calls its checkpoints, and how it is told which one to load.

Megatron-LM (`megatron/training/checkpointing.py`) writes `iter_NNNNNNN/` or `release/`, and takes
the iteration from `latest_checkpointed_iteration.txt` unless `--ckpt-step` names one.
Megatron-Bridge asks its own `latest_train_state.pt` first.
"""

from __future__ import annotations

import os
import re
import shlex
from typing import TYPE_CHECKING

from ckpt_tui.artifacts.limits import ArtifactError, Limits
from ckpt_tui.artifacts.source import FileSource
from ckpt_tui.core.facts import RawPointer
from ckpt_tui.core.files import Kind
from ckpt_tui.formats.megatron.train_state import step_of_train_state
from ckpt_tui.formats.shared.names import step_of_name
from ckpt_tui.formats.shared.pointers import link_pointers, text_pointer

if TYPE_CHECKING:
    from ckpt_tui.fs.listing import Directory

TRACKER = "latest_checkpointed_iteration.txt"
BRIDGE_TRACKER = "latest_train_state.pt"
RELEASE = "release"

_ITERATION_NAME = re.compile(r"iter_0*([0-9]{1,18})")
_ITERATION = re.compile(r"\+?0*[0-9]{1,18}")


def is_megatron_name(name: str) -> bool:
    """Whether Megatron-LM itself gives a directory that name."""
    return name == RELEASE or _ITERATION_NAME.fullmatch(name) is not None


def tracker_pointers(directory: Directory) -> tuple[RawPointer, ...]:
    """The trackers and links of a run; Megatron-Bridge does not ask the text where it has its own.

    Args:
        directory: The run's directory.
    """
    bridge = _bridge_pointer(directory)
    text = text_pointer(
        directory, TRACKER, lambda found: _names_of(directory, found), default=not bridge
    )
    links = (link._replace(default=False) for link in link_pointers(directory))
    return (*bridge, *text, *links)


def load_flag(path: str, *, by_tracker: bool = False, without_rng: bool = False) -> str:
    """What Megatron-LM has to be given to load one checkpoint, or "" where it cannot name it.

    Args:
        path: Absolute path of the checkpoint's directory.
        by_tracker: Whether only the tracker can choose it.
        without_rng: Whether it holds no random state, for which the loader stops by default.
    """
    run, name = os.path.split(path)
    iteration = step_of_name(name)
    if not is_megatron_name(name) or (name != RELEASE and name != f"iter_{iteration:07d}"):
        return ""
    parts = [f"--load {shlex.quote(run)}"]
    if name != RELEASE and not by_tracker and iteration:  # 0 counts as not given
        parts.append(f"--ckpt-step {iteration}")
    if without_rng and name != RELEASE:
        parts.append("--no-load-rng")
    return " ".join(parts)


def _names_of(directory: Directory, text: str) -> tuple[str, ...]:
    if text == RELEASE:
        return (RELEASE,)
    return _names_of_step(directory, int(text)) if _ITERATION.fullmatch(text) else ()


def _names_of_step(directory: Directory, step: int) -> tuple[str, ...]:
    named = [n for n in directory.directory_names() if _ITERATION_NAME.fullmatch(n)]
    return (f"iter_{step:07d}", *(n for n in named if step_of_name(n) == step))


def _bridge_pointer(directory: Directory) -> tuple[RawPointer, ...]:
    entry = directory.get(BRIDGE_TRACKER)
    if entry is None or entry.kind is not Kind.FILE:
        return ()
    path = os.path.join(directory.path, BRIDGE_TRACKER)
    try:
        with FileSource(path) as source:
            step = step_of_train_state(source, Limits())
    except ArtifactError:
        step = None
    if step is None:
        return (RawPointer(path, "copy", "", (), "unreadable"),)
    names = _names_of_step(directory, step)
    targets = tuple(os.path.join(directory.path, name) for name in names)
    return (RawPointer(path, "copy", f"step {step}", targets),)
