"""What differs between two listings of one checkpoint: whether it moves, and what was written."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.core.files import FileEntry, Kind

if TYPE_CHECKING:
    from ckpt_tui.core.files import Tree


class Change(NamedTuple):
    """What happened to a checkpoint's own files between two looks.

    Attributes:
        moved: Whether anything did.
        touched: Paths of the files that are not as they were; not those that went away.
        written: Those of them that came, were replaced or got longer, as a save leaves them. A
            file that was cut, or overwritten within its size, is not among them.
    """

    moved: bool = False
    touched: frozenset[str] = frozenset()
    written: frozenset[str] = frozenset()


NO_CHANGE = Change()


def change_between(before: Tree | None, now: Tree) -> Change:
    """Compares two listings.

    What a link leads to is not compared: it has an entry of its own, or belongs to somebody else.

    Args:
        before: The listing of the last look; None at the first.
        now: The listing of this look.
    """
    if before is None or before == now:
        return NO_CHANGE
    old, new = _own_entries(before), _own_entries(now)
    touched = [entry for path, entry in new.items() if old.get(path) != entry]
    files = [entry for entry in touched if entry.kind is Kind.FILE]
    return Change(
        bool(touched or old.keys() - new.keys() or _besides(before) != _besides(now)),
        frozenset(entry.path for entry in files),
        frozenset(entry.path for entry in files if _is_written(old.get(entry.path), entry)),
    )


def _own_entries(tree: Tree) -> dict[str, FileEntry]:
    return {
        entry.path: entry if entry.link_target is None else _bare(entry) for entry in tree.entries
    }


def _bare(link: FileEntry) -> FileEntry:
    return FileEntry(link.path, Kind.LINK, 0, 0, 0, 0, link.link_target)


def _besides(tree: Tree) -> Tree:
    return tree._replace(entries=())


def _is_written(before: FileEntry | None, now: FileEntry) -> bool:
    longer = before is None or before.inode != now.inode or before.size_bytes < now.size_bytes
    return longer and now.size_bytes > 0
