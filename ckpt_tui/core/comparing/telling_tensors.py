"""What a comparison says of tensors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.core.comparing.rows import NONE, Row, Section, section
from ckpt_tui.core.tensors_words import note_text, shape_text
from ckpt_tui.core.text import bytes_text
from ckpt_tui.words import say, say_count

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ckpt_tui.core.comparing.tensors import TensorChange, TensorChanges
    from ckpt_tui.core.tensors import Tensor


def tensor_sections(changes: TensorChanges, most: int) -> Iterator[Section]:
    """Other shapes and types, then what is in one only, then what the headers do not tell."""
    reshaped = [change for change in changes.changed if change.reshaped]
    retyped = [change for change in changes.changed if not change.reshaped]
    yield section(say("tensors of another shape"), reshaped, _changed, most)
    yield section(say("tensors of another type"), retyped, _changed, most)
    removed, added = changes.removed, changes.added
    yield section(say("tensors only in the first"), removed, _removed, most, _bytes(removed))
    yield section(say("tensors only in the second"), added, _added, most, _bytes(added))
    yield Section(say("tensors that are not compared"), more=tuple(_lacks(changes)))


def same_tensors(changes: TensorChanges) -> str:
    """How many are alike; "" for none."""
    if not changes.same:
        return ""
    count = say_count(changes.same, "{count} tensor", "{count} tensors")
    return say(
        "{tensors} of one shape and type ({size})",
        tensors=count,
        size=bytes_text(changes.same_bytes),
    )


def _changed(change: TensorChange) -> Row:
    return Row("~", _name(change.second), _text(change.first), _text(change.second))


def _removed(tensor: Tensor) -> Row:
    return Row("-", _name(tensor), _text(tensor), NONE)


def _added(tensor: Tensor) -> Row:
    return Row("+", _name(tensor), NONE, _text(tensor))


def _name(tensor: Tensor) -> str:
    return f"{say(tensor.role)}: {tensor.name}" if tensor.role else tensor.name


def _text(tensor: Tensor) -> str:
    return f"{tensor.dtype} {shape_text(tensor.shape)}"


def _bytes(tensors: Sequence[Tensor]) -> tuple[str, ...]:
    if len(tensors) < 2:
        return ()
    size = bytes_text(sum([tensor.size_bytes for tensor in tensors]))
    return (say("{size} in all", size=size),)


def _lacks(changes: TensorChanges) -> Iterator[str]:
    for note in changes.first_notes:
        yield say("of the first: {note}", note=note_text(note))
    for note in changes.second_notes:
        yield say("of the second: {note}", note=note_text(note))
