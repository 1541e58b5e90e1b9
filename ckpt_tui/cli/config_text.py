"""Settings as a file would hold them, each key with where its value comes from."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from ckpt_tui.config.keys import TABLES
from ckpt_tui.config.settings import KEYS, ROLES
from ckpt_tui.core.printable import printable
from ckpt_tui.words import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ckpt_tui.config.key import Key
    from ckpt_tui.config.settings import Entry, Settings, Value

_VALUE_COLUMN = 44


def toml_lines(settings: Settings) -> Iterator[str]:
    """All keys, table by table; those that nothing sets are comments with their default."""
    for table, keys in TABLES.items():
        if table:
            yield ""
            yield f"[{table}]"
        if table == ROLES:
            yield from _role_lines(settings)
            continue
        for key in keys.values():
            entry = settings.entry(table, key.key)
            yield _unset_line(key) if entry is None else _line(key.key, entry.value, entry)
    yield ""
    yield f"[{KEYS}]"
    for entry in settings.entries:
        if entry.table == KEYS:
            yield _line(_key_text(entry.key), entry.value, entry)


def _role_lines(settings: Settings) -> Iterator[str]:
    """Names that several sources add stand in one list, which names all of these."""
    by_key: dict[str, list[Entry]] = {}
    for entry in settings.entries:
        if entry.table == ROLES:
            by_key.setdefault(entry.key, []).insert(0, entry)
    for key, entries in by_key.items():
        lists = [entry.value for entry in entries if isinstance(entry.value, tuple)]
        names = tuple(dict.fromkeys(name for listed in lists for name in listed))
        yield _noted(f"{key} = {_value(names)}", "; ".join(str(entry.origin) for entry in entries))


def _line(key: str, value: Value, entry: Entry) -> str:
    return _noted(f"{key} = {_value(value)}", str(entry.origin))


def _unset_line(key: Key) -> str:
    if key.default is None:
        return _noted(f"# {key.key} =", say("not set"))
    return _noted(f"# {key.key} = {_value(key.default)}", say("default"))


def _noted(text: str, note: str) -> str:
    return f"{text:<{_VALUE_COLUMN}}  # {printable(note)}"


def _key_text(key: str) -> str:
    return key if re.fullmatch(r"[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)?", key) else json.dumps(key)


def _value(value: Value) -> str:
    # Of strings, arrays of them, numbers and booleans TOML has the same, but for what is not ASCII.
    text = json.dumps(value, ensure_ascii=False)
    return "".join(each if each.isprintable() else f"\\U{ord(each):08x}" for each in text)
