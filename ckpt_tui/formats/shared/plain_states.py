"""Reads a checkpoint of a loop of its own: one file of states, or several with JSON beside."""

from __future__ import annotations

import os
import shlex
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.artifacts.limits import ArtifactError
from ckpt_tui.core.facts import CheckpointFacts, CommitFacts, LoaderFacts, RoleFacts
from ckpt_tui.core.siblings import plain_name
from ckpt_tui.core.vocabulary import MODEL, OPTIMIZER, PROGRESS, Effect, Severity
from ckpt_tui.formats.shared.archive_step import FoundStep, find_epoch, find_step, whole_number
from ckpt_tui.formats.shared.array_states import States, states_of
from ckpt_tui.formats.shared.bounds import MOST_TENSORS
from ckpt_tui.formats.shared.common_facts import common_facts
from ckpt_tui.formats.shared.file_table import Mark, file_table
from ckpt_tui.formats.shared.json_files import read_json_object
from ckpt_tui.formats.shared.links_and_holes import links_and_holes
from ckpt_tui.formats.shared.named_progress import progress_of_name
from ckpt_tui.formats.shared.names import epoch_of_name
from ckpt_tui.formats.shared.plain_groups import JSON
from ckpt_tui.formats.shared.plain_names import PlainName, final_name, plain_name_of
from ckpt_tui.formats.shared.pointers import follows_series
from ckpt_tui.formats.shared.problems import finding_of_error, name_disagrees
from ckpt_tui.formats.shared.role_merge import merge_roles
from ckpt_tui.formats.shared.saves_apart import mixed_saves
from ckpt_tui.formats.shared.series import series_step
from ckpt_tui.formats.shared.times import save_times

if TYPE_CHECKING:
    from collections.abc import Callable

    from ckpt_tui.core.files import FileEntry
    from ckpt_tui.core.findings import Finding
    from ckpt_tui.formats.base import CheckpointFiles

_MOST_FILES = 4096
_DEEPEST = 2
_CORE = (MODEL, OPTIMIZER, PROGRESS)


class PlainKind(NamedTuple):
    """What a reader gives for its kind of file.

    Attributes:
        name: Of the format.
        endings: Of names.
        rule: How the end of a save shows, for `why`.
        read: Relative path → the file's tree, or None, and what is wrong with it.
        flag: Absolute path → text for the launch script.
        states: (tree, relative path, role that the name gives) → the states in it.
    """

    name: str
    endings: tuple[str, ...]
    rule: str
    read: Callable[[CheckpointFiles, str], tuple[object, tuple[Finding, ...]]]
    flag: Callable[[str], str]
    states: Callable[[object, str, str | None], States] = states_of


class _Sidecar(NamedTuple):
    step: FoundStep | None = None
    epoch: int | None = None
    roles: tuple[RoleFacts, ...] = ()
    findings: tuple[Finding, ...] = ()


def read_plain(files: CheckpointFiles, kind: PlainKind) -> CheckpointFacts:
    """Reads every file, and joins what they hold."""
    entries = [e for e in files.tree.files() if e.path.count("/") < _DEEPEST][:_MOST_FILES]
    data = [e for e in entries if plain_name_of(e.path.rpartition("/")[2], kind.endings)]
    findings: list[Finding] = []
    read: dict[str, States] = {}
    for entry in data:
        tree, problems = kind.read(files, entry.path)
        findings += problems
        if not problems or all(found.effect is Effect.NONE for found in problems):
            named = _role_by_name(entry, kind, alone=len(data) == 1)
            read[entry.path] = kind.states(tree, entry.path, named)
            findings += read[entry.path].findings
    sidecar = _sidecar(files, entries, any(states.step for states in read.values()))
    findings += [*sidecar.findings, *links_and_holes(files.tree), *_apart(read)]
    main = plain_name_of(files.name, kind.endings)
    named_step = main.step if main is not None else series_step(files.name)
    held = _held(read, sidecar)
    epoch = next((s.epoch for s in read.values() if s.epoch is not None), sidecar.epoch)
    if held is not None:
        findings += name_disagrees(named_step, held.value, epoch, f"key `{held.key}`")
    roles = _roles(files.name, read, sidecar, named_step)
    facts = common_facts(
        files, kind.name, _commit(files, kind, main, roles, findings), save_times(entries, None)
    )
    step = held.value if held is not None else named_step
    tensors = [tensor for states in read.values() for tensor in states.tensors]
    return facts._replace(
        step=step,
        ordinal=_ordinal(epoch, files.name) if step is None else None,
        roles=roles,
        files=file_table(files.tree, _marks(roles)),
        findings=tuple(dict.fromkeys(findings)),
        loader=LoaderFacts(
            flag=_flag(files, kind), tag=files.name, opens=_opens(data, read, sidecar)
        ),
        export=_is_export(main, roles, read),
        declared=len(files.claim.members) == len(data) == len(read) == 1,
        evidence=f"step from key `{held.key}`" if held is not None else "",
        tensors=tuple(tensors[:MOST_TENSORS]),
        tensors_total=sum(states.tensors_total for states in read.values()),
    )


