"""The keys above all tables, and those of `roles`, `check` and `dashboard`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.config.key import Key
from ckpt_tui.config.list_rules import Words
from ckpt_tui.config.rules import Choice, Number, Seconds, Switch, Text
from ckpt_tui.config.settings import (
    CHECK,
    DASHBOARD,
    EPOCH_KEYS,
    LANGUAGE,
    REQUIRE,
    ROLES,
    SETTLE_SECONDS,
    STEP_KEYS,
    TAKE_OVER,
    VARIABLE_PREFIX,
)
from ckpt_tui.core.vocabulary import ALL_ROLES, REQUIRED_ROLES
from ckpt_tui.store.members import Options
from ckpt_tui.words import LANGUAGES, later

if TYPE_CHECKING:
    from ckpt_tui.config.rules import Rule
    from ckpt_tui.config.settings import Value

COLUMNS = (
    "state", "step", "age", "size", "roles", "shards", "took", "note",
    "committed", "ranks", "format", "name",
)  # fmt: skip
"""Keys of the columns of the dashboard's table."""
SORTABLE = ("step", "state", "age", "size", "shards", "took", "committed", "ranks")
"""Those that rows can be sorted by."""
DEFAULT_COLUMNS = COLUMNS[:8]

TOP_KEYS = (
    Key(
        "",
        REQUIRE,
        Words(ALL_ROLES, least=1),
        "roles that a resumed run needs",
        REQUIRED_ROLES,
        beside=True,
        variable=f"{VARIABLE_PREFIX}REQUIRE",
        flag="--require",
    ),
    Key(
        "",
        LANGUAGE,
        Choice(LANGUAGES),
        "language of texts; by default that of the locale, where there are texts in it",
        variable=f"{VARIABLE_PREFIX}LANG",
        flag="--lang",
    ),
)


def _names(name: str, text: str) -> Key:
    return Key(ROLES, name, Words(), text, beside=True)


ROLES_KEYS = (
    *(_names(role, f"further names of {role}") for role in ALL_ROLES),
    _names(STEP_KEYS, "further keys whose number is the step, the most telling first"),
    _names(EPOCH_KEYS, "further keys whose number counts epochs"),
    _names(TAKE_OVER, "names that may be taken from the role that they have by default"),
)


def _check(
    name: str,
    rule: Rule,
    text: str,
    default: Value | None = None,
    *,
    beside: bool = True,
    laxer: int = 0,
) -> Key:
    flag = f"--{name.replace('_', '-')}"
    variable = f"{VARIABLE_PREFIX}{name.upper()}"
    return Key(CHECK, name, rule, text, default, beside, laxer, variable, flag)


CHECK_KEYS = (
    _check("warn_age", Seconds(), "an older resume point is worth a warning", laxer=1),
    _check("crit_age", Seconds(), "an older resume point is critical", laxer=1),
    _check(
        "min_good",
        Number(1, 1_000_000, whole=True),
        "a run with fewer resumable checkpoints is worth a warning",
        laxer=-1,
    ),
    _check(
        "stall_after",
        Seconds(),
        "a save that has not grown for so long is dead",
        Options().stall_after_seconds,
        laxer=1,
    ),
    _check(
        "settle",
        Seconds(),
        "time between two looks at an unfinished save",
        SETTLE_SECONDS,
        beside=False,
    ),
    _check("timeout", Seconds(), "give up after so long (a hung mount)", beside=False),
    _check("expect_checkpoint", Switch(), "no checkpoint at all is critical", False, beside=False),
)


def _view(name: str, rule: Rule, text: str, default: Value | None, *, flag: str = "") -> Key:
    variable = f"{VARIABLE_PREFIX}{name.upper()}"
    return Key(DASHBOARD, name, rule, text, default, variable=variable, flag=flag)


DASHBOARD_KEYS = (
    _view(
        "theme",
        Text(later("a theme's name")),
        "colours; auto goes by the terminal",
        "auto",
        flag="--theme",
    ),
    _view("ascii", Switch(), "draw with ASCII characters only", False, flag="--ascii"),
    _view("mouse", Switch(), "listen to the mouse", True, flag="--no-mouse"),
    _view(
        "poll",
        Switch(),
        "use no file-system events, only looks by the clock",
        False,
        flag="--poll",
    )._replace(beside=True),
    _view("history", Switch(), "keep and use a history of runs", True, flag="--no-history"),
    _view("cache", Switch(), "keep and use facts of earlier looks", True, flag="--no-cache"),
    _view(
        "columns",
        Words(COLUMNS, least=1, needed=("state",)),
        "columns of the table, in order; `w` shows all",
        DEFAULT_COLUMNS,
    )._replace(beside=True),
    _view(
        "sort",
        Words(SORTABLE, signed=True, least=1),
        "what rows are sorted by at first, - for the largest first; by default as they were last",
        None,
    )._replace(beside=True),
)
