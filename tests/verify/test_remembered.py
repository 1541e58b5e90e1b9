"""Results come back as they were found, from a file that anybody may delete, damage or share."""

from __future__ import annotations

import os
import sqlite3
import threading
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ckpt_tui.core.verified import NotFinite, VerifiedFile, WrongBytes
from ckpt_tui.verify.place import SWITCH, results_path, stamp_of
from ckpt_tui.verify.remembered import FORM, Results, ResultsError, remember
from ckpt_tui.verify.results import Fault, FileResult, NonFinite, Verified
from ckpt_tui.verify.rows import file_of, rows_of

if TYPE_CHECKING:
    from pathlib import Path

_FAULT = Fault("checksum-mismatch", "record data/5", "layer.weight", "CRC-32 1, not 2")


def _result(path: str, **others: object) -> FileResult:
    made = FileResult(path, 100, 5, 7, 80, "zip CRC-32", True)
    return made._replace(**others)


def _verified(*files: FileResult) -> Verified:
    return Verified(files, 1.0)


def _paths(results: Results, root: str) -> list[str]:
    return [os.path.basename(row[0]).decode() for row in results.below(root)]


def _files(results: Results) -> list[VerifiedFile]:
    """All that is kept; none of it is beyond reading."""
    found = [file_of(row, os.fsdecode(row[0])) for row in results.below("/")]
    return [file for file in found if file is not None]


@pytest.fixture
def results(tmp_path: Path) -> Results:
    return Results(os.fspath(tmp_path / "cache" / "verified.sqlite"))


def test_what_was_found_comes_back(results: Results) -> None:
    wrong = _result(
        "/r/a/x.pt", ok=False, message="wrong", faults=(_FAULT,), fault_count=3,
        finite_checked=True, scanned_bytes=40, non_finite=(NonFinite("w", 2, 1),),
    )  # fmt: skip
    results.keep(_verified(wrong, _result("/r/a/y.json", ok=None, method="nothing")), 10.5)
    first, second = _files(results)
    assert first == VerifiedFile(
        "/r/a/x.pt", 100, 10.5, 80, "zip CRC-32", False, "wrong", (WrongBytes(*_FAULT),), 3, 40,
        (NotFinite("w", 2, 1),),
    )  # fmt: skip
    assert (second.ok, second.method, second.scanned_bytes) == (None, "nothing", None)


def test_only_what_lies_below_the_root_or_is_it(results: Results) -> None:
    names = ["/r/a", "/r/b/c", "/r0/a", "/r-b/a", "/q/a"]
    results.keep(_verified(*map(_result, names)), 1.0)
    assert [row[0] for row in results.below("/r")] == [b"/r/a", b"/r/b/c"]
    assert [row[0] for row in results.below("/q/a")] == [b"/q/a"]
    assert len(results.below("/")) == len(names)


def test_a_directory_that_is_a_link_is_remembered_by_where_it_leads(
    results: Results, tmp_path: Path
) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    results.keep(_verified(_result(os.fspath(tmp_path / "link" / "a.pt"))), 1.0)
    assert _paths(results, os.fspath(tmp_path / "real")) == ["a.pt"]


def test_what_could_not_be_read_leaves_what_was_found_before(results: Results) -> None:
    results.keep(_verified(_result("/r/a", ok=False, faults=(_FAULT,), fault_count=1)), 1.0)
    results.keep(_verified(_result("/r/a", ok=None, message="no permission", unread=True)), 2.0)
    assert _files(results)[0].ok is False


@pytest.mark.parametrize(("inode", "scanned"), [(7, True), (8, False)])
def test_checksums_alone_leave_the_scan_of_the_same_file(
    results: Results, inode: int, scanned: bool
) -> None:
    nan = (NonFinite("w", 1, 0),)
    full = _result("/r/a", finite_checked=True, scanned_bytes=40, non_finite=nan)
    results.keep(_verified(full), 1.0)
    results.keep(_verified(_result("/r/a", inode=inode)), 2.0)
    (found,) = _files(results)
    assert found.at == 2.0
    assert found.scanned_bytes == (40 if scanned else None)
    assert found.not_finite == ((NotFinite("w", 1, 0),) if scanned else ())


def test_the_oldest_results_go(tmp_path: Path) -> None:
    results = Results(os.fspath(tmp_path / "v.sqlite"), most_files=3)
    for number in range(5):
        results.keep(_verified(_result(f"/r/{number}")), float(number))
    assert _paths(results, "/r") == ["2", "3", "4"]


def test_the_older_half_of_a_large_file_goes(tmp_path: Path) -> None:
    results = Results(os.fspath(tmp_path / "v.sqlite"), most_bytes=40_000)
    for number in range(40):
        results.keep(_verified(_result(f"/r/{number:02}", message="x" * 1500)), float(number))
    kept = _paths(results, "/r")
    assert kept[-1] == "39"
    assert len(kept) < 40
    assert os.path.getsize(results.path) <= 40_000


def test_no_file_holds_nothing_and_asking_makes_none(results: Results) -> None:
    with pytest.raises(ResultsError, match="No such file"):
        results.below("/r")
    assert not os.path.lexists(results.path)
    assert stamp_of(results.path) is None


