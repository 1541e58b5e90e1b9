"""Environment variables that set a key: nearer than files, farther than options."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.config.files import variables_set
from ckpt_tui.config.keys import all_keys
from ckpt_tui.config.mistakes import nearest
from ckpt_tui.config.reading import contradictions, wrong
from ckpt_tui.config.settings import VARIABLE_PREFIX, ConfigError, Entry, Origin, Settings
from ckpt_tui.words import say

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


def read_variables(environ: Mapping[str, str]) -> Settings:
    """What the environment sets; one that is empty sets nothing, one that is no key is left alone.

    Raises:
        ConfigError: A variable holds what its key cannot; each of them is named.
    """
    keys = {key.variable: key for key in all_keys() if key.variable}
    entries: list[Entry] = []
    mistakes: list[str] = []
    for name in variables_set(environ):
        key = keys.get(name)
        if key is None:
            continue
        try:
            value = key.rule.read(environ[name])
        except (ValueError, OverflowError) as error:
            mistakes.append(f"{name} {wrong(key.rule.wanted, error)}")
        else:
            entries.append(Entry(key.table, key.key, value, Origin(name)))
    mistakes += (
        f"{VARIABLE_PREFIX}{key.upper()} {text}" for _, key, text in contradictions(entries)
    )
    if mistakes:
        raise ConfigError(say("the environment"), *mistakes)
    return Settings(tuple(entries))


def strange_variables(environ: Mapping[str, str]) -> Iterator[str]:
    """Variables with the prefix that mean nothing, and what may be meant."""
    known = [key.variable for key in all_keys() if key.variable]
    for name in variables_set(environ):
        if name not in known:
            yield say("{name} is no variable; {hint}", name=name, hint=nearest(name, known))
