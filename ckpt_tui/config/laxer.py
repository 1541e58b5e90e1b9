"""Where a file beside checkpoints asks for less than would be asked for without it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.config.keys import key_of
from ckpt_tui.config.settings import REQUIRE, ROLES
from ckpt_tui.core.vocabulary import REQUIRED_ROLES
from ckpt_tui.words import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ckpt_tui.config.settings import Entry, Settings, Value


def laxer_texts(beside: Settings, without: Settings) -> Iterator[str]:
    """What to say of each key that lets more pass than the other sources do.

    Whoever writes beside checkpoints may know the run better than the operator, or may want it to
    look better than it is: so it holds, and is said.

    Args:
        beside: What the file sets.
        without: What the other sources set together.
    """
    for entry in beside.entries:
        if (entry.table, entry.key) == ("", REQUIRE) and isinstance(entry.value, tuple):
            missing = set(without.require or REQUIRED_ROLES) - set(entry.value)
            if missing:
                roles = ", ".join(sorted(missing))
                yield say(
                    "line {line}: require asks for less than usual: not {roles}",
                    line=entry.origin.line,
                    roles=roles,
                )
        elif entry.table == ROLES:
            yield say("line {line}: further names: {name}", line=entry.origin.line, name=entry.name)
        else:
            yield from _laxer_number(entry, without)


def _laxer_number(entry: Entry, without: Settings) -> Iterator[str]:
    key = key_of(entry.table, entry.key)
    if key is None or not key.laxer:
        return
    other = without.entry(entry.table, entry.key)
    usual: Value | None = key.default if other is None else other.value
    if not isinstance(usual, int | float) or not isinstance(entry.value, int | float):
        return
    if (entry.value - usual) * key.laxer > 0:
        yield say(
            "line {line}: {name} = {value} lets more pass than {usual} ({where})",
            line=entry.origin.line,
            name=entry.name,
            value=f"{entry.value:g}",
            usual=f"{usual:g}",
            where=say("the default") if other is None else other.origin,
        )