def test_another_form_holds_nothing_and_gives_way(results: Results) -> None:
    results.keep(_verified(_result("/r/a")), 1.0)
    with sqlite3.connect(results.path) as connection:
        connection.execute(f"PRAGMA user_version = {FORM + 1}")
    assert results.below("/r") == []
    results.keep(_verified(_result("/r/b")), 2.0)
    assert _paths(results, "/r") == ["b"]


@pytest.mark.parametrize("damage", ["text", "foreign", "mode", "link"])
def test_what_cannot_be_used_is_an_error_with_a_remedy(
    results: Results, tmp_path: Path, damage: str
) -> None:
    results.keep(_verified(_result("/r/a")), 1.0)
    if damage == "text":
        (tmp_path / "cache" / "verified.sqlite").write_text("no database" * 100)
    elif damage == "foreign":
        with sqlite3.connect(results.path) as connection:
            connection.execute("DROP TABLE result")
    elif damage == "mode":
        os.chmod(results.path, 0o666)
    else:
        os.rename(results.path, results.path + "2")
        os.symlink(results.path + "2", results.path)
    with pytest.raises(ResultsError, match=f"switch it off with {SWITCH}=0"):
        results.below("/r")


def test_it_is_the_users_alone(results: Results) -> None:
    results.keep(_verified(_result("/r/a")), 1.0)
    assert os.stat(results.path).st_mode & 0o777 == 0o600
    assert os.stat(os.path.dirname(results.path)).st_mode & 0o777 == 0o700


def test_many_writers_at_once_lose_nothing(results: Results) -> None:
    def write(number: int) -> None:
        for place in range(5):
            results.keep(_verified(_result(f"/r/{number}-{place}")), 1.0)

    threads = [threading.Thread(target=write, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results.below("/r")) == 20


def test_numbers_that_no_database_holds_are_left_out(results: Results) -> None:
    results.keep(_verified(_result("/r/a", inode=2**64 - 1), _result("/r/b")), 1.0)
    assert _paths(results, "/r") == ["b"]


@pytest.mark.parametrize("switch", [SWITCH, "CKPT_TUI_CACHE"])
def test_switched_off_nothing_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, switch: str
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", os.fspath(tmp_path))
    monkeypatch.delenv("CKPT_TUI_CACHE")
    monkeypatch.setenv(switch, "0")
    assert results_path() == ""
    assert remember(_verified(_result("/r/a"))) == ""
    assert os.listdir(tmp_path) == []


def test_remember_keeps_in_the_users_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", os.fspath(tmp_path))
    monkeypatch.delenv("CKPT_TUI_CACHE")
    assert remember(_verified(_result("/r/a"))) == ""
    assert _paths(Results(results_path()), "/r") == ["a"]
    (tmp_path / "ckpt-tui" / "verified.sqlite").write_text("x" * 5000)
    assert "cannot be used" in remember(_verified(_result("/r/a")))


_TEXT = st.text(max_size=8) | st.sampled_from(["\udc80\ud800", "a\x00b", "[[", "\n"])
_COUNT = st.integers(0, 2**63 - 1)


@given(
    st.builds(
        FileResult, st.just("/r/a"), _COUNT, st.integers(-(2**63) + 1, 2**63 - 1),
        st.integers(1, 2**63 - 1), _COUNT,
        _TEXT, st.sampled_from([True, False, None]), _TEXT,
        st.lists(st.builds(Fault, _TEXT, _TEXT, _TEXT, _TEXT), max_size=3).map(tuple), _COUNT,
        st.booleans(), _COUNT,
        st.lists(st.builds(NonFinite, _TEXT, _COUNT, _COUNT), max_size=3).map(tuple),
        unread=st.just(False),
    )
)  # fmt: skip
def test_every_row_comes_back(file: FileResult) -> None:
    (row,) = rows_of(_verified(file), 1.0)
    found = file_of(row, "a")
    assert found is not None
    assert (found.size_bytes, found.checked_bytes) == (file.size_bytes, file.checked_bytes)
    assert (found.ok, found.wrong_total) == (file.ok, file.fault_count)
    assert len(found.wrong) == len(file.faults)
    assert [tensor[1:] for tensor in found.not_finite] == [t[1:] for t in file.non_finite]
    assert found.method.encode() == file.method.encode("utf-8", "backslashreplace")


_CELL = (
    st.none()
    | st.integers()
    | st.floats()
    | st.text(max_size=4)
    | st.binary(max_size=4)
    | st.sampled_from(["[]", "{}", "[[]]", "[1]", '[["a", 1, "b"]]', '[["a", "b", "c", "d"]]'])
)


@given(st.lists(_CELL, min_size=13, max_size=13).map(tuple))
def test_any_row_is_a_result_or_nothing(row: tuple[object, ...]) -> None:
    found = file_of(row, "a")
    assert found is None or isinstance(found.checked_bytes, int)


@pytest.mark.parametrize(
    ("place", "value"),
    [(4, "now"), (5, None), (7, 2), (7, "x"), (9, "{"), (9, "[[1]]"), (11, "x"), (12, "[[1, 2]]")],
)
def test_one_wrong_cell_is_no_result(place: int, value: object) -> None:
    (row,) = rows_of(_verified(_result("/r/a")), 1.0)
    assert file_of(row, "a") is not None
    assert file_of((*row[:place], value, *row[place + 1 :]), "a") is None
