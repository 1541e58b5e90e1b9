"""What a run's other checkpoints say about one of them."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.core.vocabulary import MODEL, Effect

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

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
        self._roles = Counter(role for facts in whole for role in facts.role_names())
        self._names = Counter(name for names in self._whole.values() for name in names)
        self._opens = Counter(name for facts in whole for name in facts.loader.opens)
        self._steps = sorted(facts.step for facts in whole if facts.step is not None)

    def siblings_of(self, facts: CheckpointFacts) -> Siblings:
        """Compares one checkpoint of the run with the whole ones beside it; an export is alone."""
        counted = facts.path in self._whole
        others = len(self._whole) - counted
        if not others or facts.export:
            return NO_SIBLINGS
        roles = _in_all(self._roles, facts.role_names() if counted else (), others)
        names = _in_all(self._names, self._whole.get(facts.path, ()), others)
        younger = self._steps[1:] if counted else self._steps
        oldest = facts.step is not None and bool(younger) and facts.step < younger[0]
        opens = _in_all(self._opens, facts.loader.opens if counted else (), others)
        return Siblings(others, roles, names, oldest, opens)


def _in_all(counts: Counter[str], own: Iterable[str], others: int) -> frozenset[str]:
    mine = frozenset(own)
    return frozenset(key for key, count in counts.items() if count - (key in mine) == others)


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


def plain_name(path: str) -> str:
    """A file name with its numbers blotted out, so that names of two steps compare equal."""
    return re.sub(r"\d+", "#", path)
