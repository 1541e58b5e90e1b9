"""Which bits of which floating type are NaN or infinity.

The 8-bit kinds are those of the OCP specification (OFP8) and of ml_dtypes: `fn` has no infinity,
`fnuz` neither infinity nor a negative zero, whose bits are its only NaN.
"""

from __future__ import annotations

from typing import Final, NamedTuple


class WideKind(NamedTuple):
    """A type of two bytes or more, of IEEE 754's form.

    Attributes:
        item_bytes: Of one element; of one component of a complex number.
        infinity: The bits of infinity without the sign; what is above them is NaN.
    """

    item_bytes: int
    infinity: int

    @property
    def magnitude(self) -> int:
        """The mask that takes the sign away."""
        return (1 << (8 * self.item_bytes - 1)) - 1


class ByteKind(NamedTuple):
    """A type of one byte.

    Attributes:
        nan: The bytes that are NaN.
        infinite: The bytes that are infinity of either sign.
    """

    nan: bytes
    infinite: bytes = b""

    @property
    def item_bytes(self) -> int:
        """Of one element."""
        return 1


_F16 = WideKind(2, 0x7C00)
_F32 = WideKind(4, 0x7F80_0000)
_F64 = WideKind(8, 0x7FF0_0000_0000_0000)

KINDS: Final[dict[str, WideKind | ByteKind]] = {
    "float16": _F16,
    "bfloat16": WideKind(2, 0x7F80),
    "float32": _F32,
    "float64": _F64,
    "complex32": _F16,
    "complex64": _F32,
    "complex128": _F64,
    "float8_e5m2": ByteKind(b"\x7d\x7e\x7f\xfd\xfe\xff", b"\x7c\xfc"),
    "float8_e4m3": ByteKind(
        b"\x79\x7a\x7b\x7c\x7d\x7e\x7f\xf9\xfa\xfb\xfc\xfd\xfe\xff", b"\x78\xf8"
    ),
    "float8_e3m4": ByteKind(bytes((*range(0x71, 0x80), *range(0xF1, 0x100))), b"\x70\xf0"),
    "float8_e4m3fn": ByteKind(b"\x7f\xff"),
    "float8_e4m3fnuz": ByteKind(b"\x80"),
    "float8_e5m2fnuz": ByteKind(b"\x80"),
    "float8_e4m3b11fnuz": ByteKind(b"\x80"),
    "float8_e8m0fnu": ByteKind(b"\xff"),
}
"""By the usual name of a data type."""
