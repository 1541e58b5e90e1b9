"""Files of `torch.save`, whole and damaged: `torch.load` is the judge."""

from __future__ import annotations

import random
import zipfile
from typing import TYPE_CHECKING

import pytest
import torch

from ckpt_tui.demo.content import Identity, plain_pieces
from tests.framework.states import cut_places, same, training_state
from tests.framework.tally import Framework, our_verdict

if TYPE_CHECKING:
    from pathlib import Path

    from tests.framework.tally import Tally

pytestmark = pytest.mark.frameworks

FORMS = {"zip": True, "legacy": False}
STEP = 300


def torch_says(path: Path, saved: object) -> Framework:
    try:
        loaded = torch.load(path, weights_only=True)
    except Exception as error:
        return Framework(False, False, f"{type(error).__name__}: {str(error)[:80]}")
    return Framework(True, same(loaded, saved))


def judge(tally: Tally, path: Path, data: bytes, saved: object, state: str) -> None:
    path.write_bytes(data)
    tally.add(f"{path.name}, {state}", torch_says(path, saved), our_verdict(path))
    path.unlink()


@pytest.fixture(params=FORMS)
def saved_file(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    path = tmp_path / f"ckpt_{STEP:06d}.pt"
    zipped = FORMS[request.param]
    torch.save(training_state(STEP), path, _use_new_zipfile_serialization=zipped)
    return path


def test_whole_and_cut(saved_file: Path, tally: Tally) -> None:
    data, saved = saved_file.read_bytes(), training_state(STEP)
    judge(tally, saved_file, data, saved, "whole")
    for size in cut_places(len(data), 45):
        judge(tally, saved_file, data[:size], saved, f"cut to {size} of {len(data)} bytes")
    tally.assert_right()


def test_prolonged_zeroed_and_foreign(saved_file: Path, tally: Tally) -> None:
    data, saved = saved_file.read_bytes(), training_state(STEP)
    half = len(data) // 2
    judge(tally, saved_file, data + bytes(64), saved, "64 zero bytes at its end")
    judge(tally, saved_file, data[:half] + bytes(len(data) - half), saved, "zeros from the middle")
    judge(tally, saved_file, bytes(len(data)), saved, "all zeros")
    judge(tally, saved_file, b"", saved, "empty")
    judge(tally, saved_file, random.Random(1).randbytes(len(data)), saved, "random bytes")
    tally.assert_right()


def test_flipped_zip_directory(tmp_path: Path, tally: Tally) -> None:
    path = tmp_path / f"ckpt_{STEP:06d}.pt"
    torch.save(training_state(STEP), path)
    with zipfile.ZipFile(path) as archive:
        directory = archive.start_dir
        headers = [info.header_offset for info in archive.infolist()]
    data, saved = path.read_bytes(), training_state(STEP)
    chance = random.Random(7)
    places = [chance.randrange(directory, len(data)) for _ in range(80)]
    places += [chance.choice(headers) + chance.randrange(30) for _ in range(40)]
    for place in places:
        flipped = bytearray(data)
        flipped[place] ^= 1 << chance.randrange(8)
        judge(tally, path, bytes(flipped), saved, f"bit flipped at {place} of {len(data)}")
    tally.assert_right()


def test_flipped_pickle(tmp_path: Path, tally: Tally) -> None:
    path = tmp_path / f"ckpt_{STEP:06d}.pt"
    torch.save(training_state(STEP), path)
    data, saved = path.read_bytes(), training_state(STEP)
    start = data.index(b"\x80\x02")
    length = zipfile.ZipFile(path).getinfo(f"{path.stem}/data.pkl").file_size
    chance = random.Random(11)
    for _ in range(80):
        place = start + chance.randrange(length)
        flipped = bytearray(data)
        flipped[place] ^= 1 << chance.randrange(8)
        judge(tally, path, bytes(flipped), saved, f"bit flipped at {place - start} of data.pkl")
    tally.assert_right()


def test_files_of_the_demo(tmp_path: Path, tally: Tally) -> None:
    identity = Identity(seed=0, step=20, rank=0, world_size=1, shard_bytes=32 * 1024)
    path = tmp_path / "ckpt_000020.pt"
    data = b"".join(plain_pieces(identity, path.stem))
    path.write_bytes(data)
    saved = torch.load(path, weights_only=True)
    judge(tally, path, data, saved, "whole, of the demo")
    for size in cut_places(len(data), 20):
        judge(tally, path, data[:size], saved, f"of the demo, cut to {size}")
    tally.assert_right()
