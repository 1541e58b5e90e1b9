"""What the dashboard says while bytes are verified, and what came out of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.core.text import bytes_text, duration_text
from ckpt_tui.tui.answers.blocks import label, progress_bar
from ckpt_tui.tui.lines import BLANK, Line, Tone, first_fit, joined, line, piece
from ckpt_tui.words import say, say_count, say_sentence
from ckpt_tui.words.lists import listed

if TYPE_CHECKING:
    from ckpt_tui.tui.verify.queue import Job
    from ckpt_tui.verify.results import Progress, Verified

_BAR_CELLS = 16
_MOST_NAMES = 3
"""Files or tensors that a message names."""


def progress_line(job: Job, waiting: int, width: int) -> Line:
    """How far the checkpoint is whose turn it is, as much as fits.

    Args:
        job: That one.
        waiting: How many wait behind it.
        width: Cells there are.
    """
    head = (*label(say("VERIFYING"), Tone.BUSY_BLOCK, width), piece(job.title, Tone.BOLD))
    hint = line(piece(f"{say('v stops')} ", Tone.DIM))
    if job.cancel.is_set():
        return first_fit([((*head, piece("  "), piece(say("stopping …"))), BLANK)], width)
    progress = job.progress
    if progress is None or not progress.files_total:
        return first_fit([((*head, piece("  "), piece(say("looking for files …"))), hint)], width)
    bar, percent = _how_far(progress)
    amount = line(
        say(
            "{read} of {total}",
            read=bytes_text(progress.read_bytes),
            total=bytes_text(progress.total_bytes),
        )
    )
    wrong = _wrong(progress)
    more = line(piece(say("{count} waiting", count=waiting), Tone.DIM)) if waiting else BLANK
    rate, left = _rate(job), _left(job, progress)
    name = line(piece(progress.path.rpartition("/")[2], Tone.DIM))
    levels = [
        (bar, percent, amount, rate, left, wrong, name, more),
        (bar, percent, amount, rate, left, wrong, more),
        (percent, amount, rate, left, wrong, more),
        (percent, amount, left, wrong, more),
        (percent, left, wrong, more),
        (percent, wrong),
    ]
    texts = [joined((head, *parts), "  ") for parts in levels]
    return first_fit([(text, right) for right in (hint, BLANK) for text in texts], width)


def _how_far(progress: Progress) -> tuple[Line, Line]:
    share = progress.read_bytes / progress.total_bytes if progress.total_bytes else 1.0
    share = max(0.0, min(1.0, share))
    return progress_bar(share, _BAR_CELLS), line(piece(f"{int(100 * share)} %"))


def _rate(job: Job) -> Line:
    rate = job.rate.bytes_per_second
    return line(f"{bytes_text(rate)}/s") if rate else BLANK


def _left(job: Job, progress: Progress) -> Line:
    seconds = job.rate.left_seconds(progress)
    return BLANK if seconds is None else line(say("{time} left", time=duration_text(seconds)))


def _wrong(progress: Progress) -> Line:
    count = progress.wrong_files
    if not count:
        return BLANK
    return line(piece(say_count(count, "✗ {count} file wrong", "✗ {count} files wrong"), Tone.BAD))


def outcome_text(job: Job, verified: Verified) -> str:
    """What came out of it, in one sentence or two."""
    title, files = job.title, verified.files
    wrong = [file.path.rpartition("/")[2] for file in files if file.ok is False]
    if wrong:
        told = say_count(
            len(wrong),
            "{title}: wrong bytes in {names}.",
            "{title}: wrong bytes in {count} files: {names}.",
            title=title,
            names=_names(wrong),
        )
    elif verified.cancelled:
        told = say_count(
            len(files),
            "{title}: stopped after {count} file; nothing wrong so far.",
            "{title}: stopped after {count} files; nothing wrong so far.",
            title=title,
        )
    else:
        told = _all_right(title, verified)
    unread = [file.path.rpartition("/")[2] for file in files if file.unread]
    if unread:
        told += " " + say("Not read: {names}.", names=_names(unread))
    tensors = [tensor.tensor for file in files for tensor in file.non_finite]
    if tensors:
        told += " " + say("NaN or infinity in {names}.", names=_names(tensors))
    elif any(file.scanned_bytes for file in files) and not verified.cancelled and not unread:
        told += " " + say("No NaN, no infinity.")
    return told


def _all_right(title: str, verified: Verified) -> str:
    checked = verified.checked_bytes
    if not verified.files:
        problems = [say_sentence(reason) for _, reason in verified.problems]
        reason = problems[0] if problems else say("no files were found")
        return say("{title}: nothing was verified: {reason}.", title=title, reason=reason)
    if not checked:
        return say("{title}: no checksum protects any of its bytes.", title=title)
    return say(
        "{title}: every protected byte is right, {checked} of {total} in {time}.",
        title=title,
        checked=bytes_text(checked),
        total=bytes_text(verified.size_bytes),
        time=duration_text(verified.seconds),
    )


def _names(names: list[str]) -> str:
    shown = names[:_MOST_NAMES]
    if len(names) > len(shown):
        shown.append(say("{count} more", count=len(names) - len(shown)))
    return listed(shown)
