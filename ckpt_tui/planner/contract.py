"""The document of `plan --json`, schema ckpt-tui/plan/1."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ckpt_tui.planner.published import other_formulas
from ckpt_tui.planner.run_cost import run_cost
from ckpt_tui.planner.sensitivity import sensitivities
from ckpt_tui.planner.storage import storage_of

if TYPE_CHECKING:
    from ckpt_tui.planner.budget import Budget
    from ckpt_tui.planner.result import Optimum, Plan
    from ckpt_tui.planner.retention import Policy
    from ckpt_tui.planner.rows import ExactRow

SCHEMA = "ckpt-tui/plan/1"
_OPTIMUM_DECIMALS = 6
_ROW_DECIMALS = 9


def plan_document(plan: Plan, policy: Policy | None = None) -> dict[str, Any]:
    """The plan as plain JSON values: no infinity, no NaN; null is unknown or missing.

    Whole numbers are written without a decimal point. Optima have 6 decimals, the exact rows 9;
    the lesson's rows are rounded by the lesson itself.

    Args:
        plan: The plan.
        policy: Which checkpoints are kept, for the storage of each row; None keeps all.
    """
    young, daly = plan.young_minutes, plan.daly_minutes
    mtbf = plan.inputs.mtbf_minutes
    return {
        "schema": SCHEMA,
        "inputs": _plain(plan.inputs._asdict()),
        "mtbf_minutes": None if mtbf == float("inf") else _plain(mtbf),
        "lesson": {
            "rows": [_plain(row._asdict()) for row in plan.lesson_rows],
            "best_listed_minutes": _plain(plan.best_lesson_minutes),
        },
        "exact": {
            "basis": "run" if plan.follows_run else "long-run",
            "rows": [_exact_row(plan, row, policy) for row in plan.exact_rows],
            "best_listed_minutes": _plain(plan.best_exact_minutes),
            **_optimum(plan.optimum),
        },
        "young_minutes": _rounded(young, _OPTIMUM_DECIMALS),
        "daly_minutes": _rounded(daly, _OPTIMUM_DECIMALS),
        "no_checkpoints": _budget(plan.unsaved),
        "fault_probabilities": _fault_probabilities(plan),
        "steps": _plain(plan.steps._asdict()) if plan.steps else None,
        "regret": _plain(plan.regret._asdict()) if plan.regret else None,
        "run_cost": _run_cost(plan),
        "sensitivities": {
            each.field: _rounded(each.elasticity, _OPTIMUM_DECIMALS)
            for each in sensitivities(plan.inputs)
        },
        "other_formulas": _other_formulas(plan),
        "warnings": [warning.message for warning in plan.warnings],
    }


def _exact_row(plan: Plan, row: ExactRow, policy: Policy | None) -> dict[str, Any]:
    low, high = row.wall_band_minutes or (None, None)
    storage = storage_of(plan.inputs, row, policy)
    return {
        "interval_minutes": _plain(row.interval_minutes),
        **_budget(row.budget),
        "save_count": row.save_count,
        "level2_every_saves": row.level2_every_saves,
        "wall_5_percent_minutes": _rounded(low, _ROW_DECIMALS),
        "wall_95_percent_minutes": _rounded(high, _ROW_DECIMALS),
        "storage_bytes_per_day": _rounded(row.storage_bytes_per_day, 0),
        "storage_bytes_in_all": storage and storage.written_bytes,
        "kept_checkpoints": storage and storage.kept_checkpoints,
        "kept_bytes": storage and storage.kept_bytes,
    }


def _run_cost(plan: Plan) -> dict[str, Any] | None:
    cost = run_cost(plan)
    if cost is None:
        return None
    return {name: _rounded(value, _OPTIMUM_DECIMALS) for name, value in cost._asdict().items()}


def _other_formulas(plan: Plan) -> dict[str, Any] | None:
    others = other_formulas(plan.inputs)
    if others is None:
        return None
    ettr = [_rounded(share, _ROW_DECIMALS) for share in others.meta_ettr]
    return {
        "young_minus_save_minutes": _rounded(others.young_minus_save_minutes, _OPTIMUM_DECIMALS),
        "saxena_period_minutes": _rounded(others.saxena_period_minutes, _OPTIMUM_DECIMALS),
        "meta_ettr": ettr,
    }


def _budget(budget: Budget | None) -> dict[str, Any]:
    """Every part null where the run does not finish."""
    values = {
        "wall_minutes": budget and budget.wall_minutes,
        "work_minutes": budget and budget.work_minutes,
        "save_minutes": budget and budget.save_minutes,
        "rollback_minutes": budget and budget.rollback_minutes,
        "down_minutes": budget and budget.down_minutes,
        "reload_minutes": budget and budget.reload_minutes,
        "expected_failures": budget and budget.failures,
        "goodput": budget and budget.goodput,
        "overhead": budget and budget.overhead,
    }
    return {key: _rounded(value, _ROW_DECIMALS) for key, value in values.items()}


def _optimum(optimum: Optimum | None) -> dict[str, Any]:
    band = optimum and optimum.within_5_percent_minutes
    return {
        "best_continuous_minutes": _rounded(
            optimum and optimum.interval_minutes, _OPTIMUM_DECIMALS
        ),
        "best_level2_every_saves": optimum and optimum.level2_every_saves,
        "best_goodput": _rounded(optimum and optimum.goodput, _ROW_DECIMALS),
        "within_5_percent_minutes": band and [_rounded(edge, _OPTIMUM_DECIMALS) for edge in band],
    }


def _fault_probabilities(plan: Plan) -> dict[str, Any] | None:
    if plan.fault_probabilities is None:
        return None
    names = ("0", "1", "2", "3 or more")
    shares = (_rounded(share, _ROW_DECIMALS) for share in plan.fault_probabilities)
    return dict(zip(names, shares, strict=True))


def _rounded(value: float | None, decimals: int) -> float | None:
    return None if value is None else _plain(round(value, decimals))


def _plain(value: Any) -> Any:
    """JSON values only: whole floats as integers, tuples as lists, enums as their text."""
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    if isinstance(value, tuple):
        return [_plain(each) for each in value]
    if isinstance(value, str):
        return str(value)
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value
