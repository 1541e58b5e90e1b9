"""Which directories and groups of files are checkpoints of Paddle, by their names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.core.files import Kind
from ckpt_tui.formats.base import ClaimKind
from ckpt_tui.formats.paddle.names import (
    ENDINGS,
    PARAMETERS,
    epoch_of_stem,
    groups_by_stem,
    is_metadata_name,
    is_of_series,
    is_paddle_name,
    is_staged_paddle_name,
    is_state_directory,
    rank_of_data,
    stem_of,
    step_of_stem,
)
from ckpt_tui.formats.shared.names import is_staging_name
from ckpt_tui.formats.shared.series import is_step_directory

if TYPE_CHECKING:
    from ckpt_tui.core.files import FileEntry
    from ckpt_tui.fs.listing import Directory

_EXPORTS = frozenset({"config.json", "model_config.json", "inference.pdmodel"})
_TORCH_INDEX = ".metadata"


def claim_directory(directory: Directory) -> ClaimKind:
    """What a directory is taken for: the distributed form, files of one save, or an export."""
    names = directory.file_names()
    if is_distributed(directory) or _is_kept_apart(directory):
        return ClaimKind.CHECKPOINT
    mine = [name for name in names if is_paddle_name(name)]
    if not mine:
        return ClaimKind.NO
    if _is_series(directory.name, mine):
        return ClaimKind.NO
    states = [name for name in mine if not name.endswith(PARAMETERS)]
    alone = not states and len(mine) == 1
    if alone and not is_step_directory(directory.name):
        exported = not _EXPORTS.isdisjoint(names)
        return ClaimKind.EXPORT if exported else ClaimKind.NO
    return ClaimKind.CHECKPOINT


def is_distributed(directory: Directory) -> bool:
    """Whether `paddle.distributed.save_state_dict` wrote into the directory itself."""
    names = directory.file_names()
    if _TORCH_INDEX in names:
        return False
    data = [n for n in names if n.endswith(".distcp")]
    return any(is_metadata_name(n) for n in names) or any(rank_of_data(n) is not None for n in data)


def _is_kept_apart(directory: Directory) -> bool:
    """Whether the states of one save lie in a directory of the distributed form each.

    One of them is enough in the directory of a step: the job may have died before the next.
    """
    states = [name for name in directory.directory_names() if is_state_directory(name)]
    fewest = 1 if is_step_directory(directory.name) else 2
    return len(states) >= fewest and (
        sum(is_distributed(directory.sub(name)) for name in states) >= fewest
    )


def claim_files(directory: Directory) -> tuple[tuple[str, ...], ...]:
    """Groups of files that are one checkpoint each; the first of a group names it."""
    entries = [
        entry
        for entry in directory.entries
        if entry.kind is Kind.FILE and entry.link_target is None and entry.path[:1] != "."
    ]
    names = [e.path for e in entries if is_paddle_name(e.path)]
    if not names:
        return _staged(entries)
    stems = {stem_of(name) for name in names}
    beside = [
        e.path
        for e in entries
        if e.path not in names
        and e.path.endswith((ENDINGS[-1], ".json"))
        and stem_of(e.path) in stems
    ]
    groups = [group for group in groups_by_stem([*names, *beside]) if group[0] in names]
    return (*groups, *_staged(entries))


def _staged(entries: list[FileEntry]) -> tuple[tuple[str, ...], ...]:
    paths = [entry.path for entry in entries]
    return tuple((p,) for p in paths if is_staged_paddle_name(p) and is_staging_name(p))


def _is_series(directory_name: str, names: list[str]) -> bool:
    """Whether files are checkpoints of a series side by side, not the parts of one."""
    stems = {stem_of(name) for name in names}
    numbers = {(step_of_stem(s), epoch_of_stem(s)) for s in stems} - {(None, None)}
    if len(numbers) > 1:
        return True
    return not is_step_directory(directory_name) and any(is_of_series(stem) for stem in stems)
