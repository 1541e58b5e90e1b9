"""What `latest` answers, and what it says where the answer is not the newest, or there is none."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from tests.cli.process import Ended, ckpt_tui
from tests.store.runs import ROLES, write_checkpoint
from tests.verify.files import SAMPLES, flip, record_begin

WITHOUT_SCHEDULER = tuple(role for role in ROLES if role != "scheduler")


def latest(run: Path) -> str:
    ended = ckpt_tui("latest", "--settle", "0", run)
    assert ended.code == 0, ended.err
    return ended.out.rstrip("\n").rpartition("/")[2]


def test_a_low_name_may_hold_the_highest_step(tmp_path: Path) -> None:
    for step in (100, 200, 300):
        write_checkpoint(tmp_path, step)
    assert latest(tmp_path) == "step-300"
    manifest = tmp_path / "step-100" / "manifest.json"
    document = json.loads(manifest.read_text())
    manifest.write_text(json.dumps(document | {"step": 900}))
    assert latest(tmp_path) == "step-100"


def test_the_oldest_says_whether_the_newest_lacks_what_all_others_have(tmp_path: Path) -> None:
    write_checkpoint(tmp_path, 200)
    write_checkpoint(tmp_path, 300)
    write_checkpoint(tmp_path, 400, roles=WITHOUT_SCHEDULER)
    assert latest(tmp_path) == "step-300"
    write_checkpoint(tmp_path, 100, roles=WITHOUT_SCHEDULER)
    assert latest(tmp_path) == "step-400"


def asked(run: Path, *options: str, **environment: str) -> Ended:
    return ckpt_tui("latest", "--settle", "0", *options, run, **environment)


def cut(checkpoint: Path) -> None:
    (checkpoint / "model-rank0.bin").write_bytes(b"short")


def test_why_it_is_not_the_newest_is_one_line(tmp_path: Path) -> None:
    for step in (100, 200):
        write_checkpoint(tmp_path, step)
    assert asked(tmp_path) == (0, f"{tmp_path}/step-200\n", "")
    cut(write_checkpoint(tmp_path, 300))
    ended = asked(tmp_path)
    assert (ended.code, ended.out) == (0, f"{tmp_path}/step-200\n")
    assert ended.err.startswith(f"ckpt-tui: {tmp_path}/step-300: passed over: corrupt: model-rank0")
    assert ended.err.count("\n") == 1
    assert "rule:" not in ended.err
    write_checkpoint(tmp_path, 400, roles=ROLES[1:])
    one_more = asked(tmp_path, "--print", "step")
    assert one_more.out == "200\n"
    assert one_more.err.startswith(f"ckpt-tui: {tmp_path}/step-400: passed over: incomplete: ")
    assert one_more.err.endswith("; 1 more newer one, too\n")
    cut(write_checkpoint(tmp_path, 250))
    assert asked(tmp_path).err.endswith("; 2 more newer ones, too\n")
    assert "；还有 2 个更新的也跳过" in asked(tmp_path, CKPT_TUI_LANG="zh").err


def test_a_save_in_flight_is_no_news(tmp_path: Path) -> None:
    write_checkpoint(tmp_path, 200)
    write_checkpoint(tmp_path, 300, commit=False)
    assert asked(tmp_path) == (0, f"{tmp_path}/step-200\n", "")
    dead = asked(tmp_path, "--stall-after", "0")
    assert f"{tmp_path}/step-300: passed over: uncommitted: never finished" in dead.err


def test_what_is_broken_below_a_save_in_flight_is_told(tmp_path: Path) -> None:
    write_checkpoint(tmp_path, 200)
    cut(write_checkpoint(tmp_path, 300))
    write_checkpoint(tmp_path, 400, commit=False)
    (line,) = asked(tmp_path).err.splitlines()
    assert line.startswith(f"ckpt-tui: {tmp_path}/step-300: passed over: corrupt: ")
    assert "more newer" not in line


def test_what_exact_passes_over_says_so(tmp_path: Path) -> None:
    write_checkpoint(tmp_path, 200)
    for step in (100, 300, 400):
        write_checkpoint(tmp_path, step, roles=WITHOUT_SCHEDULER)
    assert asked(tmp_path).err == ""
    told = asked(tmp_path, "--exact")
    assert told.out == f"{tmp_path}/step-200\n"
    assert told.err.startswith(f"ckpt-tui: {tmp_path}/step-400: passed over for --exact: inexact: ")
    assert told.err.endswith("; 1 more newer one, too\n")


def test_another_world_size_is_a_reason(tmp_path: Path) -> None:
    write_checkpoint(tmp_path, 200, world_size=4)
    write_checkpoint(tmp_path, 300, world_size=2)
    ended = asked(tmp_path, "--world-size", "4")
    assert ended.out == f"{tmp_path}/step-200\n"
    assert f"{tmp_path}/step-300: passed over: of another world size: " in ended.err


def test_verify_tells_only_once_what_it_passed_over(tmp_path: Path) -> None:
    run = Path(shutil.copytree(SAMPLES / "torch-file" / "numbered", tmp_path / "run"))
    newest, older = run / "ckpt_000300.pt", run / "ckpt_000200.pt"
    flip(newest, record_begin(newest, f"{newest.stem}/data/0"))
    ended = asked(run, "--verify")
    assert ended.out == f"{older}\n"
    assert ended.err.count("passed over") == 1
    newest.write_bytes(newest.read_bytes()[:100])
    os.utime(newest, (1.7e9, 1.7e9))  # else it counts as being saved
    flip(older, record_begin(older, f"{older.stem}/data/0"))
    ended = asked(run, "--verify")
    assert ended.out == f"{run}/ckpt_000100.pt\n"
    assert ended.err.count(f"{older}: passed over: ") == 1
    assert ended.err.count(f"{newest}: passed over: corrupt: ") == 1
    assert "more newer" not in ended.err


@pytest.mark.parametrize(
    ("options", "code", "reason"),
    [
        ((), 4, "no checkpoint yet"),
        (("--expect-checkpoint",), 2, "no checkpoint yet"),
        (("--exact",), 2, "no exact checkpoint; the newest is inexact: "),
        (("--world-size", "9"), 2, "no resumable checkpoint; the newest is of another world size"),
        (("--timeout", "0"), 3, "the time is up after 0 s"),
    ],
)
def test_a_script_that_reads_json_always_gets_a_document(
    tmp_path: Path, options: tuple[str, ...], code: int, reason: str
) -> None:
    if "newest" in reason:
        write_checkpoint(tmp_path, 300, roles=WITHOUT_SCHEDULER)
    ended = asked(tmp_path, "--json", *options, CKPT_TUI_LANG="zh")
    document = ended.json()
    assert (ended.code, document["resume"]) == (code, None)
    assert reason in document["reason"]
    assert ended.err.startswith(f"ckpt-tui: {document['reason']}\n")
    assert (document["schema"], document["run"]) == (
        "ckpt-tui/latest/1",
        tmp_path.name if code == 2 and "newest" in reason else None,
    )
    assert document["generated_at"]
    assert document["tool_version"]


def test_json_of_an_answer_has_the_same_keys(tmp_path: Path) -> None:
    nothing = asked(tmp_path / "gone", "--json")
    assert nothing.code == 3
    assert "no such" in nothing.json()["reason"].lower()
    write_checkpoint(tmp_path, 200)
    answer = asked(tmp_path, "--json")
    assert (answer.code, answer.err) == (0, "")
    assert answer.json()["reason"] is None
    assert answer.json()["resume"]["step"] == 200
    assert answer.json().keys() == nothing.json().keys()


def test_a_usage_error_prints_no_document(tmp_path: Path) -> None:
    for name in ("a", "b"):
        write_checkpoint(tmp_path / name, 200)
    for options in ((), ("--run", "c"), ("--nonsense",)):
        ended = asked(tmp_path, "--json", *options)
        assert (ended.code, ended.out) == (64, "")


def test_a_checkpoint_that_is_expected_by_configuration_is_one(tmp_path: Path) -> None:
    assert asked(tmp_path).code == 4
    assert asked(tmp_path, CKPT_TUI_EXPECT_CHECKPOINT="1").code == 2
