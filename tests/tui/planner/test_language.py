"""The planner's screens in Chinese: nothing of them is left in English, and nothing is cut."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ckpt_tui import words
from ckpt_tui.planner.inputs import PlanInputs
from ckpt_tui.planner.modes import PlanMode
from ckpt_tui.words.wrapping import columns_of
from tests.tui.planner.host import FAILED_RUN, PlannerHost, opened, settle, type_into
from tests.tui.planner.test_snapshots import (
    choose,
    compare,
    fill,
    keep,
    mark,
    show_simulated,
)
from tests.words.untranslated import english_words

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator

    from textual.pilot import Pilot

    Drive = Callable[[Pilot[None]], Awaitable[None]]

SIZES = {"80x24": (80, 24), "120x40": (120, 40), "200x60": (200, 60)}
TALL = (120, 90)
"""So that nothing has to be scrolled to."""
_NAMES = """
enter tab esc page down space ctrl step min rank lesson meta floor bloom opt gemini dcp hang two
level sync async dlrover bigscience nvidia resiliency ext schema
"""
"""Keys, modes, units, names of presets and of formulas."""
NAMES = frozenset(_NAMES.split())

TWO_LEVEL = PlanInputs(
    mode=PlanMode.TWO_LEVEL, gpus=8, gpu_hour_price=2.5, checkpoint_bytes=10**12, step_seconds=9.0
)
HOPELESS = PlanInputs(fault_rate_per_hour=60.0, current_interval_minutes=120.0)
QUIET = PlanInputs(fault_rate_per_hour=0.0, save_minutes=100.0, reload_minutes=200.0)


@pytest.fixture(autouse=True)
def _chinese() -> Iterator[None]:
    words.use("zh")
    yield
    words.use(words.ENGLISH)


async def spoil(pilot: Pilot[None]) -> None:
    await opened(pilot)
    await type_into(pilot, "run_minutes", "x")
    await type_into(pilot, "gpus", "0")


async def misspell_policy(pilot: Pilot[None]) -> None:
    await opened(pilot)
    await pilot.press("t")
    await settle(pilot)
    await pilot.press("x")
    await settle(pilot)


async def export(pilot: Pilot[None]) -> None:
    await opened(pilot)
    await pilot.press("e")
    await settle(pilot)


def shown(pilot: Pilot[None]) -> list[str]:
    return [strip.text for strip in pilot.app.screen._compositor.render_strips()]


def untranslated(lines: list[str]) -> dict[str, list[str]]:
    found = {line: english_words(line, NAMES) for line in lines}
    return {line: left for line, left in found.items() if left}


@pytest.mark.parametrize("size", SIZES.values(), ids=SIZES)
async def test_every_size_is_translated(size: tuple[int, int]) -> None:
    async with PlannerHost().run_test(size=size) as pilot:
        await fill(pilot)
        assert untranslated(shown(pilot)) == {}


@pytest.mark.parametrize(
    ("drive", "app"),
    [
        (fill, PlannerHost),
        (compare, PlannerHost),
        (keep, PlannerHost),
        (choose, PlannerHost),
        (export, PlannerHost),
        (show_simulated, PlannerHost),
        (spoil, PlannerHost),
        (misspell_policy, PlannerHost),
        (mark, lambda: PlannerHost(FAILED_RUN)),
        (fill, lambda: PlannerHost(FAILED_RUN)),
        (fill, lambda: PlannerHost(first=TWO_LEVEL)),
        (opened, lambda: PlannerHost(first=HOPELESS)),
        (opened, lambda: PlannerHost(first=QUIET)),
    ],
)
async def test_a_screen_is_translated(drive: Drive, app: Callable[[], PlannerHost]) -> None:
    async with app().run_test(size=TALL) as pilot:
        await drive(pilot)
        lines = shown(pilot)
        assert any(columns_of(line) > len(line) for line in lines)
        assert untranslated(lines) == {}


async def test_the_english_screen_would_be_seen() -> None:
    words.use(words.ENGLISH)
    async with PlannerHost().run_test(size=(120, 40)) as pilot:
        await fill(pilot)
        assert len(untranslated(shown(pilot))) > 10


async def test_every_label_and_note_has_room() -> None:
    async with PlannerHost(first=TWO_LEVEL).run_test(size=(120, 60)) as pilot:
        await fill(pilot)
        lines = "\n".join(shown(pilot))
        for label in ("L1 保存", "L2 频率", "间隔列表", "当前间隔", "每步时间", "GPU 小时"):
            assert f" {label} " in lines
        assert "…" not in lines
