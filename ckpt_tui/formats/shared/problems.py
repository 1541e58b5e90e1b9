"""Findings that several readers make: what an unreadable, missing, short or foreign file means."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.artifacts.unsafe_names import unsafe_globals
from ckpt_tui.artifacts.weights_only import refused_globals
from ckpt_tui.core.files import Kind
from ckpt_tui.core.findings import Finding
from ckpt_tui.core.vocabulary import Effect, Severity

if TYPE_CHECKING:
    from collections.abc import Iterable, Set

    from ckpt_tui.artifacts.limits import ArtifactError
    from ckpt_tui.core.files import FileEntry

_RESUME_ELSEWHERE = "Resume from another checkpoint, or copy the file back from where it was whole."
_LOOK_AGAIN = "Make the file readable and look again; until then nothing can be said about it."

MOST_ALIKE = 10
"""Findings of one kind that are told one by one."""

_EFFECT_OF_CODE = {
    "truncated-file": Effect.CORRUPT,
    "empty-file": Effect.CORRUPT,
    "unreadable-archive": Effect.CORRUPT,
    "invalid-json": Effect.CORRUPT,
    "size-mismatch": Effect.CORRUPT,
    "checksum-mismatch": Effect.CORRUPT,
    "missing-shard": Effect.INCOMPLETE,
}

_REMEDY_OF_CODE = {
    "permission-denied": "Give this user read permission on it, then look again.",
    "limit-exceeded": "Judge it with the framework, or look at the file by hand.",
    "unsupported-version": (
        "Load it with what wrote it to know, or read it with a newer version of this tool."
    ),
    "outside-path": "Copy what the link names into the checkpoint, then look again.",
}


def finding_of_error(error: ArtifactError, relative_path: str, *, role: str = "") -> Finding:
    """Turns an error of reading one file into a finding, with what it does to the verdict.

    Bytes that cannot be right make a checkpoint corrupt; a file that this process cannot read
    (permission, I/O, a limit) leaves it unknown.

    Args:
        error: What the artifact layer raised.
        relative_path: The file, relative to the checkpoint; "" where the checkpoint is that file.
        role: What the file holds, where that is known.
    """
    effect = _EFFECT_OF_CODE.get(error.code, Effect.UNKNOWN)
    remedy = _RESUME_ELSEWHERE
    if effect is Effect.UNKNOWN:
        remedy = _REMEDY_OF_CODE.get(error.code, _LOOK_AGAIN)
    what = f" ({role})" if role else ""
    shown = f"{relative_path}{what}: " if relative_path or what else ""
    return Finding(
        error.code, Severity.ERROR, relative_path, f"{shown}{error.message}", remedy, effect
    )


def missing_file(relative_path: str, wanted_by: str, *, rank: int | None = None) -> Finding:
    """A file that an index, a layout or a file of its kind demands is not there.

    Args:
        relative_path: The absent file.
        wanted_by: What demands it ("`.metadata` places 12 items in it").
        rank: Its writer, where it has one.
    """
    whose = f" of rank {rank}" if rank is not None else ""
    return Finding(
        "missing-shard",
        Severity.ERROR,
        relative_path,
        f"{relative_path}{whose} is missing: {wanted_by}",
        "Copy it back if it was written to another node's own disk, or resume from another"
        " checkpoint.",
        Effect.INCOMPLETE,
    )


def lacks_content(relative_path: str, what: str, loader: str) -> Finding:
    """A file that can be read, but without what its loader takes from it.

    Args:
        relative_path: The file.
        what: What it does not hold ("optimizer state").
        loader: Who stops at it ("the Trainer").
    """
    return Finding(
        "missing-role",
        Severity.ERROR,
        relative_path,
        f"{relative_path} is readable, but holds no {what}: {loader} stops at it",
        "Copy the right file back, or resume from another checkpoint.",
        Effect.INCOMPLETE,
    )


def short_file(relative_path: str, size_bytes: int, wanted_bytes: int, wanted_by: str) -> Finding:
    """A file is shorter than its index says; one of no bytes at all is called empty."""
    code = "truncated-file" if size_bytes else "empty-file"
    return Finding(
        code,
        Severity.ERROR,
        relative_path,
        f"{relative_path} has {size_bytes} bytes, but {wanted_by} needs {wanted_bytes}",
        _RESUME_ELSEWHERE,
        Effect.CORRUPT,
    )


def truncated_file(relative_path: str, message: str) -> Finding:
    """A file ends before its own end mark."""
    return Finding(
        "truncated-file",
        Severity.ERROR,
        relative_path,
        f"{relative_path} {message}" if relative_path else message,
        _RESUME_ELSEWHERE,
        Effect.CORRUPT,
    )


def extra_shard(paths: list[str], index: str, hint: str = "") -> Finding:
    """Data files that the index never names; loaders leave them alone.

    Args:
        paths: The files, at least one.
        index: What does not name them ("`.metadata`").
        hint: What else is known of them ("written 38 s before the rest").
    """
    what = f"{paths[0]} is not named by {index}"
    if len(paths) > 1:
        what = f"{paths[0]} and {len(paths) - 1} more are not named by {index}"
    return Finding(
        "extra-shard",
        Severity.WARNING,
        paths[0],
        f"{what} ({hint})" if hint else what,
        "Left of an earlier save into the same directory, most likely; the loader ignores it.",
    )


def staging_leftover(relative_path: str, what: str = "a temporary name") -> Finding:
    """Something still has the name that it was written under."""
    return Finding(
        "staging-leftover",
        Severity.WARNING,
        relative_path,
        f"{relative_path or 'it'} still has {what}: a save was cut before its rename",
        "Remove it once no job writes it.",
    )


def name_disagrees(
    of_name: int | None, of_content: int | None, epoch: int | None, where: str
) -> list[Finding]:
    """A `step-mismatch` where name and content disagree; a name may also count epochs."""
    if of_name is None or of_content is None or of_name == of_content:
        return []
    if epoch is not None and of_name in (epoch, epoch + 1):
        return []
    return [
        Finding(
            "step-mismatch",
            Severity.WARNING,
            "",
            f"the name says step {of_name}, {where} says {of_content}",
            "The content's step is used; find out whether it was renamed or saved wrongly.",
        )
    ]


def unsafe_pickle(names: Iterable[str], relative_path: str) -> tuple[Finding, ...]:
    """A pickle names globals that could run code; nothing of it was executed here."""
    unsafe = unsafe_globals(names)
    if not unsafe:
        return ()
    shown = ", ".join(unsafe[:3]) + (f" and {len(unsafe) - 3} more" if len(unsafe) > 3 else "")
    return (
        Finding(
            "unsafe-pickle",
            Severity.WARNING,
            relative_path,
            f"the pickle names {shown}, which can run code when it is loaded (it was not executed)",
            "Load it only with `weights_only=True`, and only if you trust its origin.",
        ),
    )


def may_run_code(findings: Iterable[Finding]) -> bool:
    """Whether one of them is of a pickle that could: no call is told that would let it."""
    return any(finding.code == "unsafe-pickle" for finding in findings)


def refused_pickle(
    names: Iterable[str], relative_path: str, also: Set[str] = frozenset(), *, recent: bool
) -> tuple[Finding, ...]:
    """A pickle names globals that `torch.load(weights_only=True)` stops at.

    That is what a loader does by default since torch 2.6; a file of an older one may be meant for
    a job that loads it as it always did, so it gets a warning.

    Args:
        names: All globals that it names.
        relative_path: The file.
        also: What the loader allows besides torch's own list.
        recent: Whether a torch wrote it whose loader refuses them.
    """
    refused = refused_globals(names, also)
    if not refused:
        return ()
    more = f" and {len(refused) - 3} more" if len(refused) > 3 else ""
    stops = "the loader stops at it" if recent else "the loaders of torch 2.6 and newer stop at it"
    return (
        Finding(
            "refused-pickle",
            Severity.ERROR if recent else Severity.WARNING,
            relative_path,
            f"{relative_path} names {', '.join(refused[:3])}{more}, which"
            f" `torch.load(weights_only=True)` refuses: {stops}",
            "If you trust its origin, allow it with `torch.serialization.add_safe_globals`, or set"
            " TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD=1 where the loader leaves the choice to torch.",
            Effect.INCOMPLETE if recent else Effect.NONE,
        ),
    )


def outside_path(relative_path: str, wanted_by: str) -> Finding:
    """A demanded file lies out of the checkpoint, so it was not looked at."""
    return Finding(
        "outside-path",
        Severity.ERROR,
        relative_path,
        f"{relative_path} leads out of the checkpoint: {wanted_by}; it was not followed",
        _REMEDY_OF_CODE["outside-path"],
        Effect.UNKNOWN,
    )


def unopened(entry: FileEntry, wanted_by: str) -> Finding:
    """A demanded file is a link that leads out, or no regular file at all.

    Args:
        entry: What lies under its name.
        wanted_by: What it is demanded for.
    """
    if entry.kind is Kind.LINK:
        return outside_path(entry.path, wanted_by)
    what = "a directory" if entry.kind is Kind.DIRECTORY else "a pipe, socket or device"
    return Finding(
        "io-error",
        Severity.ERROR,
        entry.path,
        f"{entry.path} is {what}, no regular file: {wanted_by}; it was not read",
        "Put the file back in its place, then look again.",
        Effect.UNKNOWN,
    )


def capped(findings: list[Finding], total: int | None = None) -> list[Finding]:
    """The first findings of many alike; the last one kept says how many more there are.

    Args:
        findings: All of them, or at least `MOST_ALIKE`.
        total: How many there are in all, where not all were made.
    """
    more = (len(findings) if total is None else total) - MOST_ALIKE
    if len(findings) < MOST_ALIKE or more <= 0:
        return findings
    last = findings[MOST_ALIKE - 1]
    message = f"{last.message} (and {more} more like it)"
    return [*findings[: MOST_ALIKE - 1], last._replace(message=message)]
