"""What a retention policy decides on, and the loss that a name tells."""

from __future__ import annotations

import pytest

from ckpt_tui.core.checkpoint import SaveProgress
from ckpt_tui.core.runs import Run
from ckpt_tui.core.vocabulary import Effect, Verdict
from ckpt_tui.planner.stored import loss_in, stored_of
from tests.core.builders import checkpoint, finding


@pytest.mark.parametrize(
    ("name", "loss"),
    [
        ("epoch=3-val_loss=0.21.ckpt", 0.21),
        ("epoch=3-val_loss=0.123456789012345678.ckpt", 0.123456789012345678),
        ("step=10-loss=1e-05.ckpt", 1e-5),
        ("step=10-loss=1.5e-05.ckpt", 1.5e-5),
        ("step=10-loss=-2.5.ckpt", -2.5),
        ("model_loss_0.5.pt", 0.5),
        ("val_loss=nan.ckpt", None),
        ("loss=" + "9" * 400, None),
        ("loss=0." + "1" * 400, None),
        ("step-10", None),
    ],
)
def test_the_loss_in_a_name(name: str, loss: float | None) -> None:
    assert loss_in(name) == loss


def test_what_is_not_known_or_not_the_jobs_own_is_left_alone() -> None:
    good, broken = checkpoint(10), checkpoint(20, findings=(finding(Effect.CORRUPT),))
    others = (
        checkpoint(30)._replace(verdict=Verdict.UNKNOWN),
        checkpoint(40, export=True),
        checkpoint(50, alias=True),
        checkpoint(60)._replace(progress=SaveProgress(1, None, None, None, 0.0, ())),
        checkpoint(None),
    )
    run = Run("/mnt/run", "run", "manifest", (*others, broken, good), good)
    assert [(each.step, each.resumable) for each in stored_of(run)] == [(20, False), (10, True)]


def test_at_one_step_the_resume_point_comes_first() -> None:
    other, resume = checkpoint(10, name="z"), checkpoint(10, name="a")
    run = Run("/mnt/run", "run", "manifest", (other, resume), resume)
    assert [each.path for each in stored_of(run)] == [resume.path, other.path]
