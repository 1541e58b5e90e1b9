"""Names in a directory of `Accelerator.save_state`, and which directories are such a checkpoint.

The names are those of accelerate 0.3 to 1.15 (`checkpointing.py`, `utils/constants.py`,
`utils/fsdp_utils.py`): objects are numbered in the order of `prepare`, the first of them without a
number.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ckpt_tui.core.files import Kind
from ckpt_tui.formats.dcp.files import holds_dcp
from ckpt_tui.formats.deepspeed.names import holds_deepspeed
from ckpt_tui.formats.shared.names import epoch_of_name, step_of_name
from ckpt_tui.formats.shared.safetensors_leftovers import is_temporary

if TYPE_CHECKING:
    from ckpt_tui.core.files import FileEntry, Tree
    from ckpt_tui.fs.listing import Directory

LOADER = "accelerate"
"""Who loads the files, for messages."""

_NUMBER = r"(?:_(\d{1,4}))?"

MODEL_FILE = re.compile(rf"(?:model{_NUMBER}\.safetensors|pytorch_model{_NUMBER}\.bin)")
OPTIMIZER_FILE = re.compile(rf"optimizer{_NUMBER}\.bin")
SCHEDULER_FILE = re.compile(rf"scheduler{_NUMBER}\.bin")
SAMPLER_FILE = re.compile(rf"sampler{_NUMBER}\.bin")
DATALOADER_FILE = re.compile(rf"dl_state_dict{_NUMBER}\.bin")
CUSTOM_FILE = re.compile(r"custom_checkpoint_(\d{1,4})\.pkl")
RANDOM_FILE = re.compile(r"random_states_(\d{1,9})\.pkl")
SCALER_FILE = "scaler.pt"
FSDP_FILE = re.compile(rf"pytorch_model_fsdp{_NUMBER}\.bin")
FSDP_RANK_FILE = re.compile(r"(?:pytorch_model_fsdp|optimizer)(?:_\d{1,4})?_rank\d{1,7}\.bin")
FSDP_DIRECTORY = re.compile(r"(?:pytorch_model_fsdp|optimizer)_\d{1,4}")
DEEPSPEED_DIRECTORY = re.compile(rf"pytorch_model{_NUMBER}")
MEGATRON_DIRECTORY = re.compile(r"iter_\d{7,}|release")

# What only accelerate writes, and what makes a directory the Trainer's or another loop's.
_TELLING = (SCHEDULER_FILE, SAMPLER_FILE, DATALOADER_FILE, CUSTOM_FILE, RANDOM_FILE, FSDP_RANK_FILE)
_FOREIGN = re.compile(
    r"trainer_state\.(?:json|pt)|training_args\.bin|rng_state.*\.pth|optimizer\.pt"
)
_SOME = (MODEL_FILE, OPTIMIZER_FILE, FSDP_FILE)
_COUNTED = re.compile(r"checkpoint_(\d{1,18})")
_TRAINERS = re.compile(r"checkpoint-\d+")
_SERIES = re.compile(
    r"(?:global[_-]?step|step|epoch|checkpoint)s?[_-]?\d+(?:[_-].*)?", re.IGNORECASE
)


def is_accelerate(directory: Directory) -> bool:
    """Whether a directory is one save, by its names alone; a save that was cut early included."""
    names = directory.file_names()
    if any(_FOREIGN.fullmatch(name) for name in names):
        return False
    if any(pattern.fullmatch(name) for name in names for pattern in _TELLING):
        return True
    inside = directory.directory_names()
    if any(
        DEEPSPEED_DIRECTORY.fullmatch(name) and holds_deepspeed(directory.sub(name).file_names())
        for name in inside
    ):
        return True
    if not _SERIES.fullmatch(directory.name) or _TRAINERS.fullmatch(directory.name):
        return False
    fsdp = any(
        name.startswith("pytorch_model_fsdp") and holds_dcp(directory.sub(name).file_names())
        for name in inside
        if FSDP_DIRECTORY.fullmatch(name)
    )
    if fsdp or any(FSDP_FILE.fullmatch(name) for name in names):
        return True
    own = [name for name in names if any(pattern.fullmatch(name) for pattern in _SOME)]
    strange = [name for name in names if name not in own and not is_temporary(name)]
    return any(OPTIMIZER_FILE.fullmatch(name) for name in own) and not strange


def numbered(tree: Tree, pattern: re.Pattern[str]) -> dict[int, FileEntry]:
    """The files and links of one kind in the checkpoint itself, by their number.

    Args:
        tree: The checkpoint's listing.
        pattern: Matches the whole name; its first group that matched is the number, none is 0.
    """
    found: dict[int, FileEntry] = {}
    for entry in tree.entries:
        match = pattern.fullmatch(entry.path)
        if match and entry.kind is not Kind.DIRECTORY:
            number = next((int(group) for group in match.groups() if group), 0)
            found.setdefault(number, entry)
    return dict(sorted(found.items()))


def numbered_name(stem: str, number: int, ending: str) -> str:
    """The name of an object's file: the first of a kind has no number."""
    return f"{stem}_{number}{ending}" if number else f"{stem}{ending}"


def count_of_saves(name: str) -> int | None:
    """The number of a save that accelerate named itself, `checkpoint_3`: it is no step."""
    found = _COUNTED.fullmatch(name)
    return int(found[1]) if found else None


def named_step(name: str) -> int | None:
    """The step that a loop wrote into a directory's name: `step_8`, `checkpoint-500`."""
    if count_of_saves(name) is not None or epoch_of_name(name) is not None:
        return None
    return step_of_name(name)
