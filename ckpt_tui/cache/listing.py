"""What facts depend on, as digests; and which facts may be kept.

Facts follow from these alone, so that facts kept under equal digests are what a reader would say:

* the program: its version and the files of the packages that read;
* the terms of reading: `Limits`, and further names of roles (`Synonyms`);
* the claim: reader, path, members, whether it is an export, NeMo's marker beside it;
* the listing: path, kind, size, time of writing, allocated bytes, number and link text of every
  entry. A link that is followed stands there with its target's stat;
* the device and number of the directory itself: another disk in its place;
* `CheckpointFacts.neighbours`: what was asked about paths outside. That is asked again.

Pointers, growth, the run's other checkpoints and the clock come in later, when facts are judged.
What no stat shows no digest shows: a file that is rewritten with its size, its time and its number
kept, and permissions that change.
"""

from __future__ import annotations

import json
import os
from functools import cache
from hashlib import blake2b
from typing import TYPE_CHECKING

from ckpt_tui import __version__
from ckpt_tui.core.vocabulary import Effect
from ckpt_tui.formats.registry import reader_names
from ckpt_tui.fs import calls
from ckpt_tui.fs.paths import is_there

if TYPE_CHECKING:
    from ckpt_tui.artifacts.limits import Limits
    from ckpt_tui.core.facts import CheckpointFacts
    from ckpt_tui.core.files import Tree
    from ckpt_tui.formats.base import Claim
    from ckpt_tui.formats.shared.roles import Synonyms

FORM = 1
"""Version of what is kept: of the tables and of the values in them."""

QUIET_SECONDS = 2.0
"""Two writes within one tick of a file server's clock can leave the same time and size."""

_DIGEST_BYTES = 20
_READING_PACKAGES = ("artifacts", "core", "formats", "fs")
# An account, a slow machine or a failing disk says so, not the checkpoint.
_PASSING = frozenset({"io-error", "limit-exceeded", "permission-denied", "reader-failed"})


def terms_digest(limits: Limits, synonyms: Synonyms) -> bytes:
    """Digest of the program and of what it reads by."""
    return _digest([FORM, __version__, _program(), limits, synonyms])


def listing_digest(claim: Claim, tree: Tree) -> bytes:
    """Digest of a claim and its listing; b"" where what it is about is gone."""
    try:
        info = calls.stat(claim.path)
    except OSError:
        return b""
    place = (info.st_dev, info.st_ino)
    return _digest([claim, place, tree.root_mtime_ns, tree.entries])


def may_be_kept(claim: Claim, tree: Tree, facts: CheckpointFacts, looked_at_seconds: float) -> bool:
    """Whether facts are settled, and rest on nothing but what the digests cover.

    Args:
        claim: What was read; a plug-in's reader may depend on anything.
        tree: The listing that it was read under.
        facts: What was read.
        looked_at_seconds: Since the epoch, not after the listing began.
    """
    if claim.reader not in reader_names() or tree.problems or tree.truncated or tree.link_target:
        return False
    if facts.commit.met is False or facts.staging or facts.path != claim.path or not tree.entries:
        return False
    if any(f.effect is not Effect.NONE or f.code in _PASSING for f in facts.findings):
        return False
    newest_ns = max(entry.mtime_ns for entry in tree.entries)
    return newest_ns / 1e9 < looked_at_seconds - QUIET_SECONDS


def neighbours_are_the_same(facts: CheckpointFacts) -> bool:
    """Whether all that was asked about paths outside has the same answer now."""
    return all(is_there(n.path) == n.there for n in facts.neighbours)


def _digest(value: object) -> bytes:
    text = json.dumps(value, separators=(",", ":"))  # ASCII: any name has exactly one form
    return blake2b(text.encode("ascii"), digest_size=_DIGEST_BYTES).digest()


@cache
def _program() -> tuple[tuple[str, int, int], ...]:
    """Name, size and time of each file that reads: a checkout changes without its version."""
    top = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    found: list[tuple[str, int, int]] = []
    for package in _READING_PACKAGES:
        for place, _, names in os.walk(os.path.join(top, package)):
            for name in names:
                if name.endswith(".py"):
                    path = os.path.join(place, name)
                    info = os.stat(path)
                    found.append((os.path.relpath(path, top), info.st_size, info.st_mtime_ns))
    return tuple(sorted(found))
