"""Builds the prepared situations."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

from ckpt_tui.demo.scenarios import deepspeed, megatron
from ckpt_tui.demo.scenarios.deepspeed import deepspeed_save
from ckpt_tui.demo.scenarios.hf_trainer import trainer_save
from ckpt_tui.demo.scenarios.live import LiveSave
from ckpt_tui.demo.scenarios.megatron import megatron_save
from ckpt_tui.demo.scenarios.saves import cut, without, write_save
from ckpt_tui.demo.scenarios.stage import Stage
from ckpt_tui.demo.scenarios.torch_dcp import dcp_save

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

_MINUTE, _HOUR, _DAY = 60.0, 3600.0, 86400.0
_INTERVAL_SECONDS = 30 * _MINUTE
_INTERVAL_STEPS = 100
_SAVE_SECONDS = 131.0
_KEPT = 6
_PAUSE_SECONDS = 45.0


def all_good(directory: Path, now: float) -> Stage:
    """Six whole saves of Megatron, half an hour apart."""
    run = directory / "llama-70b"
    _megatron_saves(run, range(11900, 12401, _INTERVAL_STEPS), now - 14 * _MINUTE)
    megatron.point_to(run, 12400, now - 14 * _MINUTE)
    return Stage(run)


def newest_broken(directory: Path, now: float) -> Stage:
    """The newest save of an FSDP loop lost the end of one rank's file."""
    run = directory / "qwen-32b"
    saves = [dcp_save(step) for step in range(6000, 7001, 250)]
    saves[-1] = cut(saves[-1], "__19_0.distcp", 0.62)
    for back, save in enumerate(reversed(saves)):
        write_save(run, save, now - 9 * _MINUTE - back * 40 * _MINUTE, 74.0 + back % 3)
    return Stage(run)


def pointer_dangling(directory: Path, now: float) -> Stage:
    """DeepSpeed's `latest` names a step that is not there."""
    run = directory / "llama-8b-sft"
    last = now - 22 * _MINUTE
    for back, step in enumerate((4000, 3500, 3000, 2500)):
        _deepspeed_save(run, step, 16, 2, last - back * _HOUR)
    deepspeed.point_to(run, "global_step4500", now - 6 * _MINUTE)
    return Stage(run)


def save_in_flight(directory: Path, now: float) -> Stage:
    """A save of Megatron that is half done and grows; others follow it."""
    run = directory / "llama-70b"
    last = now - _INTERVAL_SECONDS
    _megatron_saves(run, range(11900, 12401, _INTERVAL_STEPS), last)
    megatron.point_to(run, 12400, last)
    live = _live(run, 12500, now - 62.0, _SAVE_SECONDS)
    live.write_until(now)
    return Stage(run, live, _next_save)


def save_stalled(directory: Path, now: float) -> Stage:
    """Two ranks of a save write nothing any more; the others will soon be done."""
    run = directory / "llama-70b"
    last = now - _INTERVAL_SECONDS - 4 * _MINUTE
    _megatron_saves(run, range(11900, 12401, _INTERVAL_STEPS), last)
    megatron.point_to(run, 12400, last)
    began = now - 5.2 * _MINUTE
    stopped = {11: (0.41, now - 248.0), 37: (0.38, now - 252.0)}
    live = _live(run, 12500, began, 325.0)._replace(stalled=stopped)
    live.write_until(now)
    return Stage(run, live, _next_save, stall_after_seconds=15 * _MINUTE)


def weights_only(directory: Path, now: float) -> Stage:
    """Somebody switched `save_only_model` on: the newest saves of a Trainer hold weights alone."""
    run = directory / "llama-8b-dpo"
    for back, step in enumerate((3500, 3000, 2500, 2000)):
        save = trainer_save(step, weights_only=step >= 3000)
        write_save(run, save, now - 18 * _MINUTE - back * 55 * _MINUTE, 96.0)
    return Stage(run)


def nothing_resumable(directory: Path, now: float) -> Stage:
    """Three saves of a Trainer with DeepSpeed inside, each broken in its own way."""
    run = directory / "llama-8b-dpo"
    optimizer = "global_step{}/bf16_zero_pp_rank_{}_mp_rank_00_optim_states.pt"
    died = cut(trainer_save(1500), optimizer.format(1500, 6), 0.35)
    died = without(died, optimizer.format(1500, 7), "trainer_state.json", "scheduler.pt", "latest")
    lost = without(trainer_save(1000), optimizer.format(1000, 3))
    short = cut(trainer_save(500), optimizer.format(500, 5), 0.7)
    for back, save in enumerate((died, lost, short)):
        write_save(run, save, now - 31 * _MINUTE - back * 55 * _MINUTE, 96.0)
    return Stage(run)


def world_size_changed(directory: Path, now: float) -> Stage:
    """Sixteen ranks wrote ZeRO partitions; eight are to go on."""
    run = directory / "llama-8b-sft"
    last = now - 35 * _MINUTE
    for back, step in enumerate((4000, 3500, 3000)):
        _deepspeed_save(run, step, 16, 2, last - back * _HOUR)
    deepspeed.point_to(run, "global_step4000", last)
    return Stage(run, world_size=8)


def disk_nearly_full(directory: Path, now: float) -> Stage:
    """All is well, but there is no room for two more saves."""
    run = directory / "qwen-32b"
    last = now - 11 * _MINUTE
    saves = [dcp_save(step) for step in range(6000, 7001, 250)]
    for back, save in enumerate(reversed(saves)):
        write_save(run, save, last - back * 40 * _MINUTE, 74.0 + back % 3)
    return Stage(run, free_bytes=int(1.6 * saves[-1].size_bytes))


def two_runs_mixed(directory: Path, now: float) -> Stage:
    """A second job began from step 0 in the directory of a first one."""
    run = directory / "llama-70b"
    _megatron_saves(run, range(12100, 12401, _INTERVAL_STEPS), now - 2 * _DAY)
    last = now - 8 * _MINUTE
    _megatron_saves(run, range(100, 301, _INTERVAL_STEPS), last)
    megatron.point_to(run, 300, last)
    return Stage(run)


def _megatron_saves(run: Path, steps: Iterable[int], last: float) -> None:
    for back, step in enumerate(reversed(list(steps))):
        ended = last - back * _INTERVAL_SECONDS
        write_save(run, megatron_save(step), ended, _SAVE_SECONDS + (back * 3) % 7)


def _deepspeed_save(run: Path, step: int, ranks: int, stage: int, at: float) -> None:
    write_save(run, deepspeed_save(step, ranks, stage), at, 58.0)


def _live(run: Path, step: int, began: float, seconds: float) -> LiveSave:
    def committed(at: float) -> None:
        megatron.point_to(run, step, at)

    return LiveSave(run, megatron_save(step), began, seconds, {}, committed)


def _next_save(over: LiveSave) -> LiveSave:
    """The next save of the job, a little later; the oldest is removed, as a job that keeps few."""
    ended = over.began + over.seconds
    kept = sorted(path for path in over.run.iterdir() if path.is_dir())
    for path in kept[:-_KEPT]:
        shutil.rmtree(path)
    step = over.save.step + _INTERVAL_STEPS
    return _live(over.run, step, ended + _PAUSE_SECONDS, _SAVE_SECONDS)
