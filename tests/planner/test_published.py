"""Published figures: `plan` with their inputs gives the column "ours" of docs/planner.md."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from ckpt_tui.cli.app import run
from ckpt_tui.planner.published import meta_ettr, saxena_period_minutes
from ckpt_tui.planner.spares import (
    down_with_spares_minutes,
    elastic_gain_minutes,
    nodes_in_repair,
    wait_chance,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    Document = dict[str, Any]

PAGE = (Path(__file__).parents[2] / "docs" / "planner.md").read_text()


def _row(document: Document, index: int = 0) -> Any:
    return document["exact"]["rows"][index]


def _best(document: Document) -> str:
    return f"Daly {document['daly_minutes']:.2f}, exact {_continuous(document):.3f} min"


def _continuous(document: Document) -> float:
    return float(document["exact"]["best_continuous_minutes"])


def _mtbf(document: Document) -> str:
    return f"{document['mtbf_minutes'] / 60:.4g} h"


def _ettr(document: Document) -> str:
    pairs = zip(document["other_formulas"]["meta_ettr"], document["exact"]["rows"], strict=True)
    return "; ".join(f"Meta {meta:.3f}, exact {row['goodput']:.3f}" for meta, row in pairs)


def _goodput(document: Document) -> str:
    return f"exact {_row(document)['goodput']:.3f}"


def _best_goodput(document: Document) -> str:
    return f"best {document['exact']['best_goodput']:.4f}"


def _steps(document: Document) -> str:
    overheads = [100 * row["overhead"] for row in document["exact"]["rows"]]
    shares = " / ".join(f"{each:.2f} %" for each in overheads)
    ratio = overheads[2] / overheads[0], overheads[1] / overheads[0]
    steps = document["steps"]["steps"]
    return f"best {steps} steps; {shares}, {ratio[0]:.2f}× and {ratio[1]:.2f}×"


def _lost_per_failure(document: Document) -> str:
    row = _row(document)
    lost = (row["rollback_minutes"] + row["reload_minutes"]) / row["expected_failures"]
    return f"{lost:.0f} min"


def _fig5(document: Document) -> str:
    hours = _row(document)["wall_minutes"] / 60
    return (
        f"Daly {document['daly_minutes']:.3f}, exact {_continuous(document):.4f} min; {hours:.0f} h"
    )


def _saxena(document: Document) -> str:
    period = document["other_formulas"]["saxena_period_minutes"]
    theirs, best = (row["goodput"] for row in document["exact"]["rows"])
    return f"period {period:.2f} min, exact {best:.4f} against {theirs:.4f}"


class Published(NamedTuple):
    """The options, what they print, and how that follows from the document."""

    options: str
    ours: str
    says: Callable[[Document], str]


ROWS = (
    Published(
        "--mtbf-hours 24 --save-minutes 5 --reload-minutes 10",
        "Daly 116.69, exact 116.690 min",
        _best,
    ),
    Published(
        "--mtbf-hours 6 --save-minutes 5 --reload-minutes 10", "Daly 56.71, exact 56.714 min", _best
    ),
    Published(
        "--mtbf-hours 15m --save-minutes 5 --reload-minutes 10 --run-hours 500 --intervals 9.1665",
        "Daly 9.141, exact 9.1665 min; 2504 h",
        _fig5,
    ),
    Published(
        "--nodes 64 --node-mtbf-hours 8760 --save-minutes 2",
        "Daly 179.91, exact 179.915 min",
        _best,
    ),
    Published(
        "--mtbf-hours 3 --save-minutes 2 --reload-minutes 8 --run-hours 600d"
        " --intervals 27.495,25.516",
        "period 29.50 min, exact 0.8209 against 0.8206",
        _saxena,
    ),
    Published(
        "--mtbf-hours 3 --save-minutes 2 --reload-minutes 300 --run-hours 600d"
        " --intervals 43.863,25.516",
        "period 45.86 min, exact 0.1621 against 0.1586",
        _saxena,
    ),
    Published("--fault-rate '6.5/1000nd x 2048'", "1.803 h", _mtbf),
    Published("--fault-rate '6.5/1000nd x 16384'", "0.2254 h", _mtbf),
    Published("--fault-rate '6.5/1000nd x 128'", "28.85 h", _mtbf),
    Published("--fault-rate '6.5/1000nd x 1'", "3692 h", _mtbf),
    Published(
        "--fault-rate '6.5/1000nd x 2000' --save-minutes 0 --reload-minutes 5 --run-hours 60d"
        " --intervals 60,5",
        "Meta 0.684, exact 0.720; Meta 0.932, exact 0.934",
        _ettr,
    ),
    Published(
        "--fault-rate '6.5/1000nd x 1000' --save-minutes 0 --reload-minutes 6 --run-hours 60d"
        " --intervals 30",
        "Meta 0.905, exact 0.909",
        _ettr,
    ),
    Published(
        "--fault-rate '6.5/1000nd x 1500' --save-minutes 10s --reload-minutes 5 --run-hours 60d"
        " --intervals 7.016",
        "Meta 0.921, exact 0.922",
        _ettr,
    ),
    Published(
        "--fault-rate '6.5/1000nd x 1500' --save-minutes 5 --reload-minutes 5 --run-hours 60d"
        " --intervals 38.43",
        "Meta 0.740, exact 0.736",
        _ettr,
    ),
    Published(
        "--fault-rate '1/1000nd x 1500' --save-minutes 5 --reload-minutes 5 --run-hours 60d"
        " --intervals 97.98",
        "Meta 0.898, exact 0.897",
        _ettr,
    ),
    Published(
        "--fault-rate '6.5/1000nd x 12500' --save-minutes 0 --reload-minutes 5 --run-hours 60d"
        " --intervals 7",
        "Meta 0.520, exact 0.615",
        _ettr,
    ),
    Published(
        "--fault-rate '2.34/1000nd x 12500' --save-minutes 0 --reload-minutes 2 --run-hours 60d"
        " --intervals 2",
        "Meta 0.939, exact 0.941",
        _ettr,
    ),
    Published(
        "--fault-rate '2.34/1000nd x 12500' --save-minutes 0 --reload-minutes 5 --run-hours 60d"
        " --intervals 21",
        "Meta 0.685, exact 0.724",
        _ettr,
    ),
    Published(
        "--preset llama3-405b --save-minutes 10s --reload-minutes 11.6",
        "best 0.9002",
        _best_goodput,
    ),
    Published(
        "--preset llama3-405b --save-minutes 30s --reload-minutes 5.8", "best 0.8998", _best_goodput
    ),
    Published(
        "--preset llama3-405b --save-minutes 60s --reload-minutes 0", "best 0.8997", _best_goodput
    ),
    Published(
        "--preset bloom-176b --reload-minutes 0 --run-hours 365d --step-seconds 105"
        " --intervals 66steps,100steps,250steps",
        "best 66 steps; 1.16 % / 1.26 % / 2.36 %, 2.04× and 1.09×",
        _steps,
    ),
    Published(
        "--mtbf-hours 13 --save-minutes 2 --reload-minutes 10 --down-minutes 10 --run-hours 60d"
        " --intervals 90",
        "exact 0.898",
        _goodput,
    ),
    Published(
        "--preset dlrover-glm65b --mtbf-hours 13 --save-minutes 0.2s --reload-minutes 10"
        " --down-minutes 10 --run-hours 60d --level2-every 25 --intervals 3.6",
        "exact 0.975",
        _goodput,
    ),
    Published(
        "--mode async --snapshot-minutes 0 --persist-minutes 42 --slowdown 0 --reload-minutes 42"
        " --mtbf-hours 10000 --intervals 42 --run-hours 3650d",
        "105 min",
        _lost_per_failure,
    ),
)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.options)
def test_the_command_prints_our_column(row: Published, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["plan", *shlex.split(row.options), "--json"]) == 0
    assert row.says(json.loads(capsys.readouterr().out)) == row.ours


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.options)
def test_the_page_has_the_command_and_our_column(row: Published) -> None:
    (line,) = [line for line in PAGE.splitlines() if f"`{row.options}`" in line]
    assert row.ours in line


def test_metas_formula_is_linear_and_falls_below_zero() -> None:
    assert meta_ettr(60, 0, 100, 10) == pytest.approx(0.6)
    assert meta_ettr(60, 60, 100, 10) == pytest.approx(0.3)
    assert meta_ettr(60, 0, 20, 10) == pytest.approx(-1)


def test_saxenas_period_is_the_maximum_of_its_availability() -> None:
    save, mtbf, restart = 2.0, 180.0, 30.0

    def availability(period: float) -> float:
        return (1 - save / period) / (1 + (restart + period / 2) / mtbf)

    best = saxena_period_minutes(save, mtbf, restart)
    assert availability(best) > max(availability(best * 1.01), availability(best / 1.01))


def test_spares() -> None:
    mean = nodes_in_repair(1000, 6.5, 0.5)
    assert mean == pytest.approx(3.25)
    assert wait_chance(0, 0) == 0
    assert wait_chance(1, 0) == pytest.approx(1 - 1 / 2.718281828459045)
    assert wait_chance(3.25, 8) < 0.01 < wait_chance(3.25, 7)
    assert wait_chance(1e6, 10**6) == pytest.approx(0.5, abs=0.01)
    assert down_with_spares_minutes(5, 120, 0.25) == 35


def test_going_on_with_fewer_nodes() -> None:
    assert elastic_gain_minutes(100, 1, 720, 10) == pytest.approx(2.8)
    assert elastic_gain_minutes(10, 1, 720, 10) < 0
