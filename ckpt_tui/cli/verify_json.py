"""The document of `verify --json`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui import __version__
from ckpt_tui.cli.json_text import json_text

if TYPE_CHECKING:
    from ckpt_tui.verify.results import FileResult, Verified

VERIFY_SCHEMA = "ckpt-tui/verify/1"


def verify_json(verified: Verified, exit_code: int) -> str:
    """The whole answer as JSON."""
    return json_text(
        {
            "schema": VERIFY_SCHEMA,
            "tool_version": __version__,
            "exit_code": exit_code,
            "ok": verified.ok,
            "cancelled": verified.cancelled,
            "unfinished": list(verified.unfinished),
            "uncommitted": sorted(verified.uncommitted),
            "bytes": verified.size_bytes,
            "checked_bytes": verified.checked_bytes,
            "not_protected_bytes": verified.size_bytes - verified.checked_bytes,
            "seconds": round(verified.seconds, 3),
            "files": [_file(file) for file in verified.files],
            "problems": [{"path": path, "reason": reason} for path, reason in verified.problems],
        }
    )


def _file(file: FileResult) -> dict[str, object]:
    return {
        "path": file.path,
        "checkpoint": file.checkpoint or None,
        "bytes": file.size_bytes,
        "checked_bytes": file.checked_bytes,
        "not_protected_bytes": file.size_bytes - file.checked_bytes,
        "method": file.method,
        "ok": file.ok,
        "unread": file.unread,
        "message": file.message,
        "fault_count": file.fault_count,
        "faults": [
            {
                "code": fault.code,
                "place": fault.place,
                "tensor": fault.tensor or None,
                "message": fault.message,
            }
            for fault in file.faults
        ],
        "finite_checked": file.finite_checked,
        "scanned_bytes": file.scanned_bytes,
        "non_finite": [
            {"tensor": one.tensor, "nan": one.nan_count, "infinite": one.infinite_count}
            for one in file.non_finite
        ],
    }
