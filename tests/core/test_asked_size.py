"""What is said of a run that is asked for a job of another world size."""

from __future__ import annotations

import pytest

from ckpt_tui.core.asked_size import answer_for_size
from ckpt_tui.core.checkpoint import Requirements
from ckpt_tui.core.facts import Reshard
from ckpt_tui.core.vocabulary import Severity
from tests.tui.builders import facts, run_of

NATIVE = Reshard(True, "natively: any size")
LOSSY = Reshard(True, "natively: any size", ("rng",))
CONVERTS = Reshard(True, "by conversion with make_universal", ("rng",), converts=True)
OTHER_WORDS = Reshard(True, "run convert.py", (), converts=True)
NEVER = Reshard(False, "each rank loads its own file")


@pytest.mark.parametrize(
    ("reshard", "wanted", "worst", "sentence"),
    [
        (NATIVE, 4, "info", "step 20 was written by as many ranks"),
        (NATIVE, 8, "info", "step 20 of 4 ranks: loads natively: any size"),
        (LOSSY, 8, "warning", "step 20 of 4 ranks: loads natively: any size; loses rng"),
        (
            CONVERTS,
            8,
            "warning",
            "step 20 of 4 ranks: by conversion with make_universal; loses rng",
        ),
        (OTHER_WORDS, 8, "warning", "step 20 of 4 ranks: after a conversion: run convert.py"),
        (
            NEVER,
            8,
            "error",
            "nothing that 8 ranks can load: step 20: written by 4 ranks; 8 cannot load it"
            " (each rank loads its own file)",
        ),
        (
            None,
            1,
            "error",
            "nothing that 1 rank can load: step 20: written by 4 ranks; nothing shows that 1 can"
            " load it",
        ),
    ],
)
def test_answer(reshard: Reshard | None, wanted: int, worst: str, sentence: str) -> None:
    made = [facts(step)._replace(reshard=reshard) for step in (10, 20)]
    run = run_of(made, requirements=Requirements(world_size=wanted))
    answer = answer_for_size(run, wanted)
    assert (answer.worst, answer.sentence()) == (Severity(worst), sentence)


def test_a_format_without_ranks_is_not_held_against_it() -> None:
    run = run_of([facts(20, ranks=None)], requirements=Requirements(world_size=8))
    assert answer_for_size(run, 8).text == "step 20 fits, as far as is known"


def test_the_newest_that_fits_is_named_and_not_the_newest() -> None:
    made = [facts(20)._replace(reshard=NEVER), facts(10, ranks=8)._replace(reshard=NEVER)]
    run = run_of(made, requirements=Requirements(world_size=8))
    assert answer_for_size(run, 8).text == "step 10 was written by as many ranks"


def test_nothing_at_any_size() -> None:
    run = run_of([facts(20, roles=("model",))], requirements=Requirements(world_size=8))
    assert answer_for_size(run, 8).sentence() == "nothing to load at any size"
