"""What a search takes for checkpoints: links, stray things in a run's root, siblings."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ckpt_tui.artifacts.limits import Limits
from ckpt_tui.core.vocabulary import Effect
from ckpt_tui.formats.discovery import discover
from ckpt_tui.formats.reading import read_checkpoint
from ckpt_tui.fs.listing import list_tree
from tests.store.runs import write_checkpoint

if TYPE_CHECKING:
    from ckpt_tui.formats.base import Claim


def claims(root: Path) -> dict[str, Claim]:
    """Relative path → claim."""
    return {os.path.relpath(claim.path, root): claim for claim in discover(str(root)).claims}


def whole(root: Path, reader: str) -> list[str]:
    """Paths that are claimed as checkpoints of a format, exports left out."""
    return sorted(p for p, c in claims(root).items() if c.reader == reader and not c.export)


def copy(corpus: Path, name: str, target: Path) -> Path:
    return Path(shutil.copytree(corpus / name, target / "run", symlinks=True))


# -- links -----------------------------------------------------------------------------------------


def test_a_link_out_of_the_root_is_an_attempt_that_nobody_followed(tmp_path: Path) -> None:
    run = tmp_path / "root/run"
    write_checkpoint(run, 10)
    far = write_checkpoint(tmp_path / "far", 20)
    (run / "step-20").symlink_to(far)
    claim = claims(run)["step-20"]
    assert claim.reader == "manifest"
    facts = read_checkpoint(claim, list_tree(claim.path, boundary=str(run)), Limits())
    (finding,) = facts.findings
    assert (finding.code, finding.effect) == ("outside-path", Effect.UNKNOWN)
    assert str(far) in finding.message
    assert str(far) in finding.remedy
    assert facts.step == 20
    assert not facts.files


def test_a_dangling_link_named_like_its_siblings_is_an_attempt(tmp_path: Path) -> None:
    write_checkpoint(tmp_path, 10)
    (tmp_path / "step-20").symlink_to("gone/step-20")
    claim = claims(tmp_path)["step-20"]
    facts = read_checkpoint(claim, list_tree(claim.path, boundary=str(tmp_path)), Limits())
    assert [f.code for f in facts.findings] == ["outside-path"]


@pytest.mark.parametrize("name", ["latest", "best", "step-20"])
def test_a_link_to_a_sibling_is_a_pointer(tmp_path: Path, name: str) -> None:
    write_checkpoint(tmp_path, 10)
    (tmp_path / name).symlink_to("step-10")
    assert sorted(claims(tmp_path)) == ["step-10"]


def test_a_link_without_the_shape_of_a_step_is_no_attempt(tmp_path: Path) -> None:
    write_checkpoint(tmp_path / "root", 10)
    (tmp_path / "root/data").symlink_to(write_checkpoint(tmp_path / "far", 20))
    assert sorted(claims(tmp_path / "root")) == ["step-10"]


def test_a_link_to_its_own_ancestor_is_not_listed(tmp_path: Path) -> None:
    write_checkpoint(tmp_path / "run", 10)
    (tmp_path / "run/step-20").symlink_to("..")
    tree = list_tree(str(tmp_path / "run/step-20"), boundary=str(tmp_path))
    assert tree.link_target == ".."
    assert not tree.entries


def test_a_link_to_a_hidden_store_inside_the_root_is_read(tmp_path: Path) -> None:
    write_checkpoint(tmp_path, 10)
    write_checkpoint(tmp_path / ".store", 20)
    (tmp_path / "step-20").symlink_to(".store/step-20")
    claim = claims(tmp_path)["step-20"]
    facts = read_checkpoint(claim, list_tree(claim.path, boundary=str(tmp_path)), Limits())
    assert facts.commit.met
    assert not facts.findings


# -- siblings --------------------------------------------------------------------------------------


def test_a_dead_save_of_another_format_changes_nothing_beside_it(
    tmp_path: Path, corpus: Path
) -> None:
    run = tmp_path / "run"
    for step in (10, 20):
        (run / f"step-{step}").mkdir(parents=True)
        source = corpus / "torch/plain_numbered/ckpt_000300.pt"
        shutil.copy2(source, run / f"step-{step}/checkpoint.pt")
    (run / "step-30").mkdir()
    (run / "step-30/__0_0.distcp").write_bytes(b"")
    assert whole(run, "torch-file") == ["step-10", "step-20"]
    assert whole(run, "torch-dcp") == ["step-30"]


def test_a_save_cut_early_is_what_its_siblings_are(tmp_path: Path) -> None:
    for step in (10, 20, 30):
        (write_checkpoint(tmp_path, step) / "extra.pt").write_bytes(b"x")
    (tmp_path / "step-30/manifest.json").unlink()
    assert whole(tmp_path, "manifest") == ["step-10", "step-20", "step-30"]
    (tmp_path / "step-30/other.pt").write_bytes(b"x")
    assert whole(tmp_path, "torch-file") == ["step-30"]


def test_an_empty_directory_is_named_by_what_most_of_its_siblings_are(tmp_path: Path) -> None:
    for step in (10, 20):
        write_checkpoint(tmp_path, step)
    (tmp_path / "step-30").mkdir()
    (tmp_path / "step-30/__0_0.distcp").write_bytes(b"")
    (tmp_path / "step-40").mkdir()
    assert claims(tmp_path)["step-40"].reader == "manifest"


# -- stray things in a run's root ------------------------------------------------------------------


def stray_directory(run: Path) -> None:
    (run / "optimizer_logs").mkdir()


def stray_optimizer(run: Path) -> None:
    (run / "optimizer.pt").write_bytes(b"x")


def stray_deepspeed(run: Path) -> None:
    (run / "global_step30").mkdir()
    (run / "latest").write_text("global_step30")


def stray_metadata(run: Path) -> None:
    (run / ".metadata").write_bytes(b"")


def stray_states(run: Path) -> None:
    (run / "mp_rank_00_model_states.pt").write_bytes(b"")


@pytest.mark.parametrize(
    ("name", "stray", "reader", "expected"),
    [
        ("hf_trainer_single", stray_directory, "hf-trainer", (10, 20, 30)),
        ("hf_trainer_single", stray_optimizer, "hf-trainer", (10, 20, 30)),
        ("hf_trainer_single", stray_deepspeed, "hf-trainer", (10, 20, 30)),
        ("dcp_titan_ws4/checkpoint", stray_metadata, "torch-dcp", (10, 20, 30)),
        ("deepspeed_zero1_ws2", stray_states, "deepspeed", (10, 15, 5)),
    ],
)
def test_something_stray_in_a_runs_root_hides_no_checkpoint(
    tmp_path: Path, corpus: Path, name: str, stray: object, reader: str, expected: tuple[int, ...]
) -> None:
    run = copy(corpus, f"torch/{name}", tmp_path)
    before = whole(run, reader)
    assert len(before) == len(expected)
    assert callable(stray)
    stray(run)
    assert whole(run, reader) == before
    assert claims(run)["."].export


@pytest.mark.parametrize(
    ("name", "reader"),
    [("verl_like_ws2", "torch-file"), ("hf_trainer_sharded", "hf-trainer")],
)
def test_parts_inside_a_checkpoint_are_no_checkpoints(corpus: Path, name: str, reader: str) -> None:
    found = whole(corpus / "torch" / name, reader)
    assert found
    assert all(os.sep not in path for path in found)


def test_a_numbered_step_is_never_a_run(tmp_path: Path) -> None:
    step = write_checkpoint(tmp_path, 20)
    write_checkpoint(step, 20)
    assert sorted(claims(tmp_path)) == ["step-20"]


def test_what_lies_in_an_attempt_that_its_siblings_tell_of_is_a_part_of_it(tmp_path: Path) -> None:
    samples = Path(__file__).parents[2] / "sample_runs"
    shutil.copytree(samples / "lightning/sharded_killed", tmp_path, dirs_exist_ok=True)
    outer = tmp_path / "epoch=0-step=4.ckpt"
    shutil.copytree(samples / "megatron-dist/tp2/iter_0000010", outer / "iter_0000010")
    found = sorted(claim.path for claim in discover(str(tmp_path)).claims)
    assert found == [str(outer), str(tmp_path / "epoch=1-step=8.ckpt")]
