"""Files that are seen through links: an event names the place where they lie, and no link."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ckpt_tui.core.files import Kind
from ckpt_tui.fs import calls
from ckpt_tui.fs.paths import directories_above, spelled_below, within

if TYPE_CHECKING:
    from ckpt_tui.core.files import FileEntry
    from ckpt_tui.fs.listing import Directory


class LinkedFiles:
    """Which directories hold links to files that lie elsewhere.

    An export in a run's directory may be a link into the newest checkpoint.

    Args:
        root: The searched directory; what leads out of it is never named by an event.
    """

    def __init__(self, root: str) -> None:
        self._root = root
        self._targets: dict[str, frozenset[str]] = {}

    def listed(self, directory: Directory) -> None:
        """Takes a new listing in."""
        links = [entry for entry in directory.entries if entry.link_target is not None]
        targets = frozenset(filter(None, (self._file(directory, link) for link in links)))
        if targets:
            self._targets[directory.path] = targets
        else:
            self.forget(directory.path)

    def forget(self, path: str) -> None:
        """Forgets a directory."""
        self._targets.pop(path, None)

    def seen_from(self, changed: frozenset[str]) -> set[str]:
        """The directories from which something is seen that may have changed."""
        return {
            path
            for path, targets in self._targets.items()
            if any(not changed.isdisjoint((t, *directories_above(t))) for t in targets)
        }

    def _file(self, directory: Directory, link: FileEntry) -> str:
        """Where a link leads that leads to a file below, or to nothing that is there yet.

        By its text: a file system is asked about each link as it is, when it is listed.
        """
        text = link.link_target or ""
        if os.path.isabs(text):
            text = spelled_below(text, self._root)
        target = os.path.normpath(os.path.join(directory.path, text))
        here = os.path.dirname(target) == directory.path  # the directory's own events tell
        if here or not within(self._root, [target]):
            return ""
        return target if link.kind is Kind.FILE or not calls.is_directory(target) else ""
