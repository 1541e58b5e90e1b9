"""Tensors as values: what is looked for, what is summed up, what is said of them."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ckpt_tui.core.query_words import BadQueryError
from ckpt_tui.core.tensors import Chunk, Note, NoteKind, Tensor, TensorListing
from ckpt_tui.core.tensors_query import TENSOR_QUERY_HELP, parse_tensor_query
from ckpt_tui.core.tensors_reading import TensorsReading
from ckpt_tui.core.tensors_totals import totals_of
from ckpt_tui.core.tensors_words import elements_text, note_text, rows_text, where_text

MIB = 2**20
PIECES = (
    Chunk("__0_0.distcp", 0, (0, 0), (2048, 128), MIB // 2, 0),
    Chunk("__3_0.distcp", 3, (2048, 0), (2048, 128), MIB // 2, 0),
)


def tensor(name: str, shape: tuple[int, ...] = (4, 2), **changes: Any) -> Tensor:
    size = math.prod(shape) * 4
    plain = Tensor(name, "float32", shape, size, "model", (Chunk("model.pt"),), size)
    return plain._replace(**changes)


TENSORS = (
    tensor("model.Embed.weight", (4096, 128), dtype="bfloat16", size_bytes=MIB, chunks=PIECES),
    tensor("model.head.weight", (4096, 128), dtype="bfloat16", shares="model.Embed.weight"),
    tensor("optimizer.0.exp_avg", (128, 4096), role="optimizer"),
    tensor("loss", (), role=""),
)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", [0, 1, 2, 3]),
        ("embed", [0]),
        ("EMBED weight", [0]),
        ("!model", [2, 3]),
        ("!!model", [0, 1]),
        ("dtype:bf16", [0, 1]),
        ("dtype:float", [2, 3]),
        ("!dtype:fp32", [0, 1]),
        ("role:opt", [2]),
        ("role:other", [3]),
        ("shape:4096", [0, 1, 2]),
        ("shape:4096x128", [0, 1]),
        ("shape:128×4096", [2]),
        ("shape:scalar", [3]),
        ("size>1m", [1, 2]),
        ("size<=1m", [0, 3]),
        ("size=4", [3]),
        ("rank:3", [0]),
        ("file:__0", [0]),
        ("file:model.pt weight", [1]),
        ('"exp_avg"', [2]),
        # Half typed: nothing goes away before it is known what is meant.
        ("size", [0, 1, 2, 3]),
        ("size>", [0, 1, 2, 3]),
        ("!", [0, 1, 2, 3]),
        ("dtype:", [0, 1, 2, 3]),
        ('"', [0, 1, 2, 3]),
    ],
)
def test_query(text: str, found: list[int]) -> None:
    query = parse_tensor_query(text)
    assert query.places(TENSORS) == found
    assert [place for place, one in enumerate(TENSORS) if query.matches(one)] == found


@pytest.mark.parametrize("text", ["size>x", "shape:4x-1", "rank:a", "role>model", "colour:red"])
def test_a_query_that_cannot_be_read_names_the_field(text: str) -> None:
    with pytest.raises(BadQueryError, match=text[:4]):
        parse_tensor_query(text)


def test_help_names_queries_that_can_be_read() -> None:
    for example, _ in TENSOR_QUERY_HELP:
        assert parse_tensor_query(example).terms


@given(st.text(max_size=30))
def test_any_text_is_a_query_or_refused(text: str) -> None:
    try:
        query = parse_tensor_query(text)
    except BadQueryError:
        return
    assert set(query.places(TENSORS)) <= set(range(len(TENSORS)))


def test_shared_bytes_count_once() -> None:
    whole = TENSORS[0]
    tied = whole._replace(name="tied", stored_bytes=0, shares=whole.name)
    totals = totals_of([whole._replace(stored_bytes=MIB), tied, tensor("b", (2,))])
    assert totals.all == ("", 3, 4096 * 128 + 2, MIB + 8)
    assert totals.by_dtype == (
        ("bfloat16", 2, 4096 * 128, MIB),
        ("float32", 1, 2, 8),
    )
    assert totals.shared.tensors == 1
    assert totals.shared.size_bytes == MIB


@given(st.lists(st.tuples(st.sampled_from(["", "model", "rng"]), st.integers(0, 9)), max_size=30))
def test_groups_add_up_to_the_whole(rows: list[tuple[str, int]]) -> None:
    totals = totals_of(
        tensor(str(n), (length,), role=role) for n, (role, length) in enumerate(rows)
    )
    for groups in (totals.by_role, totals.by_dtype):
        assert sum(group.size_bytes for group in groups) == totals.all.size_bytes
        assert sum(group.tensors for group in groups) == totals.all.tensors == len(rows)
        assert [g.size_bytes for g in groups] == sorted(
            (g.size_bytes for g in groups), reverse=True
        )


@pytest.mark.parametrize(
    ("count", "text"),
    [(0, "0"), (999, "999"), (1000, "1.00 K"), (7_241_732_096, "7.24 B"), (10**40, f"{10**18} T")],
)
def test_elements(count: int, text: str) -> None:
    assert elements_text(count) == text


def test_where() -> None:
    assert where_text(TENSORS[0]) == "2 chunks, ranks 0, 3"
    assert where_text(TENSORS[1]) == "shares model.Embed.weight"
    assert where_text(TENSORS[3]) == "model.pt"
    assert where_text(TENSORS[3]._replace(chunks=())) == ""
    nameless = tuple(chunk._replace(rank=None) for chunk in PIECES)
    assert where_text(TENSORS[0]._replace(chunks=nameless)) == "2 chunks in 2 files"
    assert rows_text((2048, 0), (2048, 128)) == "[2048:4096, 0:128]"


@pytest.mark.parametrize("kind", NoteKind)
@pytest.mark.parametrize("how_many", [1, 7])
def test_every_note_is_a_sentence(kind: NoteKind, how_many: int) -> None:
    text = note_text(Note(kind, "a{b}.pt", how_many, 4096, "because {x}" * 40))
    assert "{count}" not in text
    assert len(text) < 250


def test_a_listing_says_whether_there_may_be_more() -> None:
    assert not TensorListing(TENSORS, 4).is_cut
    assert TensorListing(TENSORS, 5).is_cut
    assert TensorListing(TENSORS, 4, (Note(NoteKind.CUT_SHORT),)).is_cut


def test_a_reading_ends_by_time_or_because_nobody_waits() -> None:
    assert TensorsReading(-1.0).over
    reading = TensorsReading()
    assert not reading.over
    reading.stop()
    assert reading.over
    assert reading.stopped
