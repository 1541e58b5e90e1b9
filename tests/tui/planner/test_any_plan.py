"""Whatever the inputs: every figure is a number, and every line fits."""

from __future__ import annotations

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from ckpt_tui.planner.advice_text import sensitivity_sentences
from ckpt_tui.planner.curve import cost_curve
from ckpt_tui.planner.evidence import best_interval_range
from ckpt_tui.planner.inputs import PlanInputs
from ckpt_tui.planner.modes import PlanMode
from ckpt_tui.planner.plan import make_plan
from ckpt_tui.planner.rate import rate_posterior
from ckpt_tui.planner.retention import Policy
from ckpt_tui.tui.lines import text_of, width_of
from ckpt_tui.tui.planner.answer import answer_lines
from ckpt_tui.tui.planner.bars import bar_lines
from ckpt_tui.tui.planner.comparing import comparison_lines
from ckpt_tui.tui.planner.curve_lines import curve_lines
from ckpt_tui.tui.planner.remarks import remark_lines
from ckpt_tui.tui.planner.results import result_lines
from ckpt_tui.tui.planner.retention_lines import Asked, retention_lines
from tests.tui.planner.host import FAILED_RUN

minutes = st.one_of(st.just(0.0), st.floats(1e-3, 1e4))


@given(
    st.builds(
        PlanInputs,
        run_minutes=st.floats(1, 1e6),
        fault_rate_per_hour=st.one_of(st.just(0.0), st.floats(1e-6, 1e4)),
        save_minutes=minutes,
        reload_minutes=minutes,
        down_minutes=minutes,
        intervals_minutes=st.lists(st.floats(1e-2, 1e5), min_size=1, max_size=8).map(tuple),
        mode=st.sampled_from(PlanMode),
        snapshot_minutes=minutes,
        persist_minutes=minutes,
        slowdown=st.floats(0, 0.9),
        level1_save_minutes=minutes,
        level1_reload_minutes=minutes,
        level1_down_minutes=minutes,
        level1_coverage=st.floats(0, 1),
        level2_every_saves=st.one_of(st.none(), st.integers(1, 50)),
        weibull_shape=st.none(),
        step_seconds=st.one_of(st.none(), st.floats(0.01, 1e3)),
        current_interval_minutes=st.one_of(st.none(), st.floats(1e-2, 1e5)),
        gpus=st.one_of(st.none(), st.integers(1, 10**6)),
        gpu_hour_price=st.one_of(st.none(), st.floats(0, 100)),
        checkpoint_bytes=st.one_of(st.none(), st.integers(1, 10**15)),
    ),
    st.integers(60, 200),
    st.booleans(),
)
@settings(max_examples=40, deadline=None)
def test_no_plan_says_nan_or_infinity_or_leaves_the_frame(
    inputs: PlanInputs, width: int, ascii_only: bool
) -> None:
    plan = make_plan(inputs)
    rate = rate_posterior(2, 50.0)
    credible = best_interval_range(inputs, rate)
    asked = Asked(Policy(3, 1000), 120.0)
    lines = [
        *answer_lines(plan, width, stale=False, credible=credible),
        *result_lines(plan, width),
        *bar_lines(plan, width, ascii_only),
        *comparison_lines(make_plan(PlanInputs()), plan, width),
        *retention_lines(FAILED_RUN, plan, asked, 10**13, width),
        *remark_lines(plan, width, " ".join(sensitivity_sentences(plan))),
        *curve_lines(plan, cost_curve(inputs), width, 8, ascii_only, credible),
    ]
    text = "\n".join(text_of(row) for row in lines)
    assert not re.search(r"\b(nan|inf|infinity|None)\b", text), text
    assert max(width_of(row) for row in lines) <= width
    for row in result_lines(plan, 200)[2:]:
        assert len(text_of(row).split()) >= 4
