"""What stands in a configuration file: every key is checked, and an unknown one is an error."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NoReturn

from ckpt_tui.config.alarm_keys import ALARM_KEYS, alarms_json_schema
from ckpt_tui.config.settings import ConfigError, Settings
from ckpt_tui.core.vocabulary import ALL_ROLES, PROGRESS
from ckpt_tui.formats.shared.roles import own_role_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ckpt_tui.config.settings import AlarmValue

MOST_NAMES = 1000
LONGEST_NAME = 100

REQUIRE, ROLES, ALARMS = "require", "roles", "alarms"
STEP_KEYS, EPOCH_KEYS, TAKE_OVER = "step_keys", "epoch_keys", "take_over"

TOP_KEYS = {
    REQUIRE: "roles that a resumed run needs, in place of the five that are usual",
    ROLES: "further names of states",
    ALARMS: "when the dashboard raises an alarm, and whom it tells",
}
ROLES_KEYS = {
    **{role: f"further names of {role}" for role in ALL_ROLES},
    STEP_KEYS: "further keys whose number is the step, the most telling first",
    EPOCH_KEYS: "further keys whose number counts epochs",
    TAKE_OVER: "names that may be taken from the role that they have by default",
}
"""Key → what it sets; all are lists of strings, but for the tables `roles` and `alarms`."""


def settings_of(document: Mapping[str, object], path: str, text: str) -> Settings:
    """Reads a parsed file.

    Args:
        document: What the file holds.
        path: The file, for messages.
        text: The same as text, to find the line of a mistake.

    Raises:
        ConfigError: A key is not known, or what it holds is not right.
    """
    return _Reading(path, text).settings(document)


def json_schema() -> dict[str, object]:
    """The keys as a JSON Schema of the parsed file."""
    role = {"enum": list(ALL_ROLES)}
    name = {"type": "string", "minLength": 1, "maxLength": LONGEST_NAME}
    names = {"type": "array", "items": name, "maxItems": MOST_NAMES}
    keys = {key: {**names, "description": text} for key, text in ROLES_KEYS.items()}
    table = {"type": "object", "properties": keys, "additionalProperties": False}
    required = {"type": "array", "items": role, "minItems": 1}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "properties": {
            REQUIRE: {**required, "description": TOP_KEYS[REQUIRE]},
            ROLES: {**table, "description": TOP_KEYS[ROLES]},
            ALARMS: {**alarms_json_schema(), "description": TOP_KEYS[ALARMS]},
        },
        "additionalProperties": False,
    }


class _Reading:
    def __init__(self, path: str, text: str) -> None:
        self._path = path
        self._text = text

    def settings(self, document: Mapping[str, object]) -> Settings:
        self._check_keys(document, TOP_KEYS, "")
        table = document.get(ROLES, {})
        if not isinstance(table, dict):
            self._fail("", ROLES, "has to be a table: [roles]")
        self._check_keys(table, ROLES_KEYS, ROLES)
        require = None
        if REQUIRE in document:
            require = self._names(document, REQUIRE, "")
            strange = [role for role in require if role not in ALL_ROLES]
            if strange or not require:
                known = f"has to name some of {', '.join(ALL_ROLES)}"
                self._fail("", REQUIRE, known, strange[0] if strange else "")
        taken = {name.lower() for name in self._names(table, TAKE_OVER, ROLES)}
        step_keys = self._names(table, STEP_KEYS, ROLES)
        for key in step_keys:
            self._check_free(key.lower(), PROGRESS, STEP_KEYS, taken)
        return Settings(
            self._synonyms(table, taken),
            step_keys,
            self._names(table, EPOCH_KEYS, ROLES),
            require,
            self._alarms(document),
        )

    def _alarms(self, document: Mapping[str, object]) -> tuple[tuple[str, AlarmValue], ...]:
        table = document.get(ALARMS, {})
        if not isinstance(table, dict):
            self._fail("", ALARMS, "has to be a table: [alarms]")
        self._check_keys(table, {key: rule.text for key, rule in ALARM_KEYS.items()}, ALARMS)
        found = []
        for key, value in sorted(table.items()):
            rule = ALARM_KEYS[key]
            if not rule.allows(value):
                self._fail(ALARMS, key, f"has to be {rule.wanted}")
            found.append((key, rule.taken(value)))
        return tuple(found)

    def _synonyms(
        self, table: Mapping[str, object], taken: Iterable[str]
    ) -> tuple[tuple[str, str], ...]:
        found: dict[str, str] = {}
        for role in ALL_ROLES:
            for name in (name.lower() for name in self._names(table, role, ROLES)):
                if name in found:
                    self._fail(ROLES, role, f"is the second role of it, after {found[name]}", name)
                self._check_free(name, role, role, taken)
                found[name] = role
        return tuple(sorted(found.items()))

    def _check_free(self, name: str, role: str, key: str, taken: Iterable[str]) -> None:
        usual = own_role_of(name)
        if usual not in (None, role) and name not in taken:
            say = f"is a name of {usual}; to move it, add it to {TAKE_OVER} in the same table, too"
            self._fail(ROLES, key, say, name)

    def _names(self, table: Mapping[str, object], key: str, where: str) -> tuple[str, ...]:
        value = table.get(key, [])
        if not isinstance(value, list) or len(value) > MOST_NAMES:
            self._fail(where, key, f"has to be a list of at most {MOST_NAMES} strings")
        names = []
        for name in value:
            if not isinstance(name, str) or not 0 < len(name.strip()) <= LONGEST_NAME:
                say = f"has to hold strings of 1 to {LONGEST_NAME} characters"
                self._fail(where, key, say)
            names.append(name.strip())
        return tuple(dict.fromkeys(names))

    def _check_keys(
        self, table: Mapping[str, object], known: Mapping[str, str], where: str
    ) -> None:
        for key in table:
            if key not in known:
                self._fail(where, key, f"is no key; {_nearest(key, known)}")

    def _fail(self, where: str, key: str, say: str, name: str = "") -> NoReturn:
        line = _line_of(self._text, where, key)
        place = f"line {line}: " if line else ""
        table = f"[{where}] " if where else ""
        what = f": {name!r:.80}" if name else ""
        raise ConfigError(self._path, f"{place}{table}{key:.80}{what} {say}")


def _nearest(key: str, known: Mapping[str, str]) -> str:
    from difflib import get_close_matches  # only where a mistake was made

    near = get_close_matches(key.lower(), known, 1, 0.5)
    return f"did you mean {near[0]}?" if near else f"there are {', '.join(known)}"


def _line_of(text: str, table: str, key: str) -> int | None:
    """The line on which a key of a table is set; None where it is written in another form."""
    current = ""
    for number, line in enumerate(text.splitlines(), 1):
        if header := re.match(r"\s*\[([^\[\]]*)\]", line):
            current = header[1].strip()
            if not table and current == key:
                return number
        found = re.match(r"""\s*["']?([\w-]+)["']?\s*=""", line)
        if found and (current, found[1]) == (table, key):
            return number
    return None
