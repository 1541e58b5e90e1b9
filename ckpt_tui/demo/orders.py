"""What the job tells its ranks, and what they answer: one line of JSON each."""

from __future__ import annotations

import json
from typing import NamedTuple

from ckpt_tui.demo.content import Identity
from ckpt_tui.manifest import ManifestEntry


class SaveOrder(NamedTuple):
    """Write your part of a checkpoint.

    Attributes:
        checkpoint_format: `manifest` or `torch-file`.
        target: The checkpoint's directory or file.
        identity: Whose state to write.
        seconds: How long to take, spread over the bytes.
        weights_only: Whether to write the model alone.
        in_place: Whether a plain file is written under its final name.
        die_at: The share of the bytes after which to die, or None.
        stall_seconds: How long to write nothing half-way.
    """

    checkpoint_format: str
    target: str
    identity: Identity
    seconds: float
    weights_only: bool = False
    in_place: bool = True
    die_at: float | None = None
    stall_seconds: float = 0.0


class CommitOrder(NamedTuple):
    """Commit the sharded checkpoint of the last save order: these are all ranks' shards."""

    entries: tuple[ManifestEntry, ...]


class Reply(NamedTuple):
    """What came of an order: the shards that were written, or what went wrong."""

    entries: tuple[ManifestEntry, ...] = ()
    error: str | None = None


def encode(message: SaveOrder | CommitOrder | Reply) -> str:
    """The message as one line, without its end."""
    return json.dumps({type(message).__name__: message._asdict()})


def decode_order(line: str) -> SaveOrder | CommitOrder:
    """The order on a line."""
    ((kind, fields),) = json.loads(line).items()
    if kind == CommitOrder.__name__:
        return CommitOrder(_entries(fields["entries"]))
    return SaveOrder(**{**fields, "identity": Identity(*fields["identity"])})


def decode_reply(line: str) -> Reply:
    """The reply on a line."""
    fields = json.loads(line)[Reply.__name__]
    return Reply(_entries(fields["entries"]), fields["error"])


def _entries(rows: list[list[str]]) -> tuple[ManifestEntry, ...]:
    return tuple(ManifestEntry._make(row) for row in rows)
