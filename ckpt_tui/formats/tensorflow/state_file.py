"""The text `checkpoint` in a run's directory, which names its latest checkpoint.

It is a `CheckpointState` in protocol buffers' text form (`python/checkpoint/
checkpoint_management.py` of TensorFlow 2.21), replaced by a rename.
"""

from __future__ import annotations

import os
import re
from typing import NamedTuple

from ckpt_tui.artifacts.json_document import read_text
from ckpt_tui.artifacts.limits import MIB, ArtifactError, Limits
from ckpt_tui.artifacts.source import FileSource
from ckpt_tui.formats.tensorflow.names import STATE_FILE

MAX_STATE_BYTES = 4 * MIB
"""Of thousands of checkpoints that are all kept; a torch file of that name is larger."""

_FIELD = re.compile(
    r"\s*(?:#[^\n]*\n\s*)*(?P<name>[a-z_]{1,64})\s*:\s*"
    r"(?P<value>(?:\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*')(?:\s*(?:\"(?:[^\"\\\n]|\\.)*\"))*"
    r"|[^\s;,\"']{1,64})\s*[;,]?"
)
_QUOTED = re.compile(r"\"((?:[^\"\\\n]|\\.)*)\"|'((?:[^'\\\n]|\\.)*)'")
_ESCAPE = re.compile(rb"\\(?:([0-7]{1,3})|[xX]([0-9a-fA-F]{1,2})|(.))")
_PLAIN = {b"n": b"\n", b"r": b"\r", b"t": b"\t", b"a": b"\a", b"b": b"\b", b"f": b"\f", b"v": b"\v"}


class StateFile(NamedTuple):
    """What the text says; paths as they are written there.

    Attributes:
        latest: The latest checkpoint's path.
        kept: All that were not deleted, the oldest first.
    """

    latest: str
    kept: tuple[str, ...]


def read_state_file(directory: str) -> StateFile:
    """Reads the text in a run's directory.

    Raises:
        ArtifactError: It is not there, cannot be read, or is no such text.
    """
    path = os.path.join(directory, STATE_FILE)
    with FileSource(path) as source:
        return parse_state(read_text(source, Limits(), max_bytes=MAX_STATE_BYTES), path)


def parse_state(text: str, path: str = "") -> StateFile:
    """Parses the text.

    Raises:
        ArtifactError: `unreadable-archive`: it is no such text, or names no checkpoint, which
            TensorFlow does not follow either.
    """
    latest, kept, at, end = "", [], 0, len(text.rstrip())
    while at < end:
        field = _FIELD.match(text, at)
        if field is None:
            raise ArtifactError(
                "unreadable-archive", f"it is no checkpoint state from character {at} on", path
            )
        at = field.end()
        if field["name"] == "model_checkpoint_path":
            latest = _unquoted(field["value"])
        elif field["name"] == "all_model_checkpoint_paths":
            kept.append(_unquoted(field["value"]))
    if not latest:
        raise ArtifactError("unreadable-archive", "it names no latest checkpoint", path)
    return StateFile(latest, tuple(kept))


def _unquoted(value: str) -> str:
    """The text of one or more quoted strings, one after another; escapes stand for bytes."""
    inner = "".join(a or b for a, b in _QUOTED.findall(value)).encode()
    return _ESCAPE.sub(_unescaped, inner).decode("utf-8", "surrogateescape")


def _unescaped(found: re.Match[bytes]) -> bytes:
    octal, hexadecimal, letter = found.groups()
    if octal:
        return bytes([int(octal, 8) & 0xFF])
    if hexadecimal:
        return bytes([int(hexadecimal, 16)])
    return _PLAIN.get(letter, bytes(letter))
