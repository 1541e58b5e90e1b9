"""Files that safetensors left under its temporary name: `.tmpXXXXXX`, renamed when it is done.

It gives them their full size at once, so the size proves nothing.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ckpt_tui.formats.shared.links_and_holes import hollow_files, preallocated
from ckpt_tui.formats.shared.problems import staging_leftover

if TYPE_CHECKING:
    from ckpt_tui.core.files import Tree
    from ckpt_tui.core.findings import Finding

_TEMPORARY = re.compile(r"\.tmp\w*")


def is_temporary(path: str) -> bool:
    """Whether a relative path ends in safetensors' temporary name."""
    return _TEMPORARY.fullmatch(path.rpartition("/")[2]) is not None


def leftovers_and_holes(tree: Tree) -> tuple[Finding, ...]:
    """Temporary files with their holes, and files under final names that are all holes."""
    found: list[Finding] = []
    for entry in tree.files():
        if is_temporary(entry.path):
            found.append(staging_leftover(entry.path, "safetensors' temporary name"))
            holes = preallocated(entry)
            found += [holes] if holes is not None else []
    return (*found, *(hole for hole in hollow_files(tree) if not is_temporary(hole.path)))
