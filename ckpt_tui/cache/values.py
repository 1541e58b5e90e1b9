"""Facts as bytes and back; the table of tensors apart, which the checkpoints of a run share."""

from __future__ import annotations

import json
import zlib
from hashlib import blake2b
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.core.facts import CheckpointFacts, TensorFacts
from ckpt_tui.core.plain import PlainError, decoder_of, encode

if TYPE_CHECKING:
    from collections.abc import Mapping

MOST_TEXT_BYTES = 64 * 1024 * 1024
_DIGEST_BYTES = 20
_LEVEL = 1


class _Tensors(NamedTuple):
    tensors: tuple[TensorFacts, ...]


class FactsBytes(NamedTuple):
    """Facts as they are written.

    Attributes:
        facts: Without tensors.
        tensors_key: Digest of the table of tensors; b"" where there is none.
        tensors: The table.
    """

    facts: bytes
    tensors_key: bytes
    tensors: bytes


class Encoder:
    """Turns facts into bytes; equal tables of tensors in a row are encoded once."""

    def __init__(self) -> None:
        self._last: tuple[TensorFacts, ...] = ()
        self._bytes = b""

    def encode(self, facts: CheckpointFacts) -> FactsBytes:
        """One checkpoint's facts."""
        rest = _packed(facts._replace(tensors=()))
        if not facts.tensors:
            return FactsBytes(rest, b"", b"")
        if facts.tensors != self._last:
            self._last, self._bytes = facts.tensors, _packed(_Tensors(facts.tensors))
        key = blake2b(self._bytes, digest_size=_DIGEST_BYTES).digest()
        return FactsBytes(rest, key, self._bytes)


class Decoder:
    """Turns bytes into facts.

    Args:
        tensors: Key → table of tensors; each is decoded once.
    """

    def __init__(self, tensors: Mapping[bytes, bytes]) -> None:
        self._packed = tensors
        self._tensors: dict[bytes, tuple[TensorFacts, ...]] = {b"": ()}
        self._facts = decoder_of(CheckpointFacts)

    def decode(self, facts: bytes, tensors_key: bytes) -> CheckpointFacts:
        """One checkpoint's facts.

        Raises:
            PlainError: The bytes are none that `Encoder` made.
        """
        if tensors_key not in self._tensors:
            packed = self._packed.get(tensors_key)
            if packed is None:
                raise PlainError("its table of tensors is not there")
            self._tensors[tensors_key] = decoder_of(_Tensors)(_unpacked(packed)).tensors
        found = self._facts(_unpacked(facts))
        tensors = self._tensors[tensors_key]
        return found._replace(tensors=tensors) if tensors else found


def _packed(value: object) -> bytes:
    text = json.dumps(encode(value), separators=(",", ":"), allow_nan=False)
    return zlib.compress(text.encode("ascii"), _LEVEL)


def _unpacked(data: bytes) -> object:
    try:
        unzip = zlib.decompressobj()
        text = unzip.decompress(data, MOST_TEXT_BYTES)
        if not unzip.eof:
            raise PlainError("the bytes end early, or hold too much")
        return json.loads(text)
    except (zlib.error, ValueError, TypeError, RecursionError) as error:
        raise PlainError(f"the bytes cannot be read: {error}") from error
