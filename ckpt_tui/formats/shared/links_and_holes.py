"""What a listing alone shows: links that lead out, and files of full size without their bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.core.files import Kind
from ckpt_tui.core.findings import Finding
from ckpt_tui.core.vocabulary import Severity
from ckpt_tui.formats.shared.problems import capped

if TYPE_CHECKING:
    from ckpt_tui.core.files import FileEntry, Tree

_HOLLOW_SHARE = 32


def preallocated(entry: FileEntry) -> Finding | None:
    """A file of full size whose blocks are missing, as a cut save leaves it; else None."""
    if entry.allocated_bytes >= entry.size_bytes // 2 or entry.size_bytes < 64 * 1024:
        return None
    return Finding(
        "preallocated",
        Severity.WARNING,
        entry.path,
        f"{entry.path} is {entry.size_bytes} bytes long, but only {entry.allocated_bytes} are on"
        " disk: holes read as zeros",
        "Do not trust its size; resume from another checkpoint if the save was cut.",
    )


def hollow_files(tree: Tree) -> list[Finding]:
    """Files of full size under their final names of which (almost) nothing is on disk.

    Compression and long runs of zeros save blocks, too, so only next to none are told.
    """
    hollow = [e for e in tree.files() if e.allocated_bytes * _HOLLOW_SHARE < e.size_bytes]
    return capped([found for entry in hollow if (found := preallocated(entry)) is not None])


def links_out(tree: Tree) -> tuple[Finding, ...]:
    """Links that lead out of the checkpoint, or nowhere: they are told, not followed."""
    return tuple(_outside(entry) for entry in tree.entries if entry.kind is Kind.LINK)


def links_and_holes(tree: Tree) -> tuple[Finding, ...]:
    """What the listing alone shows: links that lead out, and files of which nothing is on disk."""
    return (*links_out(tree), *hollow_files(tree))


def _outside(entry: FileEntry) -> Finding:
    return Finding(
        "outside-path",
        Severity.WARNING,
        entry.path,
        f"{entry.path} is a link that leads out of the checkpoint or nowhere; it was not followed",
        "Copy what it names into the checkpoint if it belongs there.",
    )
