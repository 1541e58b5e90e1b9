"""The JSON contract of `check`, written as a table of fields and the types they may have."""

from __future__ import annotations

import re
from typing import Any

from ckpt_tui.core.vocabulary import (
    ALL_ROLES,
    Commit,
    Level,
    PointerState,
    Severity,
    Verdict,
)

NULL = type(None)
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
CODE = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")

Table = dict[str, tuple[type, ...]]

DOCUMENT: Table = {
    "schema": (str,),
    "tool_version": (str,),
    "root": (str, NULL),
    "generated_at": (str,),
    "exit_code": (int,),
    "level": (str,),
    "runs": (list,),
}
RUN: Table = {
    "path": (str,),
    "name": (str,),
    "level": (str,),
    "resume": (dict, NULL),
    "pointers": (list,),
    "findings": (list,),
    "checkpoints": (list,),
}
RESUME: Table = {
    "checkpoint_id": (str,),
    "path": (str,),
    "step": (int, NULL),
    "verdict": (str,),
    "committed_at": (str, NULL),
    "load": (str, NULL),
    "rejected_newer": (list,),
}
REJECTED: Table = {"path": (str,), "step": (int, NULL), "verdict": (str,), "why": (str,)}
POINTER: Table = {
    "path": (str,),
    "kind": (str,),
    "raw": (str,),
    "target": (str, NULL),
    "state": (str,),
}
CHECKPOINT: Table = {
    "checkpoint_id": (str,),
    "path": (str,),
    "format": (str,),
    "step": (int, NULL),
    "ordinal": (int, NULL),
    "world_size": (int, NULL),
    "commit": (str,),
    "verdict": (str,),
    "recoverable": (bool,),
    "resumable": (bool,),
    "why": (str,),
    "not_checked": (list,),
    "save_mode": (str, NULL),
    "roles": (dict,),
    "missing_roles": (list,),
    "shards": (dict, NULL),
    "reshard": (dict, NULL),
    "bytes": (int,),
    "started_at": (str, NULL),
    "committed_at": (str, NULL),
    "save_seconds": (int, float, NULL),
    "save_seconds_is_lower_bound": (bool,),
    "findings": (list,),
    "verified": (dict, NULL),
}
ROLE: Table = {
    "bytes": (int, NULL),
    "files": (int,),
    "missing_ranks": (list,),
    "evidence": (str,),
}
SHARDS: Table = {"expected": (int,), "present": (int,), "missing_ranks": (list,)}
RESHARD: Table = {"possible": (bool, NULL), "how": (str,), "loses": (list,)}
FINDING: Table = {
    "code": (str,),
    "severity": (str,),
    "path": (str,),
    "message": (str,),
    "remedy": (str,),
}


def contract_faults(document: dict[str, Any]) -> list[str]:
    """Everything in a document of `check --json` that breaks the contract."""
    faults = _fields("document", document, DOCUMENT)
    if faults:
        return faults
    if document["schema"] != "ckpt-tui/check/1":
        faults.append(f"schema is {document['schema']!r}")
    faults += _one_of("document", document, "level", Level)
    faults += _times("document", document, "generated_at")
    for run in document["runs"]:
        faults += _run(run)
    return faults


def _run(run: dict[str, Any]) -> list[str]:
    where = f"run {run.get('path')}"
    faults = _fields(where, run, RUN)
    if faults:
        return faults
    faults += _one_of(where, run, "level", Level) + _absolute(where, run)
    for pointer in run["pointers"]:
        faults += _fields(where, pointer, POINTER) or _one_of(where, pointer, "state", PointerState)
    for finding in run["findings"]:
        faults += _finding(where, finding)
    for checkpoint in run["checkpoints"]:
        faults += _checkpoint(checkpoint)
    if run["resume"] is not None:
        faults += _resume(where, run)
    elif any(one["resumable"] for one in run["checkpoints"]):
        faults.append(f"{where}: no resume point, but a resumable checkpoint")
    return faults


def _resume(where: str, run: dict[str, Any]) -> list[str]:
    resume = run["resume"]
    faults = _fields(f"{where}, resume", resume, RESUME)
    if faults:
        return faults
    faults += _times(where, resume, "committed_at") + _absolute(where, resume)
    named = [one for one in run["checkpoints"] if one["path"] == resume["path"]]
    if not named or not named[0]["resumable"]:
        faults.append(f"{where}: the resume point is no resumable checkpoint of the run")
    for rejected in resume["rejected_newer"]:
        faults += _fields(f"{where}, rejected", rejected, REJECTED)
    return faults


def _checkpoint(one: dict[str, Any]) -> list[str]:
    where = f"checkpoint {one.get('path')}"
    faults = _fields(where, one, CHECKPOINT)
    if faults:
        return faults
    faults += _one_of(where, one, "commit", Commit) + _one_of(where, one, "verdict", Verdict)
    faults += _absolute(where, one) + _times(where, one, "started_at", "committed_at")
    if one["recoverable"] != (one["verdict"] == "exact"):
        faults.append(f"{where}: recoverable and verdict disagree")
    if one["resumable"] and one["verdict"] not in ("exact", "inexact"):
        faults.append(f"{where}: resumable, but {one['verdict']}")
    if not one["why"].strip():
        faults.append(f"{where}: no why")
    if one["bytes"] < 0 or (one["save_seconds"] or 0) < 0:
        faults.append(f"{where}: a size or time is negative")
    unknown = (set(one["roles"]) | set(one["missing_roles"])) - set(ALL_ROLES)
    faults += [f"{where}: unknown role {role}" for role in sorted(unknown)]
    for role in one["roles"].values():
        faults += _fields(f"{where}, role", role, ROLE)
    if one["shards"] is not None:
        faults += _fields(f"{where}, shards", one["shards"], SHARDS)
    if one["reshard"] is not None:
        faults += _fields(f"{where}, reshard", one["reshard"], RESHARD)
    for finding in one["findings"]:
        faults += _finding(where, finding)
    return faults


def _finding(where: str, finding: dict[str, Any]) -> list[str]:
    faults = _fields(f"{where}, finding", finding, FINDING)
    if faults:
        return faults
    faults += _one_of(where, finding, "severity", Severity) + _absolute(where, finding)
    if not CODE.fullmatch(finding["code"]):
        faults.append(f"{where}: code {finding['code']!r} is not kebab-case")
    if not finding["message"] or not finding["remedy"]:
        faults.append(f"{where}: {finding['code']} without message or remedy")
    return faults


def _fields(where: str, value: Any, table: Table) -> list[str]:
    if not isinstance(value, dict):
        return [f"{where}: no object"]
    faults = [f"{where}: `{key}` is missing" for key in table if key not in value]
    for key, types in table.items():
        wrong = key in value and (
            not isinstance(value[key], types)
            or (isinstance(value[key], bool) and bool not in types)
        )
        if wrong:
            faults.append(f"{where}: `{key}` is {value[key]!r}")
    return faults


def _one_of(where: str, value: dict[str, Any], key: str, words: Any) -> list[str]:
    known = {word.value for word in words}
    return [] if value[key] in known else [f"{where}: `{key}` is {value[key]!r}"]


def _times(where: str, value: dict[str, Any], *keys: str) -> list[str]:
    return [
        f"{where}: `{key}` is {value[key]!r}"
        for key in keys
        if value[key] is not None and not TIME.fullmatch(value[key])
    ]


def _absolute(where: str, value: dict[str, Any]) -> list[str]:
    return [] if value["path"].startswith("/") else [f"{where}: {value['path']!r} is relative"]
