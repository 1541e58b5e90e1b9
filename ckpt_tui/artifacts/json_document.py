"""Reads JSON documents and short texts within bounds."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Final

from ckpt_tui.artifacts.limits import ArtifactError, Deadline, Limits, check_metadata_size
from ckpt_tui.artifacts.source import read_exactly, require_content

if TYPE_CHECKING:
    from ckpt_tui.artifacts.source import Source

# A text without an end reaches to the end, so that it is looked at once.
_BRACKETS: Final = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\\?\Z)|[\[{]|[\]}]', re.DOTALL)
_BETWEEN_CHECKS: Final = 0x10000
_TEXT_BYTES: Final = 4096


def read_json(source: Source, limits: Limits) -> object:
    """Returns the document: dict, list, str, int, float (NaN and infinity too), bool or None.

    Of a name that is given twice the last value counts.

    Raises:
        ArtifactError: `empty-file`; `invalid-json` with line and column;
            `limit-exceeded` for its size or depth.
    """
    require_content(source)
    check_metadata_size("the JSON document", source.size, limits, source.name)
    data = read_exactly(source, 0, source.size, "the JSON document")
    return parse_json(data, limits, source.name)


def read_text(source: Source, limits: Limits, max_bytes: int = _TEXT_BYTES) -> str:
    """Returns a short text such as that of a pointer file, as it is written.

    Raises:
        ArtifactError: `empty-file`; `limit-exceeded` above `max_bytes`;
            `unreadable-archive` for bytes that are not UTF-8.
    """
    require_content(source)
    check_metadata_size(
        "the text", source.size, limits._replace(metadata_bytes=max_bytes), source.name
    )
    data = read_exactly(source, 0, source.size, "the text")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ArtifactError(
            "unreadable-archive", f"it is no UTF-8 text at byte {error.start}", source.name
        ) from error


def parse_json(data: bytes, limits: Limits, path: str) -> object:
    """Returns the document that the bytes hold; errors as in `read_json`."""
    deadline = Deadline(limits, path)
    try:
        # A byte order mark stays, and is refused: frameworks open their JSON as plain UTF-8.
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ArtifactError(
            "invalid-json", f"it is no UTF-8 text at byte {error.start}", path
        ) from error
    try:
        _check_depth(text, limits, deadline, path)
        document: object = json.loads(text)
    except json.JSONDecodeError as error:
        raise ArtifactError(
            "invalid-json",
            f"it is no whole JSON document: {error.msg.removesuffix(' at')}"
            f" at line {error.lineno}, column {error.colno}",
            path,
        ) from error
    except ValueError as error:
        raise ArtifactError(
            "invalid-json", "it holds a number of more digits than can be read", path
        ) from error
    except (RecursionError, MemoryError) as error:
        raise ArtifactError(
            "limit-exceeded", "it is nested too deeply or needs too much memory", path
        ) from error
    return document


def _check_depth(text: str, limits: Limits, deadline: Deadline, path: str) -> None:
    containers = text.count("[") + text.count("{")
    if containers <= limits.json_depth:
        return
    if containers > limits.json_containers:
        raise ArtifactError(
            "limit-exceeded",
            f"it has more than {limits.json_containers} arrays and objects",
            path,
        )
    depth = 0
    for number, match in enumerate(_BRACKETS.finditer(text)):
        if number % _BETWEEN_CHECKS == 0:
            deadline.check()
        start = text[match.start()]
        if start in "[{":
            depth += 1
            if depth > limits.json_depth:
                raise ArtifactError(
                    "limit-exceeded",
                    f"it is nested deeper than {limits.json_depth} levels at character "
                    f"{match.start()}",
                    path,
                )
        elif start in "]}":
            depth -= 1
