"""What a run's other checkpoints say about one of them."""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.core.vocabulary import MODEL, Effect

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ckpt_tui.core.facts import CheckpointFacts


class Siblings(NamedTuple):
    """What is usual in the run.

    Attributes:
        compared: Whole checkpoints that were compared with.
        roles: Roles that every one of them has.
        housekeeping: Names of files that every one of them has and that hold no required role.
        oldest: True where the checkpoint in question is the oldest of the run.
        opens: Files that the loader opens in every one of them.
    """

    compared: int = 0
    roles: frozenset[str] = frozenset()
    housekeeping: frozenset[str] = frozenset()
    oldest: bool = False
    opens: frozenset[str] = frozenset()


NO_SIBLINGS = Siblings()


class Habits:
    """What the whole checkpoints of one run and format have in common; counted once per run."""

    def __init__(self, run: Sequence[CheckpointFacts]) -> None:
        whole = [facts for facts in run if _comparable(facts)]
        self._whole = {facts.path: _housekeeping(facts) for facts in whole}
        self._roles = _Common([facts.role_names() for facts in whole])
        self._names = _Common(list(self._whole.values()))
        self._opens = _Common([facts.loader.opens for facts in whole])
        self._steps = sorted(facts.step for facts in whole if facts.step is not None)

    def siblings_of(self, facts: CheckpointFacts) -> Siblings:
        """Compares one checkpoint of the run with the whole ones beside it; an export is alone."""
        counted = facts.path in self._whole
        others = len(self._whole) - counted
        if not others or facts.export:
            return NO_SIBLINGS
        younger = self._steps[counted : counted + 1]
        oldest = facts.step is not None and bool(younger) and facts.step < younger[0]
        if not counted:
            common = (self._roles.of_all, self._names.of_all, self._opens.of_all)
        else:
            common = (
                self._roles.of_others(facts.role_names),
                self._names.of_others(lambda: self._whole[facts.path]),
                self._opens.of_others(lambda: facts.loader.opens),
            )
        return Siblings(others, common[0], common[1], oldest, common[2])


class _Common:
    """What all of some sets hold, or all but one."""

    def __init__(self, sets: Sequence[frozenset[str]]) -> None:
        counts = Counter(name for names in sets for name in names)
        self.of_all = frozenset(n for n, count in counts.items() if count == len(sets))
        self._of_all_but_one = frozenset(n for n, count in counts.items() if count == len(sets) - 1)

    def of_others(self, own: Callable[[], frozenset[str]]) -> frozenset[str]:
        """What all sets hold but one of them, which gives what it holds itself if asked."""
        return self.of_all | (self._of_all_but_one - own()) if self._of_all_but_one else self.of_all


def _comparable(facts: CheckpointFacts) -> bool:
    """Whether a checkpoint can serve as a measure for others: a model, and nothing damaged."""
    return (
        facts.commit.met is not False
        and not facts.export
        and not facts.staging
        and facts.role(MODEL) is not None
        and all(finding.effect is Effect.NONE for finding in facts.findings)
    )


def _housekeeping(facts: CheckpointFacts) -> frozenset[str]:
    return frozenset(plain_name(f.path) for f in facts.files if f.role in ("", "config", "other"))


@lru_cache(maxsize=1 << 16)
def plain_name(path: str) -> str:
    """A file name with its numbers blotted out, so that names of two steps compare equal."""
    return re.sub(r"\d+", "#", path)
