"""Directories of torch's distributed checkpoint, damaged in many ways: `dcp.load` is the judge."""

from __future__ import annotations

import random
import shutil
from typing import TYPE_CHECKING

import pytest

from tests.framework.dcp_jobs import dcp_says, in_ranks, save_alone, save_sharded
from tests.framework.tally import our_verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.framework.tally import Tally

pytestmark = pytest.mark.frameworks

STEP = 20
FRACTIONS = (0.0, 0.02, 0.3, 0.5, 0.8, 0.97)


def save_all_forms(directory: Path) -> None:
    save_sharded(directory / "plain" / f"step-{STEP}", STEP)
    save_sharded(directory / "two_files" / f"step-{STEP}", STEP, thread_count=2)
    per_item = directory / "file_per_item" / f"step-{STEP}"
    save_sharded(per_item, STEP, single_file_per_rank=False)
    save_sharded(directory / "older" / f"step-{STEP}", STEP - 10)
    save_sharded(directory / "wider" / f"step-{STEP}", STEP, rows=12)


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("dcp")
    for process in in_ranks(save_all_forms, directory):
        process.join(timeout=120)
        assert process.exitcode == 0
    save_alone(directory / "alone" / f"step-{STEP}", STEP)
    return directory


def states_of(whole: Path, scratch: Path) -> Iterator[tuple[str, Path]]:
    """The whole checkpoint, then each file of it cut, removed, ruined or prolonged."""
    chance = random.Random(whole.parent.name)

    def damaged(name: str, apply: Callable[[Path, bytes], object]) -> Iterator[tuple[str, Path]]:
        for path in sorted(whole.iterdir()):
            copy = scratch / "run" / whole.name
            shutil.copytree(whole, copy)
            apply(copy / path.name, path.read_bytes())
            yield f"{path.name} {name}", copy
            shutil.rmtree(copy)

    yield "whole", whole
    for fraction in FRACTIONS:
        yield from damaged(
            f"cut to {fraction:.0%}",
            lambda path, data, share=fraction: path.write_bytes(data[: int(len(data) * share)]),
        )
    yield from damaged("cut by one byte", lambda path, data: path.write_bytes(data[:-1]))
    yield from damaged("removed", lambda path, _: path.unlink())
    yield from damaged("zeroed", lambda path, data: path.write_bytes(bytes(len(data))))
    yield from damaged(
        "of random bytes", lambda path, data: path.write_bytes(chance.randbytes(len(data)))
    )
    yield from damaged("prolonged", lambda path, data: path.write_bytes(data + bytes(100)))


@pytest.mark.parametrize("form", ["plain", "two_files", "alone"])
def test_damaged(saved: Path, tmp_path: Path, tally: Tally, form: str) -> None:
    ranks = 1 if form == "alone" else 2
    for state, path in states_of(saved / form / f"step-{STEP}", tmp_path):
        tally.add(f"{form}, {state}", dcp_says(path, STEP, ranks=ranks), our_verdict(path))
    tally.assert_right()


def test_a_file_per_item(saved: Path, tmp_path: Path, tally: Tally) -> None:
    whole = saved / "file_per_item" / f"step-{STEP}"
    tally.add("a file per item, whole", dcp_says(whole, STEP), our_verdict(whole))
    files = sorted(path.name for path in whole.glob("*.distcp"))
    for name in random.Random(3).sample(files, 8):
        for state in ("removed", "empty", "cut"):
            copy = tmp_path / "run" / whole.name
            shutil.copytree(whole, copy)
            target = copy / name
            data = target.read_bytes()
            target.unlink() if state == "removed" else target.write_bytes(
                data[: len(data) // 2] if state == "cut" else b""
            )
            tally.add(f"a file per item, {name} {state}", dcp_says(copy, STEP), our_verdict(copy))
            shutil.rmtree(copy)
    tally.assert_right()


def test_parts_of_two_saves(saved: Path, tmp_path: Path, tally: Tally) -> None:
    """What a save into the same directory leaves if it dies: old metadata, some new data."""
    whole = saved / "plain" / f"step-{STEP}"
    for other in ("older", "wider", "two_files"):
        source = saved / other / f"step-{STEP}"
        for path in sorted(source.iterdir()):
            copy = tmp_path / "run" / whole.name
            shutil.copytree(whole, copy)
            shutil.copy2(path, copy / path.name)
            state = f"{path.name} of the save {other}"
            tally.add(state, dcp_says(copy, STEP), our_verdict(copy))
            shutil.rmtree(copy)
    tally.assert_right()


def test_flipped_items(saved: Path, tmp_path: Path, tally: Tally) -> None:
    """One bit of a data file is wrong.

    Not of the metadata: torch unpickles it, and a changed opcode can ask for all memory there is.
    """
    whole = saved / "plain" / f"step-{STEP}"
    chance = random.Random(5)
    for number in range(100):
        name = f"__{number % 2}_0.distcp"
        copy = tmp_path / "run" / whole.name
        shutil.copytree(whole, copy)
        data = bytearray((copy / name).read_bytes())
        place = chance.randrange(len(data))
        data[place] ^= 1 << chance.randrange(8)
        (copy / name).write_bytes(data)
        state = f"bit flipped at {place} of {name}"
        tally.add(state, dcp_says(copy, STEP), our_verdict(copy))
        shutil.rmtree(copy)
    tally.assert_right()
