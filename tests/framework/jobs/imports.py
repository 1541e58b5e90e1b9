"""Forks import what they need again and again, unless the process they come from has done so."""

from __future__ import annotations

import contextlib
import importlib
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path


def import_all(names: Iterable[str]) -> int:
    """Imports what a fork had to import; says how many modules were new here."""
    known = len(sys.modules)
    for name in names:
        with contextlib.suppress(Exception):  # a few are no modules of their own
            importlib.import_module(name)
    return len(sys.modules) - known


@contextlib.contextmanager
def imports_noted(path: Path) -> Iterator[None]:
    """Writes the names of the modules that were imported meanwhile to a file."""
    known = set(sys.modules)
    yield
    path.write_text("\n".join(sys.modules.keys() - known))


def import_noted(path: Path) -> int:
    """Imports what a fork has noted; says how many modules were new here."""
    return import_all(path.read_text().split() if path.exists() else ())
