"""Whether any checkpoint lies below a directory: the first that is found ends the search."""

from __future__ import annotations

import os
from time import monotonic
from typing import TYPE_CHECKING

from ckpt_tui.formats.discovery import MAX_DEPTH, discover
from ckpt_tui.formats.registry import CATCH_ALL

if TYPE_CHECKING:
    from ckpt_tui.formats.base import Claim


class _FoundError(Exception):
    """A checkpoint was found: no need to search on."""


class _TimeUpError(Exception):
    """A search takes too long."""


def holds_checkpoint(path: str, seconds: float, levels: int = MAX_DEPTH) -> bool | None:
    """Whether a checkpoint lies below a directory; None where the time is up before that is known.

    Args:
        path: Absolute path.
        seconds: When to give up.
        levels: How deep to search.
    """
    return holds_by(path, levels, monotonic() + seconds)


def holds_by(path: str, levels: int, deadline: float, *, directly: bool = False) -> bool | None:
    """The same until a deadline.

    With `directly` only what lies in the directory itself counts, and any torch file does not:
    such lie about in many places.
    """

    def counts(claim: Claim) -> bool:
        if claim.export:
            return False
        beside = os.path.dirname(claim.path) == path and claim.reader != CATCH_ALL
        return beside or not directly

    def known(_path: str) -> Claim | None:
        if monotonic() > deadline:
            raise _TimeUpError
        return None

    def told(claim: Claim) -> None:
        if counts(claim):
            raise _FoundError

    try:
        claims = discover(path, known, levels, told=told).claims
    except _FoundError:
        return True
    except _TimeUpError:
        return None
    return any(map(counts, claims))
