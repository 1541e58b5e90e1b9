"""What a writer really had in memory: digests beside the run directory, written before each save.

Real training is not a function of the step alone; whoever loads compares with these.
"""

from __future__ import annotations

import hashlib
import json
import os
from typing import TYPE_CHECKING, Any

from tests.framework.jobs.base import Outcome

if TYPE_CHECKING:
    from pathlib import Path


def digest(state: Any) -> str:
    """A SHA-256 over a tree of dicts, lists, tensors and plain values; this rank's part only."""
    summary = hashlib.sha256()
    _feed(state, summary)
    return summary.hexdigest()


def _feed(value: Any, summary: Any) -> None:
    import torch

    if isinstance(value, torch.Tensor):
        local = value.to_local() if hasattr(value, "to_local") else value
        plain = local.detach().cpu().contiguous()
        summary.update(f"{plain.dtype}{tuple(plain.shape)}".encode())
        summary.update(memoryview(plain.reshape(-1).view(torch.uint8).numpy()))
    elif isinstance(value, dict):
        for key in sorted(value, key=str):
            summary.update(f"{key}=".encode())
            _feed(value[key], summary)
    elif isinstance(value, list | tuple):
        summary.update(f"[{len(value)}]".encode())
        for item in value:
            _feed(item, summary)
    else:
        summary.update(repr(value).encode())


def _side_file(run: Path, step: int) -> Path:
    """This rank's note of one step: beside the run, so that no reader of the run sees it."""
    rank = os.environ.get("RANK", "0")
    return run.with_name(f"{run.name}.digests") / f"{step}.{rank}.json"


def note(run: Path, step: int, model: Any, optimizer: Any) -> None:
    """Notes what this rank holds and is about to save.

    Args:
        run: The run's directory.
        step: The training step.
        model: Any tree of tensors and plain values.
        optimizer: The same.
    """
    path = _side_file(run, step)
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_suffix(".tmp")
    unfinished.write_text(json.dumps({"model": digest(model), "optimizer": digest(optimizer)}))
    os.replace(unfinished, path)


def compare(run: Path, step: int, wanted_step: int, model: Any, optimizer: Any) -> Outcome:
    """Compares what this rank got back with what it had noted.

    Args:
        run: The run's directory.
        step: The step that came back.
        wanted_step: The step of the checkpoint that was asked for.
        model: As for `note`, after loading.
        optimizer: The same.
    """
    path = _side_file(run, wanted_step)
    noted: dict[str, str] = json.loads(path.read_text()) if path.exists() else {}
    return Outcome(
        model=noted.get("model") == digest(model),
        optimizer=noted.get("optimizer") == digest(optimizer),
        step=step == wanted_step,
    )
