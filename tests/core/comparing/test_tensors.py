"""Tensors of two checkpoints: added, removed, of another shape or type."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ckpt_tui.core.comparing.checkpoints import compare_checkpoints
from ckpt_tui.core.comparing.document import compare_document
from ckpt_tui.core.comparing.telling import told
from ckpt_tui.core.comparing.tensors import compare_tensors
from ckpt_tui.core.tensors import Chunk, Note, NoteKind, Tensor, TensorListing
from tests.core.builders import checkpoint


def tensor(
    name: str, shape: tuple[int, ...] = (4, 4), dtype: str = "float32", path: str = "m.pt"
) -> Tensor:
    return Tensor(name, dtype, shape, 64, "model", (Chunk(path),), 64)


def listing(*tensors: Tensor, notes: tuple[Note, ...] = ()) -> TensorListing:
    return TensorListing(tensors, len(tensors), notes)


FIRST = listing(tensor("same"), tensor("wider"), tensor("typed"), tensor("gone"), tensor("both"))
SECOND = listing(
    tensor("new", path="other.pt"),
    tensor("both", (8, 4), "bfloat16"),
    tensor("typed", dtype="bfloat16"),
    tensor("wider", (4, 8)),
    tensor("same"),
)


def test_each_kind_of_difference() -> None:
    made = compare_tensors(FIRST, SECOND)
    assert [each.name for each in made.removed] == ["gone"]
    assert [each.name for each in made.added] == ["new"]
    assert {c.first.name: (c.reshaped, c.retyped) for c in made.changed} == {
        "wider": (True, False),
        "typed": (False, True),
        "both": (True, True),
    }
    assert (made.same, made.same_bytes) == (1, 64)
    assert made.differ


def test_they_are_told_in_sections() -> None:
    pair = (checkpoint(10), checkpoint(20))
    made = compare_checkpoints(*pair)._replace(tensors=compare_tensors(FIRST, SECOND))
    said = told(made)
    assert [(s.title, [tuple(row[:4]) for row in s.rows]) for s in said.sections] == [
        (
            "tensors of another shape",
            [
                ("~", "model: wider", "float32 4×4", "float32 4×8"),
                ("~", "model: both", "float32 4×4", "bfloat16 8×4"),
            ],
        ),
        ("tensors of another type", [("~", "model: typed", "float32 4×4", "bfloat16 4×4")]),
        ("tensors only in the first", [("-", "model: gone", "float32 4×4", "–")]),
        ("tensors only in the second", [("+", "model: new", "–", "float32 4×4")]),
    ]
    assert "1 tensor of one shape and type (64 B)" in said.same
    assert not made.alike
    document = compare_document(made, "1")["tensors"]
    assert [each["name"] for each in document["added"]] == ["new"]
    assert document["changed"][0]["reshaped"]


def test_parts_of_one_name_are_told_apart_by_their_files() -> None:
    first = listing(tensor("step", path="rank0.pt"), tensor("step", path="rank1.pt"))
    second = listing(tensor("step", path="rank1.pt"))
    made = compare_tensors(first, second)
    assert [each.chunks[0].path for each in made.removed] == ["rank0.pt"]
    assert made.same == 1


def test_one_file_under_another_name_holds_the_same_tensors() -> None:
    first = listing(tensor("w", path="ckpt_100.pt"), tensor("w", path="ckpt_100.pt"))
    second = listing(tensor("w", path="ckpt_200.pt"), tensor("w", path="ckpt_200.pt"))
    assert not compare_tensors(first, second).differ


def test_what_was_not_listed_is_said() -> None:
    cut = Note(NoteKind.MORE_TENSORS, how_many=7)
    remark = Note(NoteKind.OBJECTS, "m.pt", 2)
    made = compare_tensors(listing(tensor("a"), notes=(cut, remark)), listing(tensor("a")))
    assert (made.first_notes, made.second_notes) == ((cut,), ())
    pair = (checkpoint(10), checkpoint(20))
    said = told(compare_checkpoints(*pair)._replace(tensors=made))
    assert said.sections[-1].more == ("of the first: 7 more tensors are counted, not listed",)


_TENSORS = st.lists(
    st.builds(
        tensor,
        st.sampled_from("abc"),
        st.sampled_from([(), (1,), (2, 2)]),
        st.sampled_from(["float32", "int8"]),
        st.sampled_from(["x.pt", "y.pt"]),
    ),
    max_size=8,
).map(lambda tensors: listing(*tensors))


@given(_TENSORS, _TENSORS)
def test_every_tensor_is_somewhere_once(first: TensorListing, second: TensorListing) -> None:
    made, back = compare_tensors(first, second), compare_tensors(second, first)
    paired = made.same + len(made.changed)
    assert paired + len(made.removed) == len(first.tensors)
    assert paired + len(made.added) == len(second.tensors)
    assert (made.removed, made.added, made.same) == (back.added, back.removed, back.same)
    assert not compare_tensors(first, first).differ
