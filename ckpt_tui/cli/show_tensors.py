"""What `show` says of tensors: totals first, then the tensors that were asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from ckpt_tui.core.printable import printable
from ckpt_tui.core.tensors_query import EVERY_TENSOR
from ckpt_tui.core.tensors_totals import totals_of
from ckpt_tui.core.tensors_words import (
    elements_text,
    note_text,
    role_text,
    shape_text,
    shared_text,
    where_text,
)
from ckpt_tui.core.text import bytes_text
from ckpt_tui.words import say, say_count
from ckpt_tui.words.wrapping import columns_of, padded

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ckpt_tui.core.tensors import Chunk, Tensor, TensorListing
    from ckpt_tui.core.tensors_query import TensorQuery
    from ckpt_tui.core.tensors_totals import Total

FIRST_TENSORS = 20
"""So many lines are printed where nothing else is asked for."""
_NAME_FROM = 46
_SHORTEST_NAME = 20


class ShownTensors(NamedTuple):
    """The tensors of one checkpoint, and which of them are wanted.

    Attributes:
        listing: All of them.
        query: Which of them count.
        most: How many are listed; None for all.
    """

    listing: TensorListing
    query: TensorQuery = EVERY_TENSOR
    most: int | None = FIRST_TENSORS

    @property
    def found(self) -> tuple[Tensor, ...]:
        """Those that the query matches."""
        if not self.query.terms:
            return self.listing.tensors
        tensors = self.listing.tensors
        return tuple(tensors[place] for place in self.query.places(tensors))


def tensor_lines(shown: ShownTensors, width: int) -> Iterator[str]:
    """Lines of text; none where no tensor is known and nothing is to be said.

    Args:
        shown: What to say.
        width: Columns there are.
    """
    listing = shown.listing
    if not listing.tensors and not listing.notes:
        return
    found = shown.found
    yield _head(shown, found)
    totals = totals_of(found)
    for label, groups in ((say("by role"), totals.by_role), (say("by dtype"), totals.by_dtype)):
        for group in groups:
            yield _total_line(label, group, role_text(group.name))
            label = ""
    if totals.shared.tensors:
        yield "  " + shared_text(totals.shared)
    for note in listing.notes:
        yield f"  {printable(note_text(note))}"
    yield from _rows(found[: shown.most], width)
    left = len(found) - len(found[: shown.most])
    if left:
        yield "  " + say_count(
            left,
            "… and {count} tensor more (--tensors all lists it)",
            "… and {count} tensors more (--tensors all lists them)",
        )


def _head(shown: ShownTensors, found: tuple[Tensor, ...]) -> str:
    listing = shown.listing
    at_least = say("at least {count}", count=listing.total) if listing.is_cut else listing.total
    if not shown.query.terms:
        return say("tensors    {count}", count=at_least)
    return say(
        "tensors    {found} of {count} for {query}",
        found=len(found),
        count=at_least,
        query=printable(shown.query.text),
    )


def _total_line(label: str, total: Total, name: str) -> str:
    counted = say_count(total.tensors, "{count} tensor", "{count} tensors")
    elements = say("{count} elements", count=elements_text(total.elements))
    size = bytes_text(total.size_bytes)
    told = say("{tensors}, {elements}", tensors=counted, elements=elements)
    return f"  {padded(label, 9)} {padded(printable(name), 14)} {size:>9}  {told}"


def _rows(tensors: tuple[Tensor, ...], width: int) -> Iterator[str]:
    """One line a tensor; names that are too long for the width stand on a line of their own."""
    room = max(_SHORTEST_NAME, width - _NAME_FROM)
    for tensor in tensors:
        name, where = printable(tensor.name), printable(where_text(tensor))
        head = (
            f"  {bytes_text(tensor.size_bytes):>9}  {tensor.dtype:<9}"
            f" {padded(shape_text(tensor.shape), 12)} {padded(role_text(tensor.role), 9)} "
        )
        if columns_of(name) + columns_of(where) + 2 <= room:
            yield f"{head}{name}  {where}".rstrip()
        else:
            yield f"{head}{name}".rstrip()
            if where:
                yield f"{'':11}  {where}"


def tensors_document(shown: ShownTensors) -> dict[str, Any]:
    """The fields of `show --json` that tell tensors."""
    found = shown.found
    totals = totals_of(found)
    return {
        "tensors": [_tensor(tensor) for tensor in found[: shown.most]],
        "tensors_total": shown.listing.total,
        "tensors_found": len(found),
        "tensor_totals": {
            **_total(totals.all),
            "by_role": {total.name or "other": _total(total) for total in totals.by_role},
            "by_dtype": {total.name: _total(total) for total in totals.by_dtype},
            "shared": {"tensors": totals.shared.tensors, "bytes": totals.shared.size_bytes},
        },
        "tensor_notes": [
            {
                "kind": note.kind.value,
                "path": note.path or None,
                "count": note.how_many,
                "bytes": note.size_bytes or None,
                "message": note_text(note),
            }
            for note in shown.listing.notes
        ],
    }


def _total(total: Total) -> dict[str, Any]:
    return {"tensors": total.tensors, "elements": total.elements, "bytes": total.size_bytes}


def _tensor(tensor: Tensor) -> dict[str, Any]:
    return {
        "name": tensor.name,
        "dtype": tensor.dtype,
        "shape": list(tensor.shape),
        "bytes": tensor.size_bytes,
        "stored_bytes": tensor.stored_bytes,
        "role": tensor.role or None,
        "file": tensor.chunks[0].path if tensor.chunks else None,
        "shares": tensor.shares or None,
        "chunks": [_chunk(chunk) for chunk in tensor.chunks],
    }


def _chunk(chunk: Chunk) -> dict[str, Any]:
    return {
        "file": chunk.path,
        "rank": chunk.rank,
        "offsets": list(chunk.offsets) or None,
        "shape": list(chunk.shape) or None,
        "bytes": chunk.size_bytes,
        "begin": chunk.begin,
        "record": chunk.record or None,
    }
