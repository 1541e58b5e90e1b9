"""All explanations by their codes."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING

from ckpt_tui.core.explained.content import CONTENT
from ckpt_tui.core.explained.files import FILES
from ckpt_tui.core.explained.runs import RUNS
from ckpt_tui.core.explained.verdicts import VERDICTS

if TYPE_CHECKING:
    from ckpt_tui.core.explained.values import Explanation

FINDINGS: tuple[Explanation, ...] = tuple(sorted((*FILES, *CONTENT, *RUNS), key=attrgetter("code")))
"""Of every finding code, in the order of the codes."""

ALL: tuple[Explanation, ...] = (*VERDICTS, *FINDINGS)
"""Verdicts, the worst first, then findings; `weights-only` is one of each."""


def explanations_of(code: str) -> tuple[Explanation, ...]:
    """What is said of a code, as a verdict and as a finding; empty for one that is not known."""
    return tuple(each for each in ALL if each.code == code)
