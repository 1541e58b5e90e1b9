"""Mistakes in configuration in another language; what the schema says of keys stays English."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from ckpt_tui import words
from ckpt_tui.config.files import read_beside, read_own
from ckpt_tui.config.general_keys import COLUMNS
from ckpt_tui.config.keys import all_keys
from ckpt_tui.config.laxer import laxer_texts
from ckpt_tui.config.schema import json_schema
from ckpt_tui.config.settings import NO_SETTINGS, ConfigError
from ckpt_tui.config.variables import read_variables, strange_variables
from ckpt_tui.core.vocabulary import ALL_ROLES
from tests.words.untranslated import english_words

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ckpt_tui.config.key import Key

NAMES = frozenset({"sync", "async", "two", "level", "info", "warning", "critical", "true", "false"})
NAMES = NAMES.union(ALL_ROLES, COLUMNS, (each.key for each in all_keys()))

WRONG = """
requir = ["model"]
language = "fr"
plan = 3
[check]
warn_age = "x"
min_good = 0
theme = "auto"
[dashboard]
columns = ["step", "steps"]
sort = ["step", "-step"]
theme = 3
[alarms]
command = "x"
webhook = "ftp://a"
level = "loud"
[roles]
model = ["optim"]
optimizer = ["weights"]
[keys]
"x.y" = 3
"""


@pytest.fixture(autouse=True)
def _chinese() -> Iterator[None]:
    words.use("zh")
    yield
    words.use(words.ENGLISH)


@pytest.mark.parametrize("key", all_keys(), ids=lambda key: f"{key.table}.{key.key}")
def test_what_a_key_has_to_be(key: Key) -> None:
    assert not key.rule.wanted.isascii()
    assert english_words(key.rule.wanted, NAMES) == []


@pytest.mark.parametrize(
    "text",
    [WRONG, "x = [", "a" + ".a" * 2001 + " = 1", "# é" + "x" * 65536],
    ids=["keys", "syntax", "dots", "size"],
)
def test_every_mistake_of_a_file(tmp_path: Path, text: str) -> None:
    file = tmp_path / "config.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        read_own(str(file))
    for mistake in caught.value.mistakes:
        assert not mistake.isascii()
        if "TOML" not in mistake:  # the parser's own words
            assert english_words(mistake, NAMES | {"requir", "plan", "steps", "optim"}) == []


def test_every_mistake_of_the_environment() -> None:
    environ = {
        "CKPT_TUI_WARN_AGE": "x",
        "CKPT_TUI_MTBF_HOURS": "3",
        "CKPT_TUI_FAULT_RATE": "3",
        "CKPT_TUI_SAVE_MINUTES": "x",
    }
    with pytest.raises(ConfigError) as caught:
        read_variables(environ)
    told = [*caught.value.lines, *strange_variables({"CKPT_TUI_THEEM": "x"})]
    assert len(told) == 4
    assert [word for line in told for word in english_words(line, NAMES)] == []


def test_what_asks_for_less(tmp_path: Path) -> None:
    file = tmp_path / ".ckpt-tui.toml"
    file.write_text('require = ["model"]\n[check]\nstall_after = 9999\n')
    told = list(laxer_texts(read_beside(str(file)), NO_SETTINGS))
    assert len(told) == 2
    assert [word for line in told for word in english_words(line, NAMES)] == []


def test_the_schema_is_english() -> None:
    assert json.dumps(json_schema(), ensure_ascii=False).replace("≥", "").isascii()
