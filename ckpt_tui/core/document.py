"""The JSON contract of `check` and `show`: immutable values to plain dictionaries.

Fields may be added; a schema number changes when a field changes its meaning.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from ckpt_tui.core.coordinates import coordinates_of
from ckpt_tui.core.verified_findings import is_finite
from ckpt_tui.core.vocabulary import MODEL

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ckpt_tui.core.checkpoint import Checkpoint
    from ckpt_tui.core.facts import CheckpointFacts
    from ckpt_tui.core.findings import Finding
    from ckpt_tui.core.runs import Pointer, Run

CHECK_SCHEMA = "ckpt-tui/check/1"
SHOW_SCHEMA = "ckpt-tui/show/1"


def utc_text(seconds: float | None) -> str | None:
    """Seconds since the epoch as UTC text, `2026-01-01T00:00:00Z`; None stays None."""
    if seconds is None:
        return None
    try:
        moment = datetime.fromtimestamp(int(seconds), UTC)
    except (OverflowError, OSError, ValueError):  # a clock gone wild is no reason to fail
        return None
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def check_document(
    *,
    roots: Sequence[str],
    runs: Sequence[Run],
    generated_at: float,
    tool_version: str,
    exit_code: int,
    level: str,
    problems: Sequence[tuple[str, str]] = (),
    world_size: int | None = None,
    remarks: Sequence[tuple[str, str]] = (),
) -> dict[str, Any]:
    """The answer of `check --json`; `world_size` is that of the job that was asked for."""
    return {
        "schema": CHECK_SCHEMA,
        "tool_version": tool_version,
        "root": roots[0] if len(roots) == 1 else None,
        "roots": list(roots),
        "generated_at": utc_text(generated_at),
        "exit_code": exit_code,
        "level": level,
        "world_size": world_size,
        "remarks": [{"path": path, "message": message} for path, message in remarks],
        "problems": [{"path": path, "message": message} for path, message in problems],
        "runs": [_run_document(run) for run in runs],
    }


def _run_document(run: Run) -> dict[str, Any]:
    """One run."""
    return {
        "path": run.path,
        "name": run.name,
        "format": run.format,
        "level": run.level.value,
        "resume": resume_document(run),
        "pointers": [_pointer(pointer) for pointer in run.pointers],
        "findings": [_finding(finding, run.path) for finding in run.findings],
        "restarts": [
            {
                "at": utc_text(restart.at),
                "from_step": restart.from_step,
                "reached_step": restart.reached_step,
                "lost_steps": restart.lost_steps,
            }
            for restart in run.restarts
        ],
        "checkpoints": [checkpoint_document(checkpoint) for checkpoint in run.checkpoints],
    }


def resume_document(run: Run) -> dict[str, Any] | None:
    """The resume point, with the attempts above it and why they are not it."""
    resume = run.resume
    if resume is None:
        return None
    return {
        "checkpoint_id": resume.facts.checkpoint_id,
        "path": resume.path,
        "step": resume.step,
        "ordinal": resume.facts.ordinal,
        "verdict": resume.verdict.value,
        "committed_at": utc_text(resume.committed_at),
        "load": resume.facts.loader.flag or None,
        "tag": resume.facts.loader.tag or None,
        "rejected_newer": [
            {
                "path": checkpoint.path,
                "step": checkpoint.step,
                "verdict": checkpoint.verdict.value,
                "why": checkpoint.why,
            }
            for checkpoint in run.rejected_newer
        ],
    }


def checkpoint_document(checkpoint: Checkpoint) -> dict[str, Any]:
    """One checkpoint."""
    facts = checkpoint.facts
    return {
        "checkpoint_id": facts.checkpoint_id,
        "path": facts.path,
        "format": facts.format,
        "step": facts.step,
        "ordinal": facts.ordinal,
        "world_size": facts.world_size,
        "commit": checkpoint.commit.value,
        "verdict": checkpoint.verdict.value,
        "recoverable": checkpoint.recoverable,
        "resumable": checkpoint.resumable,
        "why": checkpoint.why,
        "not_checked": list(facts.not_checked),
        "save_mode": facts.save_mode,
        "export": facts.export,
        "roles": {
            role.role: {
                "bytes": role.size_bytes,
                "files": role.files,
                "missing_ranks": list(role.missing_ranks),
                "evidence": role.evidence,
            }
            for role in facts.roles
        },
        "missing_roles": list(checkpoint.missing_roles),
        "shards": _shards(checkpoint),
        "reshard": None
        if facts.reshard is None
        else {
            "possible": facts.reshard.possible,
            "how": facts.reshard.how,
            "loses": list(facts.reshard.loses),
        },
        "load": facts.loader.flag if checkpoint.resumable and facts.loader.flag else None,
        "bytes": facts.size_bytes,
        "started_at": utc_text(facts.started_at),
        "committed_at": utc_text(checkpoint.committed_at),
        "save_seconds": facts.save_seconds,
        "save_seconds_is_lower_bound": facts.save_seconds_is_lower_bound,
        "findings": [_finding(finding, _base(facts)) for finding in checkpoint.findings],
        "verified": _verified(facts),
    }


def _verified(facts: CheckpointFacts) -> dict[str, Any] | None:
    """What `verify` found; what is protected is known once every file was looked at."""
    verified = facts.verified
    if verified is None:
        return None
    return {
        "at": utc_text(verified.at),
        "files": len(verified.files),
        "files_total": verified.files_total,
        "bytes": verified.verified_bytes,
        "checked_bytes": verified.checked_bytes,
        "protected_bytes": verified.checked_bytes if verified.is_whole else None,
        "ok": verified.ok,
        "finite": None
        if verified.scanned_bytes is None
        else {
            "ok": is_finite(facts),
            "scanned_bytes": verified.scanned_bytes,
            "tensors": [
                {"name": name, "nan": nan, "infinite": infinite}
                for name, nan, infinite in verified.not_finite
            ],
        },
    }


def show_document(checkpoint: Checkpoint, tool_version: str) -> dict[str, Any]:
    """The answer of `show --json`: one checkpoint with its files, shards and tensors."""
    facts = checkpoint.facts
    return {
        "schema": SHOW_SCHEMA,
        "tool_version": tool_version,
        "checkpoint": checkpoint_document(checkpoint),
        "ranks": [
            {
                "rank": shard.rank,
                "checkpoint_id": shard.checkpoint_id,
                "bytes": shard.size_bytes,
                "files": list(shard.paths),
                "problem": shard.problem or None,
                "coordinates": coordinates_of(facts.axes, shard.rank),
            }
            for shard in facts.shards
        ],
        "files": [
            {
                "path": file.path,
                "bytes": file.size_bytes,
                "modified_at": utc_text(file.mtime_ns / 1e9),
                "role": file.role or None,
                "rank": file.rank,
                "note": file.note or None,
            }
            for file in facts.files
        ],
        "tensors": [
            {
                "name": tensor.name,
                "dtype": tensor.dtype,
                "shape": list(tensor.shape),
                "bytes": tensor.size_bytes,
                "role": tensor.role or MODEL,
                "file": tensor.path or None,
            }
            for tensor in facts.tensors
        ],
        "tensors_total": facts.tensors_total,
        "verified_files": [
            {
                "path": file.path,
                "bytes": file.size_bytes,
                "verified_at": utc_text(file.at),
                "checked_bytes": file.checked_bytes,
                "method": file.method,
                "ok": file.ok,
                "message": file.message,
            }
            for file in (facts.verified.files if facts.verified is not None else ())
        ],
    }


def _base(facts: CheckpointFacts) -> str:
    """What the paths of its findings are relative to: its directory where it is made of files."""
    return facts.path.rpartition("/")[0] if facts.is_made_of_files() else facts.path


def _shards(checkpoint: Checkpoint) -> dict[str, Any] | None:
    expected = checkpoint.facts.expected_ranks
    if expected is None:
        return None
    return {
        "expected": len(expected),
        "present": checkpoint.present_shards,
        "missing_ranks": list(checkpoint.missing_ranks),
    }


def _pointer(pointer: Pointer) -> dict[str, Any]:
    return {
        "path": pointer.path,
        "kind": pointer.kind,
        "raw": pointer.raw,
        "target": pointer.target,
        "state": pointer.state.value,
    }


def _finding(finding: Finding, base: str) -> dict[str, Any]:
    path = finding.path
    if not path.startswith("/"):
        path = f"{base}/{path}" if path else base
    return {
        "code": finding.code,
        "severity": finding.severity.value,
        "path": path,
        "message": finding.message,
        "remedy": finding.remedy,
    }
