"""What `verify` found makes a checkpoint corrupt, as long as its files are as they were."""

from __future__ import annotations

import os
import shutil
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ckpt_tui.core.document import checkpoint_document, show_document
from ckpt_tui.core.verified_findings import NON_FINITE
from ckpt_tui.core.vocabulary import Commit, Severity, Verdict
from ckpt_tui.store.index import Store
from ckpt_tui.store.remembered_results import RememberedResults
from ckpt_tui.verify.remembered import remember
from ckpt_tui.verify.results import Fault, FileResult, NonFinite, Verified

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ckpt_tui.core.checkpoint import Checkpoint

_SAMPLES = Path(__file__).parents[2] / "sample_runs"
_FAULT = Fault("checksum-mismatch", "record data/5", "layer.weight", "its CRC-32 is 1, not 2")


class Place:
    """A copy of a sample run whose files are an hour old, a database, and a store that looks."""

    def __init__(self, tmp_path: Path, sample: str) -> None:
        self.run = tmp_path / "runs" / "run"
        shutil.copytree(_SAMPLES / sample, self.run, symlinks=True)
        then = time.time() - 3600
        for path in self.run.rglob("*"):
            os.utime(path, (then, then))
        self.database = os.fspath(tmp_path / "verified.sqlite")
        self.results = RememberedResults(self.database)
        self.store = Store(os.fspath(self.run), results=self.results)

    def files(self, name: str) -> list[Path]:
        """The files of a checkpoint."""
        top = self.run / name
        return [top] if top.is_file() else sorted(p for p in top.rglob("*") if p.is_file())

    def verify(self, paths: Iterable[Path], wrong: str = "", nan: str = "") -> str:
        """Remembers results by hand; the file of one name is wrong, that of another has NaN."""
        return remember(Verified(tuple(_result(p, wrong, nan) for p in paths), 1.0), self.database)

    def look(self) -> dict[str, Checkpoint]:
        """Every checkpoint by its name."""
        return {c.facts.name: c for c in self.store.look().checkpoints}


def _result(path: Path, wrong: str, nan: str) -> FileResult:
    info = path.stat()
    half = info.st_size // 2
    made = FileResult(
        os.fspath(path), info.st_size, info.st_mtime_ns, info.st_ino, half, "zip CRC-32", True,
        finite_checked=True, scanned_bytes=half,
    )  # fmt: skip
    if path.name == wrong:
        made = made._replace(ok=False, message="wrong", faults=(_FAULT,), fault_count=2)
    if path.name == nan:
        made = made._replace(non_finite=(NonFinite("layer.weight", 3, 0),))
    return made


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path, "torch-dcp/nested")


def test_nothing_is_said_where_nothing_was_verified(place: Place) -> None:
    assert all(c.facts.verified is None for c in place.look().values())
    assert not os.path.lexists(place.database)


def test_wrong_bytes_make_a_checkpoint_corrupt(place: Place) -> None:
    place.verify(place.files("step-20"), wrong="__1_0.distcp")
    found = place.look()
    newest = found["step-20"]
    assert (newest.verdict, newest.commit) == (Verdict.CORRUPT, Commit.COMMITTED)
    finding = newest.findings[0]
    assert (finding.code, finding.path) == ("checksum-mismatch", "__1_0.distcp")
    for part in ("layer.weight", "record data/5", "UTC", "1 more place"):
        assert part in finding.message
    assert "5 of 5 files, wrong in 1 file" in newest.why
    resume = place.store.snapshot().runs[0].resume
    assert resume is not None
    assert resume.facts.name == "step-10"


def test_right_bytes_are_evidence_and_what_is_left_unchecked_is_said(place: Place) -> None:
    place.verify(place.files("step-20"))
    newest = place.look()["step-20"]
    assert newest.verdict is Verdict.EXACT
    assert "5 of 5 files, checksums of" in newest.why
    (left,) = newest.facts.not_checked
    assert left.endswith("which are protected by nothing")


def test_a_part_says_that_it_is_one(place: Place) -> None:
    place.verify(place.files("step-20")[:2])
    newest = place.look()["step-20"]
    assert "2 of 5 files" in newest.why
    assert newest.facts.not_checked[0] == "the bytes of 3 of 5 files"
    assert checkpoint_document(newest)["verified"]["protected_bytes"] is None


@pytest.mark.parametrize("change", ["time", "size", "inode"])
def test_a_file_that_changed_is_no_longer_the_one_that_was_wrong(place: Place, change: str) -> None:
    place.verify(place.files("step-20"), wrong="__1_0.distcp")
    assert place.look()["step-20"].verdict is Verdict.CORRUPT
    file = place.run / "step-20" / "__1_0.distcp"
    info, data = file.stat(), file.read_bytes()
    if change == "time":
        os.utime(file, ns=(info.st_atime_ns, info.st_mtime_ns + 1))
    elif change == "inode":
        other = file.with_name("other")
        other.write_bytes(data)
        os.utime(other, ns=(info.st_atime_ns, info.st_mtime_ns))
        os.replace(other, file)
    else:
        file.write_bytes(data + b"\0")
        os.utime(file, ns=(info.st_atime_ns, info.st_mtime_ns))
    newest = place.look()["step-20"]
    assert "checksum-mismatch" not in {finding.code for finding in newest.findings}
    assert "4 of 5 files" in newest.why


