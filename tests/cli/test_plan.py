"""`ckpt-tui plan` as a process: what it takes from a directory, what it says beside the plan."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from ckpt_tui.cli import plan_simulation
from ckpt_tui.cli.app import run
from ckpt_tui.history.database import History
from ckpt_tui.history.saves import ObservedSave, Source
from tests.cli.process import ckpt_tui
from tests.store.runs import write_checkpoint

if TYPE_CHECKING:
    from pathlib import Path

BEGAN = datetime(2026, 3, 1, tzinfo=UTC)


def commit(run: Path, step: int, minutes: float, save_minutes: float = 1.0) -> None:
    """A checkpoint whose writer says when its save began and ended."""
    manifest = write_checkpoint(run, step, shard_bytes=1000) / "manifest.json"
    document = json.loads(manifest.read_text())
    at = BEGAN + timedelta(minutes=minutes)
    document["committed_at"] = at.isoformat()
    document["started_at"] = (at - timedelta(minutes=save_minutes)).isoformat()
    manifest.write_text(json.dumps(document))


@pytest.fixture
def steady(tmp_path: Path) -> Path:
    """21 saves, 10 steps and 30 minutes apart, one gap of five hours before step 110."""
    for n in range(1, 22):
        commit(tmp_path / "run", 10 * n, 30 * n + (300 if n > 10 else 0), 1 + n / 100)
    return tmp_path / "run"


class TestFromADirectory:
    def test_every_figure_is_filled(self, steady: Path) -> None:
        document = ckpt_tui("plan", "--from", steady, "--json").json()
        inputs, seen = document["inputs"], document["from_directory"]
        assert inputs["current_interval_minutes"] == pytest.approx(30)
        assert inputs["save_minutes"] == pytest.approx(1.11)
        assert inputs["step_seconds"] == pytest.approx(180)
        assert inputs["checkpoint_bytes"] > 8000
        assert seen["save_p95_minutes"] == pytest.approx(1.2)
        assert not seen["save_is_lower_bound"]
        rate = seen["observation"]["rate"]
        assert inputs["fault_rate_per_hour"] == pytest.approx(rate["mean"])
        assert rate["failures"] == 1
        assert rate["low"] < rate["mean"] < rate["high"]
        low, high = rate["best_interval_minutes"]
        assert low < document["exact"]["best_continuous_minutes"] < high

    def test_the_report_says_where_each_comes_from(self, steady: Path) -> None:
        text = ckpt_tui("plan", "--from", steady).out
        for words in (
            "medians of 21 saves",
            "Interval: 30m from commit to commit (10 steps)",
            "exact",
            "1 seen in 10 h of running",
            "2026-03-01T10:30:00Z a gap, 5h beyond its steps",
            "One shows with a chance of 77 %",
            "90 %:",
            "Best interval at the ends of that range",
        ):
            assert words in " ".join(text.split()), words
        assert max(map(len, text.splitlines())) <= 80

    def test_options_win(self, steady: Path) -> None:
        document = ckpt_tui(
            "plan", "--from", steady, "--save-minutes", "3", "--mtbf-hours", "100", "--json"
        ).json()
        assert document["inputs"]["save_minutes"] == 3
        assert document["mtbf_minutes"] == pytest.approx(6000)
        told = ckpt_tui("plan", "--from", steady, "--mtbf-hours", "100").out
        assert "uses the rate that was given" in told

    def test_the_directory_wins_over_a_preset(self, steady: Path) -> None:
        document = ckpt_tui("plan", "--preset", "bloom-176b", "--from", steady, "--json").json()
        assert document["inputs"]["gpus"] == 384
        assert document["inputs"]["step_seconds"] == pytest.approx(180)

    def test_a_preset_s_rate_is_what_a_quiet_run_must_contradict(self, tmp_path: Path) -> None:
        for n in range(1, 102):
            commit(tmp_path / "run", 10 * n, 30 * n)
        arguments = ("plan", "--from", tmp_path / "run", "--json")
        plain = ckpt_tui(*arguments).json()["inputs"]
        assert plain["fault_rate_per_hour"] == 0.02, "50 h without a failure agree with it"
        preset = ckpt_tui(*arguments, "--preset", "llama3-405b").json()["inputs"]
        assert preset["fault_rate_per_hour"] < 0.02, "but not with a failure every three hours"

    def test_times_that_no_plan_takes_are_left_out(self, tmp_path: Path) -> None:
        for n in range(1, 5):
            commit(tmp_path / "run", n, 400_000_000 * n)
        ended = ckpt_tui("plan", "--from", tmp_path / "run", "--json")
        assert ended.code == 0
        assert ended.json()["inputs"]["current_interval_minutes"] is None

    def test_a_planned_stop_is_unmarked_by_its_time(self, steady: Path) -> None:
        arguments = ("plan", "--from", steady, "--not-a-failure")
        ended = ckpt_tui(*arguments, "2026-03-01T10:30:00Z")
        assert "0 seen in" in ended.out
        assert "at most 3/T" in ended.out
        wrong = ckpt_tui(*arguments, "2026-03-02T10:30:00Z")
        assert wrong.code == 64
        assert "seen: 2026-03-01T10:30:00Z" in wrong.err
        assert ckpt_tui("plan", "--not-a-failure", "2026-03-01").code == 64

    def test_prior_and_level(self, steady: Path) -> None:
        def rate(*options: str) -> dict[str, float]:
            document = ckpt_tui("plan", "--from", steady, "--json", *options).json()
            found: dict[str, float] = document["from_directory"]["observation"]["rate"]
            return found

        plain, narrow = rate(), rate("--credible-level", "50")
        assert narrow["high"] < plain["high"]
        assert rate("--prior", "1,1000")["mean"] < plain["mean"] / 10
        by_rate = rate("--prior", "100h")
        assert (by_rate["prior_shape"], by_rate["prior_hours"]) == (1, pytest.approx(100))

    def test_the_history_adds_what_was_rotated_away(self, tmp_path: Path) -> None:
        commit(tmp_path / "run", 50, 150)
        state = tmp_path / "state"
        saves = [
            ObservedSave(
                f"step-{10 * n}",
                10 * n,
                (BEGAN + timedelta(minutes=30 * n)).timestamp(),
                90.0,
                8000,
                Source.WATCHED,
            )
            for n in range(1, 5)
        ]
        place = History(str(state / "ckpt-tui" / "history.sqlite"))
        place.keep(f"{tmp_path}/run:manifest", saves)
        own = {"XDG_STATE_HOME": str(state), "CKPT_TUI_HISTORY": "1"}
        told = ckpt_tui("plan", "--from", tmp_path / "run", **own).out
        assert "5 saves, 4 of them known only from the history" in " ".join(told.split())
        without = ckpt_tui("plan", "--from", tmp_path / "run", "--no-history", **own).out
        assert "1 save." in without

    def test_several_runs_want_a_name(self, tmp_path: Path) -> None:
        commit(tmp_path / "a", 10, 30)
        commit(tmp_path / "b", 10, 30)
        ended = ckpt_tui("plan", "--from", tmp_path)
        assert ended.code == 64
        assert "--run" in ended.err
        assert ckpt_tui("plan", "--from", tmp_path, "--run", "b").code == 0


class TestRetention:
    def test_what_would_be_kept_and_freed(self, steady: Path) -> None:
        arguments = ("plan", "--from", steady, "--retention", "last=3,every=100")
        kept = ckpt_tui(*arguments, "--json").json()["retention"]
        assert [path.rpartition("-")[2] for path in kept["kept"]] == ["210", "200", "190", "100"]
        assert len(kept["freed"]) == 17
        assert kept["days_until_full"] > 0
        text = ckpt_tui(*arguments).out
        assert "would keep 4 checkpoints" in text
        assert "Nothing is deleted here" in text
        assert len(list(steady.iterdir())) == 21

    def test_best_by_a_loss_in_the_name(self) -> None:
        ended = ckpt_tui("plan", "--retention", "last=2,best=1", "--checkpoint-bytes", "1TiB")
        assert "keeps at most 3: 3.00 TiB" in " ".join(ended.out.split())

    def test_against_silent_corruption(self) -> None:
        document = ckpt_tui("plan", "--corruption-found-minutes", "6h", "--json").json()
        least = document["retention"]["least_checkpoints_against_corruption"]
        assert least == {"15": 25, "30": 13, "60": 7, "120": 4}


class TestSimulation:
    def test_beside_the_formula(self) -> None:
        arguments = ("plan", "--simulate", "2000", "--seed", "7", "--intervals", "60,120")
        rows = ckpt_tui(*arguments, "--json").json()["simulation"]["rows"]
        assert [row["agrees"] for row in rows] == [True, True]
        assert rows[0]["wall_5_percent_minutes"] < rows[0]["wall_minutes"]
        text = ckpt_tui(*arguments).out
        assert "2000 runs each, seed 7" in text
        assert text == ckpt_tui(*arguments).out

    def test_what_cannot_be_simulated_says_so(self) -> None:
        ended = ckpt_tui("plan", "--fault-rate", "1e6", "--simulate", "10")
        assert ended.code == 0
        assert "cannot be simulated" in ended.out

    def test_without_numpy_it_says_how_to_get_it(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        monkeypatch.setattr(plan_simulation, "find_spec", lambda name: None)
        assert run(["plan", "--simulate"]) == 64
        assert "pip install 'ckpt-tui[sim]'" in capsys.readouterr().err
        assert run(["plan"]) == 0


class TestOtherOutput:
    def test_presets(self) -> None:
        listed = ckpt_tui("plan", "--preset", "list").out
        assert "llama3-405b" in listed
        assert "arXiv 2407.21783" in listed
        text = " ".join(ckpt_tui("plan", "--preset", "llama3-405b").out.split())
        assert "Source: arXiv 2407.21783" in text
        assert "no preset 'x'" in ckpt_tui("plan", "--preset", "x").err

    def test_settings(self) -> None:
        text = ckpt_tui("plan", "--settings", "--step-seconds", "10").out
        assert "--save-interval 649" in text
        assert "save_interval_steps=649" in text
        assert "give the time of a step" in ckpt_tui("plan", "--settings").out

    def test_cost_and_sensitivities_in_the_text(self) -> None:
        text = " ".join(ckpt_tui("plan", "--gpus", "100", "--gpu-hour-price", "2").out.split())
        assert "GPU-hours" in text
        assert "in money" in text
        assert "MTBF +0.021" in text
        document = ckpt_tui("plan", "--gpus", "100", "--gpu-hour-price", "2", "--json").json()
        assert document["run_cost"]["cost"] == pytest.approx(2 * document["run_cost"]["gpu_hours"])
        assert document["sensitivities"]["mtbf_minutes"] == pytest.approx(0.021, abs=5e-4)

    def test_markdown(self) -> None:
        text = ckpt_tui("plan", "--markdown", "--checkpoint-bytes", "1TB").out
        rows = [line for line in text.splitlines() if line.startswith("|")]
        assert any(line.startswith("| **2h** |") for line in rows)
        assert any(line.startswith("| never |") for line in rows)
        table = [line.count("|") for line in rows if line.count("|") > 3]
        assert len(set(table)) == 1
        assert ckpt_tui("plan", "--markdown", "--json").code == 64

    @pytest.mark.parametrize(
        ("arguments", "words"),
        [
            (("--save-minutes", "x"), "--save-minutes: 'x': need a time ≥ 0 such as 2 or 40s"),
            (("--run-hours", "0"), "--run-hours: `run`: need a time above 0"),
            (("--slowdown", "2"), "--slowdown: '2': need a share"),
            (("--fault-rate", "x"), "such as 0.02, or an MTBF such as 50h"),
            (("--intervals", "0"), "such as 15,30,60,120"),
            (("--mtbf-hours", "0"), "need a time above 0 such as 50"),
            (("--credible-level", "20"), "from 50% to 99.9% such as 90%"),
            (("--prior", "0,1"), "such as 0.5,0"),
            (("--retention", "last=0"), "such as last=3,every=1000,best=2"),
            (("--simulate", "1"), "such as 20000"),
            (("--corruption-found-minutes", "x"), "such as 90 or 6h"),
            (("--not-a-failure", "x"), "such as 2026-01-31T03:12:00Z"),
            (("--gpus", "0"), "--gpus: `GPUs`: need a whole number from 1"),
            (("--nodes", "3"), "such as --nodes 64 --node-mtbf-hours 8760"),
        ],
    )
    def test_errors_name_the_option_and_a_right_value(
        self,
        arguments: tuple[str, ...],
        words: str,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        assert run(["plan", *arguments]) == 64
        error = capsys.readouterr().err
        assert words in error
        assert len(error.splitlines()) <= 2


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--run", "x"), "--run: needs the directory of the runs"),
        (("--gpu-hour-price", "2"), "--gpu-hour-price: needs the number of GPUs"),
        (("--retention", "last=3"), "--retention: needs a size"),
    ],
)
def test_an_option_that_means_nothing_alone_is_refused(options: tuple[str, ...], told: str) -> None:
    ended = ckpt_tui("plan", *options)
    assert ended.code == 64
    assert told in ended.err
