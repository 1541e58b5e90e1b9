"""The judging process: what we say of a run's checkpoints, an hour after the last write.

One question a line on standard input, one answer a line on standard output; see `Judging`.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from ckpt_tui.store.index import Store
from tests.framework.judge.verdicts import NOT_SEEN, OurTwo, OurVerdict

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ckpt_tui.core.checkpoint import Checkpoint

LONG_AFTER_SECONDS = 3600.0


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


def judged(run: Path, chosen: Iterable[Path], attempts: Iterable[Path]) -> list[tuple[str, OurTwo]]:
    """The verdicts on the chosen ones, and on what we alone would resume from."""
    view = OurView(run)
    listed = {os.path.realpath(path) for path in attempts}
    strays = [Path(path) for path in sorted(view.resumable_paths() - listed)]
    return [(str(path), OurTwo(view.of(path), _alone(path))) for path in [*chosen, *strays]]


def _alone(path: Path) -> OurVerdict:
    """The verdict on one checkpoint that was named by itself, siblings unseen."""
    return OurView(path).of(path)


def _words(found: Checkpoint) -> OurVerdict:
    codes = tuple(dict.fromkeys(finding.code for finding in found.findings))
    return OurVerdict(found.resumable, found.verdict, found.why, codes, found.facts.format)


def main() -> None:
    """Answers until the questions end."""
    for line in sys.stdin:
        run, chosen, attempts = json.loads(line)
        answer = judged(Path(run), map(Path, chosen), map(Path, attempts))
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
