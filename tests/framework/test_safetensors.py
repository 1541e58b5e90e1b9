"""Safetensors files, whole and damaged: `safe_open` is the judge."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest
import torch
from safetensors import safe_open
from safetensors.torch import save_file

from ckpt_tui.artifacts.limits import ArtifactError, Limits
from ckpt_tui.artifacts.safetensors_header import read_safetensors_header
from ckpt_tui.artifacts.source import FileSource
from tests.framework.states import cut_places, same
from tests.framework.tally import Framework, Ours

if TYPE_CHECKING:
    from pathlib import Path

    from tests.framework.tally import Tally

pytestmark = pytest.mark.frameworks

TENSORS = {
    "embedding.weight": torch.arange(96, dtype=torch.float32).reshape(12, 8),
    "head.weight": torch.ones(8, 4, dtype=torch.bfloat16),
    "count": torch.tensor(7),
    "empty": torch.empty(0, 3),
    "mask": torch.tensor([True, False]),
}


def safetensors_says(path: Path) -> Framework:
    try:
        with safe_open(path, framework="pt") as file:
            names = file.keys()
            loaded = {name: file.get_tensor(name) for name in names}
    except Exception as error:
        return Framework(False, False, f"{type(error).__name__}: {error}")
    return Framework(True, same(loaded, TENSORS))


def we_say(path: Path) -> Ours:
    try:
        with FileSource(path) as source:
            read_safetensors_header(source, Limits())
    except ArtifactError as error:
        return Ours(False, True, str(error))
    return Ours(True, False, "whole")


def judge(tally: Tally, path: Path, data: bytes, state: str) -> None:
    path.write_bytes(data)
    tally.add(f"{path.name}, {state}", safetensors_says(path), we_say(path))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    target = tmp_path / "model.safetensors"
    save_file(TENSORS, target, metadata={"format": "pt"})
    return target


def test_whole_and_cut(path: Path, tally: Tally) -> None:
    data = path.read_bytes()
    judge(tally, path, data, "whole")
    for size in cut_places(len(data), 40):
        judge(tally, path, data[:size], f"cut to {size} of {len(data)} bytes")
    judge(tally, path, data + b"\0", "one byte longer")
    judge(tally, path, bytes(len(data)), "zeros")
    tally.assert_right()


def test_flipped_header(path: Path, tally: Tally) -> None:
    data = path.read_bytes()
    header_bytes = 8 + int.from_bytes(data[:8], "little")
    chance = random.Random(13)
    for _ in range(150):
        place = chance.randrange(header_bytes)
        flipped = bytearray(data)
        flipped[place] ^= 1 << chance.randrange(8)
        judge(tally, path, bytes(flipped), f"bit flipped at {place}")
    tally.assert_right()
