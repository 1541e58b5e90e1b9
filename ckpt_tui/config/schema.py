"""The keys of a configuration file as a JSON Schema of the parsed file."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from ckpt_tui.config.keys import TABLE_TEXTS, TABLES
from ckpt_tui.config.list_rules import KeyNames
from ckpt_tui.config.settings import KEYS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ckpt_tui.config.key import Key
    from ckpt_tui.config.rules import Schema

NO_ACTIONS: Mapping[str, str] = MappingProxyType({})


def json_schema(actions: Mapping[str, str] = NO_ACTIONS) -> Schema:
    """The keys as a JSON Schema (draft 2020-12); what several keys say together is not in it.

    Args:
        actions: Id of an action whose keys can be other ones → what it does; without any, the
            table `keys` takes every id.
    """
    tables: dict[str, Schema] = {
        name: {**_table(keys), "description": TABLE_TEXTS[name]}
        for name, keys in TABLES.items()
        if name
    }
    keys: Schema = {
        "type": "object",
        "properties": {
            action: {**KeyNames().json_schema(), "description": text}
            for action, text in actions.items()
        },
        "additionalProperties": not actions and KeyNames().json_schema(),
        "description": TABLE_TEXTS[KEYS],
    }
    whole = _table(TABLES[""])
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **whole,
        "properties": {**_properties(TABLES[""]), **tables, KEYS: keys},
    }


def _table(keys: Mapping[str, Key]) -> Schema:
    return {"type": "object", "properties": _properties(keys), "additionalProperties": False}


def _properties(keys: Mapping[str, Key]) -> Schema:
    return {name: key.json_schema() for name, key in keys.items()}
