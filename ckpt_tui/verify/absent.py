"""Files that a seal lists, or a committed checkpoint's own index demands, and that are absent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.core.verified import LISTED
from ckpt_tui.verify.examined import STRUCTURE
from ckpt_tui.verify.results import Fault, FileResult
from ckpt_tui.verify.stream import absolute

if TYPE_CHECKING:
    from ckpt_tui.verify.context import Context


def absent_files(context: Context, only: str = "") -> tuple[FileResult, ...]:
    """A wrong result for each file without which no loader restores the checkpoint.

    What a seal lists has its result already.

    Args:
        context: The checkpoint.
        only: Absolute path; only files at or below it are asked about; "" for all.
    """
    wanted = {finding.path: finding for finding in reversed(context.absent)}
    results = [
        _result(context, path, STRUCTURE, wanted[path].code, wanted[path].message)
        for path in sorted(wanted)
        if path not in context.seal.files
    ]
    return tuple(
        file for file in results if not only or f"{file.path}/".startswith(f"{only.rstrip('/')}/")
    )


def missing_file(context: Context, path: str) -> FileResult:
    """The result of a file that the checkpoint's seal lists and that is not there."""
    seal = context.seal
    size = seal.files[path].size_bytes
    message = f"it is not there; {seal.by} lists it with {size} bytes"
    return _result(context, path, LISTED.format(seal.by), "size-mismatch", message)


def _result(context: Context, path: str, method: str, code: str, message: str) -> FileResult:
    tensor = context.tensors.of_file(path)
    return FileResult(
        path=absolute(context.files.base, path),
        size_bytes=0,
        mtime_ns=0,
        inode=0,
        checked_bytes=0,
        method=method,
        ok=False,
        message=message,
        faults=(Fault(code, "", tensor, message),),
        fault_count=1,
        checkpoint=context.path,
    )
