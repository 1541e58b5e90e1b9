"""Parses `manifest.json`, our own form and the lesson's plain one, and checks every field.

The plain form has `entries` of `role`, `path` and `size_mib`, and `shards` apart from them, of
`rank`, `checkpoint_id` and `size_mib`.
"""

from __future__ import annotations

import math
from datetime import UTC, datetime
from sys import intern
from typing import NamedTuple

from ckpt_tui.artifacts.limits import ArtifactError
from ckpt_tui.formats.shared.bounds import MOST_RANKS

SCHEMA = "ckpt-tui/manifest/1"
_SCHEMA_FAMILY = "ckpt-tui/manifest/"
_MIB = 1024 * 1024
_LARGEST = 1 << 62
_MOST_DECIMALS = 12
_CRC_DIGITS = frozenset("0123456789abcdefABCDEF")


class Entry(NamedTuple):
    """A file that the manifest lists; rank and checkpoint ID are None in the plain form.

    Attributes:
        slack_bytes: How far the file's size may be off, as the plain form's sizes are rounded.
    """

    role: str
    path: str
    rank: int | None
    checkpoint_id: str | None
    size_bytes: int
    crc32: str | None = None
    slack_bytes: int = 0


class PlainShard(NamedTuple):
    """A shard as the plain form lists it; it need not name its file."""

    rank: int
    checkpoint_id: str
    size_bytes: int
    path: str | None = None


class Document(NamedTuple):
    """A manifest of either form.

    Attributes:
        plain: It is the lesson's form: sizes are rounded, shards lie apart.
        checkpoint_id: "" where the plain form gives none.
        world_size: None where the plain form gives none.
        reshard: Whether another world size can load it, where the manifest says.
    """

    plain: bool
    checkpoint_id: str
    world_size: int | None
    committed: bool
    step: int | None
    asynchronous: bool | None
    started_at: float | None
    committed_at: float | None
    reshard: bool | None
    entries: tuple[Entry, ...]
    shards: tuple[PlainShard, ...]


def parse_document(value: object) -> Document:
    """Checks a JSON value and turns it into a document.

    Raises:
        ArtifactError: ``invalid-json`` names the first field that is wrong;
            ``unsupported-version`` for another schema of ours.
    """
    top = _Fields(value, "")
    schema = top.text("schema") if top.has("schema") else None
    if schema is not None and schema != SCHEMA:
        if schema.startswith(_SCHEMA_FAMILY):
            message = f"unsupported manifest schema {schema!r}, this version reads {SCHEMA!r}"
            raise ArtifactError("unsupported-version", message)
        raise ArtifactError("invalid-json", f"field `schema` must be {SCHEMA!r}, is {schema!r}")
    plain = schema is None
    return Document(
        plain=plain,
        checkpoint_id=top.text("checkpoint_id") if top.has("checkpoint_id") or not plain else "",
        world_size=top.ranks("world_size", 1, MOST_RANKS)
        if top.has("world_size") or not plain
        else None,
        committed=top.flag("committed"),
        step=top.whole("step", 0, _LARGEST) if top.has("step") or not plain else None,
        asynchronous=top.flag("async") if top.has("async") else None,
        started_at=top.time("started_at"),
        committed_at=top.time("committed_at"),
        reshard=top.flag("reshard") if top.has("reshard") else None,
        entries=tuple([_entry(item, n, plain) for n, item in enumerate(top.items("entries"))]),
        shards=tuple(_shard(item, n) for n, item in enumerate(top.items("shards")))
        if plain
        else (),
    )


def _entry(value: object, number: int, plain: bool) -> Entry:
    quick = None if plain or not isinstance(value, dict) else _usual_entry(value)
    if quick is not None:
        return quick
    item = _Fields(value, f"`entries[{number}]`")
    return Entry(
        role=item.text("role"),
        path=item.text("path"),
        rank=item.ranks("rank", 0, MOST_RANKS - 1) if item.has("rank") or not plain else None,
        checkpoint_id=item.text("checkpoint_id")
        if item.has("checkpoint_id") or not plain
        else None,
        size_bytes=item.mebibytes("size_mib") if plain else item.whole("size_bytes", 0, _LARGEST),
        crc32=item.crc32("crc32"),
        slack_bytes=item.rounding("size_mib") if plain else 0,
    )


