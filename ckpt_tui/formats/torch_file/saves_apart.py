"""Whether the torch files of one checkpoint are of one save: ranks against ranks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.formats.shared.saves_apart import left_of_earlier_save, mixed_saves
from ckpt_tui.formats.torch_file.trainer_steps import step_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from ckpt_tui.core.findings import Finding
    from ckpt_tui.formats.base import CheckpointFiles
    from ckpt_tui.formats.shared.archive_roles import ArchiveContent
    from ckpt_tui.formats.shared.beside import Beside
    from ckpt_tui.formats.torch_file.rank_parts import RankParts


def files_apart(files: CheckpointFiles, parts: RankParts, beside: Beside) -> list[Finding]:
    """Parts of several saves in one checkpoint, as their own counters show."""
    found = []
    for family, paths in parts.families.items():
        read = {path: beside.contents[path] for path in paths if path in beside.contents}
        for what, number_of in _KINDS:
            counted = {p: n for p, content in read.items() if (n := number_of(content)) is not None}
            if len(set(counted.values())) > 1:
                found.append(mixed_saves(f"the {what} in parts of {family}", counted))
        entries = [entry for path in paths if (entry := files.tree.get(path)) is not None]
        found += left_of_earlier_save(entries)
    return found


def _step(content: ArchiveContent) -> int | None:
    held = step_of(content)
    return held.value if held is not None else None


def _optimizer(content: ArchiveContent) -> int | None:
    return content.counts.optimizer


def _scheduler(content: ArchiveContent) -> int | None:
    return content.counts.scheduler


_KINDS: tuple[tuple[str, Callable[[ArchiveContent], int | None]], ...] = (
    ("step", _step),
    ("optimizer's step", _optimizer),
    ("scheduler's step", _scheduler),
)
