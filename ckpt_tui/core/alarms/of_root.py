"""Alarms about the looking itself: the root, directories below it, what was ignored."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.core.alarms.values import AlarmCode, AlarmLevel, Condition
from ckpt_tui.core.document import utc_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ckpt_tui.core.alarms.sight import Sight

OLD_PICTURE_SECONDS = 60.0
"""Looks that fail for so long leave a picture that nobody should go by."""
MOST_REMARKS = 20
OF_LOOKING = frozenset(
    {
        AlarmCode.ROOT_UNREADABLE,
        AlarmCode.LOOK_HANGS,
        AlarmCode.LOOK_FAILED,
        AlarmCode.DIRECTORY_UNREADABLE,
        AlarmCode.REMARK,
    }
)
"""Alarms that can be judged while nothing can be seen."""


def root_conditions(sight: Sight) -> Iterator[Condition]:
    """The rules about the root as a whole."""
    picture = sight.snapshot
    if picture.error:
        message = f"{picture.root} cannot be read: {picture.error}"
        yield Condition(AlarmCode.ROOT_UNREADABLE, AlarmLevel.CRITICAL, message)
    yield from _looks(sight)
    if picture.problems:
        (path, why), more = picture.problems[0], len(picture.problems) - 1
        message = f"{path}: {why}" + (f" (and {more} more)" if more else "")
        yield Condition(AlarmCode.DIRECTORY_UNREADABLE, AlarmLevel.WARNING, message)
    for path, why in picture.remarks[:MOST_REMARKS]:
        yield Condition(AlarmCode.REMARK, AlarmLevel.INFO, f"{path}: {why}", subject=path)


def _looks(sight: Sight) -> Iterator[Condition]:
    path, since = sight.hanging_path or sight.snapshot.root, sight.hanging_since
    if since is not None:
        began = utc_text(sight.wall - max(0.0, sight.monotonic - since)) or ""
        message = f"{path} has not answered since {began[11:16]} UTC"
        yield Condition(AlarmCode.LOOK_HANGS, AlarmLevel.CRITICAL, message)
    if sight.look_error:
        last = sight.last_look
        old = last is None or sight.monotonic - last > OLD_PICTURE_SECONDS
        level = AlarmLevel.CRITICAL if old else AlarmLevel.WARNING
        message = f"the last look failed: {sight.look_error}"
        yield Condition(AlarmCode.LOOK_FAILED, level, message)
