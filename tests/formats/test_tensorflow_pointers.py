"""The text `checkpoint` of TensorFlow, and the keys' roles."""

from __future__ import annotations

import contextlib
import time
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ckpt_tui.artifacts.limits import ArtifactError, Limits
from ckpt_tui.formats.tensorflow.key_roles import role_by_key, roles_by_graph
from ckpt_tui.formats.tensorflow.names import number_of, part_name, temporary_prefix
from ckpt_tui.formats.tensorflow.object_graph import GraphNode, read_object_graph
from ckpt_tui.formats.tensorflow.pointers import pointers_of
from ckpt_tui.formats.tensorflow.state_file import StateFile, parse_state
from ckpt_tui.fs.listing import list_directory

if TYPE_CHECKING:
    from pathlib import Path

VALUE = "/.ATTRIBUTES/VARIABLE_VALUE"


@pytest.mark.parametrize(
    ("text", "latest", "kept"),
    [
        ('model_checkpoint_path: "ckpt-4"\n', "ckpt-4", ()),
        (
            'model_checkpoint_path: "ckpt-4"\nall_model_checkpoint_paths: "ckpt-3"\n'
            'all_model_checkpoint_paths: "ckpt-4"\nall_model_checkpoint_timestamps: 1.5e9\n'
            "last_preserved_timestamp: 1795984455.9293537\n",
            "ckpt-4",
            ("ckpt-3", "ckpt-4"),
        ),
        (r'model_checkpoint_path: "gr\303\274n \"a\"\\b"', 'grün "a"\\b', ()),
        ("# by hand\nmodel_checkpoint_path: 'a' ;", "a", ()),
        ('model_checkpoint_path: "a" "b"', "ab", ()),
    ],
)
def test_the_state_file(text: str, latest: str, kept: tuple[str, ...]) -> None:
    assert parse_state(text) == StateFile(latest, kept)


@pytest.mark.parametrize("text", ["", "\n", "model_checkpoint_path: ", 'x { y: "z" }', "{}"])
def test_what_is_no_state_file(text: str) -> None:
    with pytest.raises(ArtifactError):
        parse_state(text)


@given(st.text(max_size=80))
def test_a_path_comes_back_as_it_was_written(path: str) -> None:
    escaped = path.encode("utf-8", "surrogatepass").hex()
    quoted = "".join(f"\\x{escaped[i : i + 2]}" for i in range(0, len(escaped), 2))
    if not path:
        return
    found = parse_state(f'model_checkpoint_path: "{quoted}"').latest
    assert found.encode("utf-8", "surrogateescape") == path.encode("utf-8", "surrogatepass")


@pytest.mark.parametrize(
    ("latest", "targets"),
    [
        ("ckpt-2", ["ckpt-2.index", "ckpt-2.data-00000-of-00001"]),
        ("/elsewhere/ckpt-2", ["/elsewhere/ckpt-2.index", "ckpt-2.index"]),
        ("gone", ["gone.index"]),
    ],
)
def test_what_the_pointer_may_mean(tmp_path: Path, latest: str, targets: list[str]) -> None:
    (tmp_path / "checkpoint").write_text(f'model_checkpoint_path: "{latest}"\n')
    (tmp_path / "ckpt-2.data-00000-of-00001").touch()
    (pointer,) = pointers_of(list_directory(str(tmp_path)))
    assert (pointer.kind, pointer.raw, pointer.problem) == ("text", latest, "")
    wanted = [str(tmp_path / target) for target in targets]
    assert list(pointer.targets[: len(wanted)]) == wanted


@pytest.mark.parametrize("content", [b"", b"\xff\xfe", b"80 files"])
def test_a_pointer_that_cannot_be_read(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "checkpoint").write_bytes(content)
    (pointer,) = pointers_of(list_directory(str(tmp_path)))
    assert pointer.problem == "unreadable"


