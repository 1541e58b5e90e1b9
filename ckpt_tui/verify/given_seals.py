"""Seals that somebody names for checkpoints that were moved; others are where they are kept."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ckpt_tui.artifacts.limits import ArtifactError
from ckpt_tui.verify.seals import find_seal, read_seal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ckpt_tui.verify.listed import Listed
    from ckpt_tui.verify.seals import Seal


class GivenSeals:
    """Says which seal counts for which checkpoint.

    Args:
        paths: Files that were named.
        use_kept: Whether a seal that is kept for a checkpoint counts, too.
    """

    def __init__(self, paths: Sequence[str], *, use_kept: bool) -> None:
        self._use_kept = use_kept
        self._seals: dict[str, Seal] = {}
        self._problems: list[tuple[str, str]] = []
        self._used: set[str] = set()
        for path in map(os.path.abspath, paths):
            try:
                self._seals[path] = read_seal(path)
            except ArtifactError as error:
                self._problems.append((path, error.message))

    def seal_of(self, checkpoint: str) -> Listed | None:
        """The seal that was named for a checkpoint of this name, else the one that is kept.

        Raises:
            ArtifactError: One is kept and cannot be read.
        """
        name = os.path.basename(checkpoint)
        for path, seal in self._seals.items():
            if os.path.basename(seal.path) == name:
                self._used.add(path)
                return seal.listed(given=True)
        return find_seal(checkpoint) if self._use_kept else None

    def problems(self) -> list[tuple[str, str]]:
        """Seals that cannot be read, and those that no checkpoint asked for."""
        unused = [
            (path, f"it is the seal of {os.path.basename(seal.path)!r}, which is not here")
            for path, seal in self._seals.items()
            if path not in self._used
        ]
        return self._problems + unused
