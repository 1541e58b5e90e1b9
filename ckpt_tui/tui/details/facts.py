"""The lines above the tabs: what the checkpoint is, when it was committed, how to load it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.core.text import age_text, bytes_text, plural, words
from ckpt_tui.core.vocabulary import Verdict
from ckpt_tui.tui.lines import BLANK, Line, Tone, cut, flowed, line, piece, short_path
from ckpt_tui.tui.rows.notes import state_line, took_text, utc_text

if TYPE_CHECKING:
    from ckpt_tui.core.checkpoint import Checkpoint


def facts_lines(checkpoint: Checkpoint, resume: bool, now: float, width: int) -> list[Line]:
    """Two to five lines.

    Args:
        checkpoint: The one that is shown.
        resume: Whether it is its run's resume point.
        now: Seconds since the epoch.
        width: Cells on a line.
    """
    parts = [
        state_line(checkpoint),
        line(piece("resume point", Tone.OK)) if resume else BLANK,
        _when(checkpoint, now),
        _took(checkpoint),
        line(f"{checkpoint.facts.save_mode} save") if checkpoint.facts.save_mode else BLANK,
        line(bytes_text(checkpoint.facts.size_bytes)),
        _world(checkpoint),
        _reshard(checkpoint),
    ]
    lines = flowed(parts, width)
    how = how_to_load(checkpoint)
    if how:
        lines.append(cut(line(piece("resume with  ", Tone.DIM), piece(how, Tone.BOLD)), width))
    lines.append(line(piece(short_path(checkpoint.path, width), Tone.DIM)))
    return lines


def _when(checkpoint: Checkpoint, now: float) -> Line:
    moment = checkpoint.moment or None
    if moment is None:
        return BLANK
    done = checkpoint.committed_at and checkpoint.verdict is not Verdict.SAVING
    what = "committed" if done else "last write"
    return line(
        piece(f"{what} ", Tone.DIM),
        utc_text(moment),
        piece(f" ({age_text(max(0.0, now - moment))})", Tone.DIM),
    )


def _took(checkpoint: Checkpoint) -> Line:
    text = took_text(checkpoint, "at least ")
    return line(piece("took ", Tone.DIM), text) if text else BLANK


def _world(checkpoint: Checkpoint) -> Line:
    size = checkpoint.facts.world_size
    return line(plural(size, "rank")) if size is not None else BLANK


def _reshard(checkpoint: Checkpoint) -> Line:
    reshard = checkpoint.facts.reshard
    if reshard is None or reshard.possible is None:
        return BLANK
    label = piece("other world sizes: ", Tone.DIM)
    how = f", {reshard.how}" if reshard.how else ""
    if not reshard.possible:
        return line(label, piece(f"no{how}", Tone.WARN))
    loses = f" (loses {words(reshard.loses)})" if reshard.loses else ""
    return line(label, f"yes{how}{loses}")


def how_to_load(checkpoint: Checkpoint) -> str:
    """What the launch command needs; "" where there is nothing to load or nothing to say."""
    loader = checkpoint.facts.loader
    if not checkpoint.resumable:
        return ""
    return loader.flag or (f"tag {loader.tag}" if loader.tag else "")
