"""What verified bytes mean for a checkpoint and its run: findings, and what is left unchecked."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from ckpt_tui.core.findings import Finding
from ckpt_tui.core.text import bytes_text, plural
from ckpt_tui.core.verified import is_damage
from ckpt_tui.core.vocabulary import MODEL, OPTIMIZER, Effect, Severity

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ckpt_tui.core.checkpoint import Checkpoint
    from ckpt_tui.core.facts import CheckpointFacts
    from ckpt_tui.core.verified import NotFinite, VerifiedFacts, VerifiedFile, WrongBytes

NON_FINITE = "non-finite-values"
MOST_FILES = 20
"""So many files with wrong bytes have a finding each."""
LARGE_BYTES = 1024 * 1024
"""A smaller file of the optimizer may be a setting that no scan understands."""
_REMEDY = (
    "Resume from another checkpoint, or copy the file back from where it is whole: as soon as it"
    " changes, this no longer counts."
)
_REMEDY_OF_OTHERS = "No state is known to be in it: look whether anything needs it."
_ABOUT_BYTES = "the bytes of "
"""How readers begin what `verify` alone can check."""


def when_text(at: float) -> str:
    """A time that a finding names, which is kept longer than an age is true."""
    return time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(at))


def verified_findings(
    verified: VerifiedFacts | None,
    known: tuple[Finding, ...] = (),
    parts: frozenset[str] = frozenset(),
) -> tuple[Finding, ...]:
    """Wrong bytes make a checkpoint corrupt; values that are not finite are warned of.

    So are files that hold no state and have not the form that their names promise.

    Args:
        verified: What was found.
        known: What the reader has found of the same files.
        parts: Paths of the files that hold the states.
    """
    if verified is None:
        return ()
    damaged = [file for file in verified.wrong if _is_damaged(file, parts)]
    others = [file for file in verified.wrong if file not in damaged]
    wrong = (*damaged, *others)
    told = {(finding.code, finding.path) for finding in known}
    found = [_wrong_file(file, damage=file in damaged) for file in wrong[:MOST_FILES]]
    found = [finding for finding in found if (finding.code, finding.path) not in told]
    if len(wrong) > MOST_FILES:
        more = plural(len(wrong) - MOST_FILES, "more file")
        message = f"bytes are wrong in {more}, too"
        found.append(_wrong("checksum-mismatch", "", message, damage=len(damaged) > MOST_FILES))
    if verified.not_finite:
        found.append(_not_finite(verified))
    return tuple(found)


def _is_damaged(file: VerifiedFile, parts: frozenset[str]) -> bool:
    return not file.wrong or is_damage(
        file.path, file.method, ((wrong.code, wrong.tensor) for wrong in file.wrong), parts
    )


def _wrong(code: str, path: str, message: str, *, damage: bool) -> Finding:
    if not damage:
        return Finding(code, Severity.WARNING, path, message, _REMEDY_OF_OTHERS)
    return Finding(code, Severity.ERROR, path, message, _REMEDY, Effect.CORRUPT)


def _wrong_file(file: VerifiedFile, *, damage: bool) -> Finding:
    when = when_text(file.at)
    if not file.wrong:
        message = f"{file.path}: wrong bytes, verified {when}: {file.message}"
        return _wrong("checksum-mismatch", file.path, message, damage=damage)
    first, more = file.wrong[0], file.wrong_total - 1
    message = f"{file.path}: {_told(first)}; verified {when}"
    if more > 0:
        message = f"{message}; bytes are wrong at {plural(more, 'more place')} of it, too"
    return _wrong(first.code, file.path, message, damage=damage)


def _told(wrong: WrongBytes) -> str:
    if wrong.place and wrong.tensor:
        return f"wrong bytes of tensor {wrong.tensor} at {wrong.place}: {wrong.message}"
    if wrong.tensor:
        return f"wrong bytes of tensor {wrong.tensor}: {wrong.message}"
    if wrong.place:
        return f"wrong bytes at {wrong.place}: {wrong.message}"
    return f"wrong bytes: {wrong.message}"


def _not_finite(verified: VerifiedFacts) -> Finding:
    path = next(file.path for file in verified.files if file.not_finite)
    named = not_finite_text(verified)
    return Finding(
        NON_FINITE,
        Severity.WARNING,
        path,
        f"not all values are finite: {named}; verified {when_text(verified.at)}",
        "If the loss is NaN by now, resume from a checkpoint whose values are finite:"
        " ckpt-tui verify --finite says which are.",
    )


def not_finite_text(verified: VerifiedFacts) -> str:
    """Which tensors hold NaN or infinity, as a phrase; there has to be one."""
    first, more = verified.not_finite[0], len(verified.not_finite) - 1
    named = f"tensor {first.tensor} holds {_counted(first)}"
    if more:
        return f"{named}, and there are such values in {plural(more, 'more tensor')}"
    return named


def _counted(tensor: NotFinite) -> str:
    if tensor.nan_count and tensor.infinite_count:
        return f"{tensor.nan_count} NaN and {tensor.infinite_count} infinite values"
    if tensor.nan_count:
        return f"{tensor.nan_count} NaN"
    return plural(tensor.infinite_count, "infinite value")


def verified_text(verified: VerifiedFacts) -> str:
    """The evidence, as a phrase."""
    done, files = len(verified.files), plural(verified.files_total, "file")
    right, size = bytes_text(verified.checked_bytes), bytes_text(verified.size_bytes)
    when = when_text(verified.at)
    if verified.wrong:
        wrong = plural(len(verified.wrong), "file")
        return f"bytes verified {when}: {done} of {files}, wrong in {wrong}"
    if not verified.checked_bytes:
        return f"bytes verified {when}: {done} of {files}, no checksum protects any"
    return f"bytes verified {when}: {done} of {files}, checksums of {right} of {size} are right"


def with_verified(facts: CheckpointFacts, verified: VerifiedFacts) -> CheckpointFacts:
    """A reader's facts with what was found of the bytes, and what is then left unchecked."""
    left = _left_unchecked(facts.not_checked, verified)
    return facts._replace(verified=verified, not_checked=left)


