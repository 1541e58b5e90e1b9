"""Reads one checkpoint of pickles: the states of every file, joined with the JSON beside them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from ckpt_tui.artifacts.pickle_arrays import ArrayPickle
from ckpt_tui.core.facts import RoleFacts
from ckpt_tui.core.siblings import plain_name
from ckpt_tui.core.vocabulary import MODEL, OPTIMIZER
from ckpt_tui.formats.pickle_file.claims import (
    ENDINGS,
    NO_ENDING,
    has_pickle_ending,
    opener_of,
)
from ckpt_tui.formats.pickle_file.content import content_of_pickle
from ckpt_tui.formats.shared.array_states import States
from ckpt_tui.formats.shared.pickled import read_pickled
from ckpt_tui.formats.shared.plain_states import PlainKind, read_plain

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ckpt_tui.core.facts import CheckpointFacts
    from ckpt_tui.core.findings import Finding
    from ckpt_tui.formats.base import CheckpointFiles


_MOST_IN_A_ROW = 64


def read_pickles(files: CheckpointFiles) -> CheckpointFacts:
    """Reads a file, several of one step, or a directory of them."""
    bare = bool(files.claim.members) and not any(ending in files.name for ending in ENDINGS)
    counted: dict[str, int] = {}

    def read(files: CheckpointFiles, path: str) -> tuple[object, tuple[Finding, ...]]:
        found = read_pickled(files, path)
        counted[path] = len(found.pickle.values) if found.pickle is not None else 0
        return found.pickle, found.findings

    kind = _KIND._replace(read=read, endings=NO_ENDING if bare else ENDINGS)
    facts = read_plain(files, kind)
    opens = facts.loader.opens | _pickles_in_a_row(counted)
    return facts._replace(loader=facts.loader._replace(opens=opens))


def _pickles_in_a_row(counted: Mapping[str, int]) -> frozenset[str]:
    """Pickles that a loop loads one after the other: a file cut between two ends like a whole one.

    Args:
        counted: How many each file holds.
    """
    return frozenset(
        f"pickle {number} of {plain_name(path)}"
        for path, count in counted.items()
        if count > 1
        for number in range(1, min(count, _MOST_IN_A_ROW) + 1)
    )


def _not_read(_files: CheckpointFiles, _path: str) -> tuple[object, tuple[Finding, ...]]:
    return None, ()


def _flag(path: str) -> str:
    if not has_pickle_ending(path):
        return path
    return f"pickle.load({opener_of(path)}({json.dumps(path)}, 'rb'))"


def _states(pickle: object, path: str, named: str | None) -> States:
    """What one file holds; a state without telling keys is what the file's name says."""
    if not isinstance(pickle, ArrayPickle):
        return States((), None, None, False, (), 0)
    content = content_of_pickle(pickle, path)
    keyed = any("the content of" not in role.evidence for role in content.roles)
    roles = content.roles
    if not keyed and named is not None:
        evidence = f"the name of {path} (its keys name no role)"
        size = roles[0].size_bytes if roles else None
        roles = (RoleFacts(named, size, 1, evidence, paths=(path,)),)
    known = {role.role for role in roles}
    return States(
        roles,
        content.step if keyed or not known & {MODEL, OPTIMIZER} else None,
        content.epoch,
        keyed,
        content.tensors,
        content.tensors_total,
    )


_KIND = PlainKind(
    "pickle-file",
    ENDINGS,
    "no commit mark: the pickle's STOP opcode decides (pickle.dump writes in place)",
    _not_read,
    _flag,
    _states,
)
