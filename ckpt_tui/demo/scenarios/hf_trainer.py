"""A job of the Hugging Face Trainer: an 8B Llama with DeepSpeed ZeRO-3 inside."""

from __future__ import annotations

import json
import math
import struct
from typing import TYPE_CHECKING

from ckpt_tui.demo.scenarios.deepspeed import LATEST, SHAPES, step_files
from ckpt_tui.demo.scenarios.saves import Save
from ckpt_tui.demo.torch_like import sparse_torch_file
from ckpt_tui.demo.torch_values import Hole, Tensor

if TYPE_CHECKING:
    from ckpt_tui.demo.torch_values import Piece, Tree

WORLD_SIZE = 8

_STAGE = 3
_WEIGHT_FILES = 4
_CPU_RANDOM_BYTES = 5056
_SAVE_STEPS = 500
_CONFIG = {"architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_size": 4096}


def trainer_save(step: int, *, weights_only: bool = False) -> Save:
    """One save; `trainer_state.json` is written last.

    Args:
        step: The training step.
        weights_only: As with `save_only_model=True`: neither optimizer nor random state.
    """
    first: dict[str, list[Piece]] = {"config.json": [json.dumps(_CONFIG, indent=2).encode()]}
    data = _weights()
    last: dict[str, list[Piece]] = {}
    if not weights_only:
        tag = f"global_step{step}"
        files = step_files(step, WORLD_SIZE, _STAGE)
        data |= {f"{tag}/{name}": content for name, content in files.items()}
        for rank in range(WORLD_SIZE):
            data[f"rng_state_{rank}.pth"] = sparse_torch_file(_random(rank), "archive")
        last[LATEST] = [tag.encode()]
        last["scheduler.pt"] = sparse_torch_file(_schedule(step), "archive")
    last["trainer_state.json"] = [json.dumps(_state(step), indent=2).encode()]
    return Save(f"checkpoint-{step}", step, first, data, last)


def _weights() -> dict[str, list[Piece]]:
    """The weights as bfloat16 in some files, with their index."""
    names = list(SHAPES)
    parts = [names[number::_WEIGHT_FILES] for number in range(_WEIGHT_FILES)]
    titles = [
        f"model-{number:05d}-of-{_WEIGHT_FILES:05d}.safetensors"
        for number in range(1, _WEIGHT_FILES + 1)
    ]
    total = sum(2 * math.prod(shape) for shape in SHAPES.values())
    index = {
        "metadata": {"total_size": total},
        "weight_map": {n: title for title, part in zip(titles, parts, strict=True) for n in part},
    }
    files = {title: _safetensors(part) for title, part in zip(titles, parts, strict=True)}
    return files | {"model.safetensors.index.json": [json.dumps(index, indent=2).encode()]}


def _safetensors(names: list[str]) -> list[Piece]:
    header: dict[str, object] = {"__metadata__": {"format": "pt"}}
    end = 0
    for name in names:
        start, end = end, end + 2 * math.prod(SHAPES[name])
        header[name] = {"dtype": "BF16", "shape": SHAPES[name], "data_offsets": [start, end]}
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    return [struct.pack("<Q", len(text)) + text, Hole(end)]


def _random(rank: int) -> Tree:
    words: list[Tree] = [(rank * 2654435761 + n * 40503) % 2**32 for n in range(624)]
    return {
        "python": (3, (*words, 624), None),
        "numpy": ("MT19937", words, 624, 0, 0.0),
        "cpu": Tensor("uint8", (_CPU_RANDOM_BYTES,), bytes([rank]) * _CPU_RANDOM_BYTES),
    }


def _schedule(step: int) -> Tree:
    return {"base_lrs": [2e-5], "last_epoch": step, "_step_count": step + 1, "_last_lr": [1.4e-5]}


def _state(step: int) -> dict[str, object]:
    history = [
        {"epoch": n / 12000, "learning_rate": 2e-5, "loss": 1.9 - n / 12000, "step": n}
        for n in range(_SAVE_STEPS, step + 1, _SAVE_STEPS)
    ]
    return {
        "best_model_checkpoint": None,
        "epoch": step / 12000,
        "global_step": step,
        "is_world_process_zero": True,
        "log_history": history,
        "max_steps": 12000,
        "num_train_epochs": 1,
        "save_steps": _SAVE_STEPS,
        "train_batch_size": 8,
    }
