"""The table of a checkpoint's files, with what its reader knows about each."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.core.facts import FileFacts

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ckpt_tui.core.facts import RoleFacts
    from ckpt_tui.core.files import FileEntry, Tree


class Mark(NamedTuple):
    """What a reader knows about one file."""

    role: str = ""
    rank: int | None = None
    note: str = ""


_UNKNOWN = Mark()


def file_table(tree: Tree, marks: Mapping[str, Mark]) -> tuple[FileFacts, ...]:
    """Every regular file of the tree, with what is known about it."""
    mark_of = marks.get
    return tuple(
        [
            FileFacts(entry.path, entry.size_bytes, entry.mtime_ns, *mark_of(entry.path, _UNKNOWN))
            for entry in tree.files()
        ]
    )


def table_of_one(entry: FileEntry | None, roles: Iterable[RoleFacts]) -> tuple[FileFacts, ...]:
    """The table of a checkpoint that is one file, with the roles in it; empty where it is gone."""
    if entry is None:
        return ()
    held = [role.role for role in roles]
    note = f"holds {', '.join(held)}" if held else ""
    return (FileFacts(entry.path, entry.size_bytes, entry.mtime_ns, note=note),)
