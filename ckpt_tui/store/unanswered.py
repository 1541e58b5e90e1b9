"""What a look did not find: gone, or only not answered for by a file server that fails."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.fs.paths import directories_above

if TYPE_CHECKING:
    from collections.abc import Iterable


class Missing(NamedTuple):
    """Checkpoints that a search did not meet again.

    Attributes:
        gone: They are not there any more.
        failing: They are there, and could not be listed: to be read again, which says why.
    """

    gone: frozenset[str]
    failing: frozenset[str]


def missing_of(paths: Iterable[str], unlisted: frozenset[str]) -> Missing:
    """Parts what is gone from what nobody answered for.

    What lies below a directory that could not be listed is in neither: it stays as it was, and is
    not asked for one by one, which would take a failing server's time limit for each.

    Args:
        paths: Checkpoints that were not met.
        unlisted: Directories that are there and could not be listed.
    """
    missing = frozenset(paths)
    if not unlisted:
        return Missing(missing, frozenset())
    hidden = frozenset(
        path for path in missing if not unlisted.isdisjoint((path, *directories_above(path)))
    )
    return Missing(missing - hidden, missing & unlisted)
