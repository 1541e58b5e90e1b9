"""What is said where nothing was found."""

from __future__ import annotations

import os
import shutil
from itertools import count
from typing import TYPE_CHECKING

import pytest

from ckpt_tui.formats import near_misses
from ckpt_tui.formats.holding import holds_checkpoint
from ckpt_tui.formats.near_miss_texts import searched_text, sentence
from ckpt_tui.formats.near_misses import (
    Miss,
    Nearby,
    NearMiss,
    look_nearby,
    one_of_a_run,
)
from tests.formats.dcp_builder import write_dcp
from tests.formats.torch_builder import Shape

if TYPE_CHECKING:
    from pathlib import Path

STATE = {"model.weight": Shape((4, 2)), "progress.step": 10}


@pytest.fixture
def tmp_path(tmp_path: Path) -> Path:
    """A directory beside which no other test has left a run."""
    place = tmp_path / "alone" / "here"
    place.mkdir(parents=True)
    return place


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A run with one checkpoint."""
    write_dcp(tmp_path / "gpt-7b" / "step-10", STATE)
    return tmp_path / "gpt-7b"


def misses(path: Path) -> list[tuple[Miss, str]]:
    return [(miss.kind, miss.instead) for miss in look_nearby(str(path)).misses]


@pytest.mark.parametrize("typed", ["gtp-7b", "GPT-7B", "gpt-7", "gpt"])
def test_a_name_that_is_nearly_right(run: Path, typed: str) -> None:
    assert misses(run.parent / typed)[0] == (Miss.SIMILAR_NAME, str(run))


def test_a_wrong_name_in_the_middle_of_a_path_keeps_what_follows(run: Path) -> None:
    found = misses(run.parent / "gpt-7" / "step-10")
    assert found == [(Miss.SIMILAR_NAME, str(run / "step-10"))]


def test_nothing_similar_is_nothing(run: Path) -> None:
    assert misses(run.parent / "zzzzzzzz") == []


def test_one_checkpoint_of_a_run(run: Path) -> None:
    found = one_of_a_run(str(run / "step-10"))
    assert found == NearMiss(Miss.ONE_CHECKPOINT, str(run / "step-10"), str(run))
    assert one_of_a_run(str(run)) is None


def test_a_file_of_a_checkpoint(run: Path) -> None:
    assert misses(run / "step-10" / "__0_0.distcp") == [(Miss.INSIDE_CHECKPOINT, str(run))]


def test_a_file_beside_checkpoints_and_one_that_is_alone(run: Path, tmp_path: Path) -> None:
    (run / "latest").write_text("step-10")
    assert misses(run / "latest") == [(Miss.FILE_BESIDE, str(run))]
    (tmp_path / "alone").mkdir()
    (tmp_path / "alone" / "train.log").write_text("…")
    assert misses(tmp_path / "alone" / "train.log") == [(Miss.FILE_ALONE, "")]


def test_a_directory_of_the_run_that_holds_none(run: Path) -> None:
    (run / "logs").mkdir()
    assert misses(run / "logs") == [(Miss.BESIDE, str(run))]


def test_a_training_repository_with_empty_outputs(tmp_path: Path) -> None:
    (tmp_path / "repo" / "outputs" / "2026-01-01").mkdir(parents=True)
    nearby = look_nearby(str(tmp_path / "repo"))
    assert [miss.kind for miss in nearby.misses] == [Miss.USUAL_PLACE]
    assert nearby.directories == 3
    assert nearby.whole


def test_links_out_and_hidden_directories_with_checkpoints(run: Path, tmp_path: Path) -> None:
    place = tmp_path / "project"
    place.mkdir()
    (place / "ckpt").symlink_to(run)
    (place / "inner").symlink_to(place)
    shutil.copytree(run, place / ".kept")
    assert set(misses(place)) == {(Miss.LINK, str(run)), (Miss.HIDDEN, str(place / ".kept"))}


def test_checkpoints_that_lie_too_deep(tmp_path: Path) -> None:
    deep = tmp_path.joinpath(*"abcdefgh")
    write_dcp(deep / "step-10", STATE)
    assert misses(tmp_path) == [(Miss.DEEPER, str(tmp_path.joinpath(*"abcdef")))]


def test_weights_without_a_job(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    real = request.config.rootpath / "sample_runs" / "hf-trainer" / "single"
    (tmp_path / "model").mkdir()
    for name in ("model.safetensors", "config.json"):
        shutil.copy(real / name, tmp_path / "model" / name)
    found = look_nearby(str(tmp_path)).misses
    assert found == (NearMiss(Miss.EXPORT, str(tmp_path / "model")),)
    assert one_of_a_run(str(tmp_path / "model")) is None


def test_it_comes_to_an_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(near_misses, "MOST_DIRECTORIES", 3)
    for number in range(8):
        (tmp_path / str(number)).mkdir()
    nearby = look_nearby(str(tmp_path))
    assert (nearby.directories, nearby.whole) == (3, False)
    assert "more than 3 directories" in searched_text(nearby)
    assert not look_nearby(str(tmp_path), seconds=-1.0).whole


def test_of_very_many_names_those_of_like_length_are_compared(
    run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(near_misses, "MOST_NAMES", 3)
    for number in range(20):
        (run.parent / f"an-other-and-longer-name-{number}").mkdir()
    assert misses(run.parent / "gtp-7b") == [(Miss.SIMILAR_NAME, str(run))]
    assert look_nearby(str(run.parent / "gtp-7b"), seconds=-1.0).misses == ()


def test_links_are_followed_no_longer_than_there_is_time(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "project"
    place.mkdir()
    for number in range(50):
        (place / f"link-{number}").symlink_to(run)
    assert look_nearby(str(place), seconds=60.0).whole
    ticks = count()
    monkeypatch.setattr(near_misses, "monotonic", lambda: float(next(ticks)))
    assert not look_nearby(str(place), seconds=20.0).whole


def test_whether_a_directory_holds_one(run: Path, tmp_path: Path) -> None:
    (tmp_path / "none").mkdir()
    assert holds_checkpoint(str(tmp_path), 5.0) is True
    assert holds_checkpoint(str(tmp_path / "none"), 5.0) is False
    assert holds_checkpoint(str(tmp_path), -1.0) is None


def test_every_miss_has_a_sentence_with_its_paths() -> None:
    for kind in Miss:
        text = sentence(NearMiss(kind, "/given", "/instead"))
        assert "/given" in text or "/instead" in text
    assert "one directory" in searched_text(Nearby("/a", 1))


def test_hostile_names_do_no_harm(tmp_path: Path) -> None:
    os.mkdir(os.fsencode(tmp_path) + b"/run-\xff{x}\n")
    found = look_nearby(str(tmp_path / "run-x"))
    assert all(sentence(miss) for miss in found.misses)
