"""`orbax.checkpoint.CheckpointManager`, in the ways that training loops set it up."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from tests.framework.jobs.base import Configuration, Outcome
from tests.framework.jobs.jax_ranks import finished, initialized, sharded
from tests.framework.jobs.jax_states import blank, compared, host_state, on_device
from tests.framework.jobs.orbax_v1 import load_v1, train_v1
from tests.framework.jobs.ranks import in_ranks
from tests.framework.jobs.step_names import by_step, step_of

if TYPE_CHECKING:
    from pathlib import Path

STEPS = 10
SMALL_FILE_BYTES = 300_000


def _one(name: str, **options: Any) -> Configuration:
    return Configuration(name, 1, options)


def _two(name: str, **options: Any) -> Configuration:
    return Configuration(name, 2, options)


_OF_ALL_VERSIONS = (
    _one("standard-sync", sync=True),
    _one("composite-keep2", composite=True, keep=2),
    _one("zarr-keep2", ocdbt=False, keep=2),
    _one("prefix-sync-keep2", prefix="checkpoint", digits=8, keep=2, sync=True),
    _one("commit-file-keep2", commit_file=True, keep=2),
)
_OF_OLD_VERSIONS = (_one("items-by-checkpointer-keep2", legacy=True, keep=2),)
_SINCE_0_11 = (
    _one("zarr3", zarr3=True),
    _one("small-files", file_bytes=SMALL_FILE_BYTES),
)
_OF_CURRENT = (
    _one("zarr3-files-keep2", zarr3=True, ocdbt=False, keep=2, sync=True),
    _one("commit-file-composite", commit_file=True, composite=True),
    _one("moved-away-keep2", keep=2, todelete="trash"),
    _one("best-keep2", best=True, keep=2),
    _one("v1", v1="save"),
    _one("v1-checkpointables", v1="checkpointables"),
    _two("two-processes-keep2", keep=2),
    _two("two-processes-zarr", ocdbt=False),
    _two("two-processes-commit-file", commit_file=True),
)


class OrbaxJob:
    """A manager writes the run; the same manager is asked for a step."""

    format = "orbax"

    def __init__(self, name: str, configurations: tuple[Configuration, ...]) -> None:
        self.name, self.configurations = name, configurations

    def train(self, directory: Path, configuration: Configuration, saves: int) -> None:
        """Saves states that are functions of the step."""
        initialized(configuration.ranks)
        options = configuration.options
        steps = range(STEPS, STEPS * saves + STEPS, STEPS)
        if options.get("v1"):
            train_v1(directory, steps, options["v1"])
            return
        manager = _manager(directory, options)
        for step in steps:
            state = host_state(step)
            _save(manager, step, _placed(state, configuration), options)
            if os.environ["RANK"] == "0" and not step % 20:
                manager.wait_until_finished()
        manager.close()
        finished(configuration.ranks)

    def checkpoints(self, directory: Path, configuration: Configuration) -> list[Path]:
        """Steps and leftovers, newest last; not what a manager moved away to remove it."""
        return [path for path in by_step(directory) if path.is_dir()]

    def load(self, checkpoint: Path, configuration: Configuration) -> Outcome:
        """A manager that is set up like the writer's restores the step into a target."""

        def restored(_: int) -> Outcome:
            initialized(configuration.ranks)
            outcome = _restored(checkpoint, configuration)
            finished(configuration.ranks)
            return outcome

        if configuration.ranks > 1:
            return in_ranks(configuration.ranks, restored)
        return _restored(checkpoint, configuration)


def _restored(checkpoint: Path, configuration: Configuration) -> Outcome:
    options, step = configuration.options, step_of(checkpoint)
    if options.get("v1"):
        return load_v1(checkpoint, step, options["v1"])
    manager = _manager(checkpoint.parent, options)
    _must_be_listed(manager, checkpoint, options)
    target = _placed(blank(host_state(step)), configuration)
    if options.get("legacy"):
        return compared(_restored_items(manager, step, target)["state"], step)
    loaded = manager.restore(step, args=_restoring(target, options))
    return compared(_whole(loaded, options), step)


def _save(manager: Any, step: int, state: dict[str, Any], options: dict[str, Any]) -> None:
    if options.get("legacy"):
        manager.save(step, {"state": state})
        return
    metrics = {"loss": abs(step - 3 * STEPS)} if options.get("best") else None
    manager.save(step, args=_saving(state, options), metrics=metrics)


def _restored_items(manager: Any, step: int, target: dict[str, Any]) -> dict[str, Any]:
    """As before `args` came."""
    from orbax.checkpoint import checkpoint_utils

    how = {"restore_args": checkpoint_utils.construct_restore_args(target)}
    found: dict[str, Any] = manager.restore(
        step, items={"state": target}, restore_kwargs={"state": how}
    )
    return found


