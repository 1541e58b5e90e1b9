"""Ways to damage one file, and the files without which no framework can resume."""

from __future__ import annotations

import random
import re
import shutil
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.contract.cases import Case

    Damage = Callable[[Path], None]


def cut(fraction: float) -> Damage:
    """Keeps the first part of a file, and never all that counts of it."""

    def apply(path: Path) -> None:
        data = path.read_bytes()
        # A line end that is missing from a JSON file harms nobody.
        end = len(data.rstrip(b"\n")) - 1
        path.write_bytes(data[: min(end, int(len(data) * fraction))])

    return apply


def empty(path: Path) -> None:
    path.write_bytes(b"")


def garbage(path: Path) -> None:
    path.write_bytes(random.Random(path.name).randbytes(path.stat().st_size))


def zeros(path: Path) -> None:
    path.write_bytes(bytes(path.stat().st_size))


def delete(path: Path) -> None:
    path.unlink()


def directory(path: Path) -> None:
    path.unlink()
    path.mkdir()


DAMAGES: dict[str, Damage] = {
    "cut to the first byte": cut(0.0001),
    "cut to a third": cut(0.33),
    "cut to nine tenths": cut(0.9),
    "cut by one byte": cut(1.0),
    "empty": empty,
    "garbage": garbage,
    "zeros": zeros,
    "deleted": delete,
    "a directory": directory,
}

# Names of files that hold model, optimizer, or progress, or that the loader cannot do without.
_ESSENTIAL = {
    "accelerate": r"(?:model|pytorch_model|optimizer|scheduler)\.(?:safetensors|bin)"
    r"|custom_checkpoint_\d+\.pkl|(?:pytorch_model_fsdp|optimizer)_0/(?:\.metadata|__.+\.distcp)",
    "deepspeed": r".*(?:model|optim)_states\.pt|zero/.+/(?:fp32|exp_avg|exp_avg_sq)\.pt",
    "flax": r"[^/]+_\d+",
    "hf-trainer": r"model.*\.safetensors(?:\.index\.json)?|optimizer\.pt|scheduler\.pt"
    r"|trainer_state\.json",
    "keras": r".+\.(?:keras|h5|weights\.json)",
    "lightning": r".+\.ckpt|meta\.pt|\.metadata|__\d+_\d+\.distcp",
    "manifest": r"manifest\.json|.+\.bin",
    "megatron-dist": r"\.metadata|metadata\.json|common\.pt|__\d+_\d+\.distcp",
    "megatron-legacy": r"mp_rank_.+/(?:model_optim_rng|distrib_optim)\.pt",
    "msgpack-file": r".+\.msgpack",
    "npz-file": r".+\.npz",
    "orbax": r"(?:(?!ocdbt)[^/]+/)*(?:manifest\.ocdbt|d/[0-9a-f]{32})",
    "paddle": r".+\.(?:pdparams|pdopt)|\d+\.metadata|\d+_\d+\.distcp",
    "pickle-file": r".+\.(?:pkl|pickle)",
    "tensorflow": r".+\.(?:index|data-\d+-of-\d+)",
    "torch-dcp": r"\.metadata|__\d+_\d+\.distcp",
    "torch-file": r".+\.pt",
    "torchsnapshot": r"\.snapshot_metadata|batched/.+|\d+/optim/.+",
}
_GROUP_ENDING = re.compile(r"\.(?:index|pdparams|weights\.json)$")
# Parts without which model, optimizer and step are still restored: of veRL's layout; the weights of
# Keras's BackupAndRestore, which has those of the save before; the rate, which is in the optimizer.
_NOT_ESSENTIAL = re.compile(
    r"(?:.*/)?(?:(?:extra_state_.+|data)\.pt|latest\.weights\.h5|scheduler\.pdparams)"
)


def is_seen(case: Case, path: str, damage: str) -> bool:
    """Whether a look without `verify` can see this damage of an essential file.

    The reader of our manifest opens no data file, and the lesson's form rounds its sizes. Slabs of
    torchsnapshot are raw bytes. That accelerate saved an object of the loop shows only in its file.
    """
    if case.format == "torchsnapshot" and path.startswith("batched/"):
        return damage not in ("garbage", "zeros")
    if case.format == "accelerate" and path.startswith("custom_checkpoint"):
        return damage != "deleted"
    if case.format != "manifest" or path.endswith(".json"):
        return True
    rounded = "/plain_" in case.path and damage == "cut by one byte"
    return damage not in ("garbage", "zeros") and not rounded


def is_essential(format_name: str, path: str) -> bool:
    """Whether no restart is possible without this file (its path is relative)."""
    if _NOT_ESSENTIAL.fullmatch(path):
        return False
    return re.fullmatch(_ESSENTIAL[format_name], path) is not None


def files_in(checkpoint: Path) -> list[str]:
    """Relative paths of the files; the file's own name where the checkpoint is one file."""
    if checkpoint.is_file():
        return [checkpoint.name]
    found = [path for path in checkpoint.rglob("*") if path.is_file()]
    return sorted(str(path.relative_to(checkpoint)) for path in found)


def chosen_files(format_name: str, checkpoint: Path, most: int) -> Iterator[str]:
    """A few essential files and two others, the same in every run of the tests."""
    chance = random.Random(checkpoint.name)
    files = files_in(checkpoint)
    vital = [path for path in files if is_essential(format_name, path)]
    others = [path for path in files if path not in vital]
    yield from chance.sample(vital, min(most, len(vital)))
    yield from chance.sample(others, min(2, len(others)))


def copy_of(checkpoint: Path, to: Path) -> Path:
    """A copy under the same name; where it is a group of files, the directory with all of them."""
    group = members_of(checkpoint)
    if len(group) > 1:
        for path in group:
            shutil.copy2(path, to / path.name)
        return to
    target = to / group[0].name
    if group[0].is_file():
        shutil.copy2(group[0], target)
    else:
        shutil.copytree(checkpoint, target, symlinks=True)
    return target


def members_of(checkpoint: Path) -> list[Path]:
    """The files of a group that share all up to the last dot, or the checkpoint alone."""
    if checkpoint.is_dir():
        return [checkpoint]
    stem = _GROUP_ENDING.sub("", checkpoint.name)
    endings = (f"{stem}.", f"{stem}_")
    return sorted(
        path
        for path in checkpoint.parent.iterdir()
        if path.is_file() and (path == checkpoint or path.name.startswith(endings))
    )
