"""Weights that a hook of the job saved beside accelerate's files, which then hold no model.

`register_save_state_pre_hook` may take the models away and save them with `save_pretrained` into a
subdirectory (`unet/`), or as adapter weights: a hook of the same kind reads them back.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.core.vocabulary import MODEL
from ckpt_tui.formats.shared.bounds import MOST_TENSORS
from ckpt_tui.formats.shared.file_table import Mark
from ckpt_tui.formats.shared.safetensors_leftovers import is_temporary
from ckpt_tui.formats.shared.safetensors_model import read_safetensors_model
from ckpt_tui.formats.shared.weight_file import read_weight_file

if TYPE_CHECKING:
    from ckpt_tui.core.facts import RoleFacts, TensorFacts
    from ckpt_tui.core.findings import Finding
    from ckpt_tui.formats.base import CheckpointFiles

_MOST_DEPTH = 2
_SAFETENSORS = (".safetensors", ".safetensors.index.json", ".bin.index.json")
_TORCH = re.compile(
    r"(?:.*/)?(?:diffusion_)?pytorch_model(?:-\d+-of-\d+)?\.bin|(?:.*/)?adapter_model\.bin"
    r"|pytorch_lora_weights\.bin"
)
_NOT_CHECKED = "whether a hook of the job loads the weights that accelerate did not save itself"


class HookedModel(NamedTuple):
    """The weights; no role where there are none."""

    roles: tuple[RoleFacts, ...]
    findings: tuple[Finding, ...]
    marks: dict[str, Mark]
    tensors: tuple[TensorFacts, ...]
    tensors_total: int
    not_checked: tuple[str, ...]


def read_hooked_model(files: CheckpointFiles) -> HookedModel:
    """Reads safetensors with their indexes, and torch files that are named as weights."""
    entries = [
        entry
        for entry in files.tree.files()
        if entry.path.count("/") < _MOST_DEPTH and not is_temporary(entry.path)
    ]
    chosen = [entry for entry in entries if entry.path.endswith(_SAFETENSORS)]
    safe = read_safetensors_model(files, chosen)
    torch = [read_weight_file(files, e.path) for e in entries if _TORCH.fullmatch(e.path)]
    roles = [weights.role for weights in torch if weights.role is not None]
    paths = [*safe.headers, *safe.broken, *(weights.path for weights in torch)]
    tensors = [*safe.tensors, *(tensor for weights in torch for tensor in weights.tensors)]
    findings = (*safe.findings, *(f for weights in torch for f in weights.findings))
    return HookedModel(
        (*safe.roles, *roles),
        findings,
        {path: Mark(MODEL, None, "saved by a hook of the job") for path in paths},
        tuple(tensors[:MOST_TENSORS]),
        len(tensors),
        (_NOT_CHECKED,) if paths else (),
    )
