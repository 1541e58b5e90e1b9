"""Which reader claims a directory, and whether as a checkpoint or as an export."""

from __future__ import annotations

import os
import re
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.formats.base import Claim, ClaimKind
from ckpt_tui.formats.registry import CATCH_ALL, reader_names, readers_for
from ckpt_tui.formats.shared.names import has_number, is_staging_name
from ckpt_tui.formats.shared.nemo_marker import marker_of
from ckpt_tui.fs import calls
from ckpt_tui.fs.listing import Directory, list_directory, list_names

if TYPE_CHECKING:
    from collections.abc import Mapping

_STEP = re.compile(
    r"(?:global[_-]?)?(?:step|iter|iteration|epoch|ckpt|checkpoint)s?[_=-]?\d+", re.IGNORECASE
)
_PART = re.compile(
    r"(?:.*[^a-z])?(?:optim|optimizer|model|fsdp|rank|shard|part|process|stage|layer)[_-]?\d+",
    re.IGNORECASE,
)
_INNER = frozenset({("hf-trainer", "deepspeed"), ("megatron-legacy", "torch-file")})
"""(Outer format, the format of a numbered directory in it that is a part of it)."""


_NOTHING: Mapping[str, Looked] = MappingProxyType({})


class Looked(NamedTuple):
    """A directory, looked at as far as it takes to say what it is.

    Attributes:
        claim: Who claims it; None for nobody.
        directory: Its listing; None where its claim is known without one.
        below: Name → what a subdirectory is, as far as that was looked at, too.
    """

    claim: Claim | None
    directory: Directory | None
    below: Mapping[str, Looked] = _NOTHING


def look_at(path: str) -> Looked:
    """Says what a directory is, from what lies there and nothing else; may run on any thread."""
    claim = claim_by_names(list_names(path))
    if claim is not None:
        return Looked(claim, None)
    directory = list_directory(path)
    unlisted = directory.problem and not directory.entries
    return Looked(None if unlisted else claim_of(directory), directory)


def claim_directory(path: str, before: Claim) -> Claim | None:
    """What a directory is taken for now; as before where it cannot be listed."""
    claim = claim_by_names(list_names(path))
    if claim is None:
        directory = list_directory(path)
        claim = before if directory.problem else claim_of(directory)
    if claim is None and before.reader not in reader_names():
        from ckpt_tui.formats.plug_ins.unclaimed import claim_of_plug_in

        claim = claim_of_plug_in(directory)
    return claim._replace(marker=calls.lexists(marker_of(path))) if claim is not None else None


def claim_of(directory: Directory) -> Claim | None:
    """Who claims a directory: as an export where its subdirectories are checkpoints."""
    claim = _own_claim(directory)
    if claim is None or claim.export or not _holds_run(directory, claim.reader):
        return claim
    return claim._replace(export=True)


def claim_by_names(names: Directory) -> Claim | None:
    """Who claims a directory of which names and kinds are known; None where more has to be.

    The catch-all looks at sizes and into files, and is asked after all that do not.
    """
    for candidate in readers_for(names.all_names()):
        if candidate.name == CATCH_ALL:
            return None
        kind = candidate.claims_directory(names)
        if kind is not ClaimKind.NO:
            whole = kind is ClaimKind.CHECKPOINT and not _holds_run(names, candidate.name)
            return Claim(candidate.name, names.path) if whole else None
    return None


def _holds_run(directory: Directory, reader: str) -> bool:
    """Whether something stray makes a run's own directory look like one checkpoint."""
    if _STEP.fullmatch(directory.name):
        return False
    for name in directory.directory_names():
        if not has_number(name) or _PART.fullmatch(name) or is_staging_name(name):
            continue
        inner = _own_claim(directory.sub(name))
        if inner is not None and not inner.export and (reader, inner.reader) not in _INNER:
            return True
    return False


def _own_claim(directory: Directory) -> Claim | None:
    for candidate in readers_for(directory.all_names()):
        kind = candidate.claims_directory(directory)
        if kind is not ClaimKind.NO:
            return Claim(candidate.name, directory.path, (), kind is ClaimKind.EXPORT)
    return None


def staged(claim: Claim) -> bool:
    """Whether a checkpoint still has a temporary name."""
    return is_staging_name(os.path.basename(claim.path))
