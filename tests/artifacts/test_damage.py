"""Real files, cut and damaged at many places: every reader answers with a value or an error."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from ckpt_tui.artifacts.dcp_metadata import read_dcp_metadata
from ckpt_tui.artifacts.json_document import read_json
from ckpt_tui.artifacts.limits import ArtifactError
from ckpt_tui.artifacts.safe_pickle import load_pickle
from ckpt_tui.artifacts.safetensors_header import read_safetensors_header
from ckpt_tui.artifacts.torch_archive import has_zip_end, read_torch_archive
from tests.artifacts.builders import LIMITS, BytesSource, error_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from ckpt_tui.artifacts.limits import Limits
    from ckpt_tui.artifacts.source import Source

    Reader = Callable[[Source, Limits], object]

CUTS = 60
FLIPS = 150
CODES = {
    "checksum-mismatch",
    "empty-file",
    "invalid-json",
    "limit-exceeded",
    "size-mismatch",
    "truncated-file",
    "unreadable-archive",
}
FILES: dict[str, Reader] = {
    "torch/plain_numbered/ckpt_000300.pt": read_torch_archive,
    "torch/plain_legacy_nonzip/ckpt_000300.pt": read_torch_archive,
    "torch/hf_trainer_single/checkpoint-10/training_args.bin": read_torch_archive,
    "torch/hf_trainer_single/checkpoint-10/rng_state.pth": read_torch_archive,
    "torch/hf_trainer_single/checkpoint-10/scheduler.pt": read_torch_archive,
    "torch/hf_trainer_single/checkpoint-10/model.safetensors": read_safetensors_header,
    "torch/hf_trainer_single/checkpoint-10/trainer_state.json": read_json,
    "torch/deepspeed_zero1_ws2/global_step5/mp_rank_00_model_states.pt": read_torch_archive,
    "torch/megatron_torch_dist_tp2/iter_0000010/.metadata": read_dcp_metadata,
    "torch/dcp_titan_ws4/checkpoint/step-10/.metadata": read_dcp_metadata,
    "jax/raw_pickle_jaxarrays/train_state_1000.pickle": load_pickle,
}


@pytest.mark.parametrize("path", FILES)
def test_a_cut_file_is_never_whole(corpus: Path, path: str) -> None:
    reader = FILES[path]
    data = (corpus / path).read_bytes()
    if reader is read_json:
        data = data.rstrip()
    reader(BytesSource(data), LIMITS)
    places = random.Random(path).sample(range(len(data)), CUTS)
    for length in (0, 1, 2, 4, len(data) - 1, *places):
        error = error_of(reader, data[:length])
        assert error.code in CODES - {"limit-exceeded", "size-mismatch"}
        assert not has_zip_end(BytesSource(data[:length]))


@pytest.mark.parametrize("path", FILES)
def test_changed_bytes_are_a_value_or_an_error(corpus: Path, path: str) -> None:
    reader = FILES[path]
    data = (corpus / path).read_bytes()
    chance = random.Random(path)
    codes = set()
    for _ in range(FLIPS):
        changed = bytearray(data)
        for _ in range(chance.choice((1, 1, 8))):
            changed[chance.randrange(len(changed))] = chance.randrange(256)
        codes.add(_code(reader, bytes(changed)))
    assert codes <= CODES | {None}


@pytest.mark.parametrize("path", FILES)
def test_zeros_in_place_of_a_page_are_a_value_or_an_error(corpus: Path, path: str) -> None:
    """What a crash leaves of a file whose size was written before its content."""
    data = (corpus / path).read_bytes()
    for start in range(0, len(data), max(512, len(data) // 30)):
        length = min(4096, len(data) - start)
        changed = data[:start] + bytes(length) + data[start + length :]
        assert _code(FILES[path], changed) in CODES | {None}


def _code(reader: Reader, data: bytes) -> str | None:
    try:
        reader(BytesSource(data), LIMITS)
    except ArtifactError as error:
        return error.code
    return None
