"""Whether the files of one checkpoint are of one save: what counters and times say of it.

A copy or a clone changes times, so they prove nothing alone: they only weigh where the content
disagrees already, or make a remark.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.core.findings import Finding
from ckpt_tui.core.median import median
from ckpt_tui.core.text import duration_text
from ckpt_tui.core.vocabulary import Effect, Severity

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from ckpt_tui.core.files import FileEntry

_CLEARLY_OLDER_NS = 60_000_000_000
_LEAST_SPREAD_NS = 5_000_000
_SPREADS = 10
_FEWEST_TO_COMPARE = 3
_MOST_SHOWN = 3


def mixed_saves(what: str, counted: Mapping[str, int]) -> Finding:
    """Files that do not belong together, as their content shows.

    Args:
        what: What differs ("the optimizer's step").
        counted: The number that each file holds, by relative path.
    """
    return Finding(
        "mixed-saves",
        Severity.ERROR,
        next(iter(counted), ""),
        f"files of several saves: {what} is {_shown(counted)}",
        "Resume from another checkpoint: these files do not belong together.",
        Effect.INCOMPLETE,
    )


def step_to_show(step: int | None, named: int | None, findings: Iterable[Finding]) -> int | None:
    """The step of a checkpoint: the content's, but the name's where its files contradict.

    Args:
        step: By content.
        named: By name.
        findings: What was found in it.
    """
    torn = any(f.code == "mixed-saves" and f.effect is not Effect.NONE for f in findings)
    return named if step is None or (torn and named is not None) else step


def steps_differ(what: str, counted: Mapping[str, int], why: str) -> Finding:
    """Counters that disagree, where that may also have another cause; the verdict stands.

    Args:
        what: What differs.
        counted: The number that each file holds, by relative path.
        why: The other cause.
    """
    return Finding(
        "step-mismatch",
        Severity.WARNING,
        next(iter(counted), ""),
        f"{what} is {_shown(counted)}: {why}, or the files are of several saves",
        "Compare with the run's other checkpoints before you rely on it.",
    )


def _shown(counted: Mapping[str, int]) -> str:
    """One file for each number, the lowest numbers first."""
    first: dict[int, str] = {}
    for path, number in counted.items():
        first.setdefault(number, path)
    parts = [f"{number} in {path}" for number, path in sorted(first.items())]
    more = f" and {len(parts) - _MOST_SHOWN} more" if len(parts) > _MOST_SHOWN else ""
    return ", ".join(parts[:_MOST_SHOWN]) + more


def stands_apart(entry: FileEntry, rest: Sequence[FileEntry]) -> bool:
    """Whether a file's time lies far outside those of the others, by their own spread."""
    times = [other.mtime_ns for other in rest]
    if not times:
        return False
    spread = max(max(times) - min(times), _LEAST_SPREAD_NS)
    gap = max(min(times) - entry.mtime_ns, entry.mtime_ns - max(times))
    return gap > _SPREADS * spread


def left_of_earlier_save(entries: Sequence[FileEntry]) -> tuple[Finding, ...]:
    """A remark on the one file that is far older than all others, which were written at once.

    Args:
        entries: Files that several writers write at the same time, at least three for a remark.
            A much smaller one may end early, and is left out.
    """
    if len(entries) < _FEWEST_TO_COMPARE:
        return ()
    oldest, *rest = sorted(entries, key=lambda entry: entry.mtime_ns)
    gap_ns = rest[0].mtime_ns - oldest.mtime_ns
    small = oldest.size_bytes < median(entry.size_bytes for entry in rest) / 2
    if small or gap_ns <= _CLEARLY_OLDER_NS or not stands_apart(oldest, rest):
        return ()
    return (
        Finding(
            "mixed-saves",
            Severity.WARNING,
            oldest.path,
            f"{oldest.path} was written {duration_text(gap_ns / 1e9)} before all others, which"
            " were written at once: it may be of an earlier save",
            "Compare it with the same file of the run's other checkpoints; times alone prove"
            " nothing.",
        ),
    )


def written_after_commit(entries: Sequence[FileEntry], marker: FileEntry) -> tuple[Finding, ...]:
    """A remark where some files are far younger than the commit and the other files.

    A save over this one that died after some ranks had written leaves just that, and sizes may
    all fit; so does a copy of large files without their times.

    Args:
        entries: The data files that the marker's save wrote.
        marker: The file that is written last, after all of them.
    """
    younger = [entry for entry in entries if entry.mtime_ns > marker.mtime_ns]
    older = [entry for entry in entries if entry.mtime_ns <= marker.mtime_ns]
    if not younger or not older:
        return ()
    first = min(younger, key=lambda entry: entry.mtime_ns)
    gap_ns = first.mtime_ns - marker.mtime_ns
    if gap_ns <= _CLEARLY_OLDER_NS or not stands_apart(first, [*older, marker]):
        return ()
    return (
        Finding(
            "mixed-saves",
            Severity.WARNING,
            first.path,
            f"{first.path} was written {duration_text(gap_ns / 1e9)} after {marker.path}, which"
            " comes last: a save over this checkpoint may have been cut, or times are a copy's",
            "Make sure that no later save went into this directory, else resume from another"
            " checkpoint; times alone prove nothing.",
        ),
    )
