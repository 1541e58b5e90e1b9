"""Writes small torch files by hand: any value, with float32 tensors of any shape in it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from tests.artifacts.builders import tensor, torch_pickle, zip_of

if TYPE_CHECKING:
    from pathlib import Path


class Shape(NamedTuple):
    """Stands for a float32 tensor of that shape, all zeros."""

    lengths: tuple[int, ...]


WEIGHTS = {"layers.0.weight": Shape((4, 2)), "layers.0.bias": Shape((4,))}
OPTIMIZER = {"state": {0: {"exp_avg": Shape((4, 2))}}, "param_groups": [{"lr": 0.1}]}
SCHEDULER = {"last_epoch": 3, "_step_count": 4, "base_lrs": [0.1]}


def torch_bytes(value: object, *, recent: bool = True) -> bytes:
    """What torch.save leaves for a value, of torch 2.7 or newer unless told otherwise."""
    storages: dict[str, bytes] = {}
    pickled = torch_pickle(_with_tensors(value, storages))
    records = {"data.pkl": pickled, "byteorder": b"little"}
    if recent:
        records[".format_version"] = b"1"
    records |= {f"data/{key}": data for key, data in storages.items()}
    records["version"] = b"3\n"
    return zip_of({f"archive/{name}": data for name, data in records.items()})


def write_torch(path: Path, value: object, *, recent: bool = True) -> Path:
    """Writes a torch file; directories above it are made."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(torch_bytes(value, recent=recent))
    return path


def _with_tensors(value: object, storages: dict[str, bytes]) -> object:
    if isinstance(value, Shape):
        key = str(len(storages))
        storages[key] = bytes(4 * math.prod(value.lengths))
        return tensor(key, value.lengths)
    if type(value) is dict:
        return {key: _with_tensors(part, storages) for key, part in value.items()}
    if type(value) is list:
        return [_with_tensors(part, storages) for part in value]
    return value
