from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ckpt_tui.recording import lines
from ckpt_tui.recording import tape as tape_module
from ckpt_tui.recording.output import RecordingError
from ckpt_tui.recording.player import Player
from ckpt_tui.recording.tape import Tape
from tests.recording.builders import night, record
from tests.tui import situations
from tests.tui.builders import NOW

if TYPE_CHECKING:
    from pathlib import Path

NAMES = ("night.jsonl", "night.jsonl.gz")


@pytest.mark.parametrize("name", NAMES)
def test_every_frame_comes_back_in_any_order(tmp_path: Path, name: str) -> None:
    record(tmp_path / name, night())
    tape = Tape(str(tmp_path / name))
    for frame in (4, 0, 3, 1, 2, 4):
        shown = tape.show(frame)
        assert shown.snapshot == night()[frame]
        assert shown.at == NOW + 60 * frame
    assert tape.index.ended
    assert not tape.index.cut_line


@given(st.lists(st.sampled_from(sorted(situations.ALL)), min_size=1, max_size=6))
@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_series_of_pictures_comes_back(tmp_path: Path, names: list[str]) -> None:
    path = tmp_path / "any.jsonl"
    path.unlink(missing_ok=True)
    pictures = [situations.ALL[name]() for name in names]
    record(path, pictures)
    tape = Tape(str(path))
    for frame in range(len(tape.index)):
        wanted = pictures[round(tape.index.time_of(frame) / 60)]
        assert tape.show(frame).snapshot == wanted
    tape.close()


def test_events_are_told_with_their_frames(tmp_path: Path) -> None:
    record(tmp_path / "a.jsonl", night())
    told = [(e.frame, e.event.message) for e in Tape(str(tmp_path / "a.jsonl")).index.events]
    assert (1, "step 300: a save began") in told
    assert any(frame == 2 and "step 300" in message for frame, message in told)
    assert any(frame == 3 and "deleted" in message for frame, message in told)
    assert any(frame == 4 and "step 400 committed" in message for frame, message in told)


@pytest.mark.parametrize("lost", [1, 20, 300])
def test_a_cut_last_line_is_passed_over(tmp_path: Path, lost: int) -> None:
    path = tmp_path / "a.jsonl"
    record(path, night(), ends=False)
    os.truncate(path, path.stat().st_size - lost)
    tape = Tape(str(path))
    assert len(tape.index) == 4
    assert tape.index.cut_line == 6
    assert tape.show(3).snapshot == night()[3]


@pytest.mark.parametrize("lost", [1, 40, 150])
def test_a_compressed_one_that_was_cut_can_be_read(tmp_path: Path, lost: int) -> None:
    path = tmp_path / "a.jsonl.gz"
    record(path, night(), ends=False)
    os.truncate(path, path.stat().st_size - lost)
    tape = Tape(str(path))
    assert len(tape.index) >= 3
    assert tape.show(2).snapshot == night()[2]


@pytest.mark.parametrize("lost", [1, 40, 150])
def test_where_a_compressed_one_breaks_off_is_told(tmp_path: Path, lost: int) -> None:
    path = tmp_path / "a.jsonl.gz"
    record(path, night())
    assert Tape(str(path)).early_end is None
    os.truncate(path, path.stat().st_size - lost)
    tape = Tape(str(path))
    end = tape.early_end
    assert end is not None
    assert len(tape.index) <= end.line - 1 <= len(tape.index) + 1  # a header, and the last word
    assert end.wall == tape.index.wall_of(len(tape.index) - 1)
    assert "unpacked" in end.reason


