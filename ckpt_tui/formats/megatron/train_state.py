"""Megatron-Bridge's `train_state.pt`: the counters of a run, each a tensor of one element."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.artifacts.inert import as_mapping
from ckpt_tui.artifacts.torch_archive import read_torch_archive
from ckpt_tui.formats.shared.archive_step import numbers_of

if TYPE_CHECKING:
    from ckpt_tui.artifacts.limits import Limits
    from ckpt_tui.artifacts.source import Source

TRAIN_STATE = "train_state.pt"


def step_of_train_state(source: Source, limits: Limits) -> int | None:
    """The step in it, or None where it holds none.

    Raises:
        ArtifactError: It cannot be read as a torch archive.
    """
    archive = read_torch_archive(source, limits)
    return numbers_of(archive, source)(as_mapping(archive.value).get("step"))
