"""Files to verify, and bits to flip in them."""

from __future__ import annotations

import os
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ckpt_tui.verify.engine import Options, verify
from ckpt_tui.verify.planning import plan

if TYPE_CHECKING:
    from ckpt_tui.verify.results import FileResult

SAMPLES = Path(__file__).parents[2] / "sample_runs"


def flip(path: Path, place: int, bit: int = 0) -> None:
    """Flips one bit and leaves the time as it was, as rot does."""
    status = path.stat()
    with path.open("r+b") as stream:
        stream.seek(place)
        (byte,) = stream.read(1)
        stream.seek(place)
        stream.write(bytes((byte ^ 1 << bit,)))
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))


def record_begin(path: Path, name: str) -> int:
    """Where the data of a stored record of a zip archive begin."""
    with zipfile.ZipFile(path) as archive:
        header = archive.getinfo(name).header_offset
    start = path.read_bytes()[header : header + 30]
    return (
        header
        + 30
        + int.from_bytes(start[26:28], "little")
        + int.from_bytes(start[28:30], "little")
    )


def end_of_dcp_tensor(checkpoint: Path, name: str) -> tuple[int, str]:
    """Where the bytes of a float32 tensor in a `.distcp` file end, and its name."""
    (planned,) = plan((str(checkpoint / name),)).files
    data = (checkpoint / name).read_bytes()
    for tensor in planned.context.tensors.listed:
        for chunk in tensor.chunks:
            if tensor.dtype == "float32" and chunk.path == name and chunk.begin is not None:
                record = data.index(b"archive/data/0", chunk.begin)
                return data.index(b"PK\x07\x08", record), tensor.name
    raise AssertionError("no such tensor")


def result_of(path: Path, **options: Any) -> FileResult:
    """What is found of one file, by itself."""
    (found,) = verify((str(path),), Options(ranges=True, **options)).files
    return found


def results_below(path: Path, **options: Any) -> dict[str, FileResult]:
    """What is found below a directory, by the path relative to it."""
    found = verify((str(path),), Options(ranges=True, **options))
    return {os.path.relpath(file.path, path): file for file in found.files}
