"""Files of two checkpoints, paired by what they are and not by the step in their names."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ckpt_tui.core.facts import CheckpointFacts, FileFacts

SLIGHT = 0.01
"""Sizes that differ by no more than this share say little: a pickled number takes a byte more."""
_NUMBER = re.compile(r"[0-9]{1,18}")


class FileChange(NamedTuple):
    """A file that is in one of them only, or has another size.

    Attributes:
        path: Relative to its checkpoint; that of the second where both have it.
        first: Size in bytes; None where the first has no such file.
        second: The same of the second.
    """

    path: str
    first: int | None
    second: int | None

    @property
    def slight(self) -> bool:
        """Whether the two sizes are nearly the same."""
        if self.first is None or self.second is None:
            return False
        return abs(self.first - self.second) <= SLIGHT * max(self.first, self.second)


class FileChanges(NamedTuple):
    """What differs among the files.

    Attributes:
        changed: Files in one only, then other sizes, the largest difference first.
        same: How many have one size in both.
    """

    changed: tuple[FileChange, ...] = ()
    same: int = 0


def compare_files(first: CheckpointFacts, second: CheckpointFacts) -> FileChanges:
    """Pairs files of equal paths, then those that differ by the step in their names alone."""
    pairs = _paired(first, second)
    changed: list[FileChange] = []
    same = 0
    for old, new in pairs:
        if old is not None and new is not None and old.size_bytes == new.size_bytes:
            same += 1
            continue
        named = new or old
        if named is not None:
            changed.append(FileChange(named.path, _size(old), _size(new)))
    changed.sort(key=_loudness)
    return FileChanges(tuple(changed), same)


def _size(file: FileFacts | None) -> int | None:
    return None if file is None else file.size_bytes


def _loudness(change: FileChange) -> tuple[int, int, str]:
    if change.first is None or change.second is None:
        return (0, 0, change.path)
    return (1, -abs(change.first - change.second), change.path)


def _paired(
    first: CheckpointFacts, second: CheckpointFacts
) -> list[tuple[FileFacts | None, FileFacts | None]]:
    old = {file.path: file for file in first.files}
    new = {file.path: file for file in second.files}
    pairs: list[tuple[FileFacts | None, FileFacts | None]] = [
        (old[path], new[path]) for path in old if path in new
    ]
    left_old = _by_kind(first, {path: file for path, file in old.items() if path not in new})
    left_new = _by_kind(second, {path: file for path, file in new.items() if path not in old})
    for kind in dict.fromkeys((*left_old, *left_new)):
        here, there = left_old.get(kind, ()), left_new.get(kind, ())
        if len(here) == len(there) == 1:
            pairs.append((here[0], there[0]))
        else:  # several that look alike without the step: nothing tells which belong together
            pairs += [(file, None) for file in here]
            pairs += [(None, file) for file in there]
    return pairs


def _by_kind(facts: CheckpointFacts, files: Mapping[str, FileFacts]) -> dict[str, list[FileFacts]]:
    """Files by their paths without the step; one that is the whole checkpoint by nothing."""
    alone = len(facts.files) == 1 and facts.is_made_of_files()
    kinds: dict[str, list[FileFacts]] = {}
    for path, file in files.items():
        kinds.setdefault("" if alone else without_step(path, facts.step), []).append(file)
    return kinds


def without_step(path: str, step: int | None) -> str:
    """The path with `N` in place of the step, so that it is the same in any checkpoint."""
    return _NUMBER.sub(lambda found: "N" if int(found[0]) == step else found[0], path)
