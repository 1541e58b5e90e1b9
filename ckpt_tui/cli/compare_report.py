"""A comparison as plain text: what differs first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.core.comparing.telling import told
from ckpt_tui.core.printable import printable
from ckpt_tui.core.reasons import reason_of
from ckpt_tui.words import say, say_count, say_sentence
from ckpt_tui.words.wrapping import columns_of, padded, wrapped

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ckpt_tui.core.checkpoint import Checkpoint
    from ckpt_tui.core.comparing.checkpoints import Comparison
    from ckpt_tui.core.comparing.rows import Row, Section

_NARROWEST = 60
_MOST_LABEL = 40


def compare_report(comparison: Comparison, width: int) -> str:
    """The whole text; `width` in columns, which only names may exceed."""
    width = max(width, _NARROWEST)
    said = told(comparison)
    lines = [*_head("A", comparison.first), *_head("B", comparison.second)]
    lines += ["", *wrapped(said.distance, width)]
    for section in said.sections:
        lines += ["", *_section(section, width)]
    if not said.sections:
        lines += ["", say("Nothing else differs in what was read.")]
    if said.same:
        lines += ["", say("equal")]
        for sentence in said.same:
            lines += _indented(f"= {sentence}", width, 2)
    return "\n".join(lines)


def _head(letter: str, checkpoint: Checkpoint) -> Iterator[str]:
    reason = say_sentence(reason_of(checkpoint))
    state = say(checkpoint.verdict.value)
    if reason:
        state = say("{state} ({reason})", state=state, reason=reason)
    yield f"{letter}  {printable(checkpoint.path)}"
    yield printable(f"   {checkpoint.title}: {state}")


def _section(section: Section, width: int) -> Iterator[str]:
    count = f" ({section.total})" if section.total > 1 else ""
    yield f"{section.title}{count}"
    longest = max((columns_of(printable(row.label)) for row in section.rows), default=0)
    for row in section.rows:
        yield from _row(row, min(longest, _MOST_LABEL), width)
    left = section.total - len(section.rows)
    more = (say_count(left, "and {count} more", "and {count} more"),) if left > 0 else ()
    for sentence in (*more, *section.more):
        yield from _indented(sentence, width, 4)


def _row(row: Row, label_width: int, width: int) -> Iterator[str]:
    label = printable(row.label)
    if row.note:
        yield f"  {row.sign} {label}"
        yield from _indented(row.note, width, 6)
        return
    values = {"+": row.second, "-": row.first}.get(row.sign, f"{row.first} → {row.second}")
    yield f"  {row.sign} {padded(label, label_width)}  {printable(values)}"


def _indented(text: str, width: int, indent: int) -> Iterator[str]:
    for line in wrapped(printable(text), width - indent):
        yield " " * indent + line
