"""Our verdicts on what is in a run's directory, an hour after the last write."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.store.index import Store

if TYPE_CHECKING:
    from pathlib import Path

    from ckpt_tui.core.checkpoint import Checkpoint

LONG_AFTER_SECONDS = 3600.0


class OurVerdict(NamedTuple):
    """What we say of one checkpoint.

    Attributes:
        resumable: A restart can take it.
        verdict: In one word.
        why: In one sentence.
        codes: Of its findings.
        format: Its format.
    """

    resumable: bool
    verdict: str
    why: str
    codes: tuple[str, ...] = ()
    format: str = ""


NOT_SEEN = OurVerdict(False, "not seen", "no checkpoint is seen there")


class OurView:
    """What one look at a root says of every checkpoint below it."""

    def __init__(self, root: Path) -> None:
        store = Store(str(root), wall=lambda: time.time() + LONG_AFTER_SECONDS)
        self._by_path: dict[str, Checkpoint] = {}
        for checkpoint in store.look().checkpoints:
            self._by_path[os.path.realpath(checkpoint.path)] = checkpoint

    def of(self, path: Path) -> OurVerdict:
        """The verdict on one checkpoint."""
        found = self._by_path.get(os.path.realpath(path))
        return _words(found) if found else NOT_SEEN

    def resumable_paths(self) -> set[str]:
        """Real paths of all that a restart could take, as we say."""
        return {path for path, found in self._by_path.items() if found.resumable}


def verdict_alone(path: Path) -> OurVerdict:
    """The verdict on one checkpoint that was named by itself, siblings unseen."""
    return OurView(path).of(path)


def _words(found: Checkpoint) -> OurVerdict:
    codes = tuple(dict.fromkeys(finding.code for finding in found.findings))
    return OurVerdict(found.resumable, found.verdict, found.why, codes, found.facts.format)
