"""Tensors of two checkpoints: added, removed, of another shape or type."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.core.tensors import NoteKind
from ckpt_tui.core.tensors_words import is_faulty

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ckpt_tui.core.tensors import Note, Tensor, TensorListing


class TensorChange(NamedTuple):
    """A tensor that both have, and not alike."""

    first: Tensor
    second: Tensor

    @property
    def reshaped(self) -> bool:
        """Whether the shape is another."""
        return self.first.shape != self.second.shape

    @property
    def retyped(self) -> bool:
        """Whether the type of its elements is another."""
        return self.first.dtype != self.second.dtype


class TensorChanges(NamedTuple):
    """What differs among the tensors.

    Attributes:
        removed: Only in the first.
        added: Only in the second.
        changed: Of another shape, type, or both.
        same: How many are alike.
        same_bytes: Bytes of those.
        first_notes: What a listing of the first lacks: while there is any, that a tensor is in
            one only proves nothing.
        second_notes: The same of the second.
    """

    removed: tuple[Tensor, ...] = ()
    added: tuple[Tensor, ...] = ()
    changed: tuple[TensorChange, ...] = ()
    same: int = 0
    same_bytes: int = 0
    first_notes: tuple[Note, ...] = ()
    second_notes: tuple[Note, ...] = ()

    @property
    def differ(self) -> bool:
        """Whether anything differs."""
        return bool(self.removed or self.added or self.changed)


_Key = tuple[str, str, str, int]


def compare_tensors(first: TensorListing, second: TensorListing) -> TensorChanges:
    """Pairs tensors of one role and name.

    Several of one name are told apart by their files, and within one by their order.
    """
    split = _names_in_several_files(first.tensors) | _names_in_several_files(second.tensors)
    old, new = _keyed(first.tensors, split), _keyed(second.tensors, split)
    both = [(tensor, new[key]) for key, tensor in old.items() if key in new]
    alike = [a for a, b in both if a.shape == b.shape and a.dtype == b.dtype]
    return TensorChanges(
        removed=tuple([tensor for key, tensor in old.items() if key not in new]),
        added=tuple([tensor for key, tensor in new.items() if key not in old]),
        changed=tuple(
            [TensorChange(a, b) for a, b in both if a.shape != b.shape or a.dtype != b.dtype]
        ),
        same=len(alike),
        same_bytes=sum([tensor.size_bytes for tensor in alike]),
        first_notes=_lacks(first),
        second_notes=_lacks(second),
    )


def _lacks(listing: TensorListing) -> tuple[Note, ...]:
    cut = (NoteKind.MORE_TENSORS, NoteKind.SAVING)
    return tuple(note for note in listing.notes if note.kind in cut or is_faulty(note))


def file_of(tensor: Tensor) -> str:
    """The file that holds it, or its first piece; "" where that is not told."""
    return tensor.chunks[0].path if tensor.chunks else ""


def _names_in_several_files(tensors: Sequence[Tensor]) -> set[tuple[str, str]]:
    """Roles and names that stand in more than one file: parts that ranks keep for themselves."""
    files: dict[tuple[str, str], str] = {}
    split: set[tuple[str, str]] = set()
    for tensor in tensors:
        name = (tensor.role, tensor.name)
        if files.setdefault(name, file_of(tensor)) != file_of(tensor):
            split.add(name)
    return split


def _keyed(tensors: Sequence[Tensor], split: set[tuple[str, str]]) -> dict[_Key, Tensor]:
    """Tensors by role, name, file where that tells them apart, and how many came before."""
    keyed: dict[_Key, Tensor] = {}
    counts: dict[tuple[str, str, str], int] = {}
    for tensor in tensors:
        name = (tensor.role, tensor.name)
        place = (*name, file_of(tensor) if name in split else "")
        before = counts.get(place, 0)
        counts[place] = before + 1
        keyed[*place, before] = tensor
    return keyed
