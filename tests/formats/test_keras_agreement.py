"""Keras' weights: what an optimizer must keep for each variable, by its name alone."""

from __future__ import annotations

import pytest

from ckpt_tui.formats.keras.agreement import lacks_moments

KERNEL, BIAS = (8, 16), (16,)


@pytest.mark.parametrize(
    ("name", "shapes", "lacking"),
    [
        ("adam", [KERNEL, KERNEL, BIAS, BIAS], None),
        ("adam_1", [KERNEL, KERNEL, BIAS], 2),
        ("adam", [], 2),  # the disk was full after its two scalars, and the file was closed well
        ("sgd", [], None),  # without momentum it keeps nothing
        ("sgd", [KERNEL, BIAS], None),
        ("mine", [], None),
    ],
)
def test_moments(name: str, shapes: list[tuple[int, ...]], lacking: int | None) -> None:
    assert lacks_moments(name, shapes) == lacking
