"""`compare` on the command line, on checkpoints that real frameworks wrote."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.cli.process import ckpt_tui

if TYPE_CHECKING:
    from pathlib import Path


def test_two_that_hold_the_same(corpus: Path) -> None:
    run = corpus / "torch" / "megatron_torch_dist_tp2"
    ended = ckpt_tui("compare", run / "iter_0000020", run / "iter_0000030", "--settle", "0")
    assert (ended.code, ended.err) == (0, "")
    assert "the second is 10 steps and" in ended.out
    assert "  = both are exact" in ended.out
    assert "  = 51 tensors of one shape and type (68.8 KiB)" in ended.out


def test_two_that_do_not(corpus: Path) -> None:
    first = corpus / "torch" / "deepspeed_zero1_ws2" / "global_step10"
    second = corpus / "torch" / "plain_numbered" / "ckpt_000300.pt"
    ended = ckpt_tui("compare", first, second, "--json", "--settle", "0")
    assert ended.code == 1
    document = ended.json()
    assert document["schema"] == "ckpt-tui/compare/1"
    assert not document["alike"]
    assert document["steps_apart"] == 290
    formats = [document[which]["format"] for which in ("first", "second")]
    assert formats == ["deepspeed", "torch-file"]
    assert {each["rank"] for each in document["shards"]["differ"]} == {0, 1}
    assert document["tensors"]["removed"]
    text = ckpt_tui("compare", first, second, "--settle", "0")
    assert text.code == 1
    assert "  ~ format        deepspeed → torch-file" in text.out
    assert "tensors only in the second" in text.out


def test_one_that_is_no_checkpoint(corpus: Path, tmp_path: Path) -> None:
    good = corpus / "torch" / "plain_numbered" / "ckpt_000300.pt"
    run = ckpt_tui("compare", good, corpus / "torch" / "plain_numbered")
    assert (run.code, run.out) == (4, "")
    assert "is no checkpoint (ckpt-tui check names those below it)" in run.err
    missing = ckpt_tui("compare", good, tmp_path / "gone")
    assert (missing.code, missing.out) == (3, "")
    assert ckpt_tui("compare", good).code == 64
