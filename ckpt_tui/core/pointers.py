"""What pointers to the latest checkpoint are worth."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ckpt_tui.core.findings import Finding
from ckpt_tui.core.own_choice import how_to_load
from ckpt_tui.core.runs import Pointer
from ckpt_tui.core.vocabulary import PointerState, Severity, Verdict

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ckpt_tui.core.checkpoint import Checkpoint
    from ckpt_tui.core.facts import RawPointer


def judge_pointer(raw: RawPointer, checkpoints: Sequence[Checkpoint]) -> Pointer:
    """Compares one pointer with the checkpoints of its run."""
    found = (_named(path, checkpoints) for path in raw.targets)
    target = next((checkpoint for checkpoint in found if checkpoint is not None), None)
    if raw.problem:
        state = PointerState.LOOP if raw.problem == "loop" else PointerState.UNREADABLE
    elif target is None:
        state = PointerState.DANGLING
    else:
        state = _state_of(target, checkpoints)
    path = target.path if target else (raw.targets[0] if raw.targets else None)
    return Pointer(raw.path, raw.kind, raw.raw, path, state, raw.default)


def copies_as_pointers(checkpoints: Sequence[Checkpoint], run_path: str) -> tuple[Pointer, ...]:
    """Copies under a name that a job asks for (`last.ckpt`, `checkpoint_last.pt`).

    Such a copy names itself: it is stale once a newer checkpoint was committed beside it.
    """
    return tuple(
        Pointer(c.path, "copy", c.facts.name, c.path, _state_of(c, checkpoints))
        for c in checkpoints
        if c.facts.alias and c.path != run_path and _LAST.search(c.facts.name)
    )


def _named(path: str, checkpoints: Sequence[Checkpoint]) -> Checkpoint | None:
    """The checkpoint at a path, or the one that the file there belongs to (a rank's own link)."""
    exact = next((c for c in checkpoints if c.path == path), None)
    return exact or next((c for c in checkpoints if _holds(c, path)), None)


def _holds(checkpoint: Checkpoint, path: str) -> bool:
    facts = checkpoint.facts
    if facts.export:
        return False
    if not facts.is_made_of_files():
        return path.startswith(f"{checkpoint.path}/")
    place, _, name = path.rpartition("/")
    return place == checkpoint.path.rpartition("/")[0] and any(f.path == name for f in facts.files)


def _state_of(target: Checkpoint, checkpoints: Sequence[Checkpoint]) -> PointerState:
    if not target.resumable and target.verdict is not Verdict.WEIGHTS_ONLY:
        return PointerState.AHEAD
    newest = max(
        (c for c in checkpoints if c.counts_as_commit),
        key=lambda c: c.order[:2],
        default=target,
    )
    return PointerState.STALE if newest.order[:2] > target.order[:2] else PointerState.OK


_LAST = re.compile(r"(?:^|[\W_])(?:last|latest)(?:[\W_]|$)", re.IGNORECASE)
_NOT_THE_LATEST = ("best", "lowest", "highest", "top", "first", "min", "max", "release")

_SAYS = {
    PointerState.STALE: "names an older checkpoint than the newest committed one",
    PointerState.AHEAD: "names a checkpoint that cannot be resumed from",
    PointerState.DANGLING: "names a checkpoint that is not there",
    PointerState.UNREADABLE: "cannot be read",
    PointerState.LOOP: "is a link to itself",
}

_SAYS_OF_COPY = {
    PointerState.STALE: "is a copy of an older checkpoint than the newest committed one",
    PointerState.AHEAD: "is a copy that cannot be resumed from",
}


def pointer_findings(
    pointers: Sequence[Pointer], resume: Checkpoint | None, saving: Checkpoint | None = None
) -> tuple[Finding, ...]:
    """Findings of a run about its pointers, each judged apart.

    Args:
        pointers: All of the run.
        resume: The resume point.
        saving: The save in flight, which a job without a resume point should wait for.
    """
    found = []
    for pointer in pointers:
        if pointer.state is PointerState.OK or may_be_older(pointer, resume):
            continue
        code = (
            "pointer-unreadable"
            if pointer.state is PointerState.LOOP
            else (f"pointer-{pointer.state.value}")
        )
        hopeless = resume is None and saving is None
        found.append(
            Finding(
                code,
                Severity.ERROR if hopeless else Severity.WARNING,
                pointer.path,
                _says(pointer) + (f" ({pointer.raw})" if pointer.raw else ""),
                _remedy(resume, saving),
            )
        )
    return tuple(found)


def _says(pointer: Pointer) -> str:
    names_itself = pointer.path == pointer.target
    return (_SAYS_OF_COPY if names_itself else _SAYS).get(pointer.state, _SAYS[pointer.state])


def may_be_older(pointer: Pointer, resume: Checkpoint | None) -> bool:
    """Whether a pointer is right not to name the newest committed checkpoint.

    One to the best is older by its nature; and where the newest cannot be resumed from, the
    resume point is what the pointer should name.
    """
    name = pointer.path.rpartition("/")[2].lower()
    not_the_latest = not pointer.default or any(word in name for word in _NOT_THE_LATEST)
    right = resume is not None and pointer.target == resume.path
    return pointer.state is PointerState.STALE and (not_the_latest or right)


def _remedy(resume: Checkpoint | None, saving: Checkpoint | None) -> str:
    if resume is not None:
        return f"Name the resume point yourself: {how_to_load(resume)}"
    if saving is not None:
        return f"Wait for {saving.title}, which is in flight: nothing else can be resumed from."
    return "Nothing here can be resumed from; do not start a job that follows this pointer."
