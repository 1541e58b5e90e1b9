"""The tables of the lesson, and what must hold for any manifest and any shards."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from ckpt_tui import (
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
