"""JSON files of the program's own: small ones read within bounds, all of them replaced whole."""

from __future__ import annotations

import contextlib
import json
import os
import tempfile

MOST_BYTES = 256 * 1024


def read_small_json(path: str) -> object:
    """What a file holds; None where there is none, or none that can be read."""
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as stream:
            return json.loads(stream.read(MOST_BYTES))
    except (OSError, ValueError, RecursionError):
        return None


def write_small_json(path: str, value: object, not_below: str = "") -> None:
    """Replaces a file in one piece; where that fails nothing is kept.

    Another window may read or write it at the same moment.

    Args:
        path: The file; its directory is made.
        value: What it is to hold.
        not_below: A directory in which nothing is ever written; "" for none.
    """
    with contextlib.suppress(OSError, ValueError):
        if not (not_below and is_below(path, not_below)):
            replace_json(path, value)


def is_below(path: str, directory: str) -> bool:
    """Whether a path lies in a directory, links resolved.

    Raises:
        ValueError: The two have nothing in common.
    """
    top = os.path.realpath(directory)
    return os.path.commonpath([os.path.realpath(path), top]) == top


def replace_json(path: str, value: object, *, durable: bool = False) -> None:
    """Replaces a file in one piece: under a temporary name, then renamed.

    Args:
        path: The file; its directory is made.
        value: What it is to hold; written in ASCII, as a name may be no UTF-8.
        durable: Whether it is flushed to the disk before it has its name.

    Raises:
        OSError: It cannot be written; nothing is left behind.
        TypeError: The value has no JSON.
    """
    text = json.dumps(value, indent=1)
    directory, name = os.path.split(path)
    os.makedirs(directory, mode=0o700, exist_ok=True)
    descriptor, partial = tempfile.mkstemp(dir=directory, prefix=f".{name.removeprefix('.')}.")
    try:
        with open(descriptor, "w", encoding="ascii") as stream:
            stream.write(text)
            if durable:
                stream.flush()
                os.fsync(stream.fileno())
        os.replace(partial, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(partial)
        raise
