"""Which checkpoint to try to mend first."""

from __future__ import annotations

from ckpt_tui.core.nearest import nearest_to_whole
from ckpt_tui.core.vocabulary import MODEL
from tests.tui.builders import facts, run_of


def test_the_one_that_lacks_least_then_the_newest() -> None:
    run = run_of([facts(30, absent=(0, 1)), facts(20, absent=(3,)), facts(10, broken=(2,))])
    assert run.resume is None
    nearest = nearest_to_whole(run)
    assert nearest is not None
    assert (nearest.checkpoint.facts.step, nearest.missing_ranks) == (20, (3,))


def test_what_can_hardly_be_mended_is_not_offered() -> None:
    assert nearest_to_whole(run_of([facts(30, absent=(0, 1, 2))])) is None
    assert nearest_to_whole(run_of([facts(30, absent=(0,), met=False)])) is None
    assert nearest_to_whole(run_of([facts(30, absent=(0,), roles=(MODEL,))])) is None
    assert nearest_to_whole(run_of([facts(30)])) is None
