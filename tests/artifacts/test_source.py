from __future__ import annotations

import os
import socket
from typing import TYPE_CHECKING

import pytest

from ckpt_tui.artifacts.limits import ArtifactError, Deadline, Limits
from ckpt_tui.artifacts.source import (
    FileSource,
    WindowSource,
    read_exactly,
    require_content,
    translate_os_error,
)
from tests.artifacts.builders import BytesSource

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def digits(tmp_path: Path) -> Path:
    path = tmp_path / "digits"
    path.write_bytes(b"0123456789")
    return path


@pytest.mark.parametrize(
    ("offset", "length", "expected"),
    [
        (0, 3, b"012"),
        (8, 5, b"89"),
        (10, 1, b""),
        (99, 1, b""),
        (0, 0, b""),
        (3, -1, b""),
        (0, 1 << 62, b"0123456789"),
    ],
)
def test_reads_at_an_offset(digits: Path, offset: int, length: int, expected: bytes) -> None:
    data = digits.read_bytes()
    with FileSource(digits) as file:
        whole = WindowSource(BytesSource(b"ab" + data), 2, len(data))
        for source in (file, BytesSource(data), whole):
            assert source.size == 10
            assert source.read_at(offset, length) == expected


def test_a_window_does_not_reach_into_its_neighbours() -> None:
    window = WindowSource(BytesSource(b"0123456789"), 3, 4)
    assert window.read_at(0, 100) == b"3456"
    assert window.read_at(3, 2) == b"6"
    assert window.read_at(-1, 2) == b""


@pytest.mark.parametrize(
    ("offset", "length", "code"),
    [(8, 3, "truncated-file"), (11, 0, "truncated-file"), (-1, 2, "unreadable-archive")],
)
def test_a_window_must_lie_in_its_source(offset: int, length: int, code: str) -> None:
    with pytest.raises(ArtifactError) as caught:
        WindowSource(BytesSource(b"0123456789", "name"), offset, length)
    assert (caught.value.code, caught.value.path) == (code, "name")


def test_a_file_that_shrinks_while_it_is_read_is_truncated(digits: Path) -> None:
    with FileSource(digits) as source:
        digits.write_bytes(b"0123")
        assert source.read_at(0, 10) == b"0123"
        with pytest.raises(ArtifactError) as caught:
            read_exactly(source, 2, 5, "the part")
    assert caught.value.code == "truncated-file"
    assert caught.value.message == "the part at offset 2 needs 5 bytes, but only 2 are there"


def test_a_file_that_grows_keeps_the_size_it_had(digits: Path) -> None:
    with FileSource(digits) as source:
        digits.write_bytes(b"0123456789abc")
        assert source.read_at(8, 10) == b"89"


def test_only_regular_files_are_opened(tmp_path: Path, digits: Path) -> None:
    link, pipe, bound = tmp_path / "link", tmp_path / "pipe", tmp_path / "socket"
    link.symlink_to(digits)
    os.mkfifo(pipe)
    expected = {
        tmp_path: "it is a directory, not a file",
        link: "it is a symbolic link, which is not followed",
        pipe: "it is a named pipe, not a regular file",
        "/dev/null": "it is a device or socket, not a regular file",
        tmp_path / "none": "the file cannot be read: No such file or directory",
        digits / "below": "the file cannot be read: Not a directory",
        "nul\0byte": "the file cannot be read: embedded null byte",
    }
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(bound))
        for path, message in (expected | {bound: "the file cannot be read: "}).items():
            with pytest.raises(ArtifactError) as caught:
                FileSource(path)
            assert caught.value.code == "io-error"
            assert caught.value.message.startswith(message)
            assert caught.value.path == os.fspath(path)


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (PermissionError(13, "no"), "permission-denied"),
        (PermissionError(1, "no"), "permission-denied"),
        (OSError(5, "io"), "io-error"),
        (OSError("without a number"), "io-error"),
    ],
)
def test_what_the_system_refuses_has_a_code(error: OSError, code: str) -> None:
    assert translate_os_error(error, "p").code == code


def test_reading_after_closing_is_an_error_with_a_place(digits: Path) -> None:
    source = FileSource(digits)
    source.close()
    source.close()
    with pytest.raises(ArtifactError, match="Bad file descriptor"):
        source.read_at(0, 1)


def test_an_empty_file_is_named_so(tmp_path: Path) -> None:
    (tmp_path / "empty").touch()
    with FileSource(tmp_path / "empty") as source, pytest.raises(ArtifactError) as caught:
        require_content(source)
    assert caught.value.code == "empty-file"


def test_errors_say_the_path_and_stay_short() -> None:
    error = ArtifactError("invalid-json", "x" * 10_000, "a/b")
    assert str(error).startswith("a/b: xxx")
    assert len(error.message) < 500
    assert str(ArtifactError("invalid-json", "only this")) == "only this"


def test_a_deadline_counts_cpu_time() -> None:
    Deadline(Limits(seconds=60)).check()
    with pytest.raises(ArtifactError) as caught:
        Deadline(Limits(seconds=-1), "p").check()
    assert (caught.value.code, caught.value.path) == ("limit-exceeded", "p")


def test_time_that_the_host_took_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    times = iter([0.0, 0.1, 60.0, 60.1, *(60.1 + n / 5 for n in range(1, 30))])
    monkeypatch.setattr("time.thread_time", lambda: next(times))
    deadline = Deadline(Limits(seconds=2.0))
    for _ in range(3):
        deadline.check()

    def go_on() -> None:
        for _ in range(20):
            deadline.check()

    with pytest.raises(ArtifactError, match="2 s of CPU time"):
        go_on()
