"""The Bytes tab: what `verify` found, file by file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.core.text import bytes_text
from ckpt_tui.core.verified import is_covered
from ckpt_tui.core.verified_findings import is_finite, when_text
from ckpt_tui.core.vocabulary import Severity, Verdict
from ckpt_tui.tui.icons import SEVERITY_LOOKS, VERDICT_LOOKS
from ckpt_tui.tui.lines import BLANK, Line, Piece, Tone, flowed, line, piece
from ckpt_tui.tui.rows.columns import Column, TextTable
from ckpt_tui.words import later, say, say_count, say_sentence

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ckpt_tui.core.checkpoint import Checkpoint
    from ckpt_tui.core.verified import VerifiedFacts, VerifiedFile

_COLUMNS = (
    Column("found", later("bytes"), 0, least=12, sortable=False),
    Column("path", later("file"), 0, least=18, flexible=True, sortable=False),
    Column("checked", later("checked"), 1, right=True, least=8, sortable=False),
    Column("size", later("size"), 2, right=True, least=8, sortable=False),
    Column("method", later("protected by"), 3, least=14, sortable=False),
    Column("at", later("verified"), 5, least=20, sortable=False),
    Column("message", later("note"), 4, least=24, most=60, sortable=False),
)
_RIGHT, _WRONG = VERDICT_LOOKS[Verdict.EXACT], SEVERITY_LOOKS[Severity.ERROR]


def bytes_lines(checkpoint: Checkpoint, width: int) -> Sequence[Line]:
    """What was found in all, then a line a file: those with wrong bytes first."""
    verified = checkpoint.facts.verified
    if verified is None:
        return [line(piece(say("nobody has verified its bytes"), Tone.DIM))]
    files = sorted(verified.files, key=_loudness)
    noted = any(file.message or file.not_finite for file in files)
    columns = [column for column in _COLUMNS if column.key != "message" or noted]

    def cells(index: int) -> Mapping[str, Line]:
        file = files[index]
        return {
            "found": line(_found(file)),
            "path": line(file.path),
            "checked": line(bytes_text(file.checked_bytes) if file.checked_bytes else "–"),
            "size": line(bytes_text(file.size_bytes)),
            "method": line(piece(say_sentence(file.method), Tone.DIM)),
            "at": line(piece(when_text(file.at), Tone.DIM)),
            "message": line(piece(_note(file), Tone.WARN)),
        }

    return TextTable(
        columns, len(files), cells, width, (*_summary(checkpoint, verified, width), BLANK)
    )


def _loudness(file: VerifiedFile) -> int:
    if file.ok is False:
        return 0
    return 1 if file.not_finite else 2


def _found(file: VerifiedFile) -> Piece:
    if file.ok is False:
        return piece(f"{_WRONG.icon} {say('wrong')}", Tone.BAD)
    if file.not_finite:
        return piece(f"⚠ {say('NaN, inf')}", Tone.WARN)
    if file.ok:
        covered = is_covered(file.checked_bytes, file.size_bytes)
        told = say("of bytes\4right") if covered else say("part right")
        return piece(f"{_RIGHT.icon} {told}", Tone.OK)
    return piece(f"· {say('bare')}", Tone.DIM)


def _note(file: VerifiedFile) -> str:
    if file.not_finite:
        return ", ".join(tensor.tensor for tensor in file.not_finite)
    return say_sentence(file.message)


def _summary(checkpoint: Checkpoint, verified: VerifiedFacts, width: int) -> list[Line]:
    """How much was looked at, how much of it is protected, and what that says."""
    files = say_count(
        verified.files_total,
        "{done} of {count} file",
        "{done} of {count} files",
        done=len(verified.files),
    )
    covered = say(
        "checksums of {checked} of {total}",
        checked=bytes_text(verified.checked_bytes),
        total=bytes_text(verified.verified_bytes),
    )
    parts = [
        _answer(verified),
        line(piece(files, Tone.PLAIN if verified.is_whole else Tone.WARN)),
        line(piece(covered, Tone.PLAIN if _is_covered(verified) else Tone.WARN)),
        _finite(checkpoint, verified),
        line(piece(when_text(verified.at), Tone.DIM)),
    ]
    return flowed(parts, width)


def _is_covered(verified: VerifiedFacts) -> bool:
    return is_covered(verified.checked_bytes, verified.verified_bytes)


def _answer(verified: VerifiedFacts) -> Line:
    if verified.ok is False:
        return line(piece(f"{_WRONG.icon} {say('wrong bytes')}", Tone.BAD))
    if verified.ok is None:
        return line(piece(say("no checksum protects any"), Tone.DIM))
    return line(piece(f"{_RIGHT.icon} {say('every protected byte is right')}", Tone.OK))


def _finite(checkpoint: Checkpoint, verified: VerifiedFacts) -> Line:
    if verified.not_finite:
        count = len(verified.not_finite)
        told = say_count(
            count, "⚠ NaN or infinity in {count} tensor", "⚠ NaN or infinity in {count} tensors"
        )
        return line(piece(told, Tone.WARN))
    if is_finite(checkpoint.facts):
        return line(piece(say("all values are finite"), Tone.OK))
    if verified.scanned_bytes is None:
        return line(piece(say("not scanned for NaN (V)"), Tone.DIM))
    size = bytes_text(verified.scanned_bytes)
    return line(piece(say("no NaN in the {size} that could be scanned", size=size), Tone.DIM))
