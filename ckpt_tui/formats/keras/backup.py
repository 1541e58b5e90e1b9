"""The directory of `BackupAndRestore`: weights with the optimizer, then epoch and batch in JSON.

Both are written in place, the JSON last. A new `fit` resumes from them by itself; with
`double_checkpoint=True` from the pair before (`.bkp`) where the weights cannot be opened.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.artifacts.hdf5.contents import read_root
from ckpt_tui.artifacts.json_document import read_json
from ckpt_tui.artifacts.limits import ArtifactError
from ckpt_tui.core.facts import CommitFacts, LoaderFacts, OwnChoice
from ckpt_tui.core.findings import Finding
from ckpt_tui.core.vocabulary import OPTIMIZER, Effect, Severity
from ckpt_tui.formats.keras.loading import NEVER_IN_WEIGHTS, RESHARD
from ckpt_tui.formats.keras.names import BACKUP_STATE, BACKUP_WEIGHTS, PREVIOUS
from ckpt_tui.formats.keras.opened import Opened, open_weights
from ckpt_tui.formats.keras.single import commit_of
from ckpt_tui.formats.shared.common_facts import common_facts
from ckpt_tui.formats.shared.file_table import Mark, file_table
from ckpt_tui.formats.shared.links_and_holes import links_and_holes
from ckpt_tui.formats.shared.problems import finding_of_error, lacks_content, missing_file
from ckpt_tui.formats.shared.times import save_times

if TYPE_CHECKING:
    from ckpt_tui.core.facts import CheckpointFacts
    from ckpt_tui.formats.base import CheckpointFiles

_RULE = (
    "no commit mark: the weights' own end decides, and the JSON that is written after them"
    " (BackupAndRestore)"
)
_COPY_PREVIOUS = (
    "Copy latest.weights.h5.bkp and training_metadata.json.bkp, the pair before it, to their names"
    " without .bkp: the next `fit` goes on from there."
)
_OPENS_NOT = frozenset({"empty-file", "truncated-file", "unreadable-archive"})


class _State(NamedTuple):
    """What the JSON says.

    Attributes:
        epoch: Epochs that are done; None where it was not read.
        batch: Batches of the epoch that are done.
    """

    epoch: int | None = None
    batch: int | None = None
    findings: tuple[Finding, ...] = ()


def read_backup(files: CheckpointFiles, format_name: str) -> CheckpointFacts:
    """Reads what the next `fit` would take: the newest pair, or the one before."""
    broken = _why_closed(files, BACKUP_WEIGHTS)
    fallen_back = broken is not None and files.tree.get(BACKUP_WEIGHTS + PREVIOUS) is not None
    ending = PREVIOUS if fallen_back else ""
    opened = _weights(files, BACKUP_WEIGHTS + ending)
    state = _state(files, BACKUP_STATE + ending)
    findings = [*opened.findings, *state.findings]
    if fallen_back and broken is not None:
        findings.append(_takes_previous(broken))
    times = save_times(files.tree.files(), files.tree.get(BACKUP_STATE))
    commit = commit_of(opened, times.committed_at, os.path.join(files.path, BACKUP_WEIGHTS))
    if commit.met is None:
        commit = CommitFacts(_RULE, None, committed_at=times.committed_at)
    has_optimizer = any(role.role == OPTIMIZER for role in opened.roles)
    return common_facts(files, format_name, commit, times)._replace(
        step=opened.iterations if has_optimizer else None,
        ordinal=state.epoch,
        roles=opened.roles,
        files=file_table(files.tree, _marks(ending)),
        findings=(*findings, *links_and_holes(files.tree)),
        loader=_loader(files.path),
        reshard=RESHARD,
        alias=False,
        declared=opened.readable,
        save_mode="sync",
        evidence=_evidence(state, opened, BACKUP_STATE + ending),
        tensors=opened.tensors,
        tensors_total=opened.tensors_total,
    )


def _why_closed(files: CheckpointFiles, name: str) -> ArtifactError | None:
    """Why libhdf5 cannot open weights; None where it can, and where they are not there."""
    if files.tree.get(name) is None:
        return None
    try:
        with files.open(name) as source:
            read_root(source, files.limits)
    except ArtifactError as error:
        return error if error.code in _OPENS_NOT else None
    return None


def _weights(files: CheckpointFiles, name: str) -> Opened:
    if files.tree.get(name) is None:
        missing = missing_file(name, "the next `fit` goes on without weights, and says nothing")
        return Opened(findings=(missing,))
    return open_weights(files, name)


def _state(files: CheckpointFiles, name: str) -> _State:
    """Epoch and batch; without the file `fit` counts its epochs from 0 again."""
    if files.tree.get(name) is None:
        missing = missing_file(name, "the next `fit` begins at epoch 0 again")
        if _has_previous(files):
            missing = missing._replace(remedy=_COPY_PREVIOUS)
        return _State(findings=(missing,))
    try:
        with files.open(name) as source:
            document = read_json(source, files.limits)
    except ArtifactError as error:
        return _State(findings=(finding_of_error(error, name),))
    inside = document if isinstance(document, dict) else {}
    epoch, batch = inside.get("epoch"), inside.get("batch")
    if not isinstance(epoch, int):
        return _State(findings=(lacks_content(name, "key `epoch`", "BackupAndRestore"),))
    return _State(epoch, batch if isinstance(batch, int) else None)


def _has_previous(files: CheckpointFiles) -> bool:
    pair = (BACKUP_WEIGHTS + PREVIOUS, BACKUP_STATE + PREVIOUS)
    return all(map(files.tree.get, pair)) and _why_closed(files, pair[0]) is None


def _takes_previous(error: ArtifactError) -> Finding:
    return Finding(
        error.code,
        Severity.WARNING,
        BACKUP_WEIGHTS,
        f"{BACKUP_WEIGHTS}: {error.message}; BackupAndRestore takes the pair before it"
        f" ({PREVIOUS}) instead",
        "Nothing has to be done: the next `fit` copies the pair before it over this one.",
        Effect.NONE,
    )


def _marks(ending: str) -> dict[str, Mark]:
    other = "" if ending else PREVIOUS
    note = "the pair before" if other else "cannot be opened"
    return {f"{name}{other}": Mark("", None, note) for name in (BACKUP_WEIGHTS, BACKUP_STATE)}


def _evidence(state: _State, opened: Opened, name: str) -> str:
    parts = ["step from the optimizer's iterations"] if opened.iterations is not None else []
    if state.epoch is not None:
        parts.append(f"epoch {state.epoch} by {name}")
    if state.batch:
        parts.append(f"saved at its batch {state.batch}, but `fit` begins the epoch anew")
    return "; ".join(parts)


def _loader(path: str) -> LoaderFacts:
    """Each `fit` with this callback takes it, though `load_model` was called before."""
    flag = f"keras.callbacks.BackupAndRestore({json.dumps(path)})"
    return LoaderFacts(flag=flag, tolerates=NEVER_IN_WEIGHTS, own_choice=OwnChoice.FIXED_NAME)