def test_results_of_another_process_are_seen_at_the_next_look(place: Place) -> None:
    before = place.store.look()
    place.verify(place.files("step-20"), wrong=".metadata")
    after = place.store.look(frozenset())
    assert after.version > before.version
    assert after.runs[0].checkpoints[0].verdict is Verdict.CORRUPT
    assert place.store.look(frozenset()) is after
    os.unlink(place.database)
    assert place.look()["step-20"].verdict is Verdict.EXACT


def test_values_that_are_not_finite_are_warned_of_and_another_is_named(place: Place) -> None:
    place.verify(place.files("step-10"))
    place.verify(place.files("step-20"), nan="__1_0.distcp")
    newest = place.look()["step-20"]
    assert newest.verdict is Verdict.EXACT
    assert newest.resumable
    (warning,) = [f for f in newest.findings if f.code == NON_FINITE]
    assert warning.severity is Severity.WARNING
    assert "tensor layer.weight holds 3 NaN" in warning.message
    (told,) = [f for f in place.store.snapshot().runs[0].findings if f.code == NON_FINITE]
    assert told.message.endswith("the newest found finite is step 10")
    assert told.path.endswith("/step-20")
    assert told.remedy.endswith("/step-10")


def test_a_scan_of_a_part_proves_no_checkpoint_finite(place: Place) -> None:
    place.verify(place.files("step-10")[1:])
    place.verify(place.files("step-20"), nan="__1_0.distcp")
    place.look()
    (told,) = [f for f in place.store.snapshot().runs[0].findings if f.code == NON_FINITE]
    assert told.message.endswith("no checkpoint is known to be finite")


def test_checkpoints_that_are_files(tmp_path: Path) -> None:
    place = Place(tmp_path, "torch-file/numbered")
    place.verify(place.files("ckpt_000300.pt"), wrong="ckpt_000300.pt")
    newest = place.look()["ckpt_000300.pt"]
    # Its end mark is there: it was committed, whatever its bytes are by now.
    assert (newest.verdict, newest.commit) == (Verdict.CORRUPT, Commit.COMMITTED)
    alone = Store(
        os.fspath(place.run / "ckpt_000300.pt"), results=RememberedResults(place.database)
    )
    assert alone.look().checkpoints[0].verdict is Verdict.CORRUPT


def test_fresh_files_with_wrong_bytes_are_no_save_in_flight(tmp_path: Path) -> None:
    place = Place(tmp_path, "torch-file/numbered")
    os.utime(place.run / "ckpt_000300.pt")
    place.verify(place.files("ckpt_000300.pt"), wrong="ckpt_000300.pt")
    assert place.look()["ckpt_000300.pt"].verdict is Verdict.CORRUPT


def test_a_root_that_is_a_link_finds_them(place: Place, tmp_path: Path) -> None:
    place.verify(place.files("step-20"), wrong="__1_0.distcp")
    (tmp_path / "link").symlink_to(place.run)
    linked = Store(os.fspath(tmp_path / "link"), results=RememberedResults(place.database))
    assert linked.look().checkpoints[0].verdict is Verdict.CORRUPT


def test_a_database_that_breaks_is_a_remark_and_what_was_known_stays(place: Place) -> None:
    place.verify(place.files("step-20"), wrong="__1_0.distcp")
    place.look()
    Path(place.database).write_text("broken" * 1000)
    assert place.look()["step-20"].verdict is Verdict.CORRUPT
    ((path, reason),) = place.results.remarks
    assert path == place.database
    assert "cannot be used" in reason


@pytest.mark.parametrize("broken", [False, True])
def test_what_no_database_keeps_counts_while_this_process_runs(place: Place, broken: bool) -> None:
    path = place.database if broken else ""
    if broken:
        Path(path).write_text("broken" * 1000)
    results = RememberedResults(path)
    store = Store(os.fspath(place.run), results=results)
    store.look()
    files = place.files("step-20")
    made = Verified(tuple(_result(p, "__1_0.distcp", "") for p in files), 1.0)
    assert bool(results.keep(made)) is broken
    newest = store.look(frozenset()).runs[0].checkpoints[0]
    assert newest.verdict is (Verdict.CORRUPT)


def test_wrong_bytes_wait_for_no_second_look_at_a_file_server(place: Place) -> None:
    place.store.expect_stale(60.0)
    assert place.look()["step-20"].verdict is Verdict.EXACT
    place.verify(place.files("step-20"), wrong="__1_0.distcp")
    assert place.look()["step-20"].verdict is Verdict.CORRUPT


def test_the_documents_tell_it(place: Place) -> None:
    assert checkpoint_document(place.look()["step-20"])["verified"] is None
    place.verify(place.files("step-20"), wrong="__1_0.distcp", nan="__2_0.distcp")
    newest = place.look()["step-20"]
    told = checkpoint_document(newest)["verified"]
    assert (told["files"], told["files_total"], told["ok"]) == (5, 5, False)
    assert told["protected_bytes"] == told["checked_bytes"] < told["bytes"]
    assert told["finite"]["ok"] is False
    assert told["finite"]["tensors"] == [{"name": "layer.weight", "nan": 3, "infinite": 0}]
    files = show_document(newest, "1")["verified_files"]
    assert {file["path"]: file["ok"] for file in files}["__1_0.distcp"] is False
