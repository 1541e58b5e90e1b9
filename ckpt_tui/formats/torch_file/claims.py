"""Which torch files of a directory are checkpoints, and which directories are one checkpoint."""

from __future__ import annotations

import os
from functools import lru_cache
from typing import TYPE_CHECKING

from ckpt_tui.artifacts.limits import ArtifactError
from ckpt_tui.artifacts.source import FileSource
from ckpt_tui.artifacts.torch_archive import begins_as_torch, sniff_torch
from ckpt_tui.core.files import Kind
from ckpt_tui.core.siblings import plain_name
from ckpt_tui.core.vocabulary import DATALOADER, MODEL, OPTIMIZER, PROGRESS, RNG, SCHEDULER
from ckpt_tui.formats.dcp.parts import part_names
from ckpt_tui.formats.shared.names import is_staging_name
from ckpt_tui.formats.shared.roles import role_of_file_name, role_of_key
from ckpt_tui.formats.shared.series import is_step_directory, series_step, stem_of
from ckpt_tui.formats.torch_file.names import (
    SURE_ENDINGS,
    TORCH_ENDINGS,
    determined_files,
    is_compressed_torch_name,
    is_foreign_directory,
    is_foreign_file,
    is_rare_torch_name,
    is_side_file,
    is_staged_torch_name,
    is_torch_name,
    ranked_name,
)
from ckpt_tui.formats.torch_file.side_by_side import MODEL_DIRECTORIES, holds_models
from ckpt_tui.formats.torch_file.twice import without_scores

if TYPE_CHECKING:
    from ckpt_tui.core.files import FileEntry
    from ckpt_tui.fs.listing import Directory

_WEIGHTS = ".safetensors"
_LOOKED_AT_EACH = 4
_MORE_THAN_WEIGHTS = frozenset({OPTIMIZER, SCHEDULER, RNG, DATALOADER, PROGRESS})


def is_one_checkpoint(directory: Directory) -> bool:
    """Whether a directory is one checkpoint of torch files: split per role, or per rank."""
    names = directory.file_names()
    inside = (*names, *directory.directory_names())
    if is_foreign_directory(directory.name) or any(map(_is_foreign, inside)):
        return False
    if any(_has_world_size(name) for name in names):
        return True
    if any(
        _has_world_size(name)
        for part in directory.directory_names()
        if part in MODEL_DIRECTORIES
        for name in directory.sub(part).file_names()
    ):
        return True
    if _is_split_by_role(names) or determined_files(names):
        return True
    of_series = is_step_directory(directory.name)
    parts = part_names(directory)
    if len(parts) > 1 or (of_series and (parts or holds_models(directory))):
        return True
    return of_series and (_is_single(names) or any(name.endswith(_WEIGHTS) for name in names))


def checkpoint_files(directory: Directory) -> tuple[tuple[str, ...], ...]:
    """Groups of files that are one checkpoint each; the first of a group names it.

    Parts of several ranks are one group. Links are pointers. Files that still have a temporary
    name are listed, too: they are what a cut save left.
    """
    if is_foreign_directory(directory.name):
        return ()
    entries = [
        entry
        for entry in directory.entries
        if entry.kind is Kind.FILE and entry.link_target is None and entry.path[:1] != "."
    ]
    mine = _torch_entries(directory, entries)
    families: dict[str, list[str]] = {}
    for name in mine:
        ranked = ranked_name(name)
        family = ranked.family if ranked is not None else name
        families.setdefault(family, []).append(name)
    side = _side_files(entries)
    groups = [_with_side_files(_in_order(names), side) for names in families.values()]
    beside = {name for group in groups for name in group[1:]}
    groups = [group for group in groups if group[0] not in beside]
    taken = {name for group in groups for name in group}
    staged = [
        (entry.path,)
        for entry in entries
        if is_staging_name(entry.path)
        and is_staged_torch_name(entry.path)
        and entry.path not in taken
    ]
    return (*groups, *staged)


def _is_foreign(name: str) -> bool:
    return is_foreign_directory(name) or (is_foreign_file(name) and name.endswith("states.pt"))


def _has_world_size(name: str) -> bool:
    ranked = ranked_name(name)
    return ranked is not None and ranked.world_size is not None


def _is_split_by_role(names: tuple[str, ...]) -> bool:
    """At least two states in files of their own, with names that carry no step."""
    roles = set()
    for name in names:
        stem = stem_of(name).removesuffix(_WEIGHTS)
        if name.endswith((*TORCH_ENDINGS, _WEIGHTS)) and not any(map(str.isdigit, stem)):
            roles.add(role_of_key(stem))
    return (OPTIMIZER in roles and len(roles - {None}) > 1) or (
        MODEL in roles and bool(roles & _MORE_THAN_WEIGHTS)
    )


