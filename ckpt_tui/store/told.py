"""What a search could not list or does not read: it is told as long as it is so."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.formats.unread import unread_problems
from ckpt_tui.fs.paths import within

if TYPE_CHECKING:
    from ckpt_tui.formats.discovery import Found

_Pairs = tuple[tuple[str, str], ...]


class Told:
    """What was told, by the paths that it was found at.

    Attributes:
        problems: (absolute path, reason); the steps of one run that is not read are told once.
    """

    def __init__(self) -> None:
        self.problems: _Pairs = ()
        self._unlisted: _Pairs = ()
        self._unread: _Pairs = ()

    def renew(self, place: str, found: Found) -> None:
        """Takes what a search found at a place and below it for all that was told of there."""
        self._unlisted = _renewed(self._unlisted, place, found.problems)
        self._unread = _renewed(self._unread, place, found.unread)
        self.problems = (*self._unlisted, *unread_problems(self._unread))


def _renewed(told: _Pairs, place: str, new: _Pairs) -> _Pairs:
    stale = set(within(place, (path for path, _ in told)))
    return tuple(sorted({*(pair for pair in told if pair[0] not in stale), *new}))
