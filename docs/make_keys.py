"""Writes docs/keys.md from the registry of actions; a test compares.

Usage: python docs/make_keys.py
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ckpt_tui.tui.actions.registry import PLACES

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ckpt_tui.tui.actions.action import Action

PAGE = Path(__file__).parent / "keys.md"
_HEAD = """\
# Keys

Printable keys are text while a field has the focus. `ctrl+p` opens the command palette, which
offers all of this by name, and takes a step's number to go there. A name in the last column is what
the table `[keys]` of a [configuration file](configuration.md) refers to:

```toml
[keys]
"timeline" = "T"
```
"""


def page() -> str:
    """The whole page."""
    return "\n".join((_HEAD, *(section(place, actions) for place, actions in PLACES.items())))


def section(place: str, actions: Sequence[Action]) -> str:
    """One place: a table, or one for each group of its actions."""
    groups: dict[str, list[Action]] = {}
    for action in actions:
        groups.setdefault(action.group, []).append(action)
    title = f"## {place[0].upper()}{place[1:]}\n"
    if len(groups) == 1:
        return f"{title}\n{table(actions)}"
    parts = (f"\n### {group}\n\n{table(each)}" for group, each in groups.items())
    return title + "".join(parts)


def table(actions: Iterable[Action]) -> str:
    """Keys, what they do, the action's name."""
    rows = (f"| {keys(action)} | {action.help} | `{action.id}` |\n" for action in actions)
    return "| key | does | name |\n|---|---|---|\n" + "".join(rows)


def keys(action: Action) -> str:
    """As they are pressed, each in its own code."""
    return " ".join(f"`{key}`" for key in action.shown.split(" "))


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
