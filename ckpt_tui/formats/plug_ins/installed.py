"""Readers that other distributions install, through the entry-point group `ckpt_tui.formats`.

They run in this process with all its rights, so only what is installed counts: the current
directory, which may be the one that is watched, is left out. Whether there are any is seen without
`importlib.metadata`, which costs more than all else that a look needs.
"""

from __future__ import annotations

import os
import re
import sys
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.formats.plug_ins.guarded import FAILURES, GuardedReader, told_error

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Mapping
    from importlib.metadata import EntryPoint

GROUP = "ckpt_tui.formats"

MOST_BYTES = 1024 * 1024
"""Of an `entry_points.txt` that are looked at."""

_NAME = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
_METHODS = ("claims_directory", "claims_files", "pointers", "read")


class PlugInError(Exception):
    """A plug-in cannot be used; the text says why."""


class PlugIns(NamedTuple):
    """What is installed.

    Attributes:
        readers: Format name → reader, in the order of the names.
        broken: Why others cannot be used, a sentence each that names entry point and distribution.
    """

    readers: Mapping[str, GuardedReader]
    broken: tuple[str, ...] = ()

    def readers_for(self, names: Iterable[str]) -> tuple[GuardedReader, ...]:
        """Those that may know a directory with these names in it."""
        text = "\n".join(names)
        return tuple(r for r in self.readers.values() if any(hint in text for hint in r.hints))


def installed_in(search_path: Iterable[str]) -> tuple[str, ...]:
    """The directories of a module search path in which a distribution names our group.

    Args:
        search_path: As `sys.path`; what is no directory is passed over.
    """
    here = os.path.realpath(os.curdir)
    places = dict.fromkeys(place for place in search_path if place)
    return tuple(p for p in places if os.path.realpath(p) != here and _names_group(p))


def _names_group(place: str) -> bool:
    try:
        names = os.listdir(place)
    except OSError:
        return False
    return any(
        GROUP.encode() in _start_of(os.path.join(place, name, "entry_points.txt"))
        for name in names
        if name.endswith(".dist-info")
    )


def _start_of(path: str) -> bytes:
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    except OSError:
        return b""
    try:
        return os.read(descriptor, MOST_BYTES)
    except OSError:
        return b""
    finally:
        os.close(descriptor)


def find_plug_ins(ours: Container[str]) -> PlugIns:
    """The plug-ins of this installation.

    Args:
        ours: Format names that no plug-in may take.
    """
    places = installed_in(sys.path)
    return load_from(places, ours) if places else PlugIns({})


def load_from(places: Iterable[str], ours: Container[str]) -> PlugIns:
    """Loads what the distributions in these directories offer; nothing is raised.

    Args:
        places: Directories of the module search path.
        ours: Format names that no plug-in may take.
    """
    readers: dict[str, GuardedReader] = {}
    broken: list[str] = []
    for point, whose in sorted(_offered(places, broken)):
        origin = f"plug-in `{point.name} = {point.value}` of {whose}"
        try:
            if point.name in readers:
                raise PlugInError("another distribution has a format of that name")
            readers[point.name] = _load(point, origin, ours)
        except FAILURES as error:
            broken.append(f"{origin} cannot be used: {told_error(error)}")
    return PlugIns(readers, tuple(broken))


def _offered(places: Iterable[str], broken: list[str]) -> list[tuple[EntryPoint, str]]:
    """All entry points of our group, each with the name and version of its distribution."""
    from importlib.metadata import distributions

    offered = []
    for distribution in distributions(path=list(places)):
        try:
            whose = f"{distribution.metadata['Name']} {distribution.version}"
            found = [point for point in distribution.entry_points if point.group == GROUP]
        except FAILURES as error:
            broken.append(f"the metadata of a distribution cannot be read: {told_error(error)}")
            continue
        offered += [(point, whose) for point in found]
    return offered


def _load(point: EntryPoint, origin: str, ours: Container[str]) -> GuardedReader:
    if not _NAME.fullmatch(point.name):
        raise PlugInError("a format's name is lower-case words with hyphens between them")
    if point.name in ours:
        raise PlugInError("a plug-in may not take the name of a format that is read here")
    reader = point.load()()
    if getattr(reader, "name", None) != point.name:
        raise PlugInError(f"its attribute `name` is not {point.name!r}")
    absent = [name for name in _METHODS if not callable(getattr(reader, name, None))]
    if absent:
        raise PlugInError(f"it lacks {', '.join(f'`{name}`' for name in absent)}")
    hints = getattr(reader, "hints", ("",))
    if not isinstance(hints, tuple) or not all(isinstance(hint, str) for hint in hints):
        raise PlugInError("its attribute `hints` is no tuple of strings")
    return GuardedReader(point.name, reader, origin, hints)