def test_a_line_that_is_too_long_is_told_as_that(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record(tmp_path / "a.jsonl", night())
    monkeypatch.setattr(lines, "MOST_LINE_BYTES", 600)
    monkeypatch.setattr(tape_module, "MOST_LINE_BYTES", 600)
    with pytest.raises(RecordingError, match="line 2: it is longer than 600 B"):
        Tape(str(tmp_path / "a.jsonl"))


def test_a_line_of_too_many_values_is_told_as_that(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record(tmp_path / "a.jsonl", night())
    monkeypatch.setattr(lines, "MOST_VALUES", 100)
    with pytest.raises(RecordingError, match="line 2: it has more than 100 values"):
        Tape(str(tmp_path / "a.jsonl"))


def test_states_that_share_nothing_are_not_all_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record(tmp_path / "a.jsonl", night())
    monkeypatch.setattr(tape_module, "_MOST_KEPT_ITEMS", 0)
    tape = Tape(str(tmp_path / "a.jsonl"))
    for frame in (4, 3, 4, 2):
        assert tape.show(frame).snapshot == night()[frame]
    assert tape._kept_items == 0
    assert len(tape._states) < 4


def test_a_kill_behind_any_byte_leaves_a_line_that_is_no_frame(tmp_path: Path) -> None:
    """Each shorter start of a line, continued by another session, is passed over."""
    path, again = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    record(path, night()[:2], ends=False)
    whole = path.read_bytes()
    start = whole.rindex(b"\n", 0, len(whole) - 1) + 1
    for end in range(start + 1, len(whole)):
        again.write_bytes(whole[:end])
        record(again, night()[2:3])
        tape = Tape(str(again))
        assert (tape.index.cut_line, len(tape.index)) == (3, 2), end
        tape.close()


def test_a_recording_goes_on_after_a_kill(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    record(path, night()[:3], ends=False)
    os.truncate(path, path.stat().st_size - 10)
    record(path, night()[3:])
    tape = Tape(str(path))
    assert tape.index.sessions == 2
    assert tape.index.cut_line == 4
    assert [tape.show(frame).snapshot.version for frame in range(4)] == [1, 2, 4, 5]


def test_a_line_that_was_cut_behind_a_bracket_is_no_frame(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    record(path, night()[:3], ends=False)
    last = path.read_bytes().splitlines(keepends=True)[-1]
    os.truncate(path, path.stat().st_size - len(last) + last[:-2].rindex(b"}") + 1)
    record(path, night()[3:])
    tape = Tape(str(path))
    assert tape.index.cut_line == 4
    assert [tape.show(frame).snapshot.version for frame in range(4)] == [1, 2, 4, 5]


def test_a_compressed_recording_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl.gz"
    record(path, night()[:3])
    record(path, night()[3:])
    tape = Tape(str(path))
    assert [tape.show(frame).snapshot.version for frame in range(5)] == [1, 2, 3, 4, 5]


def lines_of(path: Path) -> list[str]:
    record(path, night())
    return path.read_text().splitlines()


@pytest.mark.parametrize(
    ("place", "line", "named"),
    [
        (0, "{}", "line 1"),
        (0, "no recording", "line 1"),
        (0, '{"schema":"ckpt-tui/recording/99"}', "line 1"),
        (1, '{"kind":"delta","at":1,"monotonic":1,"events":[],"status":[]}', "line 2"),
        (2, '{"kind":"full","at":1e999,"monotonic":1,"events":[]}', "line 3"),
        (2, '{"kind":"full","at":1,"monotonic":1,"events":[[1,2]],"status":[]}', "line 3"),
        (2, "{}", "line 3"),
        (2, "half a line", "line 4"),
    ],
)  # fmt: skip
def test_a_line_that_is_wrong_is_named(tmp_path: Path, place: int, line: str, named: str) -> None:
    path = tmp_path / "a.jsonl"
    told = lines_of(path)
    told[place] = line
    path.write_text("\n".join(told) + "\n")
    with pytest.raises(RecordingError, match=named):
        Tape(str(path))


@pytest.mark.parametrize(
    "content",
    [
        '["cut",0,99999,[]]',
        '["~",{"7":null}]',
        '{"a":1}',
        "[" * 100_000,
        '["=",[["/"],[7]]]',
        "NaN",
    ],
)  # fmt: skip
def test_a_wrong_content_leaves_the_last_good_frame(tmp_path: Path, content: str) -> None:
    path = tmp_path / "a.jsonl"
    told = lines_of(path)
    head = told[2].partition('"status"')[0]
    told[2] = f'{head}"status":["poll","x"],"content":{content}}}'
    path.write_text("\n".join(told) + "\n")
    player = Player(Tape(str(path)))
    player.go(1)
    assert player.frame == 0
    assert "line 3" in player.problem
    assert player.shown.snapshot == night()[0]


@pytest.mark.parametrize("data", [b"", b"\x1f\x8b", b"\x1f\x8b\x08garbage that is long enough"])
def test_what_is_no_archive_is_told(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "a.gz"
    path.write_bytes(data)
    with pytest.raises(RecordingError, match=r"a\.gz"):
        Tape(str(path))


def test_values_of_another_version_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    told = lines_of(path)
    header = json.loads(told[0]) | {"shape": "00000000", "tool_version": "0.0.1"}
    told[0] = json.dumps(header, separators=(",", ":"))
    path.write_text("\n".join(told) + "\n")
    with pytest.raises(RecordingError, match=r"ckpt-tui 0\.0\.1 wrote it"):
        Tape(str(path))
