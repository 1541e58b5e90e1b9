"""What `show` says of tensors, as text and as JSON."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from ckpt_tui.cli.app import run
from ckpt_tui.cli.show_tensors import ShownTensors, tensor_lines, tensors_document
from ckpt_tui.core.tensors import Chunk, Note, NoteKind, Tensor, TensorListing
from ckpt_tui.core.tensors_query import parse_tensor_query

if TYPE_CHECKING:
    from pathlib import Path

HOSTILE = Tensor("a\x1b[2J\nb", "float32", (2,), 8, "", (Chunk("x\n.pt"),), 8)
LISTING = TensorListing(
    (
        Tensor("embed", "bfloat16", (8, 4), 64, "model", (Chunk("m.pt", 0),), 64),
        Tensor("head", "bfloat16", (8, 4), 64, "model", (Chunk("m.pt", 0),), 0, "embed"),
        HOSTILE,
        *(Tensor(f"m.{n}", "float32", (4,), 16, "optimizer", (), 16) for n in range(30)),
    ),
    40,
    (Note(NoteKind.MORE_TENSORS, how_many=7), Note(NoteKind.UNREADABLE, "o.pt", detail="cut")),
)


def text(shown: ShownTensors, width: int = 120) -> str:
    return "\n".join(tensor_lines(shown, width))


def test_totals_come_first() -> None:
    lines = text(ShownTensors(LISTING)).splitlines()
    assert lines[0] == "tensors    at least 40"
    assert lines[1].split() == ["by", "role", "optimizer", "480", "B", "30", "tensors,", "120",
                                "elements"]  # fmt: skip
    assert "1 tensor shares the bytes of another one: 64 B counted once" in lines[6]
    assert lines[7].strip() == "7 more tensors are counted, not listed"
    assert lines[8].strip() == "o.pt cannot be read: cut"


@pytest.mark.parametrize(("most", "left"), [(0, 33), (20, 13), (32, 1), (33, 0), (None, 0)])
def test_the_rest_is_told(most: int | None, left: int) -> None:
    said = text(ShownTensors(LISTING, most=most))
    assert ("--tensors all" in said) is bool(left)
    assert (f"… and {left} tensor" in said) is bool(left)


def test_names_cannot_move_the_cursor() -> None:
    said = text(ShownTensors(LISTING))
    assert r"a\x1b[2J\nb" in said
    assert "\x1b" not in said


def test_only_what_is_looked_for() -> None:
    shown = ShownTensors(LISTING, parse_tensor_query("dtype:bf16"))
    said = text(shown)
    assert said.startswith("tensors    2 of at least 40 for dtype:bf16\n")
    assert "m.0" not in said
    document = tensors_document(shown)
    assert [one["name"] for one in document["tensors"]] == ["embed", "head"]
    assert (document["tensors_found"], document["tensors_total"]) == (2, 40)


def test_nothing_is_said_of_no_tensor() -> None:
    assert text(ShownTensors(TensorListing())) == ""


def show(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> Any:
    code = run(["show", *map(str, arguments)])
    printed = capsys.readouterr()
    assert printed.err == ""
    assert code == 0
    return printed.out


def test_the_document_is_whole(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = corpus / "torch/dcp_nested_ws4/step_000015"
    document = json.loads(show(capsys, path, "--json"))
    assert document["tensors_total"] == document["tensors_found"] == len(document["tensors"]) == 21
    assert document["tensor_totals"]["by_role"]["model"] == {
        "tensors": 4, "elements": 2048, "bytes": 8192,
    }  # fmt: skip
    split = next(one for one in document["tensors"] if one["shape"] and len(one["chunks"]) == 4)
    assert set(split) == {
        "name", "dtype", "shape", "bytes", "stored_bytes", "role", "file", "shares", "chunks",
    }  # fmt: skip
    assert split["file"] == split["chunks"][0]["file"]
    assert [chunk["rank"] for chunk in split["chunks"]] == [0, 1, 2, 3]
    assert {note["kind"] for note in document["tensor_notes"]} == {"objects"}


def test_options(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = corpus / "torch/hf_trainer_single/checkpoint-30"
    first = show(capsys, path)
    assert "… and 93 tensors more (--tensors all lists them)" in first
    whole = show(capsys, path, "--tensors", "all")
    assert "--tensors all" not in whole
    found = show(capsys, path, "--find", "role:optimizer exp_avg_sq", "--tensors", "2")
    assert "tensors    28 of 113 for role:optimizer exp_avg_sq" in found
    assert "… and 26 tensors more" in found


def test_a_query_that_cannot_be_read_is_a_usage_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["show", str(tmp_path), "--find", "size>x"]) == 64
    assert "size needs a value, such as size>16m" in capsys.readouterr().err
