"""All keys of the configuration, by table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.config.alarm_keys import ALARM_KEYS
from ckpt_tui.config.general_keys import CHECK_KEYS, DASHBOARD_KEYS, ROLES_KEYS, TOP_KEYS
from ckpt_tui.config.key import Key
from ckpt_tui.config.list_rules import KeyNames
from ckpt_tui.config.plan_keys import PLAN_KEYS
from ckpt_tui.config.settings import ALARMS, CHECK, DASHBOARD, KEYS, PLAN, ROLES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


def _by_key(keys: Iterable[Key]) -> dict[str, Key]:
    return {key.key: key for key in keys}


TABLES: dict[str, dict[str, Key]] = {
    "": _by_key(TOP_KEYS),
    ROLES: _by_key(ROLES_KEYS),
    CHECK: _by_key(CHECK_KEYS),
    ALARMS: ALARM_KEYS,
    PLAN: _by_key(PLAN_KEYS),
    DASHBOARD: _by_key(DASHBOARD_KEYS),
}
"""Table → its keys by name; those of `keys` are named by actions of the dashboard."""

TABLE_TEXTS = {
    ROLES: "further names of states",
    CHECK: "when `check` warns, how long looks wait",
    ALARMS: "when the dashboard raises an alarm, and whom it tells",
    PLAN: "inputs of the planner, as the options of `plan` name them",
    DASHBOARD: "how the dashboard looks, and what it keeps",
    KEYS: "other keys for actions of the dashboard",
}


def key_of(table: str, name: str) -> Key | None:
    """A key; None where there is none of that name."""
    if table == KEYS:
        return Key(KEYS, name, KeyNames(), "keys of the action")
    return TABLES.get(table, {}).get(name)


def all_keys() -> Iterator[Key]:
    """Every key that has a fixed name."""
    for keys in TABLES.values():
        yield from keys.values()
