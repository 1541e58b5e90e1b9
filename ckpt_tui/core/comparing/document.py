"""The answer of `compare --json`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ckpt_tui.core.document import utc_text

if TYPE_CHECKING:
    from ckpt_tui.core.checkpoint import Checkpoint
    from ckpt_tui.core.comparing.checkpoints import Comparison
    from ckpt_tui.core.comparing.tensors import TensorChanges
    from ckpt_tui.core.facts import RoleFacts
    from ckpt_tui.core.findings import Finding
    from ckpt_tui.core.tensors import Note, Tensor

COMPARE_SCHEMA = "ckpt-tui/compare/1"


def compare_document(comparison: Comparison, tool_version: str) -> dict[str, Any]:
    """Plain dictionaries: all differences, and counts of what is equal."""
    return {
        "schema": COMPARE_SCHEMA,
        "tool_version": tool_version,
        "first": _checkpoint(comparison.first),
        "second": _checkpoint(comparison.second),
        "steps_apart": comparison.steps_apart,
        "seconds_apart": comparison.seconds_apart,
        "alike": comparison.alike,
        "roles": {
            "differ": [
                {"role": role.role, "first": _role(role.first), "second": _role(role.second)}
                for role in comparison.roles
            ],
            "same": list(comparison.same_roles),
        },
        "shards": {
            "differ": [
                {"rank": rank.rank, "first_bytes": rank.first, "second_bytes": rank.second}
                for rank in comparison.ranks
            ],
            "same": comparison.same_ranks,
        },
        "findings": {
            "first": [_finding(finding) for finding in comparison.only_first],
            "second": [_finding(finding) for finding in comparison.only_second],
            "both": [_finding(finding) for finding in comparison.both],
        },
        "files": {
            "differ": [
                {"path": file.path, "first_bytes": file.first, "second_bytes": file.second}
                for file in comparison.files.changed
            ],
            "same": comparison.files.same,
        },
        "tensors": None if comparison.tensors is None else _tensors(comparison.tensors),
    }


def _checkpoint(checkpoint: Checkpoint) -> dict[str, Any]:
    facts = checkpoint.facts
    return {
        "path": facts.path,
        "format": facts.format,
        "step": facts.step,
        "ordinal": facts.ordinal,
        "verdict": checkpoint.verdict.value,
        "commit": checkpoint.commit.value,
        "resumable": checkpoint.resumable,
        "world_size": facts.world_size,
        "bytes": facts.size_bytes,
        "files": len(facts.files),
        "committed_at": utc_text(checkpoint.committed_at),
        "save_seconds": facts.save_seconds,
    }


def _role(role: RoleFacts | None) -> dict[str, Any] | None:
    if role is None:
        return None
    return {"bytes": role.size_bytes, "missing_ranks": list(role.missing_ranks)}


def _finding(finding: Finding) -> dict[str, Any]:
    return {
        "code": finding.code,
        "severity": finding.severity.value,
        "path": finding.path,
        "message": finding.message,
    }


def _tensors(changes: TensorChanges) -> dict[str, Any]:
    return {
        "removed": [_tensor(tensor) for tensor in changes.removed],
        "added": [_tensor(tensor) for tensor in changes.added],
        "changed": [
            {
                "first": _tensor(change.first),
                "second": _tensor(change.second),
                "reshaped": change.reshaped,
                "retyped": change.retyped,
            }
            for change in changes.changed
        ],
        "same": changes.same,
        "same_bytes": changes.same_bytes,
        "not_compared": {
            "first": [_note(note) for note in changes.first_notes],
            "second": [_note(note) for note in changes.second_notes],
        },
    }


def _note(note: Note) -> dict[str, Any]:
    return {"kind": note.kind.value, "path": note.path, "count": note.how_many}


def _tensor(tensor: Tensor) -> dict[str, Any]:
    return {
        "name": tensor.name,
        "role": tensor.role or None,
        "dtype": tensor.dtype,
        "shape": list(tensor.shape),
        "bytes": tensor.size_bytes,
    }
