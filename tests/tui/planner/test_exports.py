"""The plan for somewhere else, and published runs as plans."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from ckpt_tui.planner.presets import PRESETS
from ckpt_tui.tui.planner.form import PlannerForm
from tests.tui.planner.host import filled, hosted, settle

if TYPE_CHECKING:
    from pathlib import Path

NAMES = [each.name for each in PRESETS]


@pytest.mark.parametrize(
    ("place", "suffix", "word"),
    [(0, ".md", "# Checkpoint interval"), (2, ".json", "ckpt-tui/plan/1"), (4, ".txt", "every")],
)
async def test_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: int, suffix: str, word: str
) -> None:
    monkeypatch.chdir(tmp_path)
    async with hosted((120, 40)) as (host, pilot):
        await pilot.press("e")
        await settle(pilot)
        await pilot.press(*["j"] * place, "enter")
        await host.workers.wait_for_complete()
        (made,) = tmp_path.glob(f"ckpt-tui-plan-*{suffix}")
        assert word in made.read_text()
        assert str(made) in host.toasts


async def test_the_clipboard() -> None:
    async with hosted((120, 40)) as (host, pilot):
        await filled(pilot)
        copied = []
        for place in (3, 5):
            await pilot.press("e")
            await settle(pilot)
            await pilot.press(*["down"] * place, "enter")
            await host.workers.wait_for_complete()
            copied.append(host.clipboard)
        assert json.loads(copied[0])["schema"] == "ckpt-tui/plan/1"
        assert "--save-interval" in copied[1]


async def test_escape_exports_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    async with hosted((120, 40)) as (host, pilot):
        await pilot.press("e")
        await settle(pilot)
        await pilot.press("escape")
        await host.workers.wait_for_complete()
        assert not list(tmp_path.iterdir())


async def test_a_preset_fills_what_its_source_speaks_of() -> None:
    async with hosted((80, 24)) as (host, pilot):
        await pilot.press("p")
        await settle(pilot)
        assert "arXiv 2407.21783" in host.drawn()
        await pilot.press(*["j"] * NAMES.index("llama3-405b"), "enter")
        await host.workers.wait_for_complete()
        await settle(pilot)
        inputs = host.panel.plan.inputs
        assert inputs.run_minutes == 54 * 1440
        assert inputs.fault_rate_per_hour == pytest.approx(419 / (54 * 24), rel=1e-5)
        assert inputs.gpus == 16384
        assert host.note("run_minutes") == host.note("gpus") == "preset"
        assert host.note("reload_minutes") == "default"


async def test_every_preset_can_be_planned() -> None:
    async with hosted((120, 40)) as (host, pilot):
        for preset in PRESETS:
            host.query_one(PlannerForm).fill_preset(preset)
            host.query_one(PlannerForm).post_message(PlannerForm.Edited())
            await settle(pilot)
            inputs = host.panel.plan.inputs
            for field, value in preset.values.items():
                number = isinstance(value, float | int)
                expected = pytest.approx(value, rel=5e-3) if number else value
                assert getattr(inputs, field) == expected, (preset.name, field)
