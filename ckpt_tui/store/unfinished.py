"""Pictures of a look that is not over: what is read first, and how often it is shown."""

from __future__ import annotations

import os
from itertools import chain, zip_longest
from typing import TYPE_CHECKING

from ckpt_tui.formats.shared.names import age_by_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from ckpt_tui.core.snapshot import Reading, Snapshot
    from ckpt_tui.formats.base import Claim

FIRST_SECONDS = 0.15
"""A look that is over before this shows nothing but its end."""
LEAST_SECONDS = 0.25
SHARE_OF_TIME = 0.1
"""So much of a look may go into drawing it."""


class Unfinished:
    """Shows pictures while a look goes on, at a pace that does not slow it down.

    Args:
        draw: Makes a picture of what is read so far.
        show: Takes it.
        monotonic: Clock that never steps, seconds; the look begins now.
    """

    def __init__(
        self,
        draw: Callable[[set[str], Reading], Snapshot],
        show: Callable[[Snapshot], None],
        monotonic: Callable[[], float],
    ) -> None:
        self._draw = draw
        self._show = show
        self._monotonic = monotonic
        self._due_at = monotonic() + FIRST_SECONDS

    def due(self) -> bool:
        """Whether it is time for a picture."""
        return self._monotonic() >= self._due_at

    def show(self, touched: set[str], reading: Reading) -> None:
        """Draws and shows one.

        Args:
            touched: Directories in which something may differ from the last picture.
            reading: How far the look is.
        """
        began = self._monotonic()
        self._show(self._draw(touched, reading))
        now = self._monotonic()
        self._due_at = now + max(LEAST_SECONDS, (now - began) / SHARE_OF_TIME)


def newest_first(claims: Iterable[Claim]) -> list[Claim]:
    """The newest of every directory by its name, then the second newest of each, and so on."""
    places: dict[str, list[Claim]] = {}
    for claim in claims:
        places.setdefault(os.path.dirname(claim.path), []).append(claim)

    def age(claim: Claim) -> int:
        return age_by_name(os.path.basename(claim.path))

    columns = [sorted(found, key=age, reverse=True) for found in places.values()]
    rows = chain.from_iterable(zip_longest(*columns))
    return [claim for claim in rows if claim is not None]
