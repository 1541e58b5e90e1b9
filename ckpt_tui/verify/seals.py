"""Seals: checksums of a checkpoint's files that were written beside it, and where they lie.

A seal is a JSON document of its own. It lies in the user's state directory under a name made of the
checkpoint's absolute path, or, where that was asked for, in the directory that holds the
checkpoint, as a hidden file with an ending that no framework looks for.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.artifacts.json_document import read_json
from ckpt_tui.artifacts.limits import MIB, ArtifactError, Limits
from ckpt_tui.artifacts.source import FileSource
from ckpt_tui.fs import calls
from ckpt_tui.fs.small_json import replace_json
from ckpt_tui.fs.user_directory import user_directory
from ckpt_tui.verify.listed import Listed, ListedFile

if TYPE_CHECKING:
    from collections.abc import Mapping

SCHEMA = "ckpt-tui/seal/1"
ENDING = ".ckpt-tui-seal.json"
_LIMITS = Limits(metadata_bytes=256 * MIB, seconds=20.0)
_CRC_DIGITS = 8
_LARGEST = 1 << 62


class Seal(NamedTuple):
    """What a checkpoint's files were.

    Attributes:
        path: Absolute path of the checkpoint when it was sealed.
        format: Name of its format.
        sealed_at: Seconds since the epoch.
        files: By path relative to the checkpoint.
    """

    path: str
    format: str
    sealed_at: float
    files: Mapping[str, ListedFile]

    def listed(self, *, given: bool) -> Listed:
        """As a list of checksums.

        Args:
            given: Whether somebody named this seal for the checkpoint: then a file that was written
                later is wrong, too.
        """
        day = datetime.fromtimestamp(self.sealed_at, UTC).strftime("%Y-%m-%d %H:%M UTC")
        return Listed(f"the seal of {day}", self.files, None if given else self.sealed_at)


def place_of_seal(checkpoint: str, *, beside: bool) -> str:
    """Where the seal of a checkpoint lies.

    Args:
        checkpoint: Its absolute path.
        beside: In the directory that holds it, instead of the user's state directory.
    """
    directory, name = os.path.split(checkpoint)
    if beside:
        return os.path.join(directory, f".{name}{ENDING}")
    key = hashlib.sha256(os.fsencode(calls.realpath(checkpoint))).hexdigest()
    return os.path.join(user_directory("XDG_STATE_HOME", ".local/state"), "seals", f"{key}.json")


def find_seal(checkpoint: str) -> Listed | None:
    """The newer of the seals that lie where they are kept; None for none.

    Raises:
        ArtifactError: One is there and cannot be read.
    """
    found = []
    for beside in (False, True):
        place = place_of_seal(checkpoint, beside=beside)
        if os.path.isabs(place) and calls.is_file(place):
            found.append(read_seal(place))
    newest = max(found, key=lambda seal: seal.sealed_at, default=None)
    return newest.listed(given=False) if newest is not None else None


def read_seal(path: str) -> Seal:
    """Reads a seal.

    Raises:
        ArtifactError: It cannot be read, or is none (`invalid-json`, `unsupported-version`).
    """
    with FileSource(path) as source:
        value = read_json(source, _LIMITS)
    if not isinstance(value, dict) or value.get("schema") != SCHEMA:
        raise ArtifactError("unsupported-version", f"it is no seal of the form {SCHEMA}", path)
    files: dict[str, ListedFile] = {}
    items = value.get("files")
    for item in items if isinstance(items, list) else (None,):
        name, file = _file(item, path)
        files[name] = file
    at, where, kind = value.get("sealed_at"), value.get("path"), value.get("format")
    if not isinstance(where, str) or not isinstance(kind, str):
        raise _damaged(path)
    return Seal(where, kind, _moment(at, path), files)


def _moment(text: object, path: str) -> float:
    """Seconds since the epoch; what has no day in UTC is no time.

    Raises:
        ArtifactError: It is none.
    """
    try:
        moment = datetime.fromisoformat(text) if isinstance(text, str) else None
        if moment is not None and moment.tzinfo is not None:
            return moment.astimezone(UTC).timestamp()
    except (ValueError, OverflowError):
        pass
    raise _damaged(path)


def _file(item: object, path: str) -> tuple[str, ListedFile]:
    if isinstance(item, dict):
        name, size, crc32 = item.get("path"), item.get("size_bytes"), item.get("crc32")
        if isinstance(name, str) and type(size) is int and 0 <= size <= _LARGEST:
            with contextlib.suppress(ValueError):
                if isinstance(crc32, str) and len(crc32) == _CRC_DIGITS:
                    return name, ListedFile(size, int(crc32, 16))
    raise _damaged(path)


def _damaged(path: str) -> ArtifactError:
    return ArtifactError(
        "invalid-json", "it is a seal that lacks a field, or has a wrong one", path
    )


def write_seal(path: str, seal: Seal) -> None:
    """Writes a seal in one piece: under a temporary name, flushed, then renamed.

    Raises:
        OSError: It cannot be written; nothing is left behind.
    """
    document = {
        "schema": SCHEMA,
        "path": seal.path,
        "format": seal.format,
        "sealed_at": datetime.fromtimestamp(seal.sealed_at, UTC).isoformat(),
        "files": [
            {"path": name, "size_bytes": size, "crc32": f"{crc32:08x}"}
            for name, (size, crc32) in sorted(seal.files.items())
        ],
    }
    replace_json(path, document, durable=True)