def _usual_entry(values: dict[str, object]) -> Entry | None:
    """An entry of which every field is right at first sight; None where that is not so.

    There may be thousands in a manifest: one by one, the fields would take four times as long.
    """
    get = values.get
    role, path, identity, crc32 = get("role"), get("path"), get("checkpoint_id"), get("crc32")
    rank, size_bytes = get("rank"), get("size_bytes")
    if (
        (isinstance(role, str) and isinstance(path, str) and isinstance(identity, str))
        and (role and path and identity)
        and (type(rank) is int and 0 <= rank < MOST_RANKS)
        and (type(size_bytes) is int and 0 <= size_bytes <= _LARGEST)
        and (crc32 is None or _is_crc32(crc32))
    ):
        text = crc32 if isinstance(crc32, str) else None
        return Entry(intern(role), path, rank, intern(identity), size_bytes, text)
    return None


def _is_crc32(value: object) -> bool:
    return isinstance(value, str) and len(value) == 8 and _CRC_DIGITS.issuperset(value)


def _shard(value: object, number: int) -> PlainShard:
    item = _Fields(value, f"`shards[{number}]`")
    return PlainShard(
        rank=item.ranks("rank", 0, MOST_RANKS - 1),
        checkpoint_id=item.text("checkpoint_id"),
        size_bytes=item.mebibytes("size_mib"),
        path=item.text("path") if item.has("path") else None,
    )


class _Fields:
    """The fields of one JSON object, each asked for with the type that it must have."""

    def __init__(self, value: object, place: str) -> None:
        self._place = place
        if not isinstance(value, dict):
            raise ArtifactError("invalid-json", f"{place or 'the document'} must be an object")
        self._values: dict[str, object] = value

    def has(self, key: str) -> bool:
        return self._values.get(key) is not None

    def text(self, key: str) -> str:
        value = self._values.get(key)
        if not isinstance(value, str) or not value:
            raise self._wrong(key, "a text that is not empty")
        return value

    def flag(self, key: str) -> bool:
        value = self._values.get(key)
        if not isinstance(value, bool):
            raise self._wrong(key, "true or false")
        return value

    def whole(self, key: str, least: int, most: int) -> int:
        value = self._values.get(key)
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            raise self._wrong(key, f"a whole number of at least {least}")
        return value

    def ranks(self, key: str, least: int, most: int) -> int:
        value = self.whole(key, least, _LARGEST)
        if value > most:
            message = f"{self._field(key)} is {value}, more than the limit of {most}"
            raise ArtifactError("limit-exceeded", message)
        return value

    def mebibytes(self, key: str) -> int:
        value = self._values.get(key)
        number = isinstance(value, int | float) and not isinstance(value, bool)
        if not number or not isinstance(value, int | float) or not abs(value) < _LARGEST / _MIB:
            raise self._wrong(key, "a number of MiB")
        # A state may round to less than a byte; it is still there.
        return math.ceil(value * _MIB)

    def rounding(self, key: str) -> int:
        """Bytes that rounding to the given digits, at least two decimals, can hide."""
        digits, _, exponent = repr(self._values[key]).partition("e")
        decimals = len(digits.partition(".")[2]) - int(exponent or 0)
        return math.ceil(_MIB / 2 * 0.1 ** min(max(2, decimals), _MOST_DECIMALS))

    def time(self, key: str) -> float | None:
        """Seconds since the epoch, from an ISO 8601 text; a text without a zone is UTC."""
        if not self.has(key):
            return None
        try:
            moment = datetime.fromisoformat(self.text(key))
            zoned = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
            return zoned.timestamp()
        except (ValueError, OverflowError):
            raise self._wrong(key, "a time such as 2026-01-01T00:00:00Z") from None

    def crc32(self, key: str) -> str | None:
        if not self.has(key):
            return None
        value = self.text(key)
        if not _is_crc32(value):
            raise self._wrong(key, "8 hexadecimal digits")
        return value

    def items(self, key: str) -> list[object]:
        value = self._values.get(key, [])
        if not isinstance(value, list):
            raise self._wrong(key, "an array")
        return value

    def _wrong(self, key: str, wanted: str) -> ArtifactError:
        value = self._values.get(key)
        message = f"{self._field(key)} must be {wanted}, is {str(value)[:60]!r}"
        if value is None:
            message = f"{self._field(key)} must be {wanted}, is missing"
        return ArtifactError("invalid-json", message)

    def _field(self, key: str) -> str:
        return f"field `{key}` of {self._place}" if self._place else f"field `{key}`"
