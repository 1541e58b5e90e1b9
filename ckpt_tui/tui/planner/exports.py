"""A plan for somewhere else: as Markdown, as JSON, or as the settings of the frameworks' savers."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.planner.contract import plan_document
from ckpt_tui.planner.markdown import plan_markdown
from ckpt_tui.planner.saver_settings import plan_settings_text
from ckpt_tui.words import later

if TYPE_CHECKING:
    from collections.abc import Callable

    from ckpt_tui.planner.result import Plan
    from ckpt_tui.planner.retention import Policy


class Export(NamedTuple):
    """A form of a plan.

    Attributes:
        title: What the list calls it; said where it is shown.
        suffix: Of a file's name.
        text: Writes it; storage follows the retention policy.
    """

    title: str
    suffix: str
    text: Callable[[Plan, Policy], str]


def _settings(plan: Plan, _policy: Policy) -> str:
    return f"{plan_settings_text(plan)}\n"


def _markdown(plan: Plan, policy: Policy) -> str:
    return f"{plan_markdown(plan, policy)}\n"


def _json(plan: Plan, policy: Policy) -> str:
    return f"{json.dumps(plan_document(plan, policy), indent=1)}\n"


EXPORTS = (
    Export("Markdown", ".md", _markdown),
    Export(later("JSON, schema ckpt-tui/plan/1"), ".json", _json),
    Export(later("settings of the frameworks' savers"), ".txt", _settings),
)
