"""The tree of states that a numpy file holds: arrays by flat names, or dictionaries in a pickle."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.artifacts.npy_header import read_npy, read_npy_header
from ckpt_tui.artifacts.npz_archive import pickle_of, read_npz
from ckpt_tui.artifacts.source import WindowSource
from ckpt_tui.formats.npz_file.positions import states_by_position
from ckpt_tui.formats.shared.array_tree import tree_of_names

if TYPE_CHECKING:
    from ckpt_tui.artifacts.limits import Limits
    from ckpt_tui.artifacts.source import Source

_POSITION = "arr_"


class NumpyTree(NamedTuple):
    """What a file holds.

    Attributes:
        tree: Dictionaries, lists, scalars and `StoredArray`.
        globals: Qualified names that pickles in it name; empty where all is plain arrays.
    """

    tree: object
    globals: frozenset[str] = frozenset()


def read_numpy_tree(source: Source, limits: Limits) -> NumpyTree:
    """Reads a file of numpy by its first bytes: an archive of arrays, or one array.

    Raises:
        ArtifactError: It cannot be read, or its structure cannot be right.
    """
    if source.read_at(0, 2) == b"PK":
        return _of_archive(source, limits)
    array = read_npy(source)
    if array.dtype != "object" or array.pieces:
        return NumpyTree(array)
    from ckpt_tui.formats.npz_file.objects import read_objects  # imports what reads pickles

    begin = read_npy_header(source).data_begin
    window = WindowSource(source, begin, source.size - begin)
    objects = read_objects(window, begin, limits)
    return NumpyTree(objects.value, objects.globals)


def plain_tree(source: Source, limits: Limits) -> object:
    """The tree alone.

    Raises:
        ArtifactError: As `read_numpy_tree`.
    """
    return read_numpy_tree(source, limits).tree


def _of_archive(source: Source, limits: Limits) -> NumpyTree:
    found: dict[str, object] = {}
    names: set[str] = set()
    for name, member in read_npz(source, limits).items():
        found[name] = member.array
        if not member.is_pickled:
            continue
        from ckpt_tui.formats.npz_file.objects import read_objects  # imports what reads pickles

        inner, begin = pickle_of(source, member, limits)
        objects = read_objects(inner, begin, limits)
        names |= objects.globals
        found[name] = objects.value
    return NumpyTree(_tree(found), frozenset(names))


def _tree(found: Mapping[str, object]) -> object:
    """Arrays that were given by position have numbers for names; one dictionary alone is all."""
    numbered = {n.removeprefix(_POSITION): v for n, v in found.items() if n.startswith(_POSITION)}
    named = {name: value for name, value in found.items() if not name.startswith(_POSITION)}
    if len(numbered) == 1 and not named:
        alone = next(iter(numbered.values()))
        return alone if isinstance(alone, Mapping) else dict(found)
    states = states_by_position(numbered) if numbered else None
    if states is not None:
        return states | tree_of_names(named)
    return tree_of_names(found) if named else numbered
