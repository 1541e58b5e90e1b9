"""`metadata.json`, which Megatron-Core writes last: that a save is whole, and by which backend."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.artifacts.limits import ArtifactError
from ckpt_tui.core.findings import Finding
from ckpt_tui.core.vocabulary import Effect, Severity
from ckpt_tui.formats.shared.archive_step import whole_number
from ckpt_tui.formats.shared.json_files import read_json_object
from ckpt_tui.formats.shared.problems import finding_of_error

if TYPE_CHECKING:
    from ckpt_tui.formats.base import CheckpointFiles

INDEX = "metadata.json"
TORCH_DIST = "torch_dist"

# Kept by torch's own writer: a plain DCP directory, with or without Megatron's `metadata.json`.
_BY_TORCH = ("torch_dcp", "fsdp_dtensor")
_VERSION = 1


class Index(NamedTuple):
    """What `metadata.json` says.

    Attributes:
        there: It has its name, whatever is in it.
        whole: It can be read, and names a backend that is read here.
        backend: That backend; `torch_dist` where nothing is named.
    """

    there: bool = False
    whole: bool = False
    backend: str = TORCH_DIST
    findings: tuple[Finding, ...] = ()


def read_index(files: CheckpointFiles) -> Index:
    """Reads it, where there is one.

    One that is cut, as a kill in its writing leaves it, only means that the save did not end.
    """
    if files.tree.get(INDEX) is None:
        return Index()
    try:
        document = read_json_object(files, INDEX)
    except ArtifactError as error:
        found = finding_of_error(error, INDEX)
        if found.effect is Effect.CORRUPT:
            found = found._replace(effect=Effect.NONE)
        return Index(True, findings=(found,))
    backend = document.get("sharded_backend")
    version = whole_number(document.get("sharded_backend_version", _VERSION))
    if backend == TORCH_DIST and version == _VERSION:
        return Index(True, True, TORCH_DIST)
    if isinstance(backend, str) and backend in _BY_TORCH:
        return Index(True, True, backend)
    named = f"{str(backend)[:40]!r}, version {document.get('sharded_backend_version')!s:.10}"
    return Index(True, findings=(_unread(named),))


def _unread(named: str) -> Finding:
    return Finding(
        "unsupported-version",
        Severity.ERROR,
        INDEX,
        f"{INDEX} names the backend {named}; only {TORCH_DIST} of version {_VERSION} is read",
        f"Convert the checkpoint to {TORCH_DIST}, or judge it by hand.",
        Effect.UNKNOWN,
    )
