"""`_CHECKPOINT_METADATA`: when a step was begun and committed, and by which handlers.

JSON since 0.5 (`metadata/checkpoint.py`); 0.6 wrote the two times only, earlier versions no such
file. It is written when the save begins and again before the commit: until then the time of
the commit is null. No loader stops at one that is damaged.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.artifacts.limits import ArtifactError
from ckpt_tui.formats.orbax.names import STEP_METADATA
from ckpt_tui.formats.shared.json_files import read_json_object

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ckpt_tui.formats.base import CheckpointFiles

_NANOSECONDS = 1e9
_LATEST_SECONDS = 1 << 40


_NO_HANDLERS: Mapping[str, str] = MappingProxyType({})


class StepMetadata(NamedTuple):
    """What the file says.

    Attributes:
        there: It exists under its name.
        error: Why it could not be read; None where it could.
        handlers: Item → dotted class of its handler; empty where it names none.
        single: Class of the handler, where the step is one item without a directory of its own.
        started_at: Seconds since the epoch.
        committed_at: Seconds since the epoch; None until the commit.
    """

    there: bool = False
    error: ArtifactError | None = None
    handlers: Mapping[str, str] = _NO_HANDLERS
    single: str = ""
    started_at: float | None = None
    committed_at: float | None = None

    @property
    def tells_commit(self) -> bool:
        """Whether it says that the save was, or was not, about to be committed."""
        return self.there and self.error is None and self.started_at is not None


def read_step_metadata(files: CheckpointFiles) -> StepMetadata:
    """Reads the file; whatever is wrong with it is kept in `error`."""
    if files.tree.get(STEP_METADATA) is None:
        return StepMetadata()
    try:
        document = read_json_object(files, STEP_METADATA)
    except ArtifactError as error:
        return StepMetadata(True, error)
    handlers = document.get("item_handlers")
    named = handlers if isinstance(handlers, dict) else {}
    return StepMetadata(
        True,
        None,
        {item: kind if isinstance(kind, str) else "" for item, kind in named.items()},
        handlers if isinstance(handlers, str) else "",
        _seconds(document.get("init_timestamp_nsecs")),
        _seconds(document.get("commit_timestamp_nsecs")),
    )


def _seconds(nanoseconds: object) -> float | None:
    if type(nanoseconds) is not int or not 0 < nanoseconds < _LATEST_SECONDS * _NANOSECONDS:
        return None
    return nanoseconds / _NANOSECONDS
