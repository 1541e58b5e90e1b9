"""Entries that a manifest's containers ask for and that it does not have.

Restoring leaves out a key without an entry, lets the elements of a list move up, and fails at an
entry without its container (`torchsnapshot.flatten.inflate`).
"""

from __future__ import annotations

import re
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
    lists: dict[str, set[str]] = {}
    for path, entry in entries.items():
        parent, slash, last = path.rpartition("/")
        if slash and parent not in entries:
            yield parent
        elif slash and entries[parent].kind == "list":
            lists.setdefault(parent, set()).add(last)
        for key in entry.keys:
            child = f"{path}/{_encoded(str(key))}"
            if child not in entries and child not in shared:
                yield child
    for path, there in lists.items():
        for number in range(_length(there)):
            child = f"{path}/{number}"
            if str(number) not in there and child not in shared:
                yield child
    yield from _unlisted(entries)


def _unlisted(entries: Mapping[str, Entry]) -> Iterator[str]:
    """The end of a list of parameters: the optimizer has a state of one that no group names."""
    groups = re.compile(r"(.+)/param_groups/\d+/params/\d+")
    named: dict[str, set[object]] = {}
    for path, entry in entries.items():
        if match := groups.fullmatch(path):
            named.setdefault(match[1], set()).add(entry.value)
    for path, numbers in named.items():
        states = entries.get(f"{path}/state")
        if states is not None and not numbers.issuperset(states.keys):
            yield f"{path}/param_groups/*/params"


def _length(there: Set[str]) -> int:
    """Elements of a list, by the highest; the very last ones may be absent unseen.

    No list has more elements than ten times those that are there: a larger number is damage, and
    the first absent one tells of it as well.
    """
    highest = max((int(n) for n in there if n.isdecimal() and len(n) < 10), default=-1)
    return min(highest + 1, 10 * len(there))


def _encoded(key: str) -> str:
    return key.replace("%", "%25").replace("/", "%2F")
