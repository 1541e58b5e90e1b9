"""The live table of checkpoints: pictures in, changed lines out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.core.diff import keyed_diff
from ckpt_tui.tui.icons import MARKED_SIGN, RESUME_MARK
from ckpt_tui.tui.lines import Line, Piece, Tone, text_of, width_of
from ckpt_tui.tui.rows.arrange import AS_IT_COMES, Arrangement, Arranging, arrange
from ckpt_tui.tui.rows.columns import columns_in, fit_columns
from ckpt_tui.tui.rows.present import Row, age_cell, present, row_values, run_key
from ckpt_tui.tui.view import primary_run
from ckpt_tui.tui.widgets.virtual_table import GUTTER, VirtualTable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from textual import events

    from ckpt_tui.core.checkpoint import Checkpoint
    from ckpt_tui.core.runs import Run
    from ckpt_tui.core.snapshot import Snapshot
    from ckpt_tui.tui.rows.present import RowValue

_NOTHING = Piece(" ")
_RESUME = Piece(RESUME_MARK, Tone.OK)
_MARKED = Piece(MARKED_SIGN, Tone.ACCENT)


AGES_HOLD_SECONDS = 5.0
"""A filter by age is asked again after so long, not every second."""


class CheckpointTable(VirtualTable):
    """One row a checkpoint, the runs one below the other."""

    def __init__(self, *, widget_id: str | None = None) -> None:
        super().__init__(widget_id=widget_id)
        self._snapshot: Snapshot | None = None
        self._values: dict[str, RowValue] = {}
        self._rows: dict[str, Row] = {}
        self._ages: dict[str, str] = {}
        self._content: dict[str, int] = {}
        self._now = 0.0
        self._how = AS_IT_COMES
        self.sort = self._how.sort
        self._arranged_at = 0.0
        self._arrangement = Arrangement((), {}, 0)
        self._columns = columns_in(())
        self._marks: set[str] = set()
        self._held: str | None = None  # what the cursor was on before a filter hid it
        self._placed: str | None = None  # where it was put while not all runs are read
        self.wide = False

    @property
    def arranging(self) -> Arranging:
        """How the rows are filtered and sorted."""
        return self._how

    @property
    def arrangement(self) -> Arrangement:
        """Which rows are shown, in which order."""
        return self._arrangement

    @property
    def current(self) -> Checkpoint | None:
        """The checkpoint under the cursor."""
        return self.checkpoint(self.cursor_key or "")

    def checkpoint(self, path: str) -> Checkpoint | None:
        """The checkpoint of that path as it is now, or None."""
        row = self._rows.get(path)
        return row.value.checkpoint if row else None

    @property
    def current_run(self) -> str | None:
        """Key of the run under the cursor."""
        row = self._rows.get(self.cursor_key or "")
        return row.value.run if row else None

    @property
    def following(self) -> bool:
        """Whether the cursor is on the newest attempt of its run, and goes with it."""
        return self.cursor_key is not None and self.cursor_key == self._newest_beside()

    def show(self, snapshot: Snapshot, now: float) -> None:
        """Shows a picture; only lines that differ from the last one are drawn anew.

        Args:
            snapshot: The picture.
            now: Seconds since the epoch.
        """
        self._now = now
        if snapshot is self._snapshot:
            return
        unmoved = not self._values or (bool(self._placed) and self.cursor_key == self._placed)
        followed = self.current_run if self.following else None
        values = row_values(snapshot, self._values)
        diff = keyed_diff(self._values, values)
        for key in diff.removed:
            del self._rows[key]
            self._ages.pop(key, None)
        for key in (*diff.added, *diff.changed):
            self._rows[key] = present(values[key])
            self._measure(self._rows[key])
        self._snapshot, self._values = snapshot, values
        if diff.added or diff.changed:
            self._fit_columns()
        cursor = self._first_cursor(snapshot) if unmoved else self._newest_of(followed)
        self._placed = cursor if unmoved and snapshot.reading is not None else None
        self._rearrange(diff.changed, cursor)

    def arrange_by(self, how: Arranging) -> None:
        """Filters and sorts in another way; the cursor finds back to a row that was hidden."""
        self._how = how
        self.sort = how.sort
        held = self._held or self.cursor_key
        self._rearrange((), held)
        self._held = None if self.cursor_key == held else held
        self.refresh_screen_line(0)

    def choose_columns(self, keys: Sequence[str]) -> None:
        """Shows these columns, in this order, where they fit; none means the usual ones."""
        self._columns = columns_in(keys)
        self._fit_columns()

    @property
    def marked(self) -> tuple[Checkpoint, ...]:
        """The marked checkpoints that there are now, the newest first."""
        here = [self._values[key].checkpoint for key in self._marks if key in self._values]
        return tuple(sorted(here, key=lambda checkpoint: checkpoint.order, reverse=True))

    @property
    def hidden_marks(self) -> int:
        """How many of them no row shows."""
        return sum(1 for checkpoint in self.marked if checkpoint.path not in self._places)

    def toggle_mark(self) -> None:
        """Marks the row under the cursor, or takes its mark away; a mark stays with the path."""
        key = self.cursor_key
        if key is not None:
            self._marks ^= {key}
            self.refresh_key(key)

    def clear_marks(self) -> None:
        """Takes all marks away."""
        marks, self._marks = self._marks, set()
        for key in marks:
            self.refresh_key(key)

    def move_cursor(self, key: str) -> None:
        """Puts the cursor on a row; what it was on before a filter is forgotten."""
        self._held = None
        super().move_cursor(key)

    def set_wide(self, wide: bool) -> None:
        """Shows all columns, to be scrolled sideways, or those that fit."""
        self.wide = wide
        self.set_class(wide, "-wide")
        self._fit_columns()
        if not wide:
            self.scroll_to(x=0, animate=False)

    def tick(self, now: float) -> None:
        """Lets time pass: ages that read differently are drawn anew, a filter by age holds."""
        self._now = now
        if self._how.query.timed and not 0 <= now - self._arranged_at < AGES_HOLD_SECONDS:
            self._rearrange(())
        for key in self.visible_keys():
            if text_of(age_cell(self._rows[key], now)) != self._ages.get(key):
                self.refresh_key(key)

    def sort_choices(self) -> tuple[str, ...]:
        """Columns on the screen that rows can be sorted by."""
        return tuple(place.column.key for place in self._fitted if place.column.sortable)

    def go_to_run(self, direction: int) -> None:
        """Puts the cursor on the first row of the next or the last run."""
        firsts = [
            key
            for place, key in enumerate(self._order)
            if key not in self._headings and (not place or self._order[place - 1] in self._headings)
        ]
        runs = [self._rows[key].value.run for key in firsts]
        if firsts and self.current_run in runs:
            place = runs.index(self.current_run) + direction
            self.move_cursor(firsts[place % len(firsts)])

    def cells_of(self, key: str) -> Mapping[str, Line]:
        """The cells of a row, its age counted from now."""
        row = self._rows[key]
        age = age_cell(row, self._now)
        self._ages[key] = text_of(age)
        return {**row.cells, "age": age}

    def signs_of(self, key: str) -> Line:
        """Whether it is the resume point, and whether it is marked."""
        resume = self._rows[key].value.resume
        return (_RESUME if resume else _NOTHING, _MARKED if key in self._marks else _NOTHING)

    def is_marked(self, key: str) -> bool:
        """Whether the row stands out."""
        return key in self._marks

    def on_resize(self, _event: events.Resize) -> None:
        """Other columns may fit now, and the cursor may be out of sight."""
        self._fit_columns()
        self.show_cursor()

    def watch_show_vertical_scrollbar(self) -> None:
        """The scroll bar takes a cell, or gives it back."""
        self._fit_columns()

    def _rearrange(self, changed: tuple[str, ...], cursor: str | None = None) -> None:
        runs = self._snapshot.runs if self._snapshot else ()
        self._arranged_at = self._now
        self._arrangement = arrange(runs, self._rows, self._how, self._now)
        self.set_rows(self._arrangement.order, self._arrangement.headings, changed, cursor)

    def _measure(self, row: Row) -> None:
        """Columns grow with their content and do not shrink: nothing jumps when a row goes."""
        for key, cell in row.cells.items():
            self._content[key] = max(self._content.get(key, 0), width_of(cell))

    def _fit_columns(self) -> None:
        room = self.inner_size.width - GUTTER
        self.set_columns(fit_columns(self._columns, self._content, room, self.wide))

    def _newest_beside(self) -> str | None:
        return self._newest_of(self.current_run)

    def _newest_of(self, key: str | None) -> str | None:
        for run in self._snapshot.runs if self._snapshot else ():
            if run_key(run) == key:
                return _newest_path(run)
        return None

    def _first_cursor(self, snapshot: Snapshot) -> str | None:
        run = primary_run(snapshot)
        return _newest_path(run) if run else None


def _newest_path(run: Run) -> str | None:
    newest = run.newest
    return newest.path if newest else None
