"""The lines above the tabs: what the checkpoint is, when it was committed, how to load it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.core.text import bytes_text
from ckpt_tui.core.verified import is_covered
from ckpt_tui.core.verified_findings import is_finite
from ckpt_tui.core.vocabulary import RESUMABLE, Verdict
from ckpt_tui.core.world_size import size_mismatch
from ckpt_tui.tui.lines import BLANK, Line, Tone, cut, flowed, line, piece, short_path
from ckpt_tui.tui.rows.notes import said_age, state_line, took_text, utc_text
from ckpt_tui.words import say, say_count, say_sentence
from ckpt_tui.words.lists import listed

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
        line(piece(say("resume point"), Tone.OK)) if resume else BLANK,
        _when(checkpoint, now),
        _took(checkpoint),
        _mode(checkpoint),
        line(bytes_text(checkpoint.facts.size_bytes)),
        _world(checkpoint),
        _reshard(checkpoint),
        _verified(checkpoint, now),
    ]
    lines = flowed(parts, width)
    how = how_to_load(checkpoint)
    if how:
        lines.append(cut(line(piece(say("resume with  "), Tone.DIM), piece(how, Tone.BOLD)), width))
    lines.append(line(piece(short_path(checkpoint.path, width), Tone.DIM)))
    return lines


def _when(checkpoint: Checkpoint, now: float) -> Line:
    moment = checkpoint.moment or None
    if moment is None:
        return BLANK
    done = checkpoint.committed_at and checkpoint.verdict is not Verdict.SAVING
    what = say("committed") if done else say("last write")
    return line(
        piece(f"{what} ", Tone.DIM),
        utc_text(moment),
        piece(f" ({said_age(max(0.0, now - moment))})", Tone.DIM),
    )


def _took(checkpoint: Checkpoint) -> Line:
    text = took_text(checkpoint, say("at least "))
    return line(piece(say("took "), Tone.DIM), text) if text else BLANK


def _mode(checkpoint: Checkpoint) -> Line:
    mode = checkpoint.facts.save_mode
    return line(say("{mode} save", mode=mode)) if mode else BLANK


def _world(checkpoint: Checkpoint) -> Line:
    size = checkpoint.facts.world_size
    return line(say_count(size, "{count} rank", "{count} ranks")) if size is not None else BLANK


def _reshard(checkpoint: Checkpoint) -> Line:
    reshard = checkpoint.facts.reshard
    if reshard is None or reshard.possible is None or checkpoint.verdict not in RESUMABLE:
        return BLANK
    label = piece(say("other world sizes: "), Tone.DIM)
    told = say("yes") if reshard.possible else say("no")
    if reshard.how:
        told = say("{answer}, {how}", answer=told, how=say_sentence(reshard.how))
    if not reshard.possible:
        return line(label, piece(told, Tone.WARN))
    if reshard.loses:
        roles = listed([say(role) for role in reshard.loses])
        told = say("{answer} (loses {roles})", answer=told, roles=roles)
    return line(label, told)


def _verified(checkpoint: Checkpoint, now: float) -> Line:
    verified = checkpoint.facts.verified
    if verified is None:
        return BLANK
    age = piece(f" ({said_age(max(0.0, now - verified.at))})", Tone.DIM)
    if verified.ok is False:
        return line(piece(say("wrong bytes"), Tone.BAD), age)
    if verified.not_finite:
        return line(piece(say("NaN or infinity"), Tone.WARN), age)
    if not verified.is_whole:
        done, total = len(verified.files), verified.files_total
        told = say("bytes of {done} of {total} files verified", done=done, total=total)
        return line(told, age)
    if verified.ok is None:
        return line(piece(say("verified, nothing protects its bytes"), Tone.DIM), age)
    if is_covered(verified.checked_bytes, verified.verified_bytes):
        told, tone = say("bytes verified"), Tone.OK
    else:
        told, tone = say("protected bytes verified"), Tone.PLAIN
    finite = [say("all values are finite")] if is_finite(checkpoint.facts) else []
    return line(piece(listed([told, *finite]), tone), age)


def how_to_load(checkpoint: Checkpoint) -> str:
    """What the launch command needs; "" where there is nothing to load or nothing to say."""
    loader = checkpoint.facts.loader
    if not checkpoint.resumable or size_mismatch(checkpoint) is not None:
        return ""
    return loader.flag or (say("tag {tag}", tag=loader.tag) if loader.tag else "")
