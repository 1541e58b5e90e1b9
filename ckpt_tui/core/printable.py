"""Names as text that any terminal can show."""

from __future__ import annotations


def printable(text: str) -> str:
    """Text that cannot move the cursor, break a line or fail to encode."""
    return "".join(map(_printable_character, text))


def _printable_character(character: str) -> str:
    if character.isprintable():
        return character
    code = ord(character)
    if 0xDC80 <= code <= 0xDCFF:  # a byte of a name that is no UTF-8
        return f"\\x{code - 0xDC00:02x}"
    return character.encode("unicode_escape").decode("ascii")
