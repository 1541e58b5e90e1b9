"""A `.distcp` file: one torch archive after the other, each with its own checksums.

Where each begins, and which tensor it is, stands in `.metadata`; without it the archives are found
from the file's end, as each one's end record tells its length.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.artifacts.limits import ArtifactError
from ckpt_tui.artifacts.source import WindowSource
from ckpt_tui.artifacts.zip_end import read_zip_end
from ckpt_tui.verify.finite.torch_storages import torch_floats
from ckpt_tui.verify.methods.zip_records import METHOD, Archive, check_records

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ckpt_tui.artifacts.dcp_metadata import DcpItem
    from ckpt_tui.verify.examined import Examined, FileJob
    from ckpt_tui.verify.finite.scan import FloatPart


def check(job: FileJob, found: Examined) -> None:
    """Checks every item that the file holds.

    Raises:
        ArtifactError: There is no index, and the file does not end with an archive.
        StoppedError: Nobody wants it any more.
    """
    found.method = METHOD
    items = job.context.indexes.dcp_items(job.path)
    if not items:
        _check_unnamed(job, found)
    for item in sorted(items, key=lambda item: item.offset):
        place = f"item at bytes {item.offset} to {item.offset + item.length}"
        try:
            _check_item(job, item, found)
        except ArtifactError as error:
            found.failed(error, place, item.key)


def _check_item(job: FileJob, item: DcpItem, found: Examined) -> None:
    if item.transformed:
        found.note = "some of its items are compressed, which nothing protects"
        return
    window = WindowSource(job.stream, item.offset, item.length)
    check_records(Archive(job.stream, window, item.offset, lambda record: item.key), found)


def _check_unnamed(job: FileJob, found: Examined) -> None:
    end = job.stream.size
    while end > 0:
        begin = _begin_of_last(WindowSource(job.stream, 0, end))
        window = WindowSource(job.stream, begin, end - begin)
        check_records(Archive(job.stream, window, begin, lambda record: ""), found)
        end = begin


def _begin_of_last(window: WindowSource) -> int:
    """Where the archive begins that ends where the window does.

    Raises:
        ArtifactError: None ends there.
    """
    end = read_zip_end(window, at_the_end=True)
    begin = end.position - end.directory_bytes - end.directory_offset
    if not 0 <= begin < window.size:
        message = f"the zip archive before byte {window.size} says that it begins at {begin}"
        raise ArtifactError("unreadable-archive", message, window.name)
    return begin


def floats(job: FileJob) -> Iterator[FloatPart]:
    """The floating tensors of all items.

    Raises:
        ArtifactError: An item cannot be read.
    """
    for item in job.context.indexes.dcp_items(job.path):
        if not item.transformed and item.offset_index is not None:
            window = WindowSource(job.stream, item.offset, item.length)
            yield from torch_floats(job.stream, window, item.offset, item.key)
