"""Tones told apart by people with colour-blindness, and on light and dark backgrounds.

The matrices are those of Machado, Oliveira and Fernandes (2009), "A Physiologically-based Model for
Simulation of Color Vision Deficiency", for complete protanopia and deuteranopia, in linear RGB.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import pytest
from textual.color import Color, Lab, rgb_to_lab

from ckpt_tui.core.vocabulary import Severity, Verdict
from ckpt_tui.tui.details.ranks import RANK_LOOKS
from ckpt_tui.tui.icons import SEVERITY_LOOKS, VERDICT_LOOKS, to_ascii
from ckpt_tui.tui.lines import Tone
from tests.tui import situations
from tests.tui.app_tests import dashboard

if TYPE_CHECKING:
    from collections.abc import Sequence

Matrix = tuple[tuple[float, float, float], ...]
NOBODY: Matrix = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
PROTANOPIA: Matrix = (
    (0.152286, 1.052583, -0.204868),
    (0.114503, 0.786281, 0.099216),
    (-0.003882, -0.048116, 1.051998),
)
DEUTERANOPIA: Matrix = (
    (0.367322, 0.860646, -0.227968),
    (0.280085, 0.672501, 0.047413),
    (-0.011820, 0.042940, 0.968881),
)
TOLD_APART = (Tone.OK, Tone.WARN, Tone.BAD, Tone.BUSY)
LEAST_CONTRAST = 3.0
"""WCAG 2's least contrast of large text and of signs."""
LEAST_DISTANCE = 10.0
"""In CIELAB; about 2 can just be told apart side by side."""


def _linear(channel: float) -> float:
    return channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4


def _channel(linear: float) -> float:
    linear = min(1.0, max(0.0, linear))
    return 12.92 * linear if linear <= 0.0031308 else 1.055 * linear ** (1 / 2.4) - 0.055


def _seen(colour: Color, sight: Matrix) -> Color:
    """The colour as somebody with that sight sees it."""
    linear = [_linear(channel) for channel in colour.normalized]
    channels = [sum(f * c for f, c in zip(row, linear, strict=True)) for row in sight]
    red, green, blue = (round(255 * _channel(channel)) for channel in channels)
    return Color(red, green, blue)


def _distance(one: Lab, other: Lab) -> float:
    squares = ((a - b) ** 2 for a, b in zip(one, other, strict=True))
    return float(sum(squares)) ** 0.5


def _luminance(colour: Color) -> float:
    red, green, blue = (_linear(channel) for channel in colour.normalized)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _contrast(one: Color, other: Color) -> float:
    dark, light = sorted((_luminance(one), _luminance(other)))
    return (light + 0.05) / (dark + 0.05)


async def _tones(theme: str) -> tuple[dict[Tone, Color], Color]:
    async with dashboard(situations.mixed(), theme=theme) as board:
        table = board.main.table
        colours: dict[Tone, Color] = {}
        for tone in TOLD_APART:
            style = table.tone_style(tone)
            assert style.color is not None
            colours[tone] = Color.from_rich_color(style.color)
        return colours, table.background_colors[1]


@pytest.mark.parametrize("theme", ["textual-dark", "textual-light"])
async def test_tones_can_be_read_on_their_background(theme: str) -> None:
    tones, background = await _tones(theme)
    for tone, colour in tones.items():
        assert _contrast(colour, background) >= LEAST_CONTRAST, tone


@pytest.mark.parametrize("theme", ["textual-dark", "textual-light"])
@pytest.mark.parametrize(
    "sight", [NOBODY, PROTANOPIA, DEUTERANOPIA], ids=["all", "protanopia", "deuteranopia"]
)
async def test_tones_can_be_told_apart(theme: str, sight: Matrix) -> None:
    tones, _ = await _tones(theme)
    for one, other in combinations(TOLD_APART, 2):
        first, second = (rgb_to_lab(_seen(tones[tone], sight)) for tone in (one, other))
        assert _distance(first, second) >= LEAST_DISTANCE, (one, other)


def _signs(looks: Sequence[str]) -> None:
    assert len(set(looks)) == len(looks)
    assert len({to_ascii(sign) for sign in looks}) == len(looks)


def test_no_state_is_told_by_colour_alone() -> None:
    _signs([VERDICT_LOOKS[verdict].icon for verdict in Verdict])
    _signs([SEVERITY_LOOKS[severity].icon for severity in Severity])
    _signs([icon for icon, _tone in RANK_LOOKS.values()])
