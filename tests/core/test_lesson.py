"""The tables of the lesson, and what must hold for any manifest and any shards."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ckpt_tui import (
    checkpoint_interval_cost,
    expected_failure_overhead,
    inspect_checkpoint_manifest,
    validate_sharded_checkpoint,
)

REQUIRED = ("model", "optimizer", "scheduler", "rng", "progress")


def entry(role: str, size_mib: float) -> dict[str, Any]:
    return {"role": role, "path": f"{role}.bin", "size_mib": size_mib}


WHOLE = [
    entry("model", 2400),
    entry("optimizer", 4800),
    *(entry(role, 0.01) for role in ("scheduler", "rng", "progress")),
]
MANIFEST = {"checkpoint_id": "step-1200", "world_size": 4, "committed": True}


def shards(*ranks: int, **changes: Any) -> list[dict[str, Any]]:
    return [
        {"rank": rank, "checkpoint_id": "step-1200", "size_mib": 900} | changes for rank in ranks
    ]


def test_a_whole_manifest_is_recoverable() -> None:
    assert inspect_checkpoint_manifest(WHOLE, committed=True) == {
        "total_mib": 7200.03,
        "missing_roles": [],
        "invalid_files": [],
        "committed": True,
        "recoverable": True,
    }


def test_weights_alone_are_not_recoverable() -> None:
    assert inspect_checkpoint_manifest([entry("model", 2400)], committed=True) == {
        "total_mib": 2400,
        "missing_roles": ["optimizer", "progress", "rng", "scheduler"],
        "invalid_files": [],
        "committed": True,
        "recoverable": False,
    }


def test_an_uncommitted_manifest_is_not_recoverable() -> None:
    report = inspect_checkpoint_manifest(WHOLE, committed=False)
    assert not report["recoverable"]
    assert report["missing_roles"] == []


def test_files_without_bytes_are_named_sorted() -> None:
    entries = [*WHOLE, entry("zeta", 0), entry("alpha", -1)]
    report = inspect_checkpoint_manifest(entries, committed=True)
    assert report["invalid_files"] == ["alpha.bin", "zeta.bin"]
    assert not report["recoverable"]


@given(
    st.lists(st.tuples(st.sampled_from([*REQUIRED, "other"]), st.floats(-1, 1e6)), max_size=8),
    st.booleans(),
)
def test_recoverable_means_committed_nothing_missing_nothing_invalid(
    listed: list[tuple[str, float]], committed: bool
) -> None:
    report = inspect_checkpoint_manifest([entry(*item) for item in listed], committed)
    present = {role for role, _ in listed}
    assert report["missing_roles"] == sorted(set(REQUIRED) - present)
    assert len(report["invalid_files"]) == sum(size <= 0 for _, size in listed)
    assert report["recoverable"] == (
        committed and set(REQUIRED) <= present and all(size > 0 for _, size in listed)
    )


@pytest.mark.parametrize(
    ("interval", "rollback", "overhead"), [(60, 43.2, 54.72), (30, 21.6, 33.12)]
)
def test_failure_overhead(interval: float, rollback: float, overhead: float) -> None:
    assert expected_failure_overhead(72, 0.02, interval, 8) == {
        "expected_faults": 1.44,
        "expected_rollback_minutes": rollback,
        "expected_reload_minutes": 11.52,
        "expected_failure_overhead_minutes": overhead,
    }


@pytest.mark.parametrize(
    ("interval", "saves", "save", "failure", "total"),
    [
        (15, 96, 192, 7.44, 199.44),
        (30, 48, 96, 11.04, 107.04),
        (60, 24, 48, 18.24, 66.24),
        (120, 12, 24, 32.64, 56.64),
    ],
)
def test_interval_cost(
    interval: float, saves: int, save: float, failure: float, total: float
) -> None:
    assert checkpoint_interval_cost(1440, interval, 2, 0.02, 8) == {
        "interval_minutes": interval,
        "save_count": saves,
        "save_overhead_minutes": save,
        "failure_overhead_minutes": failure,
        "total_overhead_minutes": total,
    }


def test_the_best_listed_interval_is_two_hours() -> None:
    totals = {
        minutes: checkpoint_interval_cost(1440, minutes, 2, 0.02, 8)["total_overhead_minutes"]
        for minutes in (15, 30, 60, 120)
    }
    assert min(totals, key=totals.__getitem__) == 120


@pytest.mark.parametrize("place", range(4))
def test_negative_overhead_input_is_refused(place: int) -> None:
    values = [72.0, 0.02, 60.0, 8.0]
    values[place] = -1.0
    with pytest.raises(ValueError, match="negative"):
        expected_failure_overhead(*values)


@pytest.mark.parametrize("place", range(5))
def test_negative_cost_input_is_refused(place: int) -> None:
    values = [1440.0, 60.0, 2.0, 0.02, 8.0]
    values[place] = -1.0
    with pytest.raises(ValueError, match="negative"):
        checkpoint_interval_cost(*values)


def test_an_interval_of_zero_is_refused() -> None:
    with pytest.raises(ValueError, match="interval_minutes"):
        expected_failure_overhead(72, 0.02, 0, 8)
    with pytest.raises(ValueError, match="interval_minutes"):
        checkpoint_interval_cost(1440, 0, 2, 0.02, 8)


def test_all_shards_of_one_checkpoint_are_recoverable() -> None:
    assert validate_sharded_checkpoint(MANIFEST, shards(0, 1, 2, 3)) == {
        "recoverable": True,
        "issues": [],
    }


def test_a_missing_rank_is_named() -> None:
    assert validate_sharded_checkpoint(MANIFEST, shards(0, 1, 2)) == {
        "recoverable": False,
        "issues": ["rank coverage mismatch: expected [0, 1, 2, 3], got [0, 1, 2]"],
    }


def test_issues_come_in_the_lessons_order() -> None:
    listed = [*shards(2, 0), *shards(1, checkpoint_id="step-1100", size_mib=0)]
    report = validate_sharded_checkpoint({**MANIFEST, "committed": False}, listed)
    assert report["issues"] == [
        "rank coverage mismatch: expected [0, 1, 2, 3], got [0, 1, 2]",
        "checkpoint IDs are inconsistent",
        "one or more shards are empty",
        "manifest is not committed",
    ]


@given(
    world_size=st.integers(0, 6),
    ranks=st.lists(st.integers(0, 6), max_size=7),
    identity=st.sampled_from(["step-1200", "step-1100"]),
    size=st.sampled_from([0, 900]),
    committed=st.booleans(),
)
def test_recoverable_means_no_issue(
    world_size: int, ranks: list[int], identity: str, size: int, committed: bool
) -> None:
    manifest = {"checkpoint_id": "step-1200", "world_size": world_size, "committed": committed}
    listed = shards(*ranks, checkpoint_id=identity, size_mib=size)
    report = validate_sharded_checkpoint(manifest, listed)
    whole = sorted(ranks) == list(range(world_size))
    fine = not ranks or (identity == "step-1200" and size > 0)
    assert report["recoverable"] == (whole and fine and committed)
    assert report["recoverable"] == (not report["issues"])
