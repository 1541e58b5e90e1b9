"""The answer of `verify` as text: what is wrong first, then a line a checkpoint, then the sum."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.core.printable import printable
from ckpt_tui.core.text import bytes_text, duration_text
from ckpt_tui.core.verified import LISTED, is_covered
from ckpt_tui.verify.examined import NOTHING
from ckpt_tui.verify.results import checked_of, size_of
from ckpt_tui.words import say, say_count, say_sentence
from ckpt_tui.words.wrapping import at_right, columns_of, padded

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ckpt_tui.verify.results import Fault, FileResult, Verified

_MOST_PLACES = 5
_MOST_TENSORS = 10
_MOST_UNREAD = 20
_MOST_REMARKS = 10
_LISTED = LISTED.removesuffix("{}")
_TENTHS_OF_PERCENT = 1000


def verify_report(verified: Verified, timeout_seconds: float | None = None) -> str:
    """The whole text.

    Args:
        verified: What was found.
        timeout_seconds: When it was to give up; told where it did.
    """
    blocks = [
        *(_wrong(file) for file in verified.files if file.ok is False),
        *(_not_finite(file) for file in verified.files if file.non_finite),
        _unread([file for file in verified.files if file.unread]),
        _table(_groups(verified)),
        _remarks(verified.files),
        _summary(verified, timeout_seconds),
    ]
    return "\n\n".join("\n".join(lines) for block in blocks if (lines := list(block)))


def _wrong(file: FileResult) -> Iterator[str]:
    yield say("WRONG  {path}", path=printable(file.path))
    for fault in file.faults[:_MOST_PLACES]:
        yield f"  {_fault(fault)}"
    more = file.fault_count - min(len(file.faults), _MOST_PLACES)
    if more > 0:
        yield f"  {say_count(more, '… and {count} more place', '… and {count} more places')}"


def _fault(fault: Fault) -> str:
    message, place = say_sentence(fault.message), say_sentence(fault.place)
    tensor = printable(fault.tensor)
    if fault.tensor and fault.place:
        text = say(
            "{place}, tensor {tensor}: {message}", place=place, tensor=tensor, message=message
        )
    elif fault.tensor:
        text = say("tensor {tensor}: {message}", tensor=tensor, message=message)
    else:
        text = f"{place}: {message}" if place else message
    return printable(text)


def _not_finite(file: FileResult) -> Iterator[str]:
    yield say("NOT FINITE  {path}", path=printable(file.path))
    for one in file.non_finite[:_MOST_TENSORS]:
        yield "  " + say(
            "tensor {tensor}: {nan} NaN, {infinite} infinite",
            tensor=printable(one.tensor),
            nan=one.nan_count,
            infinite=one.infinite_count,
        )
    more = len(file.non_finite) - _MOST_TENSORS
    if more > 0:
        yield f"  {say_count(more, '… and {count} more tensor', '… and {count} more tensors')}"


def _unread(files: Sequence[FileResult]) -> Iterator[str]:
    for file in files[:_MOST_UNREAD]:
        reason = printable(say_sentence(file.message))
        yield say("NOT READ  {path}: {reason}", path=printable(file.path), reason=reason)
    more = len(files) - _MOST_UNREAD
    if more > 0:
        yield say_count(more, "… and {count} more file", "… and {count} more files")


def _remarks(files: Iterable[FileResult]) -> Iterator[str]:
    """What else is to be said of files: once where several are alike."""
    alike: dict[str, list[FileResult]] = {}
    for file in files:
        if file.message and file.ok is not False and not file.unread:
            alike.setdefault(file.message, []).append(file)
    for message, named in list(alike.items())[:_MOST_REMARKS]:
        reason = printable(say_sentence(message))
        yield say("NOTE  {path}: {reason}", path=printable(named[0].path), reason=reason)
        if len(named) > 1:
            yield "  " + say_count(
                len(named) - 1, "… and {count} more file", "… and {count} more files"
            )


class _Group(NamedTuple):
    """The files of one checkpoint."""

    path: str
    files: tuple[FileResult, ...]
    uncommitted: bool

    def badness(self) -> int:
        """0 for wrong bytes, then what was not read, then NaN."""
        if any(file.ok is False for file in self.files):
            return 0
        if any(file.unread for file in self.files):
            return 1
        return 2 if any(file.non_finite for file in self.files) else 3


def _groups(verified: Verified) -> list[_Group]:
    """By checkpoint; files of none stand for themselves. The worst first."""
    by_path: dict[str, list[FileResult]] = {}
    for file in verified.files:
        by_path.setdefault(file.checkpoint or file.path, []).append(file)
    groups = [
        _Group(path, tuple(own), path in verified.uncommitted) for path, own in by_path.items()
    ]
    return sorted(groups, key=_Group.badness)


def _table(groups: Sequence[_Group]) -> Iterator[str]:
    if not groups:
        return
    rows = [
        [say("result"), say("files"), say("protected"), say("by"), say("checkpoint")],
        *(_row(group) for group in groups),
    ]
    widths = [max(columns_of(row[column]) for row in rows) for column in range(4)]
    for result, count, share, method, path in rows:
        cells = (
            padded(result, widths[0]),
            at_right(count, widths[1]),
            padded(share, widths[2]),
            padded(method, widths[3]),
            path,
        )
        yield "  ".join(cells)


def _row(group: _Group) -> list[str]:
    share = say(
        "{part} of {whole}",
        part=bytes_text(checked_of(group.files)),
        whole=bytes_text(size_of(group.files)),
    )
    largest: dict[str, int] = {}
    for file in group.files:
        largest[file.method] = largest.get(file.method, 0) + file.checked_bytes
    named = sorted((m for m in largest if m != NOTHING), key=lambda m: -largest[m])
    methods = say(", ").join(map(say_sentence, named[:2])) or say_sentence(NOTHING)
    result = _result(group)
    if group.uncommitted:
        result = say("{result}, not committed", result=result)
    return [result, str(len(group.files)), share, methods, printable(group.path)]


def _result(group: _Group) -> str:
    wrong = sum(file.ok is False for file in group.files)
    if wrong:
        return say("{count} wrong", count=wrong)
    unread = sum(file.unread for file in group.files)
    if unread:
        return say("{count} not read", count=unread)
    if any(file.non_finite for file in group.files):
        return say("not finite")
    if any(file.outdated for file in group.files):
        return say("written after its seal")
    if not any(file.ok for file in group.files):
        return say("no checksum")
    covered = is_covered(checked_of(group.files), size_of(group.files))
    return say("of bytes\4right") if covered else say("protected part right")


def _summary(verified: Verified, timeout_seconds: float | None) -> Iterator[str]:
    if verified.cancelled:
        yield _cut_short(timeout_seconds)
        for path in verified.unfinished:
            yield say("not finished: {path}", path=printable(path))
    if not verified.files:
        if not verified.problems and not verified.cancelled:
            yield say("there is no file to verify")
        return
    size, checked = verified.size_bytes, verified.checked_bytes
    wrong = sum(file.ok is False for file in verified.files)
    yield say(
        "{part} of {whole} are protected by a checksum ({percent} %) and were read; {files},"
        " {wrong} of them wrong",
        part=bytes_text(checked),
        whole=bytes_text(size),
        percent=_percent(checked, size),
        files=say_count(len(verified.files), "{count} file", "{count} files"),
        wrong=wrong,
    )
    bare = sum(f.size_bytes - f.checked_bytes for f in verified.files if not _is_sealed(f))
    if bare > 0:
        yield say(
            "nothing protects the other {left}: `ckpt-tui seal` keeps checksums of them for later",
            left=bytes_text(bare),
        )
    if any(file.finite_checked for file in verified.files):
        yield say(
            "{size} of floating tensors were scanned for NaN and infinity",
            size=bytes_text(sum(file.scanned_bytes for file in verified.files)),
        )
    yield duration_text(verified.seconds)


def _is_sealed(file: FileResult) -> bool:
    """Whether a seal or our own manifest lists all of it, be it right or not."""
    return file.outdated or file.method.startswith(_LISTED)


def _cut_short(timeout_seconds: float | None) -> str:
    if timeout_seconds is None:
        return say("it was interrupted: this is what was done")
    return say(
        "the time was up after {time}: this is what was done", time=duration_text(timeout_seconds)
    )


def _percent(part: int, whole: int) -> str:
    """Never rounded up to all."""
    tenths = part * _TENTHS_OF_PERCENT // whole if whole else 0
    return f"{tenths / 10:g}"
