"""What the keys do that take something out: to the clipboard, into a file, to the shell."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

from ckpt_tui.tui.clipboard import why_not_sent
from ckpt_tui.tui.export import watched_place, write_export
from ckpt_tui.tui.leaving.exports import exports_of
from ckpt_tui.tui.leaving.forms import flag_form, forms_of, json_form, path_form
from ckpt_tui.tui.leaving.on_exit import OnExit
from ckpt_tui.tui.leaving.take_screen import TakeScreen, Way
from ckpt_tui.tui.planner.choice import ChoiceScreen
from ckpt_tui.tui.screens.dashboard import DashboardScreen
from ckpt_tui.tui.view import titled
from ckpt_tui.words import say, say_count

if TYPE_CHECKING:
    from collections.abc import Callable

    from ckpt_tui.core.checkpoint import Checkpoint
    from ckpt_tui.tui.leaving.exports import Export
    from ckpt_tui.tui.leaving.forms import Form
    from ckpt_tui.tui.leaving.take_screen import Taken
    from ckpt_tui.tui.options import DashboardOptions
    from ckpt_tui.tui.ports import Feed


class Taking(DashboardScreen):
    """Copies, exports, and what is printed once the dashboard has left the screen."""

    def __init__(self, feed: Feed, options: DashboardOptions) -> None:
        super().__init__(feed, options)
        self.on_exit = OnExit()

    def action_copy_path(self) -> None:
        """Sends the path to the terminal's clipboard."""
        self._take(path_form, Way.CLIPBOARD)

    def action_copy_json(self) -> None:
        """Sends the row to the terminal's clipboard."""
        self._take(json_form, Way.CLIPBOARD)

    def action_copy_flag(self) -> None:
        """Sends to the same what the launch command resumes with."""
        self._take(flag_form, Way.CLIPBOARD)

    def action_print_on_exit(self) -> None:
        """Marks the path to be printed on exit, or lets it go."""
        self._take(path_form, Way.EXIT)

    def action_take_menu(self) -> None:
        """Lists the texts and the ways that they can go."""
        checkpoint = self.table.current
        if checkpoint is not None:
            forms, marked = forms_of(checkpoint), self.on_exit.texts
            self.app.push_screen(TakeScreen(checkpoint.title, forms, marked), self._taken)

    def _taken(self, taken: Taken | None) -> None:
        if taken is not None:
            self._give(taken.form, taken.way)

    def _take(self, form_of: Callable[[Checkpoint], Form], way: Way) -> None:
        checkpoint = self.table.current
        if checkpoint is not None:
            self._give(form_of(checkpoint), way)

    def _give(self, form: Form, way: Way) -> None:
        if form.why_not:
            told = say("No {what}: {reason}.", what=say(form.name), reason=form.why_not)
            self._warn(f"{told} {self._better()}".rstrip())
        elif way is Way.CLIPBOARD:
            self._send(form)
        elif way is Way.EXIT:
            self._mark(form)
        else:
            self._write(form.text, form.suffix, say("The {what} is in", what=say(form.name)))

    def _better(self) -> str:
        """Names the resume point, where the cursor is on another row."""
        resume = self.run_shown.resume if self.run_shown is not None else None
        if resume is None or resume.path == self.table.cursor_key:
            return ""
        return say("The resume point is {title}.", title=titled(self.shown, resume))

    def _send(self, form: Form) -> None:
        """Whether it arrives no terminal tells, so that the other way is named each time."""
        reason = why_not_sent(form.text, os.environ)
        if reason:
            told = say("The {what} was not sent: {reason}.", what=say(form.name), reason=reason)
            self._warn(f"{told} {say('C offers a file, or to print it on exit.')}")
            return
        self.app.copy_to_clipboard(form.text)
        told = say("The {what} was sent to the terminal's clipboard.", what=say(form.name))
        self.notify(f"{told} {say('If it did not arrive: C.')}", timeout=4, markup=False)

    def _mark(self, form: Form) -> None:
        if not self.on_exit.toggle(form.text):
            told = say("The {what} will not be printed.", what=say(form.name))
        else:
            told = say("The {what} will be printed when you quit.", what=say(form.name))
        count = len(self.on_exit.texts)
        more = say_count(count, "1 text in all.", "{count} texts in all.") if count > 1 else ""
        self.notify(f"{told} {more}".rstrip(), timeout=4, markup=False)

    def action_export(self) -> None:
        """Lists what can be written; nothing goes into the watched directory."""
        picture, answer, now = self.shown, self._options.document, self._clock.wall()
        document = None if answer is None else lambda: answer(picture, now)
        order = self.table.arrangement.order
        exports = exports_of(picture, order, document, self.app.export_screenshot)

        def chosen(place: int | None) -> None:
            if place is not None:
                self.call_after_refresh(self._export, exports[place])

        choices = [export.choice for export in exports]
        self.app.push_screen(ChoiceScreen(say("write to a file"), choices), chosen)

    def _export(self, export: Export) -> None:
        self._write(export.text(), export.suffix, say("Written:"))

    def _write(self, text: str, suffix: str, told: str) -> None:
        stamp = time.strftime("%Y%m%d-%H%M%S", time.gmtime(self._clock.wall()))
        try:
            path = write_export(text, watched_place(self.shown), stamp, suffix)
        except OSError as error:
            self.notify(say("Not written: {error}", error=error), severity="error", markup=False)
            return
        self.notify(f"{told} {path}", markup=False)

    def _warn(self, text: str) -> None:
        self.notify(text, severity="warning", timeout=6, markup=False)
