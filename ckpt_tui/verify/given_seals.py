"""Seals that somebody names for checkpoints that were moved; others are where they are kept."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ckpt_tui.artifacts.limits import ArtifactError
from ckpt_tui.verify.seals import find_seal, read_seal

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

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
        self._meant: dict[str, str] = {}
        for path in map(os.path.abspath, paths):
            try:
                self._seals[path] = read_seal(path)
            except ArtifactError as error:
                self._problems.append((path, error.message))

    def settle(self, checkpoints: Iterable[str]) -> None:
        """Finds what each seal was named for: the one checkpoint of its name; of two, neither.

        Args:
            checkpoints: Absolute paths of all that are asked about.
        """
        by_name: dict[str, set[str]] = {}
        for checkpoint in checkpoints:
            by_name.setdefault(os.path.basename(checkpoint), set()).add(checkpoint)
        for path, seal in self._seals.items():
            name = os.path.basename(seal.path)
            found = sorted(by_name.get(name, ()))
            if len(found) == 1:
                self._meant.setdefault(found[0], path)
            elif found:
                why = f"it may be the seal of {found[0]} or of {found[1]}: name one of them"
                self._problems.append((path, why))
            else:
                self._problems.append((path, f"it is the seal of {name!r}, which is not here"))

    def seal_of(self, checkpoint: str) -> Listed | None:
        """The seal that was named for a checkpoint, else the one that is kept.

        Raises:
            ArtifactError: One is kept and cannot be read.
        """
        path = self._meant.get(checkpoint)
        if path is not None:
            return self._seals[path].listed(given=True)
        return find_seal(checkpoint) if self._use_kept else None

    def problems(self) -> list[tuple[str, str]]:
        """Seals that cannot be read, and those of which nobody knows what they are for."""
        return list(self._problems)