def _role_by_name(entry: FileEntry, kind: PlainKind, *, alone: bool) -> str | None:
    """What a file holds whose keys tell nothing: its name says it; alone it can be a model only."""
    name = plain_name_of(entry.path.rpartition("/")[2], kind.endings)
    if name is None:
        return None
    if name.role is not None and not (alone and name.role == PROGRESS):
        return name.role
    return MODEL if alone and name.of_weights else None


def _sidecar(files: CheckpointFiles, entries: list[FileEntry], has_step: bool) -> _Sidecar:
    """The JSON files beside: a broken one stops a loop that has its step from nowhere else."""
    result = _Sidecar()
    for entry in entries:
        if not entry.path.endswith(JSON):
            continue
        try:
            document = read_json_object(files, entry.path)
        except ArtifactError as error:
            finding = finding_of_error(error, entry.path)
            if has_step and finding.effect is Effect.CORRUPT:
                finding = finding._replace(severity=Severity.WARNING, effect=Effect.NONE)
            result = result._replace(findings=(*result.findings, finding))
            continue
        step, epoch = find_step(document, whole_number), find_epoch(document)
        if step is None and epoch is None:
            continue
        key = step.key if step is not None else "epoch"
        role = RoleFacts(PROGRESS, None, 1, f"key `{key}` in {entry.path}", paths=(entry.path,))
        result = _Sidecar(
            result.step or step,
            epoch if result.epoch is None else result.epoch,
            (*result.roles, role),
            result.findings,
        )
    return result


def _held(read: dict[str, States], sidecar: _Sidecar) -> FoundStep | None:
    return next((states.step for states in read.values() if states.step), sidecar.step)


def _apart(read: dict[str, States]) -> list[Finding]:
    """Files of one checkpoint that hold different steps."""
    counted = {path: states.step.value for path, states in read.items() if states.step}
    return [mixed_saves("the step", counted)] if len(set(counted.values())) > 1 else []


def _roles(
    name: str, read: dict[str, States], sidecar: _Sidecar, named: int | None
) -> tuple[RoleFacts, ...]:
    parts = [role for states in read.values() for role in states.roles]
    parts += sidecar.roles if parts else ()
    by_name = progress_of_name(name, named, "no key holds it")
    if by_name is not None and all(role.role != PROGRESS for role in parts) and parts:
        parts.append(by_name)
    return merge_roles(parts)


def _commit(
    files: CheckpointFiles,
    kind: PlainKind,
    main: PlainName | None,
    roles: tuple[RoleFacts, ...],
    findings: list[Finding],
) -> CommitFacts:
    """A whole file under a temporary name lacks only its rename."""
    commit = CommitFacts(kind.rule, None)
    held = {role.role for role in roles}
    final = final_name(files.name, kind.endings)
    if main is None or not main.staged or findings or not held.issuperset(_CORE):
        return commit
    if not final.endswith(kind.endings) or final == files.name:
        return commit
    target = os.path.join(os.path.dirname(files.path), final)
    return commit._replace(finish=f"mv -n {shlex.quote(files.path)} {shlex.quote(target)}")


def _is_export(
    main: PlainName | None, roles: tuple[RoleFacts, ...], read: dict[str, States]
) -> bool:
    """Weights alone under a name that is none of a series: `flax_model.msgpack`."""
    if main is None or main.step is not None or not read or main.staged:
        return False
    held = {role.role for role in roles}
    in_series = follows_series(main.stem) or main.of_series
    return MODEL in held and not held & {OPTIMIZER, PROGRESS} and not in_series


def _marks(roles: tuple[RoleFacts, ...]) -> dict[str, Mark]:
    held: dict[str, list[str]] = {}
    for role in roles:
        for path in role.paths:
            held.setdefault(path, []).append(role.role)
    return {
        path: Mark(names[0], None, f"holds {', '.join(names)}" if len(names) > 1 else "")
        for path, names in held.items()
    }


def _opens(data: list[FileEntry], read: dict[str, States], sidecar: _Sidecar) -> frozenset[str]:
    """What a loop reads of several files, by names without their numbers.

    A JSON file is one of them where nothing else holds the step.
    """
    paths = [entry.path for entry in data]
    if not any(states.step for states in read.values()):
        paths += [path for role in sidecar.roles for path in role.paths]
    return frozenset(map(plain_name, paths)) if len(paths) > 1 else frozenset()


def _flag(files: CheckpointFiles, kind: PlainKind) -> str:
    """A loop that keeps a directory for each save is told the directory."""
    return kind.flag(files.path) if files.claim.members else files.path


def _ordinal(epoch: int | None, name: str) -> int | None:
    return epoch if epoch is not None else epoch_of_name(name)
