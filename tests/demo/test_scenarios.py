"""The prepared situations: what their files are, how they are built, and how they go on."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

from ckpt_tui.cli.app import run
from ckpt_tui.core.vocabulary import Verdict
from ckpt_tui.demo.scenarios.catalog import SCENARIOS
from ckpt_tui.demo.scenarios.deepspeed import deepspeed_save
from ckpt_tui.demo.scenarios.disk import SimulatedDisk, with_all_blocks
from ckpt_tui.demo.scenarios.hf_trainer import trainer_save
from ckpt_tui.demo.scenarios.live import LiveSave, LiveWriter
from ckpt_tui.demo.scenarios.megatron import megatron_save
from ckpt_tui.demo.scenarios.saves import cut, head, length, without, write_save
from ckpt_tui.demo.scenarios.torch_dcp import dcp_save
from ckpt_tui.demo.torch_like import sparse_torch_file
from ckpt_tui.demo.torch_values import Hole, Zeros
from ckpt_tui.fs import calls
from ckpt_tui.store.index import Store
from tests.demo.scenes import scene
from tests.tui.builders import NOW

if TYPE_CHECKING:
    from pathlib import Path

MIB, GIB = 2**20, 2**30
VERDICTS = {
    "all-good": ["exact"] * 6,
    "newest-broken": ["corrupt", "exact", "exact", "exact", "exact"],
    "pointer-dangling": ["inexact"] * 4,
    "save-in-flight": ["saving", *["exact"] * 6],
    "save-stalled": ["saving", *["exact"] * 6],
    "weights-only": ["weights-only", "weights-only", "exact", "exact"],
    "nothing-resumable": ["uncommitted", "incomplete", "corrupt"],
    "world-size-changed": ["inexact"] * 3,
    "disk-nearly-full": ["exact"] * 5,
    "two-runs-mixed": ["exact"] * 7,
}


@pytest.mark.parametrize("name", SCENARIOS)
def test_the_verdicts_are_those_of_the_readers(name: str) -> None:
    (run_seen,) = scene(name).runs
    assert [str(c.verdict) for c in run_seen.checkpoints] == VERDICTS[name]


@pytest.mark.parametrize("name", SCENARIOS)
def test_nothing_is_told_of_holes(name: str) -> None:
    found = [f.code for c in scene(name).checkpoints for f in c.findings]
    assert "preallocated" not in found


def test_sizes_are_those_of_a_large_job_and_take_no_space(tmp_path: Path) -> None:
    save = megatron_save(100)
    write_save(tmp_path, save, NOW, 100.0)
    files = [path.stat() for path in tmp_path.rglob("*") if path.is_file()]
    assert len(files) == 67
    assert sum(info.st_size for info in files) > 900 * GIB
    assert sum(info.st_blocks * 512 for info in files) < 16 * MIB


def test_two_jobs_are_told_apart() -> None:
    codes = {finding.code for finding in scene("two-runs-mixed").runs[0].findings}
    assert "mixed-runs" in codes


def test_the_silent_ranks_are_named() -> None:
    newest = scene("save-stalled").runs[0].checkpoints[0]
    assert newest.verdict is Verdict.SAVING
    assert newest.progress is not None
    assert newest.progress.silent_ranks == (11, 37)


@pytest.mark.parametrize("share", [0.0, 0.3, 1.0])
def test_the_head_of_a_file_has_the_size_that_was_asked_for(share: float) -> None:
    content = sparse_torch_file(Zeros("float32", (1000, 1000)), "archive")
    wanted = int(length(content) * share)
    assert length(head(content, wanted)) == wanted
    assert any(isinstance(piece, Hole) for piece in content)


def test_what_is_cut_and_what_is_left_out() -> None:
    save = dcp_save(100)
    assert length(cut(save, "__3_0.distcp", 0.5).data["__3_0.distcp"]) < length(
        save.data["__3_0.distcp"]
    )
    assert "__3_0.distcp" not in without(save, "__3_0.distcp").data
    assert not without(save, ".metadata").last


def test_a_save_grows_is_committed_and_followed(tmp_path: Path) -> None:
    committed: list[float] = []
    live = LiveSave(tmp_path, dcp_save(100), NOW, 10.0, {}, committed.append)
    sizes = []
    for at in (NOW, NOW + 5.0, NOW + 9.9):
        assert not live.write_until(at)
        sizes.append(sum(path.stat().st_size for path in (tmp_path / "step-100").iterdir()))
    assert sizes == sorted(set(sizes))
    assert live.write_until(NOW + 11.0)
    assert committed == [NOW + 11.0]
    assert not list(tmp_path.rglob("*.tmp"))
    (seen,) = Store(str(tmp_path)).look().runs
    assert seen.checkpoints[0].verdict is Verdict.EXACT


def test_a_stalled_rank_keeps_a_save_from_its_commit(tmp_path: Path) -> None:
    live = LiveSave(tmp_path, dcp_save(100), NOW, 10.0, {3: (0.4, NOW + 4.0)})
    assert not live.write_until(NOW + 100.0)
    assert not live.write_until(NOW + 200.0)
    assert (tmp_path / "step-100" / "__3_0.distcp").stat().st_mtime == NOW + 4.0


def test_the_writer_goes_on_until_it_is_stopped(tmp_path: Path) -> None:
    began = time.time() - 0.1
    live = LiveSave(tmp_path, dcp_save(100), began, 0.1, {})

    def following(over: LiveSave) -> LiveSave:
        return over._replace(save=dcp_save(over.save.step + 1), began=time.time() + 3600.0)

    with LiveWriter(live, following):
        deadline = time.monotonic() + 20.0
        while not (tmp_path / "step-100" / ".metadata").exists() and time.monotonic() < deadline:
            time.sleep(0.05)
    assert (tmp_path / "step-100" / ".metadata").exists()
    assert not (tmp_path / "step-101").exists()


def test_the_simulated_disk_changes_blocks_and_room_and_nothing_else(tmp_path: Path) -> None:
    inside, outside = tmp_path / "in", tmp_path / "out"
    for place in (inside, outside):
        place.mkdir()
        with open(place / "hole", "wb") as stream:
            stream.truncate(10 * MIB)
    real = os.stat(inside / "hole")
    with calls.replaced(SimulatedDisk(str(inside), 3 * GIB)):
        seen = calls.lstat(str(inside / "hole"))
        assert seen.st_blocks * 512 == 10 * MIB
        assert (seen.st_size, seen.st_mtime_ns, seen.st_ino) == (
            real.st_size,
            real.st_mtime_ns,
            real.st_ino,
        )
        assert calls.stat(str(outside / "hole")).st_blocks < 100
        with calls.scandir(str(inside)) as entries:
            (entry,) = entries
            assert entry.is_file()
            assert entry.stat(follow_symlinks=False).st_blocks * 512 == 10 * MIB
        info = calls.statvfs(str(inside))
        assert info.f_bavail * info.f_frsize == 3 * GIB
        assert calls.statvfs(str(outside)).f_bavail != info.f_bavail
    assert with_all_blocks(real).st_mode == real.st_mode


def test_the_list_names_each_with_its_question_and_decision(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["demo", "--list"]) == 0
    told = capsys.readouterr().out
    for scenario in SCENARIOS.values():
        assert scenario.name in told
        assert scenario.question in told
        assert scenario.decision in told


def test_headless_it_is_written_and_left(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = tmp_path / "place"
    typed = ["demo", "--headless", "--dir", str(place), "--scenario", "nothing-resumable"]
    assert run(typed) == 0
    assert capsys.readouterr().out == f"{place}/llama-8b-dpo\n"
    assert len(list((place / "llama-8b-dpo").iterdir())) == 3
    assert run(typed) == 64
    assert "is not empty" in capsys.readouterr().err


def test_an_unknown_name_lists_those_there_are(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["demo", "--headless", "--dir", str(tmp_path), "--scenario", "x"]) == 64
    assert "all-good, newest-broken" in capsys.readouterr().err


JUDGE = """
import sys, torch
from pathlib import Path
from torch.distributed.checkpoint import FileSystemReader
for run in sys.argv[1:3]:
    reader = FileSystemReader(run)
    metadata = reader.read_metadata()
    for index, info in metadata.storage_data.items():
        entry = metadata.state_dict_metadata[index.fqn]
        if not hasattr(entry, "chunks"):
            with open(f"{run}/{info.relative_path}", "rb") as stream:
                stream.seek(info.offset)
                import io
                torch.load(io.BytesIO(stream.read(info.length)), weights_only=False)
    print(len(metadata.storage_data), sum(info.length for info in metadata.storage_data.values()))
