"""A tree with one of everything that a torch-like file can hold."""

from __future__ import annotations

import struct
from typing import Any

from ckpt_tui.demo.torch_values import Tensor

TREE: Any = {
    "model": {
        "w": Tensor("float32", (2, 3), struct.pack("<6f", *range(6))),
        "bytes": Tensor("uint8", (3,), b"abc"),
        "count": Tensor("int64", (), struct.pack("<q", -5)),
        "nothing": Tensor("float32", (0, 4), b""),
    },
    "optimizer": {"state": {0: {}}, "param_groups": [{"lr": 1e-3, "betas": [0.9, 0.95]}]},
    "numbers": [0, 255, 256, 65535, 65536, -1, 2**31 - 1, -(2**31), 2**31, -(2**40), 2**80],
    "plain": [None, True, False, "Käse", "", []],
    "step": 120,
}
