"""The line for monitoring: a pager may cut it, so the worst run is told first."""

from __future__ import annotations

from ckpt_tui.cli.plugin_line import plugin_line
from ckpt_tui.core.thresholds import Thresholds
from ckpt_tui.core.verified import NotFinite, VerifiedFacts, VerifiedFile
from ckpt_tui.core.vocabulary import Level
from tests.tui.builders import NOW, facts, run_of, snapshot_of


def test_the_worst_run_is_told_first() -> None:
    good = run_of([facts(300), facts(200)], path="/runs/good")._replace(name="good")
    lost = run_of([facts(300, absent=(1,))], path="/runs/lost")._replace(name="lost")
    assert lost.level is Level.CRITICAL
    line, _ = plugin_line([(snapshot_of(good, lost), Thresholds())], Level.CRITICAL, NOW)
    assert line.startswith("CKPT CRITICAL - lost: nothing to resume from; good: resume from")


def test_nan_at_the_resume_point_is_told() -> None:
    held = VerifiedFile("m", 8, NOW, 8, "zip CRC-32", True, not_finite=(NotFinite("w", 1, 0),))
    nan = facts(300)._replace(verified=VerifiedFacts((held,), 1, 8))
    run = run_of([nan, facts(200)])
    line, _ = plugin_line([(snapshot_of(run), Thresholds())], Level.WARNING, NOW)
    assert "resume from step 300 (exact, holds NaN or infinity" in line
    run = run_of([facts(300)])
    assert "NaN" not in plugin_line([(snapshot_of(run), Thresholds())], Level.OK, NOW)[0]