def _left_unchecked(phrases: Sequence[str], verified: VerifiedFacts) -> tuple[str, ...]:
    left: list[str] = []
    others = verified.files_total - len(verified.files)
    if others:
        left.append(f"the bytes of {others} of {plural(verified.files_total, 'file')}")
    bare = verified.verified_bytes - verified.checked_bytes
    if bare > 0:
        size, whole = bytes_text(bare), bytes_text(verified.verified_bytes)
        left.append(f"{size} of {whole}, which are protected by nothing")
    return (*left, *(phrase for phrase in phrases if not phrase.startswith(_ABOUT_BYTES)))


def finite_findings(
    checkpoints: Sequence[Checkpoint], resume: Checkpoint | None, run_path: str
) -> tuple[Finding, ...]:
    """Which checkpoint to go back to where the resume point holds NaN or infinity.

    The finding is about the resume point, and has its path.
    """
    if resume is None or resume.path == run_path or is_finite(resume.facts) is not False:
        return ()
    newest = newest_finite(checkpoints)
    if newest is None:
        message = f"{resume.title} holds NaN or infinity, and no checkpoint is known to be finite"
        remedy = "Find one: ckpt-tui verify --finite, on the older ones."
    else:
        message = f"{resume.title} holds NaN or infinity; the newest found finite is {newest.title}"
        remedy = f"If the loss is NaN by now, resume from {newest.path}"
    return (Finding(NON_FINITE, Severity.INFO, resume.path, message, remedy),)


def is_finite(facts: CheckpointFacts) -> bool | None:
    """Whether all values were found finite; None where nobody knows.

    Every file has to be verified, and those scanned that hold the model, or much of the optimizer.
    """
    verified = facts.verified
    if verified is None or verified.not_finite:
        return None if verified is None else False
    sizes = {file.path: file.size_bytes for file in verified.files}
    scanned = {file.path for file in verified.files if file.scanned_bytes is not None}
    model, optimizer = (_files_of(facts, role) for role in (MODEL, OPTIMIZER))
    large = {path for path in optimizer if sizes.get(path, LARGE_BYTES) >= LARGE_BYTES}
    complete = verified.is_whole and bool(model) and model | large <= scanned
    return True if complete and verified.scanned_bytes else None


def files_of_states(facts: CheckpointFacts) -> frozenset[str]:
    """Paths of the files that hold the states, as its reader knows them."""
    return frozenset(path for role in facts.roles for path in role.paths)


def _files_of(facts: CheckpointFacts, role: str) -> set[str]:
    held = facts.role(role)
    return set(held.paths) if held is not None else set()


def newest_finite(checkpoints: Sequence[Checkpoint]) -> Checkpoint | None:
    """The resumable one of the highest step whose values were found finite."""
    found = [c for c in checkpoints if c.resumable and is_finite(c.facts)]
    return max(found, key=lambda c: c.order, default=None)
