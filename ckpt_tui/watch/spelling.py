"""Paths as the user spelled the root, where that is a link."""

from __future__ import annotations

import os


def spelled(path: str, root: str, resolved: str) -> str:
    """A path at or below `resolved`, as a path at or below `root` that leads to the same place."""
    if root == resolved:
        return path
    inner = path.removeprefix(resolved).lstrip(os.sep)
    return os.path.join(root, inner) if inner else root
