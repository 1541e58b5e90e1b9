"""The table for somewhere else: CSV with raw values, Markdown for people."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.core.document import utc_text
from ckpt_tui.core.printable import printable
from ckpt_tui.core.reasons import reason_of
from ckpt_tui.core.text import bytes_text
from ckpt_tui.tui.lines import clean
from ckpt_tui.words import later, say, say_sentence

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ckpt_tui.core.checkpoint import Checkpoint
    from ckpt_tui.core.runs import Run

CSV_COLUMNS = (
    "run", "format", "checkpoint", "step", "verdict", "commit", "resumable", "resume_point",
    "committed_at", "bytes", "save_seconds", "shards_present", "shards_expected", "roles", "why",
    "path",
)  # fmt: skip
MARKDOWN_COLUMNS = (
    later("run"), later("checkpoint"), later("step"), later("verdict"), later("resume point"),
    later("committed (UTC)"), later("size"), later("shards"), later("note"),
)  # fmt: skip
_FORMULA_STARTS = ("=", "+", "-", "@")
_MARKUP = str.maketrans({character: f"\\{character}" for character in "\\|`[]!"} | {"<": "&lt;"})


class Exported(NamedTuple):
    """A checkpoint and its run."""

    run: Run
    checkpoint: Checkpoint

    @property
    def is_resume_point(self) -> bool:
        """Whether a restart of its run should load it."""
        return self.run.resume is not None and self.run.resume.path == self.checkpoint.path


def all_rows(runs: Iterable[Run]) -> list[Exported]:
    """Every checkpoint, run by run."""
    return [Exported(run, checkpoint) for run in runs for checkpoint in run.checkpoints]


def shown_rows(runs: Iterable[Run], order: Iterable[str]) -> list[Exported]:
    """Those that a table shows, in its order.

    Args:
        runs: Of the picture that is shown.
        order: Paths of its rows, top to bottom; keys that are no path of a checkpoint are passed.
    """
    by_path = {row.checkpoint.path: row for row in all_rows(runs)}
    return [by_path[path] for path in order if path in by_path]


def table_csv(rows: Sequence[Exported]) -> str:
    """One line a checkpoint; sizes in bytes, times in UTC.

    Control characters are escaped, but in paths: those are for programs.
    """
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(CSV_COLUMNS)
    for row in rows:
        shown = [printable(each) if isinstance(each, str) else each for each in _csv_values(row)]
        writer.writerow([_inert(each) for each in (*shown, row.checkpoint.facts.path)])
    return out.getvalue()


def _csv_values(row: Exported) -> tuple[object, ...]:
    """Those of all columns but the last, which is the path."""
    run, checkpoint = row
    facts = checkpoint.facts
    return (
        run.name,
        run.format,
        facts.name,
        facts.step,
        checkpoint.verdict.value,
        checkpoint.commit.value,
        checkpoint.resumable,
        row.is_resume_point,
        utc_text(checkpoint.committed_at),
        facts.size_bytes,
        facts.save_seconds,
        checkpoint.present_shards,
        None if facts.expected_ranks is None else len(facts.expected_ranks),
        " ".join(sorted(facts.role_names())),
        checkpoint.why,
    )


def _inert(value: object) -> object:
    """A name that a spreadsheet would run as a formula gets an apostrophe in front."""
    # Spreadsheets pass white space that a formula has in front.
    runs = isinstance(value, str) and value.lstrip().startswith(_FORMULA_STARTS)
    return f"'{value}" if runs else value


def table_markdown(rows: Sequence[Exported]) -> str:
    """A table in Markdown; control characters of names are escaped."""
    lines = [
        _markdown_line([say(column) for column in MARKDOWN_COLUMNS]),
        _markdown_line(["---"] * len(MARKDOWN_COLUMNS)),
    ]
    lines += [_markdown_line(_markdown_values(row)) for row in rows]
    return "".join(lines)


def _markdown_values(row: Exported) -> tuple[str, ...]:
    run, checkpoint = row
    facts = checkpoint.facts
    expected = len(facts.expected_ranks) if facts.expected_ranks is not None else None
    committed = (utc_text(checkpoint.committed_at) or "").replace("T", " ").removesuffix("Z")
    return (
        run.name,
        facts.name,
        "" if facts.step is None else str(facts.step),
        say(checkpoint.verdict.value),
        say("yes") if row.is_resume_point else "",
        committed,
        bytes_text(facts.size_bytes),
        "" if expected is None else f"{checkpoint.present_shards}/{expected}",
        say_sentence(reason_of(checkpoint)),
    )


def _markdown_line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(_markdown_cell(cell) for cell in cells)} |\n"


def _markdown_cell(text: str) -> str:
    """Nothing in it may end the cell, or be read as a tag, a link or an image."""
    return clean(text).translate(_MARKUP)
