"""What one msgpack file of `flax.training.checkpoints` holds, and whether it was finished.

A save is written whole to `checkpoint_tmp` and then renamed to `checkpoint_N`; older ones are
removed after that. `restore_checkpoint` takes the highest number, whatever is in the file.
"""

from __future__ import annotations

import json
import os
import shlex
from typing import TYPE_CHECKING

from ckpt_tui.core.facts import CheckpointFacts, CommitFacts, LoaderFacts, OwnChoice, RoleFacts
from ckpt_tui.core.text import plural
from ckpt_tui.core.vocabulary import MODEL, OPTIMIZER, PROGRESS
from ckpt_tui.formats.flax.multiprocess import take_arrays_beside
from ckpt_tui.formats.flax.names import ARRAYS_ENDING, FlaxName, flax_name
from ckpt_tui.formats.shared.array_states import States, states_of
from ckpt_tui.formats.shared.common_facts import common_facts
from ckpt_tui.formats.shared.file_table import table_of_one
from ckpt_tui.formats.shared.links_and_holes import hollow_files
from ckpt_tui.formats.shared.msgpack_states import read_msgpack_tree
from ckpt_tui.formats.shared.named_progress import progress_of_name
from ckpt_tui.formats.shared.problems import name_disagrees
from ckpt_tui.formats.shared.role_merge import merge_roles

if TYPE_CHECKING:
    from ckpt_tui.core.findings import Finding
    from ckpt_tui.formats.base import CheckpointFiles

_CORE = (MODEL, OPTIMIZER, PROGRESS)


def read_flax(files: CheckpointFiles, format_name: str) -> CheckpointFacts:
    """Reads one file: roles and step by its tree, else the step by its name."""
    name = flax_name(files.name) or FlaxName("", files.name)
    tree, problems = read_msgpack_tree(files, files.name)
    beside = take_arrays_beside(tree, files.path, files.limits)
    states = states_of(tree, files.name, MODEL if not name.staged else None)
    held, named = states.step, name.number
    findings = [*problems, *states.findings, *beside.findings, *hollow_files(files.tree)]
    if held is not None:
        findings += name_disagrees(named, held.value, states.epoch, f"key `{held.key}`")
    entry = files.tree.get(files.name)
    roles = _roles(states, files.name, named) if not problems else ()
    committed_at = entry.mtime_ns / 1e9 if entry is not None else None
    commit = _commit(files, name, states, findings)
    facts = common_facts(files, format_name, commit._replace(committed_at=committed_at))
    return facts._replace(
        step=held.value if held is not None else named,
        ordinal=states.epoch if held is None and named is None else None,
        roles=roles,
        files=table_of_one(entry, roles),
        findings=tuple(findings),
        loader=_loader(files, name),
        declared=not problems,
        evidence=f"step from key `{held.key}`" if held is not None else "",
        tensors=states.tensors,
        tensors_total=states.tensors_total,
        neighbours=beside.neighbours,
        not_checked=_not_checked(files.name, beside.named),
    )


def _roles(states: States, path: str, named: int | None) -> tuple[RoleFacts, ...]:
    by_name = progress_of_name(path, named, "no key holds it")
    if states.has(PROGRESS) or by_name is None:
        return merge_roles(states.roles)
    return merge_roles((*states.roles, by_name._replace(files=1, paths=(path,))))


def _commit(
    files: CheckpointFiles, name: FlaxName, states: States, findings: list[Finding]
) -> CommitFacts:
    """A whole file under the temporary name lacks only its rename, if its step is known."""
    rule = f"`{name.prefix}tmp` is renamed to its final name once it is written whole (flax)"
    if not name.staged:
        return CommitFacts(rule, True)
    finish = ""
    if not findings and states.has(*_CORE) and states.step is not None:
        final = os.path.join(os.path.dirname(files.path), f"{name.prefix}{states.step.value}")
        finish = f"mv -n {shlex.quote(files.path)} {shlex.quote(final)}"
    return CommitFacts(rule, False, "rename to its final name", finish=finish, skipped=True)


def _not_checked(name: str, beside: int) -> tuple[str, ...]:
    if not beside:
        return ("the bytes of tensors",)
    arrays = f"chunks of {plural(beside, 'array')} in {name}{ARRAYS_ENDING}"
    return ("the bytes of tensors", arrays)


def _loader(files: CheckpointFiles, name: FlaxName) -> LoaderFacts:
    whole = name.step.isdecimal()
    return LoaderFacts(
        flag=f"checkpoints.restore_checkpoint({json.dumps(files.path)}, target=state)",
        tag=files.name,
        own_choice=OwnChoice.HIGHEST_NAME if whole else OwnChoice.NONE,
    )
