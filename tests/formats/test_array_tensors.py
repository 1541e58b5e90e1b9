"""Arrays of msgpack, numpy and GGUF files: names, roles, and the bytes at the places told."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from ckpt_tui.core.verdict import judge
from ckpt_tui.formats import registry
from ckpt_tui.formats.tensors import tensors_of
from tests.artifacts.gguf_builder import gguf
from tests.artifacts.msgpack_builder import Array, pack, state
from tests.artifacts.npy_builder import npy
from tests.formats.helpers import read_directory, read_file

SAMPLES = Path(__file__).parents[2] / "sample_runs"


def listing_of(path: Path, format_name: str) -> dict[str, tuple[str, str, tuple[int, ...]]]:
    reader = registry.reader(format_name)
    facts = read_file(reader, path) if path.is_file() else read_directory(reader, path)
    listing = tensors_of(judge(facts))
    assert not listing.notes
    return {t.name: (t.role, t.dtype, t.shape) for t in listing.tensors}


@pytest.mark.parametrize(
    ("path", "format_name", "kernel"),
    [
        ("flax/whole/checkpoint_300", "flax", "params.dense.kernel"),
        ("msgpack-file/loop/state-200.msgpack", "msgpack-file", "params.dense.kernel"),
        ("msgpack-file/roles_apart/ckpt-200", "msgpack-file", "dense.kernel"),
        ("npz-file/loop/step_200.npz", "npz-file", "params.dense.kernel"),
    ],
)
def test_real_files(path: str, format_name: str, kernel: str) -> None:
    found = listing_of(SAMPLES / path, format_name)
    assert found[kernel] == ("model", "float32", (8, 16))
    roles = [role for role, _, _ in found.values()]
    assert roles.count("optimizer") == 6
    assert len(found) in (8, 10)


@pytest.mark.parametrize(
    ("name", "format_name"), [("checkpoint_3", "flax"), ("state_3.msgpack", "msgpack-file")]
)
def test_places_of_msgpack(tmp_path: Path, name: str, format_name: str) -> None:
    data = struct.pack("<32f", *range(32))
    tree = state(3)
    tree["params"] = {"kernel": Array((4, 8), "float32", data)}
    path = tmp_path / name
    path.write_bytes(pack(tree))
    listing = tensors_of(judge(read_file(registry.reader(format_name), path)))
    (chunk,) = next(t for t in listing.tensors if t.name == "params.kernel").chunks
    assert chunk.begin is not None
    assert path.read_bytes()[chunk.begin : chunk.begin + chunk.size_bytes] == data


def test_places_of_npy(tmp_path: Path) -> None:
    (tmp_path / "step_3").mkdir()
    path = tmp_path / "step_3" / "params.npy"
    path.write_bytes(npy("<f4", (2,), b"abcdefgh"))
    listing = tensors_of(judge(read_directory(registry.reader("npz-file"), path.parent)))
    (chunk,) = listing.tensors[0].chunks
    assert (chunk.path, chunk.begin, chunk.size_bytes) == ("params.npy", 128, 8)
    assert listing.tensors[0].role == "model"


def test_places_of_gguf(tmp_path: Path) -> None:
    path = tmp_path / "m.gguf"
    path.write_bytes(gguf({"w": ((32, 5), 0), "q": ((64, 4), 8)}))
    listing = tensors_of(judge(read_file(registry.reader("gguf-file"), path)))
    assert {t.name: t.role for t in listing.tensors} == {"w": "model", "q": "model"}
    last = listing.tensors[-1].chunks[0]
    assert (last.begin or 0) + last.size_bytes == path.stat().st_size


def test_a_cut_file_is_noted(tmp_path: Path) -> None:
    path = tmp_path / "checkpoint_3"
    path.write_bytes(pack(state(3))[:-5])
    listing = tensors_of(judge(read_file(registry.reader("flax"), path)))
    assert [note.kind for note in listing.notes] == ["unreadable"]
