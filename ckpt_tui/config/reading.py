"""A parsed file as settings: every key is checked, and all mistakes are told together."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.config.keys import TABLE_TEXTS, TABLES, all_keys, key_of
from ckpt_tui.config.mistakes import MOST_MISTAKES, line_of, lines_of, nearest
from ckpt_tui.config.role_names import misplaced
from ckpt_tui.config.rules import LONGEST_NAME, PartError
from ckpt_tui.config.settings import (
    KEYS,
    PLAN,
    RATE_KEYS,
    ConfigError,
    Entry,
    Origin,
    Settings,
    name_of,
)
from ckpt_tui.words import say

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


class Mistake(NamedTuple):
    """What is wrong with a key; "" stands for a key above all tables."""

    table: str
    key: str
    text: str


def settings_of(document: Mapping[str, object], path: str, text: str) -> Settings:
    """Reads a parsed file.

    Args:
        document: What the file holds.
        path: The file, for messages.
        text: The same as text, to find the line of a key.

    Raises:
        ConfigError: Keys are not known, or what they hold is not right; it names each of them.
    """
    lines = lines_of(text)
    entries: list[Entry] = []
    mistakes: list[Mistake] = []
    for table, key, value in _keys(document, mistakes):
        known = key_of(table, key)
        if known is None:
            # Looking for what is near takes long: a hostile file may hold thousands of keys.
            few = len(mistakes) < MOST_MISTAKES
            text = _unknown(table, key) if few else say("is no key")
            mistakes.append(Mistake(table, key, text))
            continue
        try:
            taken = known.rule.take(value)
        except (ValueError, OverflowError) as error:
            mistakes.append(Mistake(table, key, wrong(known.rule.wanted, error)))
            continue
        entries.append(Entry(table, key, taken, Origin(path, line_of(lines, table, key))))
    mistakes += (Mistake(*each) for each in misplaced(entries))
    mistakes += contradictions(entries)
    if mistakes:
        raise ConfigError(path, *_told(mistakes, lines))
    return Settings(tuple(entries))


def wrong(wanted: str, error: Exception) -> str:
    """What to say of a value that a rule did not take."""
    text = say("has to be {wanted}", wanted=wanted)
    return say("{text}: {why}", text=text, why=error) if isinstance(error, PartError) else text


def _keys(
    document: Mapping[str, object], mistakes: list[Mistake]
) -> Iterator[tuple[str, str, object]]:
    """(table, key, value) of all that a file sets."""
    for name, value in document.items():
        if name not in TABLE_TEXTS:
            yield "", name, value
        elif not isinstance(value, dict):
            mistakes.append(Mistake("", name, say("has to be a table: [{name}]", name=name)))
        elif name == KEYS:
            yield from ((KEYS, action, keys) for action, keys in _flat(value))
        else:
            yield from ((name, key, held) for key, held in value.items())


def _flat(table: Mapping[str, object], before: str = "") -> Iterator[tuple[str, object]]:
    """Actions have a dot in their names, which TOML reads as tables in a table."""
    for name, value in table.items():
        if isinstance(value, dict) and not before:
            yield from _flat(value, f"{name}.")
        else:
            yield before + name, value


def _unknown(table: str, key: str) -> str:
    elsewhere = next((each for each in all_keys() if each.key == key and each.table != table), None)
    if elsewhere is not None:
        if elsewhere.table:
            return say("is no key here; it belongs in [{table}]", table=elsewhere.table)
        return say("is no key here; it belongs above all tables")
    known = TABLES[table] if table else {**TABLES[""], **TABLE_TEXTS}
    return say("is no key; {hint}", hint=nearest(key[:LONGEST_NAME], known))


def contradictions(entries: list[Entry]) -> Iterator[Mistake]:
    """What keys of one source say that cannot hold together."""
    given = [entry.key for entry in entries if entry.table == PLAN and entry.key in RATE_KEYS]
    ways = [key for key in given if key != "nodes"]
    if len(ways) > 1:
        text = say("says the same as {key}: give one of them", key=ways[0])
        yield Mistake(PLAN, ways[1], text)
    if ("nodes" in given) != ("node_mtbf_hours" in given):
        text = say("is of no use: nodes and node_mtbf_hours go together")
        yield Mistake(PLAN, given[0], text)


def _told(mistakes: list[Mistake], lines: dict[str, int]) -> Iterator[str]:
    """A line for each, in the order of the file."""
    placed = [(line_of(lines, each.table, each.key), each) for each in mistakes]
    placed.sort(key=lambda pair: pair[0])
    for line, (table, key, text) in placed[:MOST_MISTAKES]:
        mistake = f"{name_of(table, f'{key:.80}')} {text}"
        yield say("line {line}: {mistake}", line=line, mistake=mistake) if line else mistake
    if len(placed) > MOST_MISTAKES:
        yield say("and {count} more mistakes", count=len(placed) - MOST_MISTAKES)
