"""Numbers in names that count saves."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ckpt_tui.core.counted_names import names_count_saves, without_counter_remarks
from ckpt_tui.core.findings import Finding
from ckpt_tui.core.vocabulary import Severity
from tests.core.builders import facts

if TYPE_CHECKING:
    from ckpt_tui.core.facts import CheckpointFacts


def named(**steps: int) -> list[CheckpointFacts]:
    return [facts(step, name=name, path=f"/run/{name}") for name, step in steps.items()]


@pytest.mark.parametrize(
    ("steps", "counted"),
    [
        ({"checkpoint_0": 100, "checkpoint_1": 200}, True),
        ({"checkpoint_000008": 90, "checkpoint_000009": 100, "checkpoint_000012": 130}, True),
        ({"step_100": 100, "step_101": 101}, False),
        ({"step_100": 100, "step_200": 200, "step_300": 200}, False),  # one was renamed
        ({"step_100": 1000, "step_200": 2000}, False),  # no counter steps by a hundred
        ({"micro_80": 10, "micro_81": 11}, False),
        ({"checkpoint_1": 200, "checkpoint_2": 100}, False),
        ({"checkpoint_1": 200}, False),
        ({"loss_1_2": 200, "loss_1_3": 300}, False),
        ({}, False),
    ],
)
def test_a_counter_rises_with_the_steps_one_by_one(steps: dict[str, int], counted: bool) -> None:
    assert names_count_saves(named(**steps)) is counted


def test_only_the_remark_on_the_name_goes() -> None:
    of_name = Finding("step-mismatch", Severity.WARNING, "", "the name says step 1", "look")
    of_file = of_name._replace(path="optim.pt", message="the optimizer's step is 3")
    both = facts(200, findings=(of_name, of_file))
    assert without_counter_remarks(both).findings == (of_file,)
    plain = facts(200)
    assert without_counter_remarks(plain) is plain
