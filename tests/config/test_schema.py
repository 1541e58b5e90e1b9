"""Schema, page, options and dashboard know the same keys with the same defaults."""

from __future__ import annotations

import json
import runpy
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ckpt_tui.cli import check, dashboard, plan, replay, show
from ckpt_tui.config.general_keys import COLUMNS as COLUMN_KEYS
from ckpt_tui.config.general_keys import DEFAULT_COLUMNS, SORTABLE
from ckpt_tui.config.keys import TABLES, all_keys, key_of
from ckpt_tui.config.reading import settings_of
from ckpt_tui.config.schema import json_schema
from ckpt_tui.tui.colours import THEMES
from ckpt_tui.tui.options import DEFAULT_OPTIONS
from ckpt_tui.tui.rows.columns import COLUMNS
from ckpt_tui.tui.rows.order import sort_of, words_of

if TYPE_CHECKING:
    from ckpt_tui.config.key import Key

DOCS = Path(__file__).parents[2] / "docs"
PAGE = DOCS / "configuration.md"
_NAMES = [f"{key.table}.{key.key}" for key in all_keys()]


def test_the_page_has_what_the_program_has() -> None:
    made = runpy.run_path(str(DOCS / "make_configuration.py"))["page"]
    text = PAGE.read_text(encoding="utf-8")
    assert made(text) == text, "run python docs/make_configuration.py"


def test_the_schema_has_every_key_and_no_other() -> None:
    properties = json_schema()["properties"]
    assert isinstance(properties, dict)
    assert set(properties) == {*TABLES[""], *(name for name in TABLES if name), "keys"}
    for table, keys in TABLES.items():
        held = properties[table]["properties"] if table else properties
        assert set(keys) <= set(held)
        assert not table or set(held) == set(keys)
    json.dumps(properties)


def test_the_example_of_the_page_is_right() -> None:
    text = PAGE.read_text(encoding="utf-8").partition("```toml")[2].partition("```")[0]
    settings = settings_of(tomllib.loads(text), "page", text)
    assert settings.value("dashboard", "sort") == ("-size", "-step")


@pytest.mark.parametrize("key", all_keys(), ids=_NAMES)
def test_every_default_is_a_right_value(key: Key) -> None:
    if key.default is not None:
        held = list(key.default) if isinstance(key.default, tuple) else key.default
        assert key.rule.take(held) is not None
        assert key.json_schema()["default"] == held
    assert key.rule.wanted
    assert key_of(key.table, key.key) == key


def test_every_option_that_is_named_is_there() -> None:
    parsers = [module.make_parser() for module in (check, dashboard, plan, replay, show)]
    options = {option for parser in parsers for option in parser._option_string_actions}
    assert {key.flag for key in all_keys() if key.flag} <= options


def test_the_dashboard_has_these_columns_themes_and_defaults() -> None:
    assert [column.key for column in COLUMNS] == list(COLUMN_KEYS)
    assert {column.key for column in COLUMNS if column.sortable} == set(SORTABLE)
    assert [column.key for column in COLUMNS if not column.wide_only] == list(DEFAULT_COLUMNS)
    words = [f"-{name}" for name in SORTABLE]
    assert words_of(sort_of(words)) == tuple(words)
    keys = TABLES["dashboard"]
    assert keys["theme"].default in THEMES
    assert keys["ascii"].default == DEFAULT_OPTIONS.ascii
    assert keys["mouse"].default == DEFAULT_OPTIONS.mouse
    inputs = TABLES["plan"]
    assert inputs["reload_minutes"].default == DEFAULT_OPTIONS.reload_minutes
    assert inputs["down_minutes"].default == DEFAULT_OPTIONS.down_minutes
    assert inputs["fault_rate"].default == DEFAULT_OPTIONS.fault_rate_per_hour
