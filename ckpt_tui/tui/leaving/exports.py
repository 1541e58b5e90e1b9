"""The forms in which the dashboard can be taken away: table, document, picture of the screen."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.tui.leaving.tables import Exported, all_rows, shown_rows, table_csv, table_markdown
from ckpt_tui.tui.planner.choice import Choice
from ckpt_tui.words import later, say, say_count

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ckpt_tui.core.snapshot import Snapshot

_TABLES = (
    (later("table as CSV"), ".csv", table_csv),
    (later("table as Markdown"), ".md", table_markdown),
)


class Export(NamedTuple):
    """A file that can be written.

    Attributes:
        choice: Its entry in the list.
        suffix: Of the file's name.
        text: Makes what goes into it.
    """

    choice: Choice
    suffix: str
    text: Callable[[], str]


def exports_of(
    snapshot: Snapshot,
    order: Sequence[str],
    document: Callable[[], str] | None,
    screenshot: Callable[[], str],
) -> list[Export]:
    """The files that make sense now.

    Args:
        snapshot: The picture that is shown.
        order: Paths of the rows that the table shows, top to bottom.
        document: Makes the answer of `check --json`; None where nobody does.
        screenshot: Draws the screen as SVG.
    """
    everything = all_rows(snapshot.runs)
    shown = shown_rows(snapshot.runs, order)
    which = _which(len(shown), len(everything))
    made = [_table(*form, shown, which) for form in _TABLES]
    if len(shown) < len(everything):
        which = say_count(len(everything), "the one there is", "all {count} of them, run by run")
        made += [_table(*form, everything, which) for form in _TABLES]
    if document is not None:
        text = say("the document of `ckpt-tui check --json`: every checkpoint, filtered or not")
        made.append(Export(Choice(say("all as JSON"), (text,)), ".json", document))
    picture = say("as it is drawn now, without this list")
    made.append(Export(Choice(say("the screen as SVG"), (picture,)), ".svg", screenshot))
    return made


def _table(
    title: str,
    suffix: str,
    make: Callable[[Sequence[Exported]], str],
    rows: Sequence[Exported],
    which: str,
) -> Export:
    return Export(Choice(say(title), (which,)), suffix, lambda: make(rows))


def _which(shown: int, total: int) -> str:
    if shown == total:
        return say_count(total, "the one checkpoint", "all {count} checkpoints, as they are sorted")
    return say(
        "the {shown} of {total} rows that are shown, as they are sorted", shown=shown, total=total
    )
