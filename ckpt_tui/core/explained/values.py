"""What is said of a code, and the effects that several codes share."""

from __future__ import annotations

from typing import NamedTuple

from ckpt_tui.words import later

CORRUPT = later("The checkpoint counts as corrupt and is not resumed from.")
INCOMPLETE = later("The checkpoint counts as incomplete and is not resumed from.")
UNKNOWN = later("The checkpoint counts as unknown: it may be good, but that cannot be told.")
REMARK = later("None: a remark, the verdict stays what it is.")
OF_RUN = later("None on a verdict: it is about the run, whose level it may raise.")
INCOMPLETE_OR_REMARK = later(
    "Incomplete where the loader needs what is wrong, else a remark that changes no verdict."
)


class Explanation(NamedTuple):
    """What a finding code or a verdict means; each text is English, said where it is shown.

    Attributes:
        code: As it stands in tables, JSON and docs.
        seen: What was seen, in one line.
        cause: How that comes about.
        effect: What follows for the verdict, or for a restart.
        remedy: What to do.
        example: A message as it may stand in a report; "" for none.
        framework: What the training framework does with such a checkpoint; "" where nothing
            certain can be said for all of them.
    """

    code: str
    seen: str
    cause: str
    effect: str
    remedy: str
    example: str = ""
    framework: str = ""
