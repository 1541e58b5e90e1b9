from __future__ import annotations

import json
import os
import shutil
from typing import TYPE_CHECKING, Any

import pytest

from ckpt_tui.demo.loader import LoadError, restore, resume_point

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture
def sharded(finished_demo: Path, tmp_path: Path) -> Path:
    return shutil.copytree(finished_demo / "sharded" / "step-000040", tmp_path / "step-000040")


@pytest.fixture
def plain(finished_demo: Path, tmp_path: Path) -> Path:
    return shutil.copy(finished_demo / "plain" / "ckpt_000040.pt", tmp_path / "ckpt_000040.pt")


def test_a_whole_sharded_checkpoint_is_restored(sharded: Path) -> None:
    state = restore(sharded)
    assert (state.checkpoint_id, state.step, state.world_size, state.seed) == (
        "step-000040",
        40,
        3,
        11,
    )
    assert {role: sorted(ranks) for role, ranks in state.states.items()} == {
        "model": [0, 1, 2],
        "optimizer": [0, 1, 2],
        "scheduler": [0],
        "rng": [0, 1, 2],
        "progress": [0],
    }


def test_a_whole_plain_checkpoint_is_restored(plain: Path) -> None:
    state = restore(plain)
    assert (state.checkpoint_id, state.step, state.world_size) == ("ckpt_000040.pt", 40, 1)
    assert set(state.states) == {"model", "optimizer", "scheduler", "rng_state", "progress"}


def edit_manifest(directory: Path, change: Callable[[dict[str, Any]], object]) -> None:
    path = directory / "manifest.json"
    document = json.loads(path.read_text())
    change(document)
    path.write_text(json.dumps(document))


def flip(path: Path, position: int) -> None:
    data = bytearray(path.read_bytes())
    data[position] ^= 0x10
    path.write_bytes(data)


def exchange(directory: Path, one: str, other: str) -> None:
    """Exchange two shards, manifest and all, so that only their content is wrong."""

    def change(document: dict[str, Any]) -> None:
        rows = {row["path"]: row for row in document["entries"]}
        rows[one]["path"], rows[other]["path"] = other, one
        for key in ("size_bytes", "crc32"):
            rows[one][key], rows[other][key] = rows[other][key], rows[one][key]

    edit_manifest(directory, change)


def replace_by_link(path: Path) -> None:
    moved = path.with_name("elsewhere")
    path.rename(moved)
    path.symlink_to(moved)


SHARDED_HARM: dict[str, tuple[Callable[[Path], object], str]] = {
    "uncommitted": (lambda at: (at / "manifest.json").unlink(), "not there"),
    "manifest only half renamed": (
        lambda at: (at / "manifest.json").rename(at / "manifest.json.tmp"),
        "not there",
    ),
    "manifest cut": (lambda at: os.truncate(at / "manifest.json", 300), "not a whole manifest"),
    "manifest not JSON": (
        lambda at: (at / "manifest.json").write_bytes(b"\xff{"),
        "not a whole manifest",
    ),
    "manifest a list": (
        lambda at: (at / "manifest.json").write_text("[]"),
        "not a whole manifest",
    ),
    "committed false": (
        lambda at: edit_manifest(at, lambda document: document.update(committed=False)),
        "committed False",
    ),
    "another schema": (
        lambda at: edit_manifest(at, lambda document: document.update(schema="x/2")),
        "schema 'x/2'",
    ),
    "shard truncated": (lambda at: os.truncate(at / "model-rank1.bin", 100), "has 100 bytes of"),
    "shard grown": (lambda at: os.truncate(at / "model-rank1.bin", 99_999), "has 99999 bytes of"),
    "shard gone": (lambda at: (at / "rng-rank2.bin").unlink(), "not there"),
    "shard a link": (lambda at: replace_by_link(at / "rng-rank2.bin"), "no plain file"),
    "byte flipped": (lambda at: flip(at / "optimizer-rank0.bin", -1), "CRC-32 differs"),
    "rank missing": (
        lambda at: edit_manifest(at, lambda document: document["entries"].pop()),
        r"of ranks \[0, 1, 2\] expected",
    ),
    "rank twice": (
        lambda at: edit_manifest(
            at, lambda document: document["entries"].append(document["entries"][0])
        ),
        "listed twice",
    ),
    "no entries": (
        lambda at: edit_manifest(at, lambda document: document["entries"].clear()),
        "no entries",
    ),
    "wrong ID": (
        lambda at: edit_manifest(
            at, lambda document: document["entries"][1].update(checkpoint_id="step-000020")
        ),
        "of another checkpoint",
    ),
    "wrong step": (
        lambda at: edit_manifest(at, lambda document: document.update(step=60)),
        "the manifest says step 60",
    ),
    "larger world": (
        lambda at: edit_manifest(at, lambda document: document.update(world_size=4)),
        "expected",
    ),
    "path leads out": (
        lambda at: edit_manifest(
            at, lambda document: document["entries"][0].update(path="../step-000040/x")
        ),
        "no plain file name",
    ),
    "ranks exchanged": (
        lambda at: exchange(at, "model-rank0.bin", "model-rank1.bin"),
        "of another step or job",
    ),
    "generators exchanged": (
        lambda at: exchange(at, "rng-rank0.bin", "rng-rank1.bin"),
        "not what the seed gives",
    ),
}


@pytest.mark.parametrize("name", SHARDED_HARM)
def test_a_harmed_sharded_checkpoint_is_refused(sharded: Path, name: str) -> None:
    harm, message = SHARDED_HARM[name]
    harm(sharded)
    with pytest.raises(LoadError, match=message):
        restore(sharded)


@pytest.mark.parametrize("share", [0.0, 0.3, 0.7, 0.999])
def test_a_cut_plain_checkpoint_is_refused(plain: Path, share: float) -> None:
    os.truncate(plain, int(plain.stat().st_size * share))
    with pytest.raises(LoadError, match="cannot be parsed"):
        restore(plain)


def test_a_flip_anywhere_in_a_plain_checkpoint_is_refused(plain: Path) -> None:
    size_bytes = plain.stat().st_size
    for position in range(0, size_bytes, size_bytes // 97):
        flip(plain, position)
        with pytest.raises(LoadError):
            restore(plain)
        flip(plain, position)
    restore(plain)


def test_a_renamed_checkpoint_is_no_resume_point(finished_demo: Path, tmp_path: Path) -> None:
    run = tmp_path / "sharded"
    shutil.copytree(finished_demo / "sharded" / "step-000020", run / "step-000900")
    assert restore(run / "step-000900").step == 20
    assert resume_point(run) is None


def test_the_resume_point_is_the_highest_step_that_restores(
    finished_demo: Path, tmp_path: Path
) -> None:
    run = shutil.copytree(finished_demo / "sharded", tmp_path / "sharded")
    assert resume_point(run) == (run / "step-000060", 60)
    os.truncate(run / "step-000060" / "model-rank0.bin", 10)
    assert resume_point(run) == (run / "step-000040", 40)
    (run / "step-000040" / "manifest.json").unlink()
    assert resume_point(run) == (run / "step-000020", 20)
    shutil.rmtree(run / "step-000020")
    assert resume_point(run) is None
    assert resume_point(tmp_path / "nowhere") is None


def test_steps_are_compared_as_numbers(finished_demo: Path, tmp_path: Path) -> None:
    run = tmp_path / "plain"
    run.mkdir()
    shutil.copy(finished_demo / "plain" / "ckpt_000060.pt", run)
    (run / "ckpt_1000000.pt").write_bytes(b"cut")
    assert resume_point(run) == (run / "ckpt_000060.pt", 60)
