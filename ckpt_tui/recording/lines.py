"""One line of a recording: the header of a session, or a frame.

What a reader needs to find its way stands first in a frame, at the same places in each: it reads
that much without parsing the line.
"""

from __future__ import annotations

import json
import math
import re
from enum import StrEnum
from typing import NamedTuple

from ckpt_tui import __version__
from ckpt_tui.core.plain import PlainError, decoder_of, encode
from ckpt_tui.core.text import bytes_text
from ckpt_tui.recording.delta import plain_form
from ckpt_tui.recording.pictures import values_shape
from ckpt_tui.recording.told import RecordedEvent, RecordedStatus

SCHEMA = "ckpt-tui/recording/1"
MOST_LINE_BYTES = 64 * 2**20
"""Twice what 10,000 checkpoints of 64 ranks take."""
MOST_VALUES = 10_000_000
"""On a line, by its commas and brackets: such a line takes a few bytes a value, and memory tens."""
_NUMBER = rb"(-?\d{1,15}(?:\.\d{1,20})?(?:e[+-]?\d{1,3})?)"
_FRAME_START = re.compile(
    rb'\{"kind":"(full|delta|alive|end)","at":'
    + _NUMBER
    + rb',"monotonic":'
    + _NUMBER
    + rb',"events":'
)
_HEADER_START = b'{"schema":'


class FrameKind(StrEnum):
    """What a frame tells."""

    FULL = "full"
    DELTA = "delta"
    ALIVE = "alive"
    END = "end"


class FrameHead(NamedTuple):
    """The beginning of a frame.

    Attributes:
        at: Seconds since the epoch.
        monotonic: Seconds of the recorder's monotonic clock.
    """

    kind: FrameKind
    at: float
    monotonic: float
    events: tuple[RecordedEvent, ...] = ()


class Frame(NamedTuple):
    """A frame as it stands in the file.

    Attributes:
        content: The state of a full frame, the change of another.
    """

    head: FrameHead
    status: RecordedStatus
    content: object = None


class Header(NamedTuple):
    """The first line of a session.

    Attributes:
        shape: `values_shape` of the program that wrote it.
        root: What was watched, absolute.
        at: Seconds since the epoch.
    """

    tool_version: str
    shape: str
    root: str
    at: float


class LineError(ValueError):
    """A line is none of a recording; the text says why."""


def header_line(root: str, at: float) -> bytes:
    """The first line of a session of this program."""
    return _line(
        {
            "schema": SCHEMA,
            "tool_version": __version__,
            "shape": values_shape(),
            "root": root,
            "at": at,
        }
    )


def frame_line(frame: Frame) -> bytes:
    """A frame as a line."""
    head = frame.head
    return _line(
        {
            "kind": head.kind.value,
            "at": round(head.at, 6),
            "monotonic": round(head.monotonic, 6),
            "events": [encode(event) for event in head.events],
            "status": encode(frame.status),
            "content": frame.content,
        }
    )


def _line(document: dict[str, object]) -> bytes:
    text = json.dumps(document, separators=(",", ":"), allow_nan=False, default=plain_form)
    return text.encode() + b"\n"


def check_size(line: bytes) -> None:
    """Refuses a line that would take more memory than a recording may ask for.

    Raises:
        LineError: It is too long, or has too many values.
    """
    if len(line) > MOST_LINE_BYTES:
        raise LineError(f"it is longer than {bytes_text(MOST_LINE_BYTES)}, the most of a line")
    if len(line) > MOST_VALUES and sum(map(line.count, (b",", b"[", b"{"))) > MOST_VALUES:
        raise LineError(f"it has more than {MOST_VALUES} values, the most of a line")


def is_header(line: bytes) -> bool:
    """Whether a line begins a session."""
    return line.startswith(_HEADER_START)


def header_of(line: bytes) -> Header:
    """The header that a line holds.

    Raises:
        LineError: It holds none, or one of another program's recordings.
    """
    match _document(line):
        case {
            "schema": str() as schema,
            "tool_version": str() as version,
            "shape": str() as shape,
            "root": str() as root,
            "at": int() | float() as at,
        }:
            if schema != SCHEMA:
                raise LineError(f"it is of schema {schema[:60]}, not {SCHEMA}")
            if shape != values_shape():
                raise LineError(
                    f"ckpt-tui {version[:40]} wrote it, whose values have other fields: replay it"
                    " with that version"
                )
            return Header(version, shape, root, float(at))
    raise LineError("the header of a recording is not whole")


def frame_head(line: bytes) -> FrameHead:
    """Kind, times and events of a frame; the rest of the line is not looked at.

    Raises:
        LineError: It is no frame, or one whose line is cut.
    """
    match = _FRAME_START.match(line)
    if match is None or not line.endswith(b"}\n"):
        raise LineError("it is no frame, or cut in the middle")
    at, monotonic = float(match[2]), float(match[3])
    if not (math.isfinite(at) and math.isfinite(monotonic)):
        raise LineError("its times are none that a clock gives")
    return FrameHead(FrameKind(match[1].decode()), at, monotonic, _events(line, match.end()))


def _events(line: bytes, start: int) -> tuple[RecordedEvent, ...]:
    if line.startswith(b"[]", start):
        return ()
    end = line.find(b',"status":', start)
    try:
        return tuple(map(decoder_of(RecordedEvent), json.loads(line[start:end])))
    except (ValueError, TypeError, RecursionError) as error:
        raise LineError("its events are not right") from error


def frame_of(line: bytes) -> Frame:
    """All of a frame.

    Raises:
        LineError: It is none.
    """
    head = frame_head(line)
    match _document(line):
        case {"status": status, "content": content}:
            try:
                return Frame(head, decoder_of(RecordedStatus)(status), content)
            except PlainError as error:
                raise LineError(f"its status is not right: {error}") from error
    raise LineError("a frame has a status and a content")


def _document(line: bytes) -> object:
    try:
        return json.loads(line, parse_constant=_refuse_number)
    except (ValueError, RecursionError) as error:
        raise LineError(f"it is no JSON: {str(error)[:80]}") from error


def _refuse_number(text: str) -> float:
    raise ValueError(f"{text} is no number")
