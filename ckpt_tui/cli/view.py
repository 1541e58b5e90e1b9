"""How the dashboard looks and which keys it has: options of the command line over configuration.

Imports Textual, so only what opens a dashboard, or asks whether one could be opened, imports it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.cli.parsing import UsageError
from ckpt_tui.cli.picture_json import picture_json
from ckpt_tui.cli.plan_options import require_right, values_of
from ckpt_tui.cli.sources import is_on
from ckpt_tui.config.mistakes import nearest
from ckpt_tui.config.settings import DASHBOARD, KEYS, PLAN, Settings, Value
from ckpt_tui.core.printable import printable
from ckpt_tui.planner.inputs import PlanInputs
from ckpt_tui.tui.actions.key_map import KeyMap, wrong_keys
from ckpt_tui.tui.base_app import for_this_terminal
from ckpt_tui.tui.colours import AUTO, THEMES
from ckpt_tui.tui.options import DashboardOptions
from ckpt_tui.words import say

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator


def view_options(arguments: argparse.Namespace, settings: Settings) -> DashboardOptions:
    """What a person chose for the dashboard, and what this terminal can show of it.

    Whatever it is to say is put into words after this: it may be English that it can show.

    Raises:
        UsageError: A theme or a key is none, or a key has two meanings; it names all of them.
    """
    require_right_view(settings)
    options = DashboardOptions(keymap=_key_map(settings), theme=AUTO, document=picture_json)
    theme = arguments.theme or settings.value(DASHBOARD, "theme")
    if isinstance(theme, str):
        options = options._replace(theme=theme)
    options = options._replace(
        ascii=is_on(arguments.ascii, settings, "ascii", usual=options.ascii),
        mouse=is_on(arguments.mouse, settings, "mouse", usual=options.mouse),
    )
    columns, sort = settings.value(DASHBOARD, "columns"), settings.value(DASHBOARD, "sort")
    options = options._replace(
        columns=_words(columns) or options.columns, sort=_words(sort) or options.sort
    )
    try:
        return for_this_terminal(options)
    except ValueError as error:
        raise UsageError(f"ckpt-tui: --theme: {error}") from error


def planned_inputs(arguments: argparse.Namespace, settings: Settings) -> PlanInputs:
    """What the planner and the header reckon with at first.

    Raises:
        UsageError: What is configured contradicts itself.
    """
    inputs = PlanInputs()._replace(**values_of(settings)) if settings.table(PLAN) else PlanInputs()
    typed = {key: getattr(arguments, key) for key in ("reload_minutes", "down_minutes")}
    inputs = inputs._replace(**{key: value for key, value in typed.items() if value is not None})
    require_right(inputs)
    return inputs


def assumes_reload(arguments: argparse.Namespace, settings: Settings) -> bool:
    """Whether neither an option nor configuration says how long a reload takes."""
    return arguments.reload_minutes is None and settings.entry(PLAN, "reload_minutes") is None


def require_right_view(settings: Settings) -> None:
    """Refuses what only the dashboard can tell to be wrong.

    Raises:
        UsageError: A line for each mistake, with its file and line.
    """
    mistakes = list(_mistakes(settings))
    if mistakes:
        raise UsageError("\n".join(f"ckpt-tui: {printable(line)}" for line in mistakes))


def _mistakes(settings: Settings) -> Iterator[str]:
    theme = settings.entry(DASHBOARD, "theme")
    if theme is not None and theme.value not in THEMES:
        none = say("{name} is no theme", name=repr(theme.value))
        yield f"{theme.origin}: {theme.name}: {none}; {nearest(str(theme.value), THEMES)}"
    for wrong in wrong_keys(_key_map(settings)):
        entry = settings.entry(KEYS, wrong.action)
        if entry is not None:
            yield f"{entry.origin}: {entry.name}: {wrong.text}"


def _key_map(settings: Settings) -> KeyMap:
    return {name: _words(keys) for name, keys in settings.table(KEYS).items()}


def _words(value: Value | None) -> tuple[str, ...]:
    return value if isinstance(value, tuple) else ()
