"""The list of texts that can be taken of a checkpoint, and the ways they can go."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from ckpt_tui.tui.actions.action import keys_text
from ckpt_tui.tui.actions.leaving import TAKE_ACTIONS
from ckpt_tui.tui.planner.choice import Choice, ListScreen
from ckpt_tui.words import say

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from textual.binding import BindingType

    from ckpt_tui.tui.leaving.forms import Form

_MOST_CELLS = 300
"""Of a text that is shown in the list."""


class Way(StrEnum):
    """Where a text can go."""

    CLIPBOARD = "clipboard"
    EXIT = "exit"
    FILE = "file"


class Taken(NamedTuple):
    """What was chosen."""

    form: Form
    way: Way


class TakeScreen(ListScreen["Taken | None"], inherit_bindings=False):
    """Each text with its beginning, or why there is none.

    Args:
        title: What the frame says.
        forms: What there is.
        marked: Texts that are printed on exit as it stands.
    """

    BINDINGS: ClassVar[list[BindingType]] = [action.binding() for action in TAKE_ACTIONS]

    def __init__(self, title: str, forms: Sequence[Form], marked: Collection[str]) -> None:
        super().__init__(title, [_choice(form, marked) for form in forms])
        self._forms = forms

    def hint(self) -> str:
        """The keys of this list."""
        return keys_text(TAKE_ACTIONS)

    def action_give(self, way: str) -> None:
        """Closes with the text under the cursor and where it goes."""
        self.dismiss(Taken(self._forms[self._cursor], Way(way)))

    def action_leave(self) -> None:
        """Takes nothing."""
        self.dismiss(None)


def _choice(form: Form, marked: Collection[str]) -> Choice:
    if form.why_not:
        return Choice(say(form.name), (say("none: {reason}", reason=form.why_not),))
    shown = " ".join(form.text.split())
    if len(shown) > _MOST_CELLS:
        shown = f"{shown[:_MOST_CELLS]}…"
    printed = (say("printed on exit"),) if form.text in marked else ()
    return Choice(say(form.name), (shown, *printed))
