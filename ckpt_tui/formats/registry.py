"""The formats that are read, in the order in which they are asked."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple, cast

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from ckpt_tui.formats.base import Reader
    from ckpt_tui.formats.plug_ins.installed import PlugIns
    from ckpt_tui.formats.shared.tensors_gathering import Gathering


class _Home(NamedTuple):
    """Where a reader lives.

    Attributes:
        place: Module and class.
        hints: The reader is asked (and imported) only where a name in the directory, or the
            directory's own, contains one of these; a line's end bounds a name in it.
        tensors: Module and function that lists its tensors, where not each file tells its own.
    """

    place: str
    hints: tuple[str, ...]
    tensors: str = "ckpt_tui.formats.tensor_files:add_tensor_files"


# The more telling signature first: a Trainer folder may hold DeepSpeed's files, a Megatron one is
# a DCP checkpoint with more beside it, and a folder of torch files can be anything.
_HOMES = {
    "manifest": _Home(
        "ckpt_tui.formats.manifest.reader:ManifestReader",
        ("manifest.json", "-rank"),
    ),
    "paddle": _Home(
        "ckpt_tui.formats.paddle.reader:PaddleReader",
        (
            ".pdparams",
            ".pdopt",
            ".pdstates",
            ".pdrng",
            "0.metadata",
            "\n0_0.distcp",
            "\nmodel\n",
            "\nmodel_state\n",
            "\nopt\n",
            "\noptim\n",
            "\noptimizer\n",
            "\noptimizer_state\n",
        ),
        "ckpt_tui.formats.paddle.tensors:add_tensors",
    ),
    "accelerate": _Home(
        "ckpt_tui.formats.accelerate.reader:AccelerateReader",
        (
            "random_states_",
            "custom_checkpoint_",
            "scheduler.bin",
            "sampler",
            "dl_state_dict",
            "optimizer.bin",
            "optimizer_",
            "pytorch_model",
        ),
    ),
    "msgpack-file": _Home(
        "ckpt_tui.formats.msgpack_file.reader:MsgpackFileReader",
        (".msgpack", ".mpack", ".msgpk", ".mpk", ".flax"),
        "ckpt_tui.formats.shared.tensors_arrays:add_msgpack_files",
    ),
    "hf-trainer": _Home(
        "ckpt_tui.formats.hf_trainer.reader:HfTrainerReader",
        ("checkpoint-", "trainer_state.json", ".safetensors", "pytorch_model", "adapter_model"),
    ),
    "megatron-dist": _Home(
        "ckpt_tui.formats.megatron_dist.reader:MegatronDistReader",
        ("common.pt", "metadata.json", "iter_", "release", "weights"),
    ),
    "megatron-legacy": _Home(
        "ckpt_tui.formats.megatron_legacy.reader:MegatronLegacyReader",
        ("mp_rank_",),
    ),
    "lightning": _Home(
        "ckpt_tui.formats.lightning.reader:LightningReader",
        (".ckpt", "meta.pt"),
    ),
    "torch-dcp": _Home(
        "ckpt_tui.formats.torch_dcp.reader:TorchDcpReader",
        (".metadata", ".distcp", ".safetensors", "sharded"),
        "ckpt_tui.formats.torch_dcp.tensors:add_tensors",
    ),
    "torchsnapshot": _Home(
        "ckpt_tui.formats.torchsnapshot.reader:TorchSnapshotReader",
        (".snapshot_metadata", "batched", "replicated", "sharded"),
        "ckpt_tui.formats.torchsnapshot.tensors:add_tensors",
    ),
    "orbax": _Home(
        "ckpt_tui.formats.orbax.reader:OrbaxReader",
        (
            "_METADATA",
            ".orbax-checkpoint-tmp",
            "orbax.checkpoint",
            "manifest.ocdbt",
            "commit_success.txt",
            "\nparams",
            "\nstate",
            "\ndefault",
            "\nitems",
            "\nopt_state",
            "\ntrain_state",
            "\nmodel\n",
            "\noptimizer\n",
            "\nweights\n",
            "\nema_params\n",
            "\ndataset\n",
            "\nconfig\n",
            "\nrng\n",
        ),
        "ckpt_tui.formats.orbax.tensors:add_tensors",
    ),
    "deepspeed": _Home(
        "ckpt_tui.formats.deepspeed.reader:DeepSpeedReader",
        ("_states.pt", "_universal"),
    ),
    "tensorflow": _Home(
        "ckpt_tui.formats.tensorflow.reader:TensorFlowReader",
        (".index", ".data-0", "_temp", "saved_model.pb", "variables"),
        "ckpt_tui.formats.tensorflow.tensors:add_tensors",
    ),
    "flax": _Home(
        "ckpt_tui.formats.flax.reader:FlaxReader",
        ("checkpoint_", "ckpt_", "_tmp", "state_", "model_", "step_", "best_", "params_"),
        "ckpt_tui.formats.flax.tensors:add_tensors",
    ),
    "pickle-file": _Home(
        "ckpt_tui.formats.pickle_file.reader:PickleFileReader",
        (".pkl", ".pickle", ".pckl", ".pbz2", "checkpoint_", "ckpt_", "state_", "step_"),
        "ckpt_tui.formats.pickle_file.tensors:add_pickle_files",
    ),
    "keras": _Home(
        "ckpt_tui.formats.keras.reader:KerasReader",
        (".keras", ".h5", ".hdf5", ".weights.json", "training_metadata.json", "model.weights."),
        "ckpt_tui.formats.keras.tensors:add_tensors",
    ),
    "torch-file": _Home(
        "ckpt_tui.formats.torch_file.reader:TorchFileReader",
        (
            ".pt",
            ".pth",
            ".ckpt",
            ".bin",
            ".pkl",
            ".tar",
            "actor",
            "critic",
            "model",
            "policy",
            ".th",
            ".pyth",
            ".torch",
            ".pickle",
            ".mdl",
            "chkpt",
            "snapshot",
            ".checkpoint",
            "ckpt_",
            "ckpt-",
            "checkpoint_",
            "checkpoint-",
        ),
    ),
    "npz-file": _Home(
        "ckpt_tui.formats.npz_file.reader:NpzFileReader",
        (".npz", ".npy"),
        "ckpt_tui.formats.npz_file.tensors:add_tensors",
    ),
    "gguf-file": _Home(
        "ckpt_tui.formats.gguf_file.reader:GgufFileReader",
        (".gguf",),
        "ckpt_tui.formats.gguf_file.tensors:add_tensors",
    ),
    "safetensors-file": _Home(
        "ckpt_tui.formats.safetensors_file.reader:SafetensorsFileReader",
        (".safetensors",),
    ),
}


CATCH_ALL = "torch-file"
"""The format that any folder of torch files fits: a sibling of a more telling one wins over it."""


def reader_names() -> tuple[str, ...]:
    """Names of all formats, without importing any reader."""
    return tuple(_HOMES)


def reader(name: str) -> Reader:
    """The reader of one format, ours or a plug-in's, imported on first use.

    Raises:
        KeyError: There is no format of that name.
    """
    return _own_reader(name) if name in _HOMES else plugged().readers[name]


@cache
def _own_reader(name: str) -> Reader:
    module, _, attribute = _HOMES[name].place.partition(":")
    return cast("Reader", getattr(import_module(module), attribute)())


def tensor_lister(name: str) -> Callable[[Gathering], None]:
    """What gathers the tensors of one format; a plug-in's files are looked at one by one."""
    module, _, attribute = _HOMES.get(name, _Home("", ())).tensors.partition(":")
    return cast("Callable[[Gathering], None]", getattr(import_module(module), attribute))


def readers() -> tuple[Reader, ...]:
    """All readers, in the order in which they are asked."""
    return tuple(reader(name) for name in _HOMES)


def readers_for(names: Iterable[str]) -> Iterator[Reader]:
    """The readers that may know a directory with these names in it, in the order of asking.

    One by one: a reader is imported only when those before it have declined.
    """
    text = "\n".join((*names, ""))
    for name, home in _HOMES.items():
        if any(hint in text for hint in home.hints):
            yield reader(name)


_asked: list[PlugIns] = []


def plugged() -> PlugIns:
    """The plug-ins, looked up on the first call; only for what no reader of ours claims."""
    if not _asked:
        from ckpt_tui.formats.plug_ins.installed import find_plug_ins

        _asked.append(find_plug_ins(frozenset(_HOMES)))
    return _asked[0]


def names_tried() -> tuple[str, ...]:
    """Names of all formats that were looked for, plug-ins included where these were asked."""
    return (*_HOMES, *(name for found in _asked for name in found.readers))
