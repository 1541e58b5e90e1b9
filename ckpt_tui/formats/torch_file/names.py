"""Names of torch files: which may be checkpoints, and which are parts of one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.core.vocabulary import (
    CONFIG,
    DATALOADER,
    METRICS,
    OPTIMIZER,
    PROGRESS,
    RNG,
    SCHEDULER,
)
from ckpt_tui.formats.shared.pointers import SYMLINK_ENDING
from ckpt_tui.formats.shared.roles import role_of_key
from ckpt_tui.formats.shared.series import series_step, stem_of

if TYPE_CHECKING:
    from collections.abc import Iterable

SURE_ENDINGS = (".pt", ".pth", ".ckpt")
"""Endings that only torch files have, as far as training runs go."""

POSSIBLE_ENDINGS = (".bin", ".pkl", ".tar")
"""Endings of torch files and of much else: the first bytes decide."""

TORCH_ENDINGS = SURE_ENDINGS + POSSIBLE_ENDINGS

RARE_ENDINGS = (
    ".th", ".pyth", ".torch", ".chkpt", ".pickle", ".checkpoint", ".model", ".mdl", ".snapshot",
)  # fmt: skip
"""Endings that few loops use (AllenNLP, PySlowFast): only a torch file's own beginning decides.

Data sets have them, too, so the name has to speak of a checkpoint.
"""

_CHECKPOINT_ENDINGS = (".chkpt", ".checkpoint", ".snapshot")
_CHECKPOINT_WORDS = re.compile(
    r"(?<![a-z])(?:ckpt|checkpoint|chkpt|snapshot|state|model|net|best|last|latest|epoch|step|iter"
    r"|resume|save)",
    re.IGNORECASE,
)
_BARE = re.compile(r"(?:ckpt|checkpoint|chkpt|snapshot)[_-][\w-]*")
_COMPRESSED = (".gz", ".bz2", ".xz", ".zst")

_DETERMINED_WEIGHTS = "state_dict.pth"
_DETERMINED = frozenset({_DETERMINED_WEIGHTS, "load_data.json", "trial_state.pkl"})

_INNER_ENDING = re.compile(r"\.(?:pt|pth|ckpt)(?:[._-]|$)")
# Parts of DeepSpeed's and Megatron's layouts, and files that only accompany a checkpoint.
_FOREIGN = re.compile(
    r".*_(?:model|optim)_states\.pt|model_optim_rng\.pt|distrib_optim\.pt"
    r"|training_args\.bin|fp32\.pt|exp_avg(?:_sq)?\.pt"
)
# Weights as `save_pretrained` writes them: parts of a checkpoint, none by themselves.
_WEIGHTS = re.compile(r"pytorch_model-\d+-of-\d+\.bin|adapter_model\.bin")
_FOREIGN_DIRECTORY = re.compile(r"(?:mp_rank|bf16_zero_pp_rank|zero_pp_rank)_\d.*|zero|layer_\d.*")
_RANKED = re.compile(
    r"(?P<before>.*?)(?:model_part[_-]?\d+[_-])?"
    r"(?P<word>rank|shard)[_=-]?(?P<rank>\d{1,7})(?P<after>(?:[._-].*)?)"
)
_WORLD = re.compile(r"(?P<kind>.+)_world_size_(?P<world>\d{1,7})_rank_(?P<rank>\d{1,7})\.pt")
_COUNTED_DIRECTORY = re.compile(r"checkpoint_\d{6}")
_STAGED_END = re.compile(r"\.(?:tmp|temp|partial|incomplete)$")


class RankedName(NamedTuple):
    """The name of one rank's part.

    Attributes:
        family: The same for all ranks' parts of one kind: the name with the rank blotted out.
        rank: The writer.
        world_size: Number of writers, where the name gives it.
    """

    family: str
    rank: int
    world_size: int | None = None


def ranked_name(name: str) -> RankedName | None:
    """Reads `model_world_size_8_rank_3.pt`, `ckpt_rank3.pt`, `last-model_part-0-shard3.pt`."""
    world = _WORLD.fullmatch(name)
    if world is not None:
        return RankedName(world["kind"], int(world["rank"]), int(world["world"]))
    found = _RANKED.fullmatch(stem_of(_STAGED_END.sub("", name)))
    if found is None:
        return None
    return RankedName(f"{found['before']}{found['word']}#{found['after']}", int(found["rank"]))


def final_name(name: str) -> str:
    """The name that a part under a temporary name is renamed to."""
    return _STAGED_END.sub("", name)


def is_torch_name(name: str) -> bool:
    """Whether a name's ending is one that torch files have, and it can be a checkpoint's."""
    part = _FOREIGN.fullmatch(name) or _WEIGHTS.fullmatch(name)
    return name.endswith(TORCH_ENDINGS) and part is None


def is_rare_torch_name(name: str) -> bool:
    """Whether a name without an ending, or with a rare one, may be that of a torch file."""
    if name.endswith(RARE_ENDINGS):
        return name.endswith(_CHECKPOINT_ENDINGS) or _speaks_of_checkpoints(stem_of(name))
    return _BARE.fullmatch(name) is not None


def is_compressed_torch_name(name: str) -> bool:
    """Whether a loop compressed what it saved: `ckpt_20.pt.gz`."""
    inner, dot, ending = name.rpartition(".")
    torch = inner.endswith(SURE_ENDINGS) and is_torch_name(inner)
    return dot + ending in _COMPRESSED and torch and _speaks_of_checkpoints(stem_of(inner))


def _speaks_of_checkpoints(stem: str) -> bool:
    return _CHECKPOINT_WORDS.search(stem) is not None or series_step(stem) is not None


def is_staged_torch_name(name: str) -> bool:
    """Whether a torch file's ending lies inside a longer name: `ckpt_20.pt.tmp`.

    Not so a text that stands for a link: `latest-rank0.pt.symlink`.
    """
    final = name.endswith((*TORCH_ENDINGS, SYMLINK_ENDING))
    return not final and _INNER_ENDING.search(name) is not None


def determined_files(names: Iterable[str]) -> frozenset[str]:
    """What Determined AI keeps in a checkpoint, a directory with a UUID for its name.

    `load_data.json` tells its loader which class to build, `trial_state.pkl` holds the progress.
    """
    mine = _DETERMINED.intersection(names)
    return mine if _DETERMINED_WEIGHTS in mine and len(mine) > 1 else frozenset()


def is_foreign_directory(name: str) -> bool:
    """Whether a directory is a part of DeepSpeed's or Megatron's layouts."""
    return _FOREIGN_DIRECTORY.fullmatch(name) is not None


def is_foreign_file(name: str) -> bool:
    """Whether a file is a part of another format, or only accompanies a checkpoint."""
    return _FOREIGN.fullmatch(name) is not None


def is_side_file(name: str) -> bool:
    """Whether a whole stem names a state that is no checkpoint by itself (`optimizer.pt`)."""
    stem = stem_of(name)
    role = role_of_key(stem)
    side = (OPTIMIZER, SCHEDULER, RNG, DATALOADER, METRICS, CONFIG)
    return role in side or (role == PROGRESS and not any(map(str.isdigit, stem)))


def is_counted(directory_name: str) -> bool:
    """Whether a directory's number counts saves: `checkpoint_000002` is Ray's third report."""
    return _COUNTED_DIRECTORY.fullmatch(directory_name) is not None