@pytest.mark.parametrize(
    ("key", "role"),
    [
        ("model/dense/kernel" + VALUE, "model"),
        ("encoder/kernel" + VALUE, "model"),
        ("w" + VALUE, None),
        ("optimizer/_variables/3" + VALUE, "optimizer"),
        ("optimizer/_trainable_variables/3" + VALUE, "model"),
        ("model/optimizer/_variables/1" + VALUE, "optimizer"),
        ("d_optimizer/beta_1" + VALUE, "optimizer"),
        ("w/.OPTIMIZER_SLOT/optimizer/m" + VALUE, "optimizer"),
        ("iterator/.ATTRIBUTES/ITERATOR_STATE", "dataloader"),
        ("generator_of_noise/_state_var" + VALUE, "rng"),
        ("model/dropout/seed_generator/state" + VALUE, "rng"),
        ("dense/kernel/Adam_1", "optimizer"),
        ("dense/kernel/Momentum", "optimizer"),
        ("beta2_power", "optimizer"),
        ("dense/kernel", None),
        ("save_counter" + VALUE, None),
    ],
)
def test_roles_by_keys(key: str, role: str | None) -> None:
    assert role_by_key(key) == role


def test_the_graph_knows_an_optimizer_by_its_lists() -> None:
    nodes = (
        GraphNode((("a", 1), ("net", 2)), (), ()),
        GraphNode((("_variables", 3), ("_trainable_variables", 4)), (), ()),
        GraphNode((("kernel", 6),), (), ()),
        GraphNode((("0", 5),), (), ()),
        GraphNode((("0", 6),), (), ()),
        GraphNode((), ("a/_variables/0",), ()),
        GraphNode((), ("a/_trainable_variables/0",), ()),
    )
    assert roles_by_graph(nodes) == {
        "a/_variables/0": "optimizer",
        "a/_trainable_variables/0": "model",
    }


def test_the_graph_knows_slots() -> None:
    nodes = (
        GraphNode((("w", 1), ("opt", 2)), (), ()),
        GraphNode((), ("w",), ()),
        GraphNode((("w", 1),), ("power",), (3,)),
        GraphNode((), ("w/.OPTIMIZER_SLOT/opt/m",), ()),
    )
    assert roles_by_graph(nodes) == {"w": "model", "power": "optimizer"}


def test_a_graph_that_is_a_circle_comes_to_an_end() -> None:
    nodes = (GraphNode((("a", 0), ("b", 1), ("c", 9)), ("k",), ()), GraphNode((("a", 0),), (), ()))
    assert roles_by_graph(nodes) == {"k": None}


def test_an_object_that_is_named_by_very_many_is_looked_at_once() -> None:
    many = 20_000
    root = GraphNode(tuple((f"c{n}", 0) for n in range(many)), ("k",), ())
    begin = time.thread_time()
    assert roles_by_graph((root,)) == {"k": None}
    assert time.thread_time() - begin < 5


def test_a_graph_that_takes_too_long_is_told() -> None:
    with pytest.raises(ArtifactError) as raised:
        read_object_graph(b"\x0a\x04\x0a\x02\x08\x00", "x", Limits(seconds=-1.0))
    assert raised.value.code == "limit-exceeded"


@given(st.binary(max_size=100))
def test_any_bytes_are_a_graph_or_an_error(data: bytes) -> None:
    with contextlib.suppress(ArtifactError):
        assert len(roles_by_graph(read_object_graph(data))) <= len(data)


@pytest.mark.parametrize(
    ("prefix", "number"),
    [
        ("ckpt-3", 3),
        ("model.ckpt-1000", 1000),
        ("model.step-15", 15),
        ("weights-100", 100),
        ("cp-0007.ckpt", 7),
        ("bert_model.ckpt", None),
        ("resnet50", None),
        ("epoch-3", None),
    ],
)
def test_numbers_of_prefixes(prefix: str, number: int | None) -> None:
    assert number_of(prefix) == number


def test_names_of_parts() -> None:
    assert temporary_prefix("ckpt-3_temp") == "ckpt-3"
    assert temporary_prefix(f"model.ckpt-4_temp_{'0' * 32}") == "model.ckpt-4"
    assert temporary_prefix("temperature") is None
    part = part_name("part-00001-of-00002.data-00000-of-00001.tempstate123")
    assert part is not None
    assert (part.part, part.parts, part.is_index, part.is_open) == (1, 2, False, True)
