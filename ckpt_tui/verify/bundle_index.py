"""Which tensors lie in which data file of a TensorFlow bundle, with their checksums."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.artifacts.bundle_checksums import protected_spans
from ckpt_tui.artifacts.tensor_bundle import INDEX_ENDING, read_bundle

if TYPE_CHECKING:
    from ckpt_tui.artifacts.bundle_checksums import ProtectedSpan
    from ckpt_tui.formats.base import CheckpointFiles

_DATA = re.compile(r"(.+)\.data-\d{5,}-of-\d{5,}")


class BundleSpans(NamedTuple):
    """What lies in one data file.

    Attributes:
        spans: In the order of their places.
        big_endian: Byte order of the writer.
    """

    spans: tuple[ProtectedSpan, ...]
    big_endian: bool


def index_of_data(path: str) -> str:
    """Relative path of the index that a data file belongs to; "" for what has no such name."""
    named = _DATA.fullmatch(path)
    return f"{named[1]}{INDEX_ENDING}" if named is not None else ""


def read_spans(files: CheckpointFiles, index: str) -> dict[str, BundleSpans]:
    """Reads an index: relative path of a data file → what lies in it.

    Raises:
        ArtifactError: The index cannot be read.
    """
    with files.open(index) as source:
        bundle = read_bundle(source, files.limits)
    spans: dict[str, list[ProtectedSpan]] = {}
    for span in protected_spans(bundle, index.removesuffix(INDEX_ENDING)):
        spans.setdefault(span.path, []).append(span)
    return {path: BundleSpans(tuple(own), bundle.big_endian) for path, own in spans.items()}
