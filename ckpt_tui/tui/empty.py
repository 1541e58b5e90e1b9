"""What stands in the table's place while there is nothing to list."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.tui.lines import BLANK, Line, Tone, line, piece, wrapped

if TYPE_CHECKING:
    from ckpt_tui.core.snapshot import Snapshot


def empty_lines(snapshot: Snapshot, first_look: bool, width: int) -> list[Line]:
    """What was looked for, where, and what happens next."""
    if snapshot.error:
        return [
            BLANK,
            *_paragraph(f"{snapshot.root} cannot be read: {snapshot.error}", Tone.BAD, width),
            BLANK,
            *_paragraph("It is tried again at every look; r looks at once.", Tone.DIM, width),
        ]
    if first_look:
        return [BLANK, *_paragraph(f"Looking through {snapshot.root} …", Tone.BUSY, width)]
    lines = [BLANK, *_paragraph(f"No checkpoint in {snapshot.root}", Tone.BOLD, width), BLANK]
    lines += _paragraph(
        "Looked for: here and up to 6 directories below; links that lead out are not followed.",
        Tone.PLAIN,
        width,
    )
    if snapshot.tried:
        lines += [BLANK, *_paragraph("Formats that are known:", Tone.PLAIN, width)]
        lines += _paragraph(", ".join(snapshot.tried), Tone.DIM, width, "    ")
    lines += [
        BLANK,
        *_paragraph(
            "A save appears here with its first file. If checkpoints should be here already:"
            " is the mount there, and is this the directory that the job writes to?",
            Tone.PLAIN,
            width,
        ),
    ]
    return lines


def _paragraph(text: str, tone: Tone, width: int, indent: str = "  ") -> list[Line]:
    rows = wrapped(text, min(100, width - len(indent) - 1))
    return [line(indent, piece(row, tone)) for row in rows]
