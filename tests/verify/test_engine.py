"""Which files are read for which path; threads, progress, cancelling, mounts that hang."""

from __future__ import annotations

import errno
import os
import shutil
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ckpt_tui.artifacts.limits import ArtifactError
from ckpt_tui.fs import calls
from ckpt_tui.verify import stream
from ckpt_tui.verify.engine import Options, verify
from tests.network.injected import Injected
from tests.verify.files import SAMPLES, flip, results_below
from tests.watch.fakes import wait_until

if TYPE_CHECKING:
    from ckpt_tui.verify.results import Progress

_RUN = SAMPLES / "torch-dcp" / "nested"


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return Path(shutil.copytree(_RUN, tmp_path / "run"))


def left_behind() -> bool:
    return any(thread.name == "ckpt-tui-verify" for thread in threading.enumerate())


def test_a_run_is_read_checkpoint_by_checkpoint_in_path_order(run: Path) -> None:
    found = verify((str(run),))
    paths = [file.path for file in found.files]
    assert paths == sorted(paths)
    assert {file.checkpoint for file in found.files} == {
        str(run / "step-10"),
        str(run / "step-20"),
    }
    assert found.ok
    assert not found.problems


def test_one_checkpoint_or_one_file_of_it(run: Path) -> None:
    one = verify((str(run / "step-10"),))
    assert {file.checkpoint for file in one.files} == {str(run / "step-10")}
    (file,) = verify((str(run / "step-10" / "__0_0.distcp"),)).files
    assert file.checkpoint == str(run / "step-10")


def test_a_path_named_twice_is_read_once(run: Path) -> None:
    paths = (str(run), str(run / "step-10"), str(run / "step-10" / "__0_0.distcp"))
    assert len(verify(paths).files) == len(verify((str(run),)).files)


def test_files_of_no_checkpoint_are_checked_by_their_content(tmp_path: Path) -> None:
    (tmp_path / "notes.json").write_text("{")
    (tmp_path / "notes.txt").write_text("{")
    found = results_below(tmp_path)
    assert {name: file.ok for name, file in found.items()} == {
        "notes.json": False,
        "notes.txt": None,
    }


def test_a_path_that_is_not_there_is_a_problem(tmp_path: Path) -> None:
    found = verify((str(tmp_path / "none"), str(tmp_path / "a\0b")))
    assert found.files == ()
    assert [path for path, _ in found.problems] == [
        str(tmp_path / "none"),
        str(tmp_path / "a\0b"),
    ]


def test_a_checkpoint_that_was_never_committed_may_end_anywhere(tmp_path: Path) -> None:
    run = Path(shutil.copytree(SAMPLES / "torch-dcp" / "flat_killed", tmp_path / "run"))
    found = verify((str(run),))
    cut = [file for file in found.files if "not committed" in file.message]
    assert cut
    assert found.ok