def _must_be_listed(manager: Any, checkpoint: Path, options: dict[str, Any]) -> None:
    """A manager takes numbers: a name that it makes no number of cannot be asked for.

    Before 0.12 it looks for the marker of the commit-file protocol on object stores only: there
    this protocol is its own.
    """
    listed = step_of(checkpoint) in manager.all_steps() and "tmp" not in checkpoint.name
    marked = not options.get("commit_file") or (checkpoint / "commit_success.txt").exists()
    if not listed or not marked:
        raise FileNotFoundError(f"the manager lists {manager.all_steps()}, not {checkpoint.name}")


def _manager(directory: Path, options: dict[str, Any]) -> Any:
    import orbax.checkpoint as ocp

    given: dict[str, Any] = {"enable_async_checkpointing": not options.get("sync")}
    if options.get("keep"):
        given["max_to_keep"] = options["keep"]
    if options.get("prefix"):
        given |= {"step_prefix": options["prefix"], "step_format_fixed_length": options["digits"]}
    if options.get("todelete"):
        given["todelete_subdir"] = options["todelete"]
    if options.get("best"):
        given |= {"best_fn": lambda metrics: metrics["loss"], "best_mode": "min"}
    if options.get("commit_file"):
        given |= _commit_file()
    if options.get("legacy"):
        savers = {"state": ocp.PyTreeCheckpointer()}
        return ocp.CheckpointManager(directory, savers, ocp.CheckpointManagerOptions(**given))
    handlers: Any = None
    if not options.get("composite"):
        kinds = {"use_ocdbt": options.get("ocdbt", True)}
        if options.get("zarr3"):
            kinds["use_zarr3"] = True
        handlers = {"state": ocp.PyTreeCheckpointHandler(**kinds)}
    if _is_default(options):
        handlers = None
    return ocp.CheckpointManager(
        directory,
        options=ocp.CheckpointManagerOptions(**given),
        item_handlers=handlers,
        item_names=("params", "opt_state", "dataset") if options.get("composite") else None,
    )


def _is_default(options: dict[str, Any]) -> bool:
    """One unnamed item, saved by `StandardSave`."""
    return not options.keys() & {"composite", "ocdbt", "zarr3", "file_bytes", "commit_file"}


def _commit_file() -> dict[str, Any]:
    """The protocol of object stores on a local disk."""
    import orbax.checkpoint as ocp

    if hasattr(ocp.options, "AtomicityOptions"):
        mode = ocp.options.AtomicityMode.COMMIT_FILE
        return {"atomicity_options": ocp.options.AtomicityOptions(mode=mode)}
    from orbax.checkpoint.path import atomicity

    return {"temporary_path_class": atomicity.CommitFileTemporaryPath}


def _placed(state: dict[str, Any], configuration: Configuration) -> dict[str, Any]:
    arrays = {key: state[key] for key in ("params", "opt_state")}
    put = sharded if configuration.ranks > 1 else on_device
    return {**put(arrays), "step": state["step"]}


def _saving(state: dict[str, Any], options: dict[str, Any]) -> Any:
    from orbax.checkpoint import args

    if options.get("composite"):
        return args.Composite(
            params=args.StandardSave(state["params"]),
            opt_state=args.StandardSave(state["opt_state"]),
            dataset=args.JsonSave({"next_index": 4 * state["step"], "step": state["step"]}),
        )
    if _is_default(options):
        return args.StandardSave(state)
    file_bytes = options.get("file_bytes")
    more = {"ocdbt_target_data_file_size": file_bytes} if file_bytes else {}
    return args.Composite(state=args.PyTreeSave(state, **more))


def _restoring(target: dict[str, Any], options: dict[str, Any]) -> Any:
    import orbax.checkpoint as ocp

    if options.get("composite"):
        return ocp.args.Composite(
            params=ocp.args.StandardRestore(target["params"]),
            opt_state=ocp.args.StandardRestore(target["opt_state"]),
            dataset=ocp.args.JsonRestore(),
        )
    if _is_default(options):
        return ocp.args.StandardRestore(target)
    how = ocp.checkpoint_utils.construct_restore_args(target)
    return ocp.args.Composite(state=ocp.args.PyTreeRestore(item=target, restore_args=how))


def _whole(loaded: Any, options: dict[str, Any]) -> dict[str, Any]:
    if options.get("composite"):
        parts = {key: loaded[key] for key in ("params", "opt_state")}
        return {**parts, "step": loaded["dataset"]["step"]}
    whole: dict[str, Any] = loaded if _is_default(options) else loaded["state"]
    return whole


CURRENT = OrbaxJob("orbax", _OF_ALL_VERSIONS + _SINCE_0_11 + _OF_CURRENT)
OF_0_11 = OrbaxJob("orbax-0.11", _OF_ALL_VERSIONS + _SINCE_0_11 + _OF_OLD_VERSIONS)
OF_0_6 = OrbaxJob("orbax-0.6", _OF_ALL_VERSIONS + _OF_OLD_VERSIONS)
