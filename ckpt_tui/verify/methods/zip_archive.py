"""A file that is a zip archive: torch.save's, Keras's `.keras`, numpy's npz."""

from __future__ import annotations

from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING

from ckpt_tui.artifacts.hdf5.stored import read_stored
from ckpt_tui.artifacts.limits import ArtifactError
from ckpt_tui.artifacts.source import WindowSource
from ckpt_tui.artifacts.torch_archive import read_torch_archive
from ckpt_tui.artifacts.zip_directory import (
    is_stored_plainly,
    read_zip_directory,
    record_data_offset,
)
from ckpt_tui.formats.shared.tensor_walk import MOST_NODES, walk_tensors
from ckpt_tui.formats.shared.tensors_gathering import LISTING_LIMITS
from ckpt_tui.verify.finite.hdf5_datasets import hdf5_floats
from ckpt_tui.verify.finite.npz_arrays import npz_floats
from ckpt_tui.verify.finite.torch_storages import torch_floats
from ckpt_tui.verify.methods.zip_records import Archive, check_records
from ckpt_tui.verify.tensor_places import joined

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ckpt_tui.artifacts.zip_directory import ZipRecord
    from ckpt_tui.verify.examined import Examined, FileJob
    from ckpt_tui.verify.finite.scan import FloatPart

_ARRAY, _HDF5, _STORAGES = ".npy", ".h5", "/data/"


def check(job: FileJob, found: Examined) -> None:
    """Checks every record of the archive.

    Raises:
        ArtifactError: Its directory cannot be read.
        StoppedError: Nobody wants it any more.
    """
    names = _Names(job)
    check_records(Archive(job.stream, job.stream, 0, names.of_record), found)


class _Names:
    """Which tensors the records of one archive hold; looked up once something is wrong."""

    def __init__(self, job: FileJob) -> None:
        self._job = job

    def of_record(self, record: ZipRecord) -> str:
        """The tensors of a record, or ""."""
        if record.name.endswith(_ARRAY):
            return record.name.removesuffix(_ARRAY)
        if record.name.endswith(_HDF5):
            return _datasets(self._job, record)
        _, _, key = record.name.partition(_STORAGES)
        return joined(self._by_storage.get(key, [])) if key else ""

    @cached_property
    def _by_storage(self) -> dict[str, list[str]]:
        """Key of a storage → names of its tensors, as the archive's own pickle has them."""
        found: dict[str, list[str]] = {}
        with suppress(ArtifactError):  # the pickle may be what is wrong
            value = read_torch_archive(self._job.stream, LISTING_LIMITS).value
            for name, info in walk_tensors(value, "", MOST_NODES):
                found.setdefault(info.storage_key, []).append(name)
        return found


def _datasets(job: FileJob, record: ZipRecord) -> str:
    """The datasets of a record that is an HDF5 file: its checksum does not tell which is wrong."""
    if not is_stored_plainly(record):
        return ""
    try:
        begin = record_data_offset(job.stream, record)
        window = WindowSource(job.stream, begin, record.size_bytes)
        stored = read_stored(window, LISTING_LIMITS).datasets
    except ArtifactError:  # its structure is what is wrong
        return ""
    return joined([dataset.name for dataset in stored])


def floats(job: FileJob) -> Iterator[FloatPart]:
    """The floating tensors of a torch file, the arrays of an npz, the datasets of a `.keras`.

    Raises:
        ArtifactError: It cannot be read, or is neither.
    """
    records = read_zip_directory(job.stream, LISTING_LIMITS)
    names = list(records)
    if any(name.endswith("/data.pkl") for name in names):
        yield from torch_floats(job.stream, job.stream, 0)
    elif any(name.endswith(_ARRAY) for name in names):
        yield from npz_floats(job.stream)
    for record in records.values():
        if record.name.endswith(_HDF5) and is_stored_plainly(record):
            begin = record_data_offset(job.stream, record)
            window = WindowSource(job.stream, begin, record.size_bytes)
            yield from hdf5_floats(job.stream, window, begin)