def test_a_file_that_changes_meanwhile_is_not_judged(
    run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = run / "step-10" / "__0_0.distcp"

    class Writing(Injected):
        def preadv(self, descriptor: int, buffers: list[memoryview], offset: int, at: str) -> int:
            if at == str(path):
                os.utime(path, ns=(0, 0))
            return super().preadv(descriptor, buffers, offset, at)

    with calls.replaced(Writing()):
        (file,) = verify((str(path),)).files
    assert (file.ok, file.unread, file.checked_bytes) == (None, True, 0)
    assert "changed" in file.message


def test_an_unreadable_file_is_told_and_the_others_are_read(run: Path) -> None:
    class Failing(Injected):
        def preadv(self, descriptor: int, buffers: list[memoryview], offset: int, at: str) -> int:
            if at.endswith("step-10/__1_0.distcp"):
                raise OSError(errno.EIO, "Input/output error")
            return super().preadv(descriptor, buffers, offset, at)

    with calls.replaced(Failing()):
        found = verify((str(run),))
    unread = [file for file in found.files if file.unread]
    assert [os.path.basename(file.path) for file in unread] == ["__1_0.distcp"]
    assert found.ok
    assert sum(file.ok is True for file in found.files) > 4


def test_what_cannot_be_listed_is_a_problem(run: Path) -> None:
    system = Injected()
    system.fail = {"step-10/__1_0": errno.EIO}
    with calls.replaced(system):
        found = verify((str(run),))
    assert [path for path, _ in found.problems] == [str(run / "step-10") + "/"]


def test_a_bug_costs_one_file(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise RecursionError("too deep")

    monkeypatch.setattr("ckpt_tui.verify.methods.dcp_data.check", fail)
    found = verify((str(run),))
    assert {file.unread for file in found.files if file.path.endswith(".distcp")} == {True}
    assert "RecursionError" in next(file.message for file in found.files if file.unread)


def test_progress_ends_with_all(run: Path) -> None:
    seen: list[Progress] = []
    found = verify((str(run),), progress=seen.append)
    assert seen[-1].files_done == seen[-1].files_total == len(found.files)
    assert seen[-1].read_bytes == seen[-1].total_bytes > 0
    assert seen[-1].wrong_files == 0


@pytest.mark.parametrize("jobs", [1, 3])
def test_threads_do_not_change_what_is_found(run: Path, jobs: int) -> None:
    flip(run / "step-20" / "__0_0.distcp", 30_000)
    told = [(f.path, f.ok, f.faults) for f in verify((str(run),), Options(jobs=jobs)).files]
    assert told == [(f.path, f.ok, f.faults) for f in verify((str(run),)).files]


def test_cancelled_before_the_end_it_tells_what_was_done(run: Path) -> None:
    class HangingOpen(Injected):
        def open(self, path: str, flags: int) -> int:
            if path.endswith("step-20/__3_0.distcp"):
                self.released.wait()
            return super().open(path, flags)

    system, cancel = HangingOpen(), threading.Event()
    with calls.replaced(system):
        done = threading.Event()

        def watch(progress: Progress) -> None:
            if progress.files_total and progress.files_done == progress.files_total - 1:
                done.set()
                cancel.set()

        began = time.monotonic()
        found = verify((str(run),), Options(jobs=2), watch, cancel)
        took = time.monotonic() - began
    assert done.is_set()
    assert found.cancelled
    assert took < 5
    assert str(run / "step-20" / "__3_0.distcp") not in {file.path for file in found.files}
    assert len(found.files) == 9
    assert found.unfinished == (str(run / "step-20" / "__3_0.distcp"),)
    system.released.set()
    wait_until(lambda: not left_behind())


@pytest.mark.parametrize("hang", ["run", "step-10/__0_0", ".metadata"])
def test_a_mount_that_hangs_keeps_nobody(run: Path, hang: str) -> None:
    system, cancel = Injected(), threading.Event()
    system.hang = hang
    timer = threading.Timer(0.2, cancel.set)
    with calls.replaced(system):
        timer.start()
        found = verify((str(run),), cancel=cancel)
    assert found.cancelled
    system.released.set()
    wait_until(lambda: not left_behind())


def test_within_one_huge_file_it_ends_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "model.pt"
    shutil.copy(SAMPLES / "torch-file" / "numbered" / "ckpt_000300.pt", path)
    monkeypatch.setattr(stream, "BUFFER_BYTES", 16)
    cancel = threading.Event()

    class Slow(Injected):
        reads = 0

        def preadv(self, descriptor: int, buffers: list[memoryview], offset: int, at: str) -> int:
            cancel.set()
            self.reads += 1
            time.sleep(0.003)
            return super().preadv(descriptor, buffers, offset, at)

    system = Slow()
    with calls.replaced(system):
        found = verify((str(path),), cancel=cancel)
        wait_until(lambda: not left_behind())
    assert found.cancelled
    assert found.files == ()
    assert 0 < system.reads < 1000


def test_parts_that_overlap_are_not_read_for_ever(tmp_path: Path) -> None:
    path = tmp_path / "data"
    path.write_bytes(bytes(stream.BUFFER_BYTES))
    with stream.FileStream(str(path), stream.Work(threading.Event())) as file:
        for _ in range(9):
            assert sum(map(len, file.pieces(0, file.size))) == file.size
        with pytest.raises(ArtifactError, match="its parts overlap"):
            file.crc32(0, file.size)


def test_what_no_method_knows_is_wrong_where_its_reader_says_so(tmp_path: Path) -> None:
    run = Path(shutil.copytree(SAMPLES / "torch-file" / "numbered", tmp_path / "run"))
    newest = run / "ckpt_000300.pt"
    newest.write_bytes(bytes(newest.stat().st_size))
    found = results_below(run)[newest.name]
    assert (found.ok, found.method, found.fault_count) == (False, "structure", 1)
    assert "it is no torch file" in found.message


def test_a_reader_that_fails_costs_no_result(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise ZeroDivisionError

    (run / "step-10" / "notes").write_bytes(bytes(9))
    expected = results_below(run)
    monkeypatch.setattr("ckpt_tui.verify.context.read_checkpoint", fails)
    assert results_below(run) == expected
