"""Files that a committed checkpoint's own index or layout demands, and that are not there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.verify.examined import STRUCTURE
from ckpt_tui.verify.results import Fault, FileResult
from ckpt_tui.verify.stream import absolute

if TYPE_CHECKING:
    from ckpt_tui.core.findings import Finding
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
        _result(context, wanted[path]) for path in sorted(wanted) if path not in context.seal.files
    ]
    return tuple(
        file for file in results if not only or f"{file.path}/".startswith(f"{only.rstrip('/')}/")
    )


def _result(context: Context, finding: Finding) -> FileResult:
    tensor = context.tensors.of_file(finding.path)
    return FileResult(
        path=absolute(context.files.base, finding.path),
        size_bytes=0,
        mtime_ns=0,
        inode=0,
        checked_bytes=0,
        method=STRUCTURE,
        ok=False,
        message=finding.message,
        faults=(Fault(finding.code, "", tensor, finding.message),),
        fault_count=1,
        checkpoint=context.path,
    )
