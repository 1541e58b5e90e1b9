"""Names that count saves: `checkpoint_000001` beside step 200 is no contradiction."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ckpt_tui.core.facts import CheckpointFacts
    from ckpt_tui.core.findings import Finding

_NUMBERS = re.compile(r"\d{1,18}")


def names_count_saves(run: Sequence[CheckpointFacts]) -> bool:
    """Whether the numbers in a run's names are a counter of their own, as Ray's and others' are.

    They rise with the steps in the content, stay below them, and two of them are neighbours. One
    checkpoint that was renamed stands among others whose name and step agree.
    """
    pairs: list[tuple[int, int]] = []
    for facts in run:
        pair = _pair(facts)
        if pair is not None and pair[0] >= pair[1]:
            return False
        pairs += [pair] if pair is not None else []
    if len(pairs) < 2:
        return False
    pairs.sort()
    rises = all(a[0] < b[0] and a[1] < b[1] for a, b in pairwise(pairs))
    return rises and any(b[0] - a[0] == 1 for a, b in pairwise(pairs))


def without_counter_remarks(facts: CheckpointFacts) -> CheckpointFacts:
    """The facts without the remark that the name says another step."""
    kept = tuple(finding for finding in facts.findings if not _is_of_name(finding))
    return facts if len(kept) == len(facts.findings) else facts._replace(findings=kept)


def _pair(facts: CheckpointFacts) -> tuple[int, int] | None:
    """The number in its name and the step in its content."""
    numbers = _NUMBERS.findall(facts.name)
    if facts.export or facts.alias or facts.step is None or len(numbers) != 1:
        return None
    return int(numbers[0]), facts.step


def _is_of_name(finding: Finding) -> bool:
    """A mismatch of the whole checkpoint is that of its name; one of its files has their path."""
    return finding.code == "step-mismatch" and not finding.path