def _is_single(names: tuple[str, ...]) -> bool:
    """Torch files of which none is one of a numbered series; a score in a name is no number."""
    torch = [name for name in names if is_torch_name(name) and name.endswith(SURE_ENDINGS)]
    torch += [n for n in names if n.endswith(".bin") and role_of_key(stem_of(n)) == MODEL]
    saved = {without_scores(name) for name in torch if ranked_name(name) is None}
    shapes = [plain_name(name) for name in saved]
    return bool(torch) and len(shapes) == len(set(shapes))


def _torch_entries(directory: Directory, entries: list[FileEntry]) -> list[str]:
    """Names of torch files by content where the ending leaves it open, by likeness else."""
    named = [e for e in entries if is_torch_name(e.path) and not is_side_file(e.path)]
    rare = [e for e in entries if is_rare_torch_name(e.path) and not is_side_file(e.path)]
    real = {entry.path for entry in named if _is_torch(directory, entry)}
    shapes = {plain_name(name) for name in real} | _torch_shapes(directory, rare)
    found = []
    for entry in (*named, *rare):
        name = entry.path
        like_a_real_one = plain_name(name) in shapes
        sure = name.endswith((".pt", ".pth")) or (name.endswith(".ckpt") and not entry.size_bytes)
        beside_real = bool(real) and name.endswith(SURE_ENDINGS)
        if name in real or like_a_real_one or sure or beside_real:
            found.append(name)
    staged_parts = [
        e.path for e in entries if is_staged_torch_name(e.path) and ranked_name(e.path) is not None
    ]
    compressed = [e.path for e in entries if is_compressed_torch_name(e.path)]
    return found + compressed + staged_parts


def _torch_shapes(directory: Directory, entries: list[FileEntry]) -> set[str]:
    """Shapes of names of which one of the newest files begins as torch.save begins it."""
    groups: dict[str, list[FileEntry]] = {}
    for entry in sorted(entries, key=lambda e: e.mtime_ns, reverse=True):
        groups.setdefault(plain_name(entry.path), []).append(entry)
    return {
        shape
        for shape, group in groups.items()
        if any(_is_torch(directory, entry, surely=True) for entry in group[:_LOOKED_AT_EACH])
    }


def _is_torch(directory: Directory, entry: FileEntry, *, surely: bool = False) -> bool:
    path = os.path.join(directory.path, entry.path)
    return _sniff(path, entry.inode, entry.size_bytes, entry.mtime_ns, surely)


@lru_cache(maxsize=4096)
def _sniff(path: str, inode: int, size_bytes: int, mtime_ns: int, surely: bool) -> bool:
    """Looks at a file's first bytes once for each state of it; `surely` passes over other zips."""
    if not size_bytes:
        return False
    try:
        with FileSource(path) as source:
            return begins_as_torch(source) if surely else sniff_torch(source) is not None
    except ArtifactError:
        return False


def _in_order(names: list[str]) -> tuple[str, ...]:
    """Final names before temporary ones, then by rank."""

    def order(name: str) -> tuple[bool, int, str]:
        ranked = ranked_name(name)
        return is_staged_torch_name(name), ranked.rank if ranked is not None else 0, name

    return tuple(sorted(names, key=order))


def _side_files(entries: list[FileEntry]) -> dict[int, list[str]]:
    """Step → names of the states of that step that are no checkpoints by themselves."""
    found: dict[int, list[str]] = {}
    for entry in entries:
        if not entry.path.endswith(TORCH_ENDINGS) or not _is_state(entry.path):
            continue
        step = series_step(entry.path)
        if step is not None:
            found.setdefault(step, []).append(entry.path)
    return found


def _with_side_files(group: tuple[str, ...], side: dict[int, list[str]]) -> tuple[str, ...]:
    """Adds `opt010000.pt` to `model010000.pt`: states of the same step in files of their own."""
    step = series_step(group[0])
    if step not in side or role_of_file_name(_letters(group[0])) != MODEL:
        return group
    return (*group, *(name for name in side[step] if name not in group))


def _is_state(name: str) -> bool:
    return is_side_file(name) or stem_of(name).lower().startswith("ema")


def _letters(name: str) -> str:
    return "".join(c for c in stem_of(name) if not c.isdigit())
