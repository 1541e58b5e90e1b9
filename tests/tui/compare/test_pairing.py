"""Which two checkpoints are compared."""

from __future__ import annotations

import pytest

from ckpt_tui.tui.compare.pairing import NoPairError, pair_of
from tests.tui.builders import facts, run_of

RUN = run_of([facts(100), facts(200), facts(300, absent=(1,)), facts(400)])
NEWEST, BROKEN, GOOD, OLDEST = RUN.checkpoints
OTHER = run_of([facts(50, root="/mnt/other")], path="/mnt/other").checkpoints[0]


@pytest.mark.parametrize(
    ("marked", "current", "steps"),
    [
        ((), NEWEST, (200, 400)),
        ((), BROKEN, (200, 300)),
        ((), GOOD, (100, 200)),
        ((OLDEST,), NEWEST, (100, 400)),
        ((NEWEST,), OLDEST, (100, 400)),
        ((NEWEST,), NEWEST, (200, 400)),
        ((NEWEST, OLDEST), GOOD, (100, 400)),
        ((NEWEST, OTHER), GOOD, (50, 400)),
    ],
)
def test_the_two(marked: tuple, current: object, steps: tuple[int, int]) -> None:
    first, second = pair_of(marked, current, RUN)
    assert (first.step, second.step) == steps


def test_where_nothing_older_is_good_the_next_older_one_does() -> None:
    run = run_of([facts(100, absent=(1,)), facts(200)])
    first, second = pair_of((), run.checkpoints[0], run)
    assert (first.step, second.step) == (100, 200)


@pytest.mark.parametrize(
    ("marked", "current", "message"),
    [
        ((NEWEST, GOOD, OLDEST), NEWEST, "3 are marked"),
        ((), OLDEST, "mark two checkpoints"),
        ((), None, "no checkpoint"),
    ],
)
def test_what_cannot_be_compared(marked: tuple, current: object, message: str) -> None:
    with pytest.raises(NoPairError, match=message):
        pair_of(marked, current, RUN)
