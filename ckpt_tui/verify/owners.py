"""Which checkpoint a file or a directory belongs to, that was named by itself."""

from __future__ import annotations

import os

from ckpt_tui.formats.base import Claim
from ckpt_tui.formats.claiming import claim_of
from ckpt_tui.formats.discovery import discover
from ckpt_tui.fs.listing import list_directory

_LEVELS_ABOVE = 6


class Owners:
    """Answers are kept: somebody may name every file of a directory."""

    def __init__(self) -> None:
        self._own: dict[str, Claim | None] = {}
        self._beside: dict[str, tuple[Claim, ...]] = {}

    def of_file(self, path: str) -> Claim:
        """The checkpoint that a file is, or is a part of; by the reader "" where it is of none."""
        directory, name = os.path.split(path)
        above = self.above(directory)
        if above is not None:
            return above
        if directory not in self._beside:
            self._beside[directory] = discover(directory, levels=0).claims
        claims = (claim for claim in self._beside[directory] if name in claim.members)
        return next(claims, Claim("", path, (name,)))

    def above(self, directory: str) -> Claim | None:
        """The checkpoint that a directory is, or is a part of; None where there is none."""
        for _ in range(_LEVELS_ABOVE):
            if directory not in self._own:
                claim = claim_of(list_directory(directory))
                self._own[directory] = None if claim is None or claim.export else claim
            if self._own[directory] is not None or os.path.dirname(directory) == directory:
                return self._own[directory]
            directory = os.path.dirname(directory)
        return None
