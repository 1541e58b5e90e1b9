"""Retention: read from texts, told as lines, and asked for on a screen of its own."""

from __future__ import annotations

import pytest

from ckpt_tui.planner.inputs import PlanInputs
from ckpt_tui.planner.plan import make_plan
from ckpt_tui.planner.retention import Policy
from ckpt_tui.planner.stored import stored_of
from ckpt_tui.tui.lines import text_of, width_of
from ckpt_tui.tui.planner.retention_lines import Asked, asked_from, retention_lines
from tests.tui.builders import GIB, facts, run_of
from tests.tui.planner.host import FAILED_RUN, TIB, hosted, settle

PLAN = make_plan(PlanInputs(current_interval_minutes=30, checkpoint_bytes=TIB))


def told(asked: Asked, width: int = 79, free_bytes: int | None = 5 * TIB) -> str:
    rows = retention_lines(FAILED_RUN, PLAN, asked, free_bytes, width)
    assert max(width_of(row) for row in rows) <= width
    return "\n".join(text_of(row) for row in rows)


def test_texts_become_a_policy() -> None:
    texts = {"last": "3", "every_steps": "1,000", "best": "", "late": "2h"}
    assert asked_from(texts) == Asked(Policy(3, 1000, None), 120)
    assert asked_from({}) == Asked(Policy())


@pytest.mark.parametrize(
    ("field", "text", "says"),
    [
        ("last", "0", "`last`: need a whole number from 1 such as 3"),
        ("every_steps", "-1", "`every`: need a whole number from 1 such as 1000"),
        ("best", "x", "`best`"),
        ("best", "9" * 12, "`best`"),
        ("late", "soon", "`found after`: need a time such as 2h"),
    ],
)
def test_bad_texts_are_named_with_an_example(field: str, text: str, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        asked_from({field: text})


def test_kept_and_freed_add_up() -> None:
    text = told(Asked(Policy(last=3)))
    assert "keeps 3 checkpoints, 3.00 TiB   would free 13, 13.0 TiB" in text
    assert text.count("✔ keep") == 3
    assert text.count("· free") == 13


def test_the_disk_and_silent_corruption() -> None:
    text = told(Asked(Policy(last=3), late_minutes=240))
    assert "5.00 TiB free: full in 0.1 days at one save of 1.00 TiB every 30 min" in text
    assert "with this policy it does not fill up" in text
    assert "with this policy: full in 0.1 days" in told(Asked(Policy(last=30)))
    every = told(Asked(Policy(last=3, every_steps=2000)))
    # Ten of 16 go: room for 15 TiB more, which the multiples of 2000 take one by one in 2 h.
    assert "with this policy: full in 1.2 days" in every
    assert "⚠ against silent corruption found 4h late: the last 9 at least, not 3" in text
    assert "✔ against silent corruption" in told(Asked(Policy(last=9), late_minutes=240))
    assert "free:" not in told(Asked(Policy()), free_bytes=None)


def test_each_interval_keeps_its_own() -> None:
    rows = told(Asked(Policy(last=3))).splitlines()
    (row,) = (row.split() for row in rows if row.strip().startswith("15 min"))
    assert row[2:] == ["86.0", "TiB", "96.0", "TiB", "3", "3.00", "TiB"] or row[-3:] == [
        "3",
        "3.00",
        "TiB",
    ]


def test_the_best_are_those_of_the_least_loss_in_the_name() -> None:
    losses = {100: "0.9", 200: "0.4", 300: "0.7"}
    run = run_of(
        [
            facts(step, name=f"step={step}-val_loss={loss}", size=GIB)
            for step, loss in losses.items()
        ]
    )
    assert {each.step: each.metric for each in stored_of(run)} == {100: 0.9, 200: 0.4, 300: 0.7}
    text = "\n".join(
        text_of(row) for row in retention_lines(run, PLAN, Asked(Policy(last=1, best=1)), None, 79)
    )
    assert "✔ keep  step 200" in text
    assert "· free  step 100" in text
    assert "none is the best by one" in told(Asked(Policy(best=2)))


def test_a_run_without_checkpoints() -> None:
    rows = retention_lines(None, make_plan(PlanInputs()), Asked(Policy()), None, 79)
    text = "\n".join(text_of(row) for row in rows)
    assert "no checkpoints with a step" in text
    assert "give the planner a checkpoint's size" in text


async def test_every_key_shows_what_would_be_kept() -> None:
    async with hosted((120, 40), FAILED_RUN) as (host, pilot):
        await pilot.press("t")
        await settle(pilot)
        assert "keeps 3 checkpoints" in host.drawn()
        await pilot.press("5")
        await settle(pilot)
        assert "keeps 5 checkpoints" in host.drawn()
        await pilot.press("x")
        await settle(pilot)
        assert "✗ `last`: need a whole number" in host.drawn()
        await pilot.press("backspace", "escape")
        await host.workers.wait_for_complete()
        await pilot.press("t")
        await settle(pilot)
        assert "keeps 5 checkpoints" in host.drawn(), "it is remembered"
