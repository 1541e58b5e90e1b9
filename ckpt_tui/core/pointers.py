"""What pointers to the latest checkpoint are worth."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.core.findings import Finding
from ckpt_tui.core.runs import Pointer
from ckpt_tui.core.vocabulary import PointerState, Severity, Verdict

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ckpt_tui.core.checkpoint import Checkpoint
    from ckpt_tui.core.facts import RawPointer


def judge_pointer(raw: RawPointer, checkpoints: Sequence[Checkpoint]) -> Pointer:
    """Compares one pointer with the checkpoints of its run."""
    by_path = {c.path: c for c in checkpoints}
    target = next((by_path[path] for path in raw.targets if path in by_path), None)
    if raw.problem:
        state = PointerState.LOOP if raw.problem == "loop" else PointerState.UNREADABLE
    elif target is None:
        state = PointerState.DANGLING
    else:
        state = _state_of(target, checkpoints)
    path = target.path if target else (raw.targets[0] if raw.targets else None)
    return Pointer(raw.path, raw.kind, raw.raw, path, state, raw.default)


def _state_of(target: Checkpoint, checkpoints: Sequence[Checkpoint]) -> PointerState:
    if not target.resumable and target.verdict is not Verdict.WEIGHTS_ONLY:
        return PointerState.AHEAD
    newest = max(
        (c for c in checkpoints if c.counts_as_commit),
        key=lambda c: c.order[:2],
        default=target,
    )
    return PointerState.STALE if newest.order[:2] > target.order[:2] else PointerState.OK


_NOT_THE_LATEST = ("best", "lowest", "highest", "top", "first", "min", "max", "release")

_SAYS = {
    PointerState.STALE: "names an older checkpoint than the newest committed one",
    PointerState.AHEAD: "names a checkpoint that cannot be resumed from",
    PointerState.DANGLING: "names a checkpoint that is not there",
    PointerState.UNREADABLE: "cannot be read",
    PointerState.LOOP: "is a link to itself",
}


def pointer_findings(pointers: Sequence[Pointer], resume: Checkpoint | None) -> tuple[Finding, ...]:
    """Findings of a run about its pointers, and about what the framework would pick by itself."""
    found = []
    for pointer in pointers:
        if pointer.state is PointerState.OK or may_be_older(pointer):
            continue
        code = (
            "pointer-unreadable"
            if pointer.state is PointerState.LOOP
            else (f"pointer-{pointer.state.value}")
        )
        found.append(
            Finding(
                code,
                Severity.WARNING,
                pointer.path,
                f"{_SAYS[pointer.state]}" + (f" ({pointer.raw})" if pointer.raw else ""),
                _remedy(resume),
            )
        )
    return tuple(found)


def may_be_older(pointer: Pointer) -> bool:
    """A pointer to the best checkpoint is older than the newest by its nature."""
    name = pointer.path.rpartition("/")[2].lower()
    not_the_latest = not pointer.default or any(word in name for word in _NOT_THE_LATEST)
    return pointer.state is PointerState.STALE and not_the_latest


def _remedy(resume: Checkpoint | None) -> str:
    if resume is None:
        return "Nothing here can be resumed from; do not start a job that follows this pointer."
    load = resume.facts.loader.flag
    return f"Name the resume point yourself: {load or resume.path}"
