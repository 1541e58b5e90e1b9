"""Reads a torch archive as strictly as torch's own reader does."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from ckpt_tui.artifacts.limits import ArtifactError, Deadline, Limits
from ckpt_tui.artifacts.torch_archive import read_torch_archive
from ckpt_tui.artifacts.zip_directory import ZipRecord, read_record, record_data_offset

if TYPE_CHECKING:
    from ckpt_tui.artifacts.source import Source
    from ckpt_tui.artifacts.torch_archive import TorchArchive

MOST_RECORDS = 20_000

# Short texts that torch.load reads before the pickle.
_TEXTS = ("version", "byteorder", ".data/serialization_id")
_METHODS = (0, 8)  # stored, deflated
_REFUSED_FLAGS = 0x1 | 0x20 | 0x40 | 0x2000  # encrypted, patched, strongly encrypted, masked
_BETWEEN_CHECKS = 256
_NUMBER = re.compile(r"\s*[+-]?\d{1,18}")


def read_archive(source: Source, limits: Limits) -> TorchArchive:
    """Reads an archive, and checks that a record begins wherever its directory says.

    Raises:
        ArtifactError: As in `read_torch_archive`; ``unreadable-archive`` for a record whose header
            or short text is not as torch reads it.
    """
    archive = read_torch_archive(source, limits)
    deadline = Deadline(limits, source.name)
    records = archive.zip_records
    for number, record in enumerate(islice(records.values(), MOST_RECORDS)):
        if number % _BETWEEN_CHECKS == 0:
            deadline.check()
        if not _is_plain(record):
            raise ArtifactError(
                "unreadable-archive",
                f"the record {record.name!r} is stored in a way that torch does not read",
                source.name,
            )
        record_data_offset(source, record)
    for name in _TEXTS:
        if name in records:
            _check_text(name, read_record(source, records[name], limits), source.name)
    return archive


def _is_plain(record: ZipRecord) -> bool:
    """Whether it is stored as torch's reader accepts it: plain, or deflated."""
    if record.method not in _METHODS or record.flags & _REFUSED_FLAGS:
        return False
    return record.method != 0 or record.stored_bytes == record.size_bytes


def _check_text(name: str, data: bytes, path: str) -> None:
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ArtifactError(
            "unreadable-archive", f"the record {name} is no text at byte {error.start}", path
        ) from error
    unknown_order = name == "byteorder" and text not in ("little", "big")
    if unknown_order or (name == "version" and _NUMBER.match(text) is None):
        raise ArtifactError("unreadable-archive", f"the record {name} holds {text[:20]!r}", path)
