"""A job of another world size: what loads, what is lost, what has to be converted first."""

from __future__ import annotations

import pytest

from ckpt_tui.core.checkpoint import Requirements
from ckpt_tui.core.facts import Reshard
from ckpt_tui.core.verdict import judge
from ckpt_tui.core.vocabulary import Verdict
from ckpt_tui.core.world_size import size_mismatch
from tests.core.builders import facts as facts_of

NATIVE = Reshard(True, "natively")
LOSSY = Reshard(True, "natively", ("rng",))
CONVERTED = Reshard(True, "by ds_to_universal", ("rng",), converts=True)


@pytest.mark.parametrize(
    ("reshard", "resumable", "verdict", "converts"),
    [
        (NATIVE, True, Verdict.EXACT, False),
        (LOSSY, True, Verdict.INEXACT, False),
        (CONVERTED, True, Verdict.INEXACT, True),
        (Reshard(False, "never"), False, Verdict.EXACT, False),
        (Reshard(None, "not known"), False, Verdict.EXACT, False),
        (None, False, Verdict.EXACT, False),
    ],
)
def test_another_world_size(
    reshard: Reshard | None, resumable: bool, verdict: Verdict, converts: bool
) -> None:
    facts = facts_of(10, world_size=4, reshard=reshard)
    judged = judge(facts, Requirements(world_size=8))
    assert (judged.resumable, judged.verdict) == (resumable, verdict)
    told = size_mismatch(judged)
    assert (told is not None) == (converts or not resumable)
    same = judge(facts, Requirements(world_size=4))
    assert same.resumable
    assert same.verdict is Verdict.EXACT
