"""Entries that a manifest's containers ask for and that it does not have.

Restoring leaves out a key without an entry, and fails at an entry without its container
(`torchsnapshot.flatten.inflate`).
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from ckpt_tui.formats.shared.problems import MOST_ALIKE, capped, missing_file
from ckpt_tui.formats.torchsnapshot.manifest import METADATA, SHARDED

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Set

    from ckpt_tui.core.findings import Finding
    from ckpt_tui.formats.torchsnapshot.manifest import Entry, Snapshot


def missing_entries(snapshot: Snapshot) -> list[Finding]:
    """A finding for each of the first entries that are absent."""
    shared = {
        path
        for entries in snapshot.ranks.values()
        for path, entry in entries.items()
        if entry.replicated or entry.kind in SHARDED
    }
    absent = (
        f"{rank}/{path}"
        for rank, entries in snapshot.ranks.items()
        for path in _absent(entries, shared)
    )
    why = f"{METADATA} has no such entry, but others that need it"
    return capped([missing_file(path, why) for path in islice(absent, MOST_ALIKE)])


def _absent(entries: Mapping[str, Entry], shared: Set[str]) -> Iterator[str]:
    for path, entry in entries.items():
        parent, slash, _ = path.rpartition("/")
        if slash and parent not in entries:
            yield parent
        for key in entry.keys:
            child = f"{path}/{_encoded(str(key))}"
            if child not in entries and child not in shared:
                yield child


def _encoded(key: str) -> str:
    return key.replace("%", "%25").replace("/", "%2F")
