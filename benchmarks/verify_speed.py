"""How fast `verify` reads, beside `cat FILES > /dev/null` on the same files, which are in memory.

    python -m benchmarks.verify_speed [--megabytes N] [--rounds N]

Torch archives by the whole command (CRC-32 of each record); one file by a seal's CRC-32, and by the
CRC-32C of a TensorFlow bundle; each in this process with the extra `fast`, and with what needs no
extra. The ratio is `cat`'s best time over ours; they take turns. On a machine that does other work
meanwhile the ratio by CPU time says more.
"""

from __future__ import annotations

import argparse
import os
import pickle
import resource
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import zipfile
import zlib
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from benchmarks.figures import tell
from ckpt_tui.artifacts import crc32c as crc32c_module
from ckpt_tui.verify import stream
from ckpt_tui.verify.engine import Options, verify
from ckpt_tui.verify.stream import FileStream, Work

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

MIB = 1024 * 1024
TARGET = 0.8
_RECORD_MIB = 16
_FILE_MIB = 256


class Ratio(NamedTuple):
    """How many times as fast as `cat`, by the clock and by the CPU's time."""

    wall: float
    cpu: float


def main() -> int:
    """Measures, and prints the figures."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--megabytes", type=int, default=1024)
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        archives = write_archives(Path(directory) / "run", options.megabytes)
        for jobs in (1, 0):
            for plain in (False, True):
                ratio = measure(archives, partial(whole, archives, jobs), options.rounds, plain)
                told = "one thread" if jobs else "a thread a core"
                say(f"verify, {options.megabytes} MB of torch archives, {told}", ratio, plain)
        shutil.rmtree(Path(directory) / "run")
        one = write_bytes(Path(directory) / "one", options.megabytes)
        for plain in (False, True):
            ratio = measure(one, lambda: whole_file(one, "crc32"), options.rounds, plain)
            say(f"a seal's CRC-32 of {options.megabytes} MB, one thread", ratio, plain)
        ratio = measure(one, lambda: whole_file(one, "crc32c"), options.rounds, plain=False)
        say(f"CRC-32C (TensorBundle) of {options.megabytes} MB, one thread", ratio, plain=False)
        small = write_bytes(Path(directory) / "small", 8)
        ratio = measure(small, lambda: whole_file(small, "crc32c"), 1, plain=True)
        say("CRC-32C (TensorBundle) of 8 MB, one thread", ratio, plain=True)
    return 0


def say(what: str, ratio: Ratio, plain: bool) -> None:
    """One line; the target is that of the extra `fast`."""
    name = "plain installation" if plain else "extra `fast`"
    told = f"{ratio.wall:.3g} x the speed of `cat`, {ratio.cpu:.3g} x by CPU time"
    target, met = ("", None) if plain else (f">= {TARGET} x", max(ratio) >= TARGET)
    tell(f"{what}, {name}", told, target, met)


def write_archives(directory: Path, megabytes: int) -> list[str]:
    """Files of torch.save's form: stored zip archives with a storage a record."""
    directory.mkdir()
    piece, paths = os.urandom(_RECORD_MIB * MIB), []
    size = min(_FILE_MIB, megabytes)
    for number in range(megabytes // size):
        path = directory / f"ckpt_{number:06}.pt"
        with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
            archive.writestr("archive/data.pkl", pickle.dumps({"step": number}, 2))
            archive.writestr("archive/version", b"3\n")
            for record in range(size // _RECORD_MIB):
                archive.writestr(f"archive/data/{record}", piece)
        paths.append(str(path))
    return paths


def write_bytes(path: Path, megabytes: int) -> list[str]:
    """One file of random bytes."""
    piece = os.urandom(MIB)
    with path.open("wb") as stream:
        for _ in range(megabytes):
            stream.write(piece)
    return [str(path)]


def whole(paths: Sequence[str], jobs: int) -> None:
    """Verifies all of them as the command does."""
    found = verify((os.path.dirname(paths[0]),), Options(jobs=jobs))
    if not found.ok or not all(file.ok for file in found.files):
        raise SystemExit("a file was found wrong")


def whole_file(paths: Sequence[str], checksum: str) -> None:
    """The checksum of all bytes of one file, as for a seal or a bundle's tensor."""
    with FileStream(paths[0], Work(threading.Event())) as file:
        getattr(file, checksum)(0, file.size)


def measure(paths: Sequence[str], work: Callable[[], None], rounds: int, plain: bool) -> Ratio:
    """`cat`'s best time over that of the work; they take turns."""
    fast = stream.crc32_function, crc32c_module.crc32c_function
    if plain:
        stream.crc32_function = lambda: zlib.crc32
        crc32c_module.crc32c_function = lambda: crc32c_module._slow
    cats, works = [], []
    cat(paths)  # brings all into memory
    try:
        for _ in range(rounds):
            cats.append(timed(lambda: cat(paths)))
            works.append(timed(work))
    finally:
        stream.crc32_function, crc32c_module.crc32c_function = fast
    best = [
        min(each) / min(ours)
        for each, ours in zip(zip(*cats, strict=True), zip(*works, strict=True), strict=True)
    ]
    return Ratio(*best)


def cat(paths: Sequence[str]) -> None:
    """Reads them as anybody would."""
    subprocess.run(["cat", *paths], stdout=subprocess.DEVNULL, check=True)


def timed(work: Callable[[], None]) -> tuple[float, float]:
    """Seconds on the wall that it takes, and seconds of CPU, of child processes too."""
    began, used = time.perf_counter(), cpu_seconds()
    work()
    return time.perf_counter() - began, cpu_seconds() - used


def cpu_seconds() -> float:
    """What this process and those that it waited for have used."""
    own, children = (
        resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    )
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


if __name__ == "__main__":
    sys.exit(main())
