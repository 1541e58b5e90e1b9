"""Makes docs/findings.md from the table that `ckpt-tui explain` prints, too.

Usage: python docs/make_findings.py (in the checkout; a test compares the page with the table)
"""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import TYPE_CHECKING

from ckpt_tui.core.explained.table import FINDINGS
from ckpt_tui.core.explained.verdicts import VERDICTS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ckpt_tui.core.explained.values import Explanation

PAGE = Path(__file__).parent / "findings.md"
_WIDTH = 105
_HEAD = """\
# Verdicts and findings

What `ckpt-tui explain CODE` prints, for all codes. This page is made by `docs/make_findings.py`
from `ckpt_tui/core/explained/`: change the texts there, then run it.

Codes are stable: scripts may rely on them. Each finding of a report names the file, says what is
wrong with it, and has a remedy for that very case; what follows is said of the code in general.

"""


def page() -> str:
    """The whole page."""
    lines = [*_verdicts(), "", *_index(), "", *(line for each in FINDINGS for line in _of(each))]
    return _HEAD + "\n".join(lines).rstrip() + "\n"


def _verdicts() -> Iterator[str]:
    yield "## Verdicts"
    yield ""
    yield "The first that applies, from the top."
    yield ""
    yield "| verdict | what was seen | cause | effect | what to do |"
    yield "|---|---|---|---|---|"
    for each in VERDICTS:
        yield f"| `{each.code}` | {each.seen} | {each.cause} | {each.effect} | {each.remedy} |"


def _index() -> Iterator[str]:
    yield "## Findings"
    yield ""
    yield "| code | what was seen | |"
    yield "|---|---|---|"
    for each in FINDINGS:
        yield f"| `{each.code}` | {each.seen} | [more](#{each.code}) |"


def _of(each: Explanation) -> Iterator[str]:
    yield f"### {each.code}"
    yield ""
    yield from textwrap.wrap(each.seen, _WIDTH)
    yield ""
    said = (
        ("Cause", each.cause),
        ("Effect", each.effect),
        ("What to do", each.remedy),
        ("Example", each.example),
        ("The framework", each.framework),
    )
    for label, text in said:
        if text:
            yield from textwrap.wrap(
                f"- **{label}**: {text}", _WIDTH, subsequent_indent="  ", break_on_hyphens=False
            )
    yield ""


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
