"""What a plan says in Chinese: every warning, every field's need; JSON stays English."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from ckpt_tui import words
from ckpt_tui.planner.contract import plan_document
from ckpt_tui.planner.fields import FIELDS
from ckpt_tui.planner.inputs import PlanInputs, validate_inputs
from ckpt_tui.planner.markdown import plan_markdown
from ckpt_tui.planner.modes import PlanMode
from ckpt_tui.planner.plan import make_plan
from ckpt_tui.planner.table import plan_table
from ckpt_tui.words.wrapping import columns_of
from tests.words.untranslated import english_words

if TYPE_CHECKING:
    from collections.abc import Iterator

NAMES = frozenset({"level", "coverage", "sync", "async", "two", "floor"})

DOUBTFUL: list[dict[str, Any]] = [
    {"fault_rate_per_hour": 0.0},
    {"save_minutes": 0.0},
    {"fault_rate_per_hour": 50.0, "reload_minutes": 300.0, "down_minutes": 300.0},
    {"fault_rate_per_hour": 1e-6, "run_minutes": 5.0},
    {"save_minutes": 100.0, "intervals_minutes": (1.0, 2.0, 3.0, 4.0, 5.0)},
    {"weibull_shape": 0.3, "step_seconds": 3600.0, "intervals_minutes": (15.0,)},
    {"mode": PlanMode.ASYNC, "snapshot_minutes": 9.0, "persist_minutes": 1.0, "slowdown": 0.5},
    {"mode": PlanMode.ASYNC, "persist_minutes": 200.0, "fault_rate_per_hour": 0.5},
    {"mode": PlanMode.TWO_LEVEL, "level1_save_minutes": 3.0, "level1_coverage": 1.0},
    {"mode": PlanMode.TWO_LEVEL, "level1_coverage": 0.999},
    {"run_minutes": 30.0, "fault_rate_per_hour": 0.001, "intervals_minutes": (1440.0,)},
]


@pytest.fixture(autouse=True)
def _chinese() -> Iterator[None]:
    words.use("zh")
    yield
    words.use(words.ENGLISH)


@pytest.mark.parametrize("values", DOUBTFUL, ids=[str(list(v)) for v in DOUBTFUL])
def test_a_plan_is_said_and_its_json_is_not(values: dict[str, Any]) -> None:
    plan = make_plan(PlanInputs()._replace(current_interval_minutes=30.0, **values))
    assert plan.warnings
    table = plan_table(plan).splitlines()
    assert [word for line in table for word in english_words(line, NAMES)] == []
    assert max(map(columns_of, table)) <= 82
    assert "检查点间隔" in plan_markdown(plan)
    for warning in plan.warnings:
        assert warning.message.isascii()
        assert not warning.said.isascii()
    assert json.dumps(plan_document(plan), ensure_ascii=False).isascii()


@pytest.mark.parametrize("field", FIELDS)
def test_a_field_says_what_it_needs(field: str) -> None:
    error = FIELDS[field].error(field)
    assert "需要" in error.said
    assert english_words(error.said, NAMES) == []
    words.use(words.ENGLISH)
    assert error.said == error.message


def test_what_two_fields_cannot_be_together_is_said() -> None:
    (error,) = validate_inputs(PlanInputs(mode=PlanMode.TWO_LEVEL, weibull_shape=0.7))
    assert error.said == "`Weibull 形状`：两级保存只支持指数分布，须留空"
