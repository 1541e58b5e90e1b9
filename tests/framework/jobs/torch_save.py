"""Loops that call `torch.save` themselves, in the ways that loops do."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from tests.framework.jobs.base import Configuration, Outcome

if TYPE_CHECKING:
    from pathlib import Path

BALLAST_BYTES = 6_000_000


def _configuration(name: str, **options: Any) -> Configuration:
    return Configuration(name, 1, options)


class TorchSaveJob:
    """One process; `torch.load` of the file, or of every file of a directory."""

    name = "torch-save"
    format = "torch-file"
    configurations = (
        _configuration("numbered"),
        _configuration("numbered-keep2", keep=2),
        _configuration("overwritten", overwrite=True),
        _configuration("renamed-linked", rename=True),
        _configuration("split-per-role", split=True),
        _configuration("legacy", legacy=True),
        _configuration("keys-of-loops", synonyms=True),
    )

    def train(self, directory: Path, configuration: Configuration, saves: int) -> None:
        """Saves states that are functions of the step."""
        options = configuration.options
        directory.mkdir(parents=True, exist_ok=True)
        for step in range(10, 10 * saves + 10, 10):
            state = _state(step)
            if options.get("split"):
                _save_split(directory / f"step_{step}", state)
                continue
            path = directory / ("ckpt.pt" if options.get("overwrite") else f"ckpt_{step:06d}.pt")
            _save(path, _renamed_keys(state) if options.get("synonyms") else state, options)
            if keep := options.get("keep"):
                (directory / f"ckpt_{step - 10 * keep:06d}.pt").unlink(missing_ok=True)

    def checkpoints(self, directory: Path, configuration: Configuration) -> list[Path]:
        """Files or directories under their final names."""
        if configuration.options.get("split"):
            return sorted(directory.glob("step_*"), key=lambda path: int(path.name[5:]))
        return sorted(directory.glob("ckpt*.pt"))

    def load(self, checkpoint: Path, configuration: Configuration) -> Outcome:
        """As such loops do: everything they saved must be there."""
        import torch

        if configuration.options.get("split"):
            parts = [torch.load(checkpoint / f"{part}.pt") for part in ("model", "optimizer")]
            progress = torch.load(checkpoint / "trainer_state.pt")
            loaded = {"model": parts[0], "optimizer": parts[1], **progress}
        else:
            loaded = torch.load(checkpoint)
        if configuration.options.get("synonyms"):
            loaded = {ours: loaded[theirs] for ours, theirs in SYNONYMS.items()}
        return _compared(loaded)


SYNONYMS = {"model": "net", "optimizer": "opt", "scheduler": "sched", "step": "iter_num"}


def _renamed_keys(state: dict[str, Any]) -> dict[str, Any]:
    return {theirs: state[ours] for ours, theirs in SYNONYMS.items()}


def _state(step: int) -> dict[str, Any]:
    """All roles of a tiny job; its model is big enough for a kill to land inside a save."""
    import torch

    from tests.framework.states import training_state

    state = training_state(step)
    chance = torch.Generator().manual_seed(step)
    state["model"]["ballast"] = torch.rand(BALLAST_BYTES // 4, generator=chance)
    return state


def _compared(loaded: dict[str, Any]) -> Outcome:
    from tests.framework.states import same

    step = loaded["step"]
    wanted = _state(step) if isinstance(step, int) and step else {}
    return Outcome(
        model=same(loaded["model"], wanted.get("model")),
        optimizer=same(loaded["optimizer"], wanted.get("optimizer")),
        step=bool(wanted),
    )


def _save(path: Path, state: dict[str, Any], options: dict[str, Any]) -> None:
    import torch

    if not options.get("rename"):
        torch.save(state, path, _use_new_zipfile_serialization=not options.get("legacy"))
        return
    unfinished = path.with_name(f"{path.name}.tmp")
    torch.save(state, unfinished)
    os.replace(unfinished, path)
    link = path.with_name("latest.pt")
    link.unlink(missing_ok=True)
    link.symlink_to(path.name)


def _save_split(directory: Path, state: dict[str, Any]) -> None:
    import torch

    directory.mkdir()
    torch.save(state["model"], directory / "model.pt")
    torch.save(state["optimizer"], directory / "optimizer.pt")
    rest = {key: state[key] for key in ("step", "scheduler", "rng")}
    torch.save(rest, directory / "trainer_state.pt")


JOB = TorchSaveJob()
