"""Loops that write their JAX state themselves: pickle, msgpack, npz."""

from __future__ import annotations

import json
import os
import pickle
from typing import TYPE_CHECKING, Any

from tests.framework.jobs.base import Configuration, Outcome
from tests.framework.jobs.jax_states import blank, compared, host_state
from tests.framework.jobs.step_names import by_step, step_of

if TYPE_CHECKING:
    from pathlib import Path

STEPS = 1000
PARTS = {"flax_model.msgpack": "params", "opt_state.msgpack": "opt_state"}


def _configuration(name: str, **options: Any) -> Configuration:
    return Configuration(name, 1, options)


class JaxLoopsJob:
    """Files as the loop writes them, read back the same way."""

    name = "jax-loops"
    format = ""
    configurations = (
        _configuration("pickle", suffix=".pkl"),
        _configuration("pickle-renamed-keep2", suffix=".pkl", rename=True, keep=2),
        _configuration("pickle-overwritten", suffix=".pkl", overwrite=True),
        _configuration("msgpack", suffix=".msgpack"),
        _configuration("npz-keep2", suffix=".npz", keep=2),
        _configuration("msgpack-per-role"),
    )

    def train(self, directory: Path, configuration: Configuration, saves: int) -> None:
        """Saves states that are functions of the step."""
        options = configuration.options
        directory.mkdir(parents=True, exist_ok=True)
        for step in range(STEPS, STEPS * saves + STEPS, STEPS):
            state, suffix = host_state(step), options.get("suffix")
            if not suffix:
                _save_parts(directory / f"ckpt-{step}", state)
                continue
            name = "state" if options.get("overwrite") else f"ckpt_{step:07d}"
            path = directory / f"{name}{suffix}"
            _save(path.with_name(f"{path.name}.tmp") if options.get("rename") else path, state)
            if options.get("rename"):
                os.replace(f"{path}.tmp", path)
            if keep := options.get("keep"):
                old = directory / f"ckpt_{step - STEPS * keep:07d}{suffix}"
                old.unlink(missing_ok=True)

    def checkpoints(self, directory: Path, configuration: Configuration) -> list[Path]:
        """Files or directories under their final names."""
        suffix = configuration.options.get("suffix")
        if configuration.options.get("overwrite"):
            return sorted(directory.glob(f"state{suffix}"))
        return by_step(directory, f"ckpt_*{suffix}" if suffix else "ckpt-*")

    def load(self, checkpoint: Path, configuration: Configuration) -> Outcome:
        """As such loops do: everything they saved must be there."""
        if not configuration.options.get("suffix"):
            loaded = _load_parts(checkpoint)
        else:
            loaded = _load(checkpoint)
        named = step_of(checkpoint)
        return compared(loaded, int(loaded["step"]) if named < 0 else named)


def _save(path: Path, state: dict[str, Any]) -> None:
    from flax import serialization

    kind = path.name.removesuffix(".tmp").rpartition(".")[2]
    with path.open("wb") as file:
        if kind == "pkl":
            pickle.dump(state, file)
        elif kind == "msgpack":
            file.write(serialization.to_bytes(state))
        else:
            _save_npz(file, state)


def _load(path: Path) -> dict[str, Any]:
    from flax import serialization

    with path.open("rb") as file:
        loaded: dict[str, Any]
        if path.suffix == ".pkl":
            loaded = pickle.load(file)
        elif path.suffix == ".msgpack":
            loaded = serialization.from_bytes(blank(host_state(1)), file.read())
        else:
            loaded = _load_npz(file)
    return loaded


def _save_npz(file: Any, state: dict[str, Any]) -> None:
    import jax
    import numpy as np

    flat = jax.tree_util.tree_flatten_with_path(state)[0]
    np.savez(file, **{jax.tree_util.keystr(path): _plain(leaf) for path, leaf in flat})


def _load_npz(file: Any) -> dict[str, Any]:
    import jax
    import numpy as np

    wanted = host_state(1)
    with np.load(file) as arrays:
        paths, shape = jax.tree_util.tree_flatten_with_path(wanted)
        leaves = [arrays[jax.tree_util.keystr(path)] for path, _ in paths]
    typed = [
        leaf.view(like.dtype) if hasattr(like, "dtype") else leaf
        for leaf, (_, like) in zip(leaves, paths, strict=True)
    ]
    loaded: dict[str, Any] = jax.tree_util.tree_unflatten(shape, typed)
    return loaded


def _plain(leaf: Any) -> Any:
    """NumPy's own files know no bfloat16: its bits are stored."""
    import numpy as np

    array = np.asarray(leaf)
    return array.view(np.uint16) if array.dtype.name == "bfloat16" else array


def _save_parts(directory: Path, state: dict[str, Any]) -> None:
    from flax import serialization

    directory.mkdir()
    for name, role in PARTS.items():
        (directory / name).write_bytes(serialization.to_bytes(state[role]))
    (directory / "training_state.json").write_text(json.dumps({"step": state["step"]}))


def _load_parts(directory: Path) -> dict[str, Any]:
    from flax import serialization

    target = blank(host_state(1))
    parts = {
        role: serialization.from_bytes(target[role], (directory / name).read_bytes())
        for name, role in PARTS.items()
    }
    progress = json.loads((directory / "training_state.json").read_text())
    return {**parts, "step": progress["step"]}


JOB = JaxLoopsJob()
