"""Files of several saves in one checkpoint: told by counters, weighed by times."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ckpt_tui.core.facts import RoleFacts
from ckpt_tui.core.files import FileEntry, Kind
from ckpt_tui.core.vocabulary import Effect, Severity
from ckpt_tui.formats.accelerate.reader import AccelerateReader
from ckpt_tui.formats.deepspeed.reader import DeepSpeedReader
from ckpt_tui.formats.hf_trainer.reader import HfTrainerReader
from ckpt_tui.formats.hf_trainer.saves_apart import files_apart
from ckpt_tui.formats.hf_trainer.trainer_state import TrainerState
from ckpt_tui.formats.megatron_dist.reader import MegatronDistReader
from ckpt_tui.formats.shared.archive_counts import Counts, counts_of
from ckpt_tui.formats.shared.archive_step import whole_number
from ckpt_tui.formats.shared.saves_apart import (
    left_of_earlier_save,
    stands_apart,
    written_after_commit,
)
from ckpt_tui.formats.shared.state_file import StatePart
from ckpt_tui.formats.torch_dcp.reader import TorchDcpReader
from ckpt_tui.formats.torch_file.reader import TorchFileReader
from tests.formats.dcp_builder import write_dcp
from tests.formats.helpers import codes, copy_of, judged
from tests.formats.torch_builder import Shape, write_torch

if TYPE_CHECKING:
    from pathlib import Path

    from ckpt_tui.core.checkpoint import Checkpoint
    from ckpt_tui.formats.base import Reader

TITAN = "torch/dcp_titan_ws4/checkpoint/step-{}"
NESTED = "torch/dcp_nested_ws4/step_{:06}"
TRAINER = "torch/hf_trainer_single/checkpoint-{}"
ACCELERATE = "torch/accelerate_plain/checkpoints/checkpoint_{}"
VERL = "torch/verl_like_ws2/global_step_{}"
MEGATRON = "torch/megatron_torch_dist_tp2/iter_{:07}"
DEEPSPEED = "torch/deepspeed_zero1_ws2/global_step{}"
SECOND_NS = 1_000_000_000

# Reader, run, the file's save, the damaged save, the file.
MIXED = [
    *((TorchDcpReader(), TITAN, 10, 30, f"__{rank}_0.distcp") for rank in range(4)),
    (TorchDcpReader(), TITAN, 30, 10, "__2_0.distcp"),
    (TorchDcpReader(), NESTED, 5, 10, "__2_0.distcp"),
    (HfTrainerReader(), TRAINER, 10, 30, "optimizer.pt"),
    (HfTrainerReader(), TRAINER, 10, 30, "scheduler.pt"),
    (HfTrainerReader(), TRAINER, 10, 30, "trainer_state.json"),
    (HfTrainerReader(), TRAINER, 30, 10, "optimizer.pt"),
    (AccelerateReader(), ACCELERATE, 0, 1, "optimizer.bin"),
    (AccelerateReader(), ACCELERATE, 2, 1, "optimizer.bin"),
    (AccelerateReader(), ACCELERATE, 0, 1, "scheduler.bin"),
    (TorchFileReader(), VERL, 10, 20, "actor/optim_world_size_2_rank_1.pt"),
    (TorchFileReader(), VERL, 10, 20, "actor/extra_state_world_size_2_rank_0.pt"),
    (MegatronDistReader(), MEGATRON, 10, 30, "common.pt"),
    (DeepSpeedReader(), DEEPSPEED, 5, 15, "mp_rank_00_model_states.pt"),
    (
        DeepSpeedReader(),
        DEEPSPEED,
        5,
        15,
        "bf16_zero_pp_rank_1_mp_rank_00_optim_states.pt",
    ),
]


def mixed(corpus: Path, target: Path, pattern: str, steps: tuple[int, int], name: str) -> Path:
    """A copy of the second step's checkpoint with a file of the first one's."""
    foreign, own = (corpus / pattern.format(step) for step in steps)
    checkpoint = copy_of(own, target / own.name)
    shutil.copy2(foreign / name, checkpoint / name)
    return checkpoint


def only(checkpoint: Checkpoint, code: str) -> str:
    """The message of the one finding of that code."""
    (found,) = [finding for finding in checkpoint.findings if finding.code == code]
    return found.message


@pytest.mark.parametrize(("reader", "pattern", "foreign", "own", "name"), MIXED)
def test_a_file_of_another_save_makes_it_incomplete(
    reader: Reader, pattern: str, foreign: int, own: int, name: str, corpus: Path, tmp_path: Path
) -> None:
    checkpoint = judged(reader, mixed(corpus, tmp_path, pattern, (foreign, own), name))
    assert (checkpoint.verdict, checkpoint.resumable) == ("incomplete", False)
    assert name in only(checkpoint, "mixed-saves")


def test_the_finding_names_files_and_steps(corpus: Path, tmp_path: Path) -> None:
    checkpoint = judged(TorchDcpReader(), mixed(corpus, tmp_path, TITAN, (10, 30), "__2_0.distcp"))
    message = only(checkpoint, "mixed-saves")
    assert "10 in __2_0.distcp" in message
    assert "30 in __0_0.distcp" in message


def test_where_files_contradict_the_name_says_the_step(corpus: Path, tmp_path: Path) -> None:
    path = mixed(corpus, tmp_path, TITAN, (10, 30), "__3_0.distcp")
    checkpoint = judged(TorchDcpReader(), path)
    assert checkpoint.step == 30
    assert "step-mismatch" not in codes(checkpoint)


def test_a_stale_file_that_holds_several_counters_needs_no_times(
    corpus: Path, tmp_path: Path
) -> None:
    path = mixed(corpus, tmp_path, TITAN, (10, 30), "__2_0.distcp")
    for file in path.iterdir():
        os.utime(file, (1000, 1000))
    assert judged(TorchDcpReader(), path).verdict == "incomplete"


def test_one_lagging_counter_alone_is_a_remark(corpus: Path, tmp_path: Path) -> None:
    path = mixed(corpus, tmp_path, TITAN, (10, 30), "__0_0.distcp")
    for file in path.iterdir():
        os.utime(file, (1000, 1000))
    checkpoint = judged(TorchDcpReader(), path)
    assert checkpoint.resumable
    assert "10 in __0_0.distcp" in only(checkpoint, "step-mismatch")


@pytest.mark.parametrize(
    "steps",
    [
        {"w0.a": 30, "w0.b": 10, "w1.a": 30, "w1.b": 30},  # one lags within a file
        {"w0.a": 30, "w1.a": 10, "w2.a": 20, "w3.a": 30},  # several by several steps
        {"w0.a": 10, "w0.b": 10},  # all of one file
    ],
)
def test_parameters_that_were_frozen_for_a_time_are_no_fault(
    steps: dict[str, int], tmp_path: Path
) -> None:
    state = {f"optimizer.state.{name}.step": step for name, step in steps.items()}
    path = write_dcp(
        tmp_path / "step-30",
        {"model.w": Shape((4,)), "optimizer.state.w.exp_avg": Shape((4,)), **state},
        lambda key: int(key[17]) if key.endswith(".step") else 0,
    )
    for file in path.iterdir():
        os.utime(file, (1000, 1000))
    assert not {"mixed-saves", "step-mismatch"} & codes(judged(TorchDcpReader(), path))


def test_a_renamed_megatron_checkpoint_is_no_mix(corpus: Path, tmp_path: Path) -> None:
    path = copy_of(corpus / MEGATRON.format(10), tmp_path / "iter_0000030")
    os.utime(path / "common.pt", ns=(0, (path / ".metadata").stat().st_mtime_ns))
    checkpoint = judged(MegatronDistReader(), path)
    assert checkpoint.resumable
    assert "step-mismatch" in codes(checkpoint)


def test_accelerate_may_step_a_scheduler_at_another_pace(corpus: Path, tmp_path: Path) -> None:
    path = mixed(corpus, tmp_path, ACCELERATE, (0, 1), "optimizer.bin")
    for file in path.iterdir():
        os.utime(file, (1000, 1000))
    checkpoint = judged(AccelerateReader(), path)
    assert checkpoint.resumable
    assert "8 in optimizer.bin, 16 in scheduler.bin" in only(checkpoint, "step-mismatch")


def trainer_codes(counts: Counts, epoch: float = 0.5, processes: int = 1) -> set[str]:
    """Codes for a Trainer at step 1000."""
    found = files_apart(
        TrainerState(True, True, 1000, epoch=epoch),
        part("optimizer.pt", Counts(optimizer=counts.optimizer)),
        part("scheduler.pt", Counts(scheduler=counts.scheduler)),
        processes,
    )
    return {finding.code for finding in found}


def part(name: str, counts: Counts) -> StatePart:
    """A state file with counters."""
    return StatePart(RoleFacts(name, 1, 1, "", paths=(name,)), (), {}, counts=counts)


@pytest.mark.parametrize(
    "counts",
    [
        Counts(1000, 1000),
        Counts(990, 990),  # overflow skipped some
        Counts(None, 500),  # the scheduler alone proves nothing
        Counts(None, None),
        Counts(1000, None),
    ],
)
def test_counters_of_one_save(counts: Counts) -> None:
    assert not trainer_codes(counts)


def test_a_scheduler_of_another_pace_is_no_fault() -> None:
    assert not trainer_codes(Counts(1000, 3), epoch=2.9)
    assert not trainer_codes(Counts(1000, 4000), processes=4)
    assert trainer_codes(Counts(500, 4000), processes=4) == {"mixed-saves"}


@pytest.mark.parametrize("counts", [Counts(500, 500), Counts(500, None), Counts(950, 1000)])
def test_counters_that_may_have_been_set_back(counts: Counts) -> None:
    assert trainer_codes(counts) == {"step-mismatch"}


@pytest.mark.parametrize(
    "counts", [Counts(500, 1000), Counts(1000, 500), Counts(1500, 1500), Counts(1500, None)]
)
def test_counters_of_several_saves(counts: Counts) -> None:
    assert trainer_codes(counts) == {"mixed-saves"}


@given(st.integers(1, 64))
def test_a_scheduler_stepped_once_for_each_process(processes: int) -> None:
    assert not trainer_codes(Counts(1000, 1000 * processes), processes=processes)
    assert not trainer_codes(Counts(1000, 1000), processes=processes)


def entry(name: str, second: float, size_bytes: int = 1000) -> FileEntry:
    return FileEntry(name, Kind.FILE, size_bytes, int(second * SECOND_NS), size_bytes, 0)


def test_one_file_that_is_far_older_is_a_remark() -> None:
    rest = [entry(f"r{n}", 1000 + n / 10) for n in range(1, 4)]
    (found,) = left_of_earlier_save([*rest, entry("r0", 900)])
    assert (found.code, found.severity, found.effect) == (
        "mixed-saves",
        Severity.WARNING,
        Effect.NONE,
    )
    assert found.path == "r0"


@pytest.mark.parametrize(
    "oldest",
    [
        entry("r0", 950),  # less than a minute
        entry("r0", 900, 100),  # a small one ends early
    ],
)
def test_a_file_that_may_have_ended_early_is_none(oldest: FileEntry) -> None:
    assert not left_of_earlier_save([oldest, *(entry(f"r{n}", 1000 + n) for n in range(1, 4))])


def test_a_slow_save_has_no_file_that_stands_out() -> None:
    assert not left_of_earlier_save([entry(f"r{n}", 1000 + 100 * n) for n in range(4)])


def test_an_old_shard_without_a_counter_is_told_and_stays_resumable(
    corpus: Path, tmp_path: Path
) -> None:
    path = copy_of(corpus / NESTED.format(10), tmp_path / "step_000010")
    written = (path / "__0_0.distcp").stat().st_mtime_ns - 3600 * SECOND_NS
    os.utime(path / "__0_0.distcp", ns=(written, written))
    checkpoint = judged(TorchDcpReader(), path)
    assert checkpoint.verdict == "exact"
    assert "__0_0.distcp was written" in only(checkpoint, "mixed-saves")


@given(st.lists(st.integers(0, 10**6), min_size=2), st.data())
def test_no_time_within_the_others_stands_apart(times: list[int], data: st.DataObject) -> None:
    inside = data.draw(st.integers(min(times), max(times)))
    assert not stands_apart(entry("a", inside), [entry("b", second) for second in times])


def test_counts_take_the_highest_of_all_parameters() -> None:
    state = {"state": {n: {"step": 5 if n < 900 else 8} for n in range(1000)}, "param_groups": [{}]}
    assert counts_of(state, whole_number) == Counts(optimizer=8)
    fused = {"state": {}, "param_groups": [{"step": 7}]}
    assert counts_of(fused, whole_number) == Counts(optimizer=7)
    assert counts_of({"lr_scheduler": {"last_epoch": 4}}, whole_number) == Counts(scheduler=4)
    assert counts_of({"last_epoch": 4, "num_bad_epochs": 0}, whole_number) == Counts()
    assert counts_of({"model": 1}, whole_number) == Counts()


def test_ranks_of_one_save_agree(tmp_path: Path) -> None:
    for rank, step in enumerate((6, 6, 3)):
        group = {"step": step, "lr": 0.1}
        write_torch(
            tmp_path / "global_step_20" / "actor" / f"optim_world_size_3_rank_{rank}.pt",
            {"state": {0: {"exp_avg": Shape((2,))}}, "param_groups": [group]},
        )
    checkpoint = judged(TorchFileReader(), tmp_path / "global_step_20")
    assert "3 in actor/optim_world_size_3_rank_2.pt" in only(checkpoint, "mixed-saves")


MARKER = entry(".metadata", 1001)


def test_a_file_far_younger_than_the_commit_is_a_remark() -> None:
    (found,) = written_after_commit([entry("r0", 1000), entry("r1", 1300)], MARKER)
    assert (found.code, found.severity, found.effect) == (
        "mixed-saves",
        Severity.WARNING,
        Effect.NONE,
    )
    assert found.path == "r1"
    assert "written 4m 59s after .metadata" in found.message


@pytest.mark.parametrize(
    "seconds",
    [
        (1000.0, 1000.9),  # as it should be
        (1000.0, 1030.0),  # clocks of two file servers
        (1300.0, 1400.0),  # all of them: a copy in the order of names
        (400.0, 1300.0),  # a slow save, or a copy: nothing stands out
    ],
)
def test_times_that_need_no_remark(seconds: tuple[float, float]) -> None:
    entries = [entry(f"r{n}", second) for n, second in enumerate(seconds)]
    assert not written_after_commit(entries, MARKER)


def test_a_younger_shard_of_the_same_size_is_told_and_stays_resumable(
    corpus: Path, tmp_path: Path
) -> None:
    path = copy_of(corpus / NESTED.format(10), tmp_path / "step_000010")
    written = (path / ".metadata").stat().st_mtime_ns + 3600 * SECOND_NS
    os.utime(path / "__1_0.distcp", ns=(written, written))
    checkpoint = judged(TorchDcpReader(), path)
    assert checkpoint.verdict == "exact"
    assert "a save over this checkpoint may have been cut" in only(checkpoint, "mixed-saves")
