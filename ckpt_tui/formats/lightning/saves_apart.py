"""Whether DCP's data and `meta.pt` of one sharded Lightning checkpoint are of one save."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.formats.dcp.files import METADATA, files_of_save
from ckpt_tui.formats.dcp.saves_apart import optimizer_step
from ckpt_tui.formats.lightning.names import META
from ckpt_tui.formats.shared.saves_apart import mixed_saves, steps_differ

if TYPE_CHECKING:
    from ckpt_tui.core.findings import Finding
    from ckpt_tui.formats.base import CheckpointFiles
    from ckpt_tui.formats.dcp.content import DcpContent
    from ckpt_tui.formats.lightning.trainer_state import TrainerState

_SECOND_OPTIMIZER = "optimizer_1."
_WHAT = "the step"
_OTHER_CAUSE = "a gradient scaler skipped some"


def files_apart(
    files: CheckpointFiles, content: DcpContent, state: TrainerState | None
) -> tuple[Finding, ...]:
    """The optimizer's count of steps against the Trainer's.

    A save into an existing directory that dies before `meta.pt` leaves that of the earlier save:
    it is then older than the data. The count alone proves nothing, as it may lag.

    Args:
        files: The checkpoint.
        content: Its DCP data.
        state: What `meta.pt` holds; None where it could not be read.
    """
    several = any(key.startswith(_SECOND_OPTIMIZER) for key in content.keyed.role_by_key)
    if content.metadata is None or state is None or state.step is None or several:
        return ()
    steps = optimizer_step(files, content.metadata, content.keyed.role_by_key)
    if steps is None or steps == state.step:
        return ()
    counted = {META: state.step, METADATA: steps}
    if _older_than_data(files, content):
        return (mixed_saves(_WHAT, counted),)
    return (steps_differ(_WHAT, counted, _OTHER_CAUSE),)


def _older_than_data(files: CheckpointFiles, content: DcpContent) -> bool:
    meta, index = files.tree.get(META), files.tree.get(METADATA)
    data = files_of_save(files, content.data)
    times = [entry.mtime_ns for entry in (*data, index) if entry is not None]
    return meta is not None and meta.mtime_ns < max(times, default=0)
