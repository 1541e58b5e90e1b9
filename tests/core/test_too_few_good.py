"""How many good checkpoints are left, and which runs count."""

from __future__ import annotations

from ckpt_tui.core.runs import Run
from ckpt_tui.core.snapshot import Snapshot
from ckpt_tui.core.thresholds import Thresholds, levels_of, run_under
from ckpt_tui.core.too_few_good import last_one_findings
from ckpt_tui.core.vocabulary import Level, Severity
from tests.core.builders import UNCOMMITTED, checkpoint


def a_run(path: str, level: Level = Level.OK) -> Run:
    return Run(path, path, "torch-file", (), None, level=level)


def test_the_last_good_one_is_told() -> None:
    (found,) = last_one_findings([checkpoint(10), checkpoint(20, commit=UNCOMMITTED)], "/run")
    assert (found.code, found.severity) == ("too-few-good", Severity.INFO)
    assert found.path == "/run/step-10"


def test_two_none_or_one_looked_at_alone_are_not() -> None:
    assert last_one_findings([checkpoint(10), checkpoint(20)], "/run") == ()
    assert last_one_findings([checkpoint(20, commit=UNCOMMITTED)], "/run") == ()
    assert last_one_findings([checkpoint(10)], "/run/step-10") == ()


def test_the_limit_of_the_operator_replaces_the_remark() -> None:
    only = checkpoint(10)
    run = Run(
        "/run", "run", "torch-file", (only,), only, findings=last_one_findings([only], "/run")
    )
    under = run_under(run, Thresholds(min_good=2), 0.0)
    assert [finding.severity for finding in under.findings] == [Severity.WARNING]
    assert run_under(run, Thresholds(min_good=1), 0.0).findings == run.findings


def test_what_was_put_aside_below_a_run_does_not_count() -> None:
    current, archive = a_run("/job"), a_run("/job/run_1", Level.CRITICAL)
    snapshot = Snapshot("/job", (current, archive))
    assert snapshot.current == (current,)
    assert levels_of(snapshot, Thresholds()) == (Level.OK,)


def test_runs_of_a_sweep_all_count() -> None:
    sweep = (a_run("/sweep/run_1"), a_run("/sweep/run_2"))
    assert Snapshot("/sweep", sweep).current == sweep
    beside = (a_run("/job"), a_run("/job/run_old"), a_run("/job/x/run_1"))
    assert Snapshot("/job", beside).current == beside
