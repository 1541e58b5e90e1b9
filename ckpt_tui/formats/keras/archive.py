"""The `.keras` archive: a zip of `config.json`, `metadata.json` and the weights in HDF5.

Keras reads the configuration and the weights whole, so that a wrong CRC of either stops it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.artifacts.json_document import parse_json
from ckpt_tui.artifacts.limits import MIB, ArtifactError
from ckpt_tui.artifacts.memory_source import MemorySource
from ckpt_tui.artifacts.source import WindowSource, require_content
from ckpt_tui.artifacts.zip_directory import (
    check_crc32,
    is_stored_plainly,
    read_record,
    read_zip_directory,
    record_data_offset,
)
from ckpt_tui.formats.keras.names import CONFIG, INNER_NUMPY, INNER_WEIGHTS

if TYPE_CHECKING:
    from ckpt_tui.artifacts.limits import Limits
    from ckpt_tui.artifacts.source import Source
    from ckpt_tui.artifacts.zip_directory import ZipRecord

_WHOLE_BYTES = 16 * MIB
"""Weights that are not larger are read whole, and their CRC is compared."""


class Archive(NamedTuple):
    """An archive whose directory is whole.

    Attributes:
        config: The document of `config.json`; None where it is not in there.
        weights: The HDF5 file inside; None where it is not in there.
        begin: Where that begins in the archive; None where it is compressed.
        in_numpy: Whether the weights are numpy arrays instead.
        compared: Whether the CRC of the weights was compared.
    """

    config: object
    weights: Source | None
    begin: int | None = None
    in_numpy: bool = False
    compared: bool = False


def read_archive(source: Source, limits: Limits) -> Archive:
    """Opens what is in an archive; the weights are a window of it, or decompressed within bounds.

    Raises:
        ArtifactError: `empty-file`, `truncated-file`, `unreadable-archive`, `checksum-mismatch`,
            `invalid-json`, `limit-exceeded`.
    """
    require_content(source)
    records = read_zip_directory(source, limits)
    config = None
    if CONFIG in records:
        data = _checked(source, records[CONFIG], limits)
        config = parse_json(data, limits, source.name)
    found = records.get(INNER_WEIGHTS)
    if found is None:
        return Archive(config, None, in_numpy=INNER_NUMPY in records)
    if not is_stored_plainly(found):
        inside = _checked(source, found, limits)
        return Archive(config, MemorySource(inside, source.name), compared=True)
    begin = record_data_offset(source, found)
    small = found.size_bytes <= _WHOLE_BYTES
    if small:
        _checked(source, found, limits)
    window = WindowSource(source, begin, found.size_bytes)
    return Archive(config, window, begin, compared=small)


def _checked(source: Source, record: ZipRecord, limits: Limits) -> bytes:
    data = read_record(source, record, limits)
    check_crc32(source, record, data)
    return data


def compile_config(config: object) -> object:
    """The serialised optimizer in a model's configuration; None where it was not compiled."""
    inside = config.get("compile_config") if isinstance(config, dict) else None
    return inside.get("optimizer") if isinstance(inside, dict) else None


def unread_weights(path: str) -> ArtifactError:
    """Weights in numpy's form, which `save_model(weights_format="npz")` writes."""
    return ArtifactError(
        "unsupported-version", f"{INNER_NUMPY} is not read: only {INNER_WEIGHTS} is", path
    )
