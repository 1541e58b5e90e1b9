"""Results of `verify` as rows of the database, and back; whatever is read back is checked."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

from ckpt_tui.core.verified import NotFinite, VerifiedFile, WrongBytes
from ckpt_tui.verify.results import MOST_FAULTS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ckpt_tui.verify.results import Fault, FileResult, NonFinite, Verified

Row = tuple[Any, ...]
"""Path as bytes, size, time of writing and number of a file, then what was found of it."""

_LONGEST_TEXT = 2000
_LARGEST = 2**63 - 1
"""What SQLite can hold; an inode or a time beyond is nobody's."""
_NONE = "[]"
_KINDS = (int, float, int, str, str, str, int, str)
"""Of a row's size, time, checked bytes, method, message, faults, their number, other tensors."""
_OK = (1, None, 0)


def rows_of(verified: Verified, at: float) -> Iterator[Row]:
    """Rows in the order of the table's columns; paths have no links in their directories.

    A file that could not be read has none: that says nothing of its bytes. Nor has one that is
    not there: there is nothing that could be compared with it later.
    """
    real: dict[str, str] = {}
    for file in verified.files:
        if (file.unread and file.ok is None) or _is_absent(file) or not _fits(file):
            continue
        place, name = os.path.split(file.path)
        if place not in real:
            real[place] = os.path.realpath(place)
        yield (
            os.fsencode(os.path.join(real[place], name)),
            file.size_bytes, file.mtime_ns, file.inode, at, file.checked_bytes,
            _short(file.method), file.ok, _short(file.message),
            _packed(file.faults[:MOST_FAULTS]), file.fault_count,
            file.scanned_bytes if file.finite_checked else None,
            _packed(file.non_finite[:MOST_FAULTS]),
        )  # fmt: skip


def file_of(row: Row, path: str) -> VerifiedFile | None:
    """What a row says of the file of that name; None where no `rows_of` made it."""
    _, size, _, _, at, checked, method, ok, message, faults, count, scanned, not_finite = row
    values = (size, at, checked, method, message, faults, count, not_finite)
    if not all(map(isinstance, values, _KINDS)) or ok not in _OK:
        return None
    if scanned is not None and not isinstance(scanned, int):
        return None
    try:
        return VerifiedFile(
            path, size, at, checked, method, None if ok is None else bool(ok), message,
            () if faults == _NONE else tuple(map(_wrong, json.loads(faults))),
            count, scanned,
            () if not_finite == _NONE else tuple(map(_tensor, json.loads(not_finite))),
        )  # fmt: skip
    except (TypeError, ValueError, RecursionError):  # another program may have put anything there
        return None


def _wrong(item: list[Any]) -> WrongBytes:
    code, place, tensor, message = map(_text, item)
    return WrongBytes(code, place, tensor, message)


def _tensor(item: list[Any]) -> NotFinite:
    name, nan, infinite = item
    if type(nan) is not int or type(infinite) is not int:
        raise TypeError("a count is no number")
    return NotFinite(_text(name), nan, infinite)


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r:.40} is no text")
    return value


def _is_absent(file: FileResult) -> bool:
    return not (file.size_bytes or file.mtime_ns or file.inode)


def _fits(file: FileResult) -> bool:
    numbers = (file.size_bytes, abs(file.mtime_ns), file.inode, file.checked_bytes)
    return max(numbers) <= _LARGEST


def _packed(items: tuple[Fault, ...] | tuple[NonFinite, ...]) -> str:
    """A table as JSON, in ASCII: a name may hold anything."""
    return json.dumps([[_short(v) if isinstance(v, str) else v for v in item] for item in items])


def _short(text: str) -> str:
    """What SQLite takes: bounded, and without half a character."""
    return text[:_LONGEST_TEXT].encode("utf-8", "backslashreplace").decode()
