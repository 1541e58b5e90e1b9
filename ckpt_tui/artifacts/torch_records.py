"""The records of a zip file of torch.save, by name, checked as torch's reader checks them."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, Final

from ckpt_tui.artifacts.limits import ArtifactError
from ckpt_tui.artifacts.torch_others import refuse_other_archive
from ckpt_tui.artifacts.zip_directory import (
    read_record,
    read_zip_directory,
    record_data_offset,
)

if TYPE_CHECKING:
    from ckpt_tui.artifacts.limits import Deadline, Limits
    from ckpt_tui.artifacts.source import Source
    from ckpt_tui.artifacts.zip_directory import ZipRecord

MOST_RECORDS: Final = 20_000
"""Records whose headers are looked at in one file."""

# Short texts that torch.load reads before the pickle, and what it understands.
_TEXTS: Final = {
    "version": re.compile(rb"\s*\d+.*", re.DOTALL),
    ".data/version": re.compile(rb"\s*\d+.*", re.DOTALL),
    "byteorder": re.compile(rb"little|big"),
    ".storage_alignment": re.compile(rb"\s*\d+\s*"),
}
_SERIALIZATION_ID: Final = ".data/serialization_id"
_METHODS: Final = (0, 8)  # stored, deflated
_REFUSED_FLAGS: Final = 0x1 | 0x20 | 0x40  # encrypted, patched, strongly encrypted
_BETWEEN_CHECKS: Final = 256


def read_records(source: Source, limits: Limits, deadline: Deadline) -> dict[str, ZipRecord]:
    """Returns the records of the zip directory by name, the archive's root left out.

    Torch names the root directory after the file or `archive`; any name is read. Below the root
    torch's reader does not tell capital letters from small ones.

    Raises:
        ArtifactError: As in `read_zip_directory`; `unreadable-archive` where it is no torch file.
    """
    records = read_zip_directory(source, limits, deadline)
    roots = {name.partition("/")[0] for name in records}
    start = len(min(roots, default="")) + 1
    found = {name[start:].lower(): record for name, record in records.items()}
    if len(roots) != 1 or "data.pkl" not in found:
        refuse_other_archive(found, source.name)
        raise ArtifactError(
            "unreadable-archive",
            "it is no torch file: the zip archive has no single root directory with data.pkl",
            source.name,
        )
    return found


def read_texts(source: Source, records: dict[str, ZipRecord], limits: Limits) -> dict[str, bytes]:
    """Returns the short texts that torch.load reads before the pickle, by record name.

    Raises:
        ArtifactError: `unreadable-archive` for one that torch does not know, or without a version.
    """
    texts = {name: read_record(source, records[name], limits) for name in _TEXTS if name in records}
    for name, text in texts.items():
        if not _TEXTS[name].fullmatch(text):
            raise ArtifactError(
                "unreadable-archive",
                f"the record {name} has no value that torch knows",
                source.name,
            )
    if "version" not in texts and ".data/version" not in texts:
        raise ArtifactError(
            "unreadable-archive", "it is no torch file: no record tells its version", source.name
        )
    return texts


def check_records(
    source: Source, records: dict[str, ZipRecord], limits: Limits, deadline: Deadline
) -> None:
    """Checks that a record begins wherever the directory says; 30 bytes of each are read.

    Raises:
        ArtifactError: `unreadable-archive` for a record whose own header is not there or that
            torch would refuse, or a serialization ID that is no text; `limit-exceeded`.
    """
    for number, record in enumerate(islice(records.values(), MOST_RECORDS)):
        if number % _BETWEEN_CHECKS == 0:
            deadline.check()
        if record.method not in _METHODS or record.flags & _REFUSED_FLAGS:
            raise ArtifactError(
                "unreadable-archive",
                f"the record {record.name!r} is encrypted or compressed in an unknown way",
                source.name,
            )
        record_data_offset(source, record)
    identity = records.get(_SERIALIZATION_ID)
    if identity is not None and not _is_text(read_record(source, identity, limits)):
        raise ArtifactError(
            "unreadable-archive", f"the record {_SERIALIZATION_ID} is no text", source.name
        )


def _is_text(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True