for path in sys.argv[3:]:
    tree = torch.load(path, weights_only=False, mmap=True)
    print(Path(path).name, tree.get("global_steps"))
"""


@pytest.mark.frameworks
def test_torch_reads_what_is_written(tmp_path: Path) -> None:
    saves = {"m": megatron_save(7), "d": dcp_save(7), "s": deepspeed_save(7, 16, 2)}
    saves["t"] = trainer_save(7)
    for name, save in saves.items():
        write_save(tmp_path / name, save, NOW, 10.0)
    step = tmp_path / "s" / "global_step7"
    trainer = tmp_path / "t" / "checkpoint-7"
    files = [*sorted(step.iterdir()), trainer / "scheduler.pt", trainer / "rng_state_0.pth"]
    files += [tmp_path / "m" / "iter_0000007" / "common.pt"]
    shown = subprocess.run(
        [
            sys.executable,
            "-c",
            JUDGE,
            str(tmp_path / "m" / "iter_0000007"),
            str(tmp_path / "d" / "step-7"),
            *map(str, files),
        ],
        check=True,
        capture_output=True,
        text=True,
        timeout=300,
    ).stdout.splitlines()
    assert int(shown[0].split()[1]) == saves["m"].size_bytes
    assert int(shown[1].split()[1]) == saves["d"].size_bytes
    assert "mp_rank_00_model_states.pt 7" in shown


def test_the_page_shows_each_with_its_decision(request: pytest.FixtureRequest) -> None:
    docs = request.config.rootpath / "docs"
    page = (docs / "scenarios.md").read_text(encoding="utf-8")
    for scenario in SCENARIOS.values():
        assert f"## {scenario.name}\n" in page
        assert f"**{scenario.question}** {scenario.decision}" in page
        picture = docs / "scenarios" / f"{scenario.name}.svg"
        assert f"(scenarios/{picture.name})" in page
        assert 20_000 < picture.stat().st_size < 120_000
