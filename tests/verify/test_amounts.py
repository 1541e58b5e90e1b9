"""How far it is where bytes are read twice: for their checksum, and for NaN."""

from __future__ import annotations

import json
import threading
from typing import TYPE_CHECKING

import pytest

from ckpt_tui.verify import engine
from ckpt_tui.verify.amounts import expected_bytes
from ckpt_tui.verify.engine import Options, verify
from ckpt_tui.verify.rate import ReadRate
from ckpt_tui.verify.stream import FileStream
from tests.formats.torch_builder import Shape, write_torch

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from ckpt_tui.verify.results import Progress

_MIB = 1024 * 1024


@pytest.mark.parametrize(
    ("name", "options", "times"),
    [
        ("a.pt", Options(), 1),
        ("a.pt", Options(finite=True), 2),
        ("a.pt", Options(finite=True, whole=True), 3),
        ("a.safetensors", Options(), 1),
        ("a.safetensors", Options(finite=True), 1),
    ],
)
def test_what_is_read_twice_counts_twice(name: str, options: Options, times: int) -> None:
    assert expected_bytes(f"/r/{name}", 100, options) == times * 100


def _torch(directory: Path) -> None:
    for name in ("a.pt", "b.pt"):
        write_torch(directory / name, {"model": {"w": Shape((_MIB,))}})


def _safetensors(directory: Path) -> None:
    for name in ("a", "b"):
        tensor = {"dtype": "F32", "shape": [_MIB], "data_offsets": [0, 4 * _MIB]}
        header = json.dumps({"w": tensor}).encode()
        path = directory / f"{name}.safetensors"
        path.write_bytes(len(header).to_bytes(8, "little") + header + bytes(4 * _MIB))


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> list[Progress]:
    """Fills with how far it was after each piece: the next is read when that was told."""
    told: list[Progress] = []
    count, lock = FileStream._count, threading.Condition()

    def counted(stream: FileStream, length: int) -> None:
        count(stream, length)
        with lock:
            wanted = len(told) + 2  # the first may have been on its way
            assert lock.wait_for(lambda: len(told) >= wanted, 10)

    class Told(list["Progress"]):
        def append(self, progress: Progress) -> None:
            with lock:
                told.append(progress)
                super().append(progress)
                lock.notify_all()

    monkeypatch.setattr(FileStream, "_count", counted)
    monkeypatch.setattr(engine, "_LOOK_SECONDS", 0.001)
    return Told()


@pytest.mark.parametrize("make", [_torch, _safetensors])
@pytest.mark.parametrize("finite", [True, False])
def test_the_total_is_known_from_the_start(
    tmp_path: Path, seen: list[Progress], make: Callable[[Path], None], finite: bool
) -> None:
    make(tmp_path)
    verify((str(tmp_path),), Options(jobs=1, finite=finite), seen.append)
    begun = [each for each in seen if each.files_total]
    assert all(each.read_bytes <= each.total_bytes for each in begun)
    if finite or make is _torch:
        end = begun[-1].total_bytes
        totals = {each.total_bytes for each in begun}
        assert all(total == pytest.approx(end, rel=0.02) for total in totals), totals


def test_the_time_left_falls_to_the_end(tmp_path: Path, seen: list[Progress]) -> None:
    _torch(tmp_path)
    verify((str(tmp_path),), Options(jobs=1, finite=True), seen.append)
    clock, rate, left = 0.0, ReadRate(), []
    read = -1
    for progress in seen:
        if progress.read_bytes > read:  # each byte takes as long
            clock += 2 * (progress.read_bytes - max(read, 0)) / _MIB
            read = progress.read_bytes
            rate.note(progress, clock)
            left.append(rate.left_seconds(progress))
    told = [seconds for seconds in left if seconds is not None]
    assert told == sorted(told, reverse=True)
    assert told[0] > 25
    assert told[-1] > 0
