"""Which bytes of a file are under a checksum, reckoned without the code of `verify`.

Zip archives by Python's own `zipfile`, JSON by `json`, OCDBT's nodes and TensorFlow's bundles by
the readers of their indexes.
"""

from __future__ import annotations

import io
import json
import re
import struct
import zipfile
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.artifacts.bundle_checksums import protected_spans
from ckpt_tui.artifacts.crc32c import crc32c
from ckpt_tui.artifacts.limits import Limits
from ckpt_tui.artifacts.ocdbt import read_database
from ckpt_tui.artifacts.source import FileSource
from ckpt_tui.artifacts.tensor_bundle import read_bundle

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_END_OF_ZIP = b"PK\x05\x06"
_MANIFEST = b"\x0c\xdb\x3a\x2a"
_BUNDLE_DATA = re.compile(r"(.+)\.data-\d{5}-of-\d{5}")
_STORAGE = re.compile(r".*?/data/\d+")
_INDEX_MAGIC = bytes.fromhex("57fb808b247547db")


class Protected(NamedTuple):
    """Bytes under a checksum.

    Attributes:
        holds_tensor: Whether what lies there is the bytes of a tensor.
        deflated: Whether other stored bytes may give the same content.
    """

    begin: int
    end: int
    holds_tensor: bool = False
    deflated: bool = False


def protected_ranges(path: Path) -> list[Protected]:
    """All of one file; it is whole."""
    listed = _listed_whole(path)
    if listed is not None:
        return [listed]
    data = path.read_bytes()
    if data.startswith(b"PK\x03\x04"):
        return list(_of_zips(data, every_record=path.name.endswith(".distcp")))
    if data.startswith(_MANIFEST):
        return [Protected(0, len(data))]
    if path.parent.name == "d":
        return list(_of_nodes(path))
    named = _BUNDLE_DATA.fullmatch(str(path))
    if named is not None:
        return list(_of_bundle(path, named[1]))
    if data.endswith(_INDEX_MAGIC):
        with FileSource(path) as source:
            blocks = read_bundle(source, Limits()).blocks
        return [Protected(b.offset, b.offset + b.size_bytes + 1) for b in blocks]
    return list(_of_shard_index(data)) if path.parent.name.isdigit() or "c" in path.parts else []


def _listed_whole(path: Path) -> Protected | None:
    """All of a file that our own manifest lists with a CRC-32."""
    manifest = path.parent / "manifest.json"
    if not manifest.exists() or path == manifest:
        return None
    document = json.loads(manifest.read_text())
    entries = document.get("entries", []) if isinstance(document, dict) else []
    crcs = {entry["path"]: entry.get("crc32") for entry in entries}
    return Protected(0, path.stat().st_size) if crcs.get(path.name) else None


def _of_zips(data: bytes, *, every_record: bool) -> Iterator[Protected]:
    """One archive, or one after the other: each ends with a record of 22 bytes."""
    begin = 0
    while begin < len(data):
        at = data.find(_END_OF_ZIP, begin)
        if at < 0:
            return
        end = at + 22
        try:
            archive = zipfile.ZipFile(io.BytesIO(data[begin:end]))
        except zipfile.BadZipFile:  # the signature stood in a tensor's bytes
            return
        for info in archive.infolist():
            header = begin + info.header_offset
            name, extra = struct.unpack_from("<2H", data, header + 26)
            first = header + 30 + name + extra
            last = first + info.compress_size
            if not info.CRC and any(data[first:last]):
                continue
            deflated = info.compress_type == zipfile.ZIP_DEFLATED
            tensor = every_record or _STORAGE.fullmatch(info.filename) is not None
            tensor = tensor or info.filename.endswith(".npy")
            yield Protected(first, last - deflated, tensor, deflated)
        begin = end


def _of_nodes(path: Path) -> Iterator[Protected]:
    """The tree nodes that a database above the file leads to; of others nobody reads a byte."""
    for directory in path.parents:
        if (directory / "manifest.ocdbt").exists():
            names = [entry.name for entry in directory.iterdir()]
            database = read_database(
                lambda name, d=directory: FileSource(d / name), names, Limits()
            )
            for node in database.nodes:
                if directory / node.file.path == path:
                    yield Protected(node.offset, node.end)


def _of_bundle(path: Path, prefix: str) -> Iterator[Protected]:
    with FileSource(f"{prefix}.index") as source:
        bundle = read_bundle(source, Limits())
    for span in protected_spans(bundle, prefix):
        if span.path == str(path):
            yield Protected(span.offset, span.offset + span.size_bytes, holds_tensor=True)


def _of_shard_index(data: bytes) -> Iterator[Protected]:
    """The index at a zarr shard's end: some pairs of 16 bytes, and their CRC-32C."""
    stored = int.from_bytes(data[-4:], "little")
    for pairs in range(1, min(len(data) // 16, 4096) + 1):
        begin = len(data) - 4 - 16 * pairs
        if begin >= 0 and crc32c(data[begin:-4]) == stored:
            yield Protected(begin, len(data))
            return
