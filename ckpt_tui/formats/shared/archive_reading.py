"""Reads a torch archive, and looks where each of its records begins, as torch does on loading."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from ckpt_tui.artifacts.limits import ArtifactError, Deadline, Limits
from ckpt_tui.artifacts.torch_archive import read_torch_archive
from ckpt_tui.artifacts.zip_directory import read_record, record_data_offset

if TYPE_CHECKING:
    from ckpt_tui.artifacts.source import Source
    from ckpt_tui.artifacts.torch_archive import TorchArchive

MOST_RECORDS = 20_000

_SERIALIZATION_ID = ".data/serialization_id"
_BETWEEN_CHECKS = 256
_METHODS = (0, 8)  # stored, deflated
_REFUSED_FLAGS = 0x1 | 0x20 | 0x40  # encrypted, patched, strongly encrypted


def read_archive(source: Source, limits: Limits) -> TorchArchive:
    """Reads an archive, and checks that a record begins wherever its directory says.

    Raises:
        ArtifactError: As in `read_torch_archive`; ``unreadable-archive`` for a record whose own
            header is not there or that torch would refuse, or a serialization ID that is no text.
    """
    archive = read_torch_archive(source, limits)
    deadline = Deadline(limits, source.name)
    records = archive.zip_records
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
    return archive


def _is_text(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True
