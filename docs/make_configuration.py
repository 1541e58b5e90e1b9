"""Writes the tables in configuration.md from the keys and actions that the program has.

Usage: python docs/make_configuration.py (in the checkout, with the program installed)
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from ckpt_tui.config.keys import TABLE_TEXTS, TABLES
from ckpt_tui.tui.actions.key_map import mappable

if TYPE_CHECKING:
    from ckpt_tui.config.key import Key

PAGE = Path(__file__).parent / "configuration.md"
_KEYS = "<!-- keys: made by make_configuration.py -->", "<!-- end of keys -->"
_ACTIONS = "<!-- actions: made by make_configuration.py -->", "<!-- end of actions -->"
_HEAD = "| key | holds | default | variable | option | beside |\n|---|---|---|---|---|---|"


def tables() -> str:
    """All keys, a table of the page for each table of the file."""
    parts = []
    for table, keys in TABLES.items():
        title = f"### `[{table}]`: {TABLE_TEXTS[table]}" if table else "### Above all tables"
        rows = "\n".join(map(_row, keys.values()))
        parts.append(f"{title}\n\n{_HEAD}\n{rows}")
    return "\n\n".join(parts)


def actions() -> str:
    """The ids of actions whose keys can be other ones, by place."""
    rows = [
        f"| {place} | {', '.join(f'`{action.id}`' for action in actions)} |"
        for place, actions in mappable().items()
    ]
    return "\n".join(("| place | actions |", "|---|---|", *rows))


def page(text: str) -> str:
    """The page with its tables as the program has them."""
    for (begin, end), made in ((_ACTIONS, actions()), (_KEYS, tables())):
        before, _, rest = text.partition(begin)
        text = f"{before}{begin}\n\n{made}\n\n{end}{rest.partition(end)[2]}"
    return text


def _row(key: Key) -> str:
    default = "" if key.default is None else f"`{json.dumps(key.default)}`"
    cells = (
        f"`{key.key}`",
        f"{key.text}: {key.rule.wanted}".replace("|", "\\|"),
        default,
        f"`{key.variable}`" if key.variable else "",
        f"`{key.flag}`" if key.flag else "",
        "yes" if key.beside else "no",
    )
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
