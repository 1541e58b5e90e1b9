"""The table of `docs/framework-agreement.md`, made from a journal."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from tests.framework.judge.deaths import Death
from tests.framework.judge.explanations import explanation
from tests.framework.judge.heads import HEADS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tests.framework.judge.journal import Journal
    from tests.framework.judge.rounds import State


def killed(states: Iterable[State]) -> list[State]:
    """The newest attempts of runs that were killed."""
    return [state for state in states if state.newest and Death(state.death).kills]


def totals(states: Sequence[State]) -> str:
    """One line."""
    wrong = Counter(_kind(state) for state in states if not state.agreed)
    agreed = sum(state.agreed for state in states)
    share = 100 * agreed / len(states) if states else 0.0
    return (
        f"framework judge: {len(states)} states judged, {len(killed(states))} of them killed"
        f" states; {agreed} agreements ({share:.2f} %), {wrong['false resumable']} false"
        f" resumable, {wrong['false broken']} false broken"
    )


def document(journal: Journal, family: str) -> str:
    """The whole page about the jobs of a family."""
    states = journal.states
    versions = {key.job: version for key, version in journal.rounds.items()}
    last = datetime.fromtimestamp(journal.path.stat().st_mtime, UTC).date()
    parts = [
        HEADS[family],
        f"**{last}: {totals(states)}**\n",
        _by_job(states, versions),
        _by_death(states),
    ]
    return "\n".join([*parts, _judged_alone(states), _disagreements(states)])


def _kind(state: State) -> str:
    return "false resumable" if state.ours.resumable else "false broken"


def _counts(states: Sequence[State]) -> list[object]:
    wrong = Counter(_kind(state) for state in states if not state.agreed)
    refused = sum(not state.framework.restored for state in killed(states))
    agreed = sum(state.agreed for state in states)
    tried = [len(states), len(killed(states)), refused]
    return [*tried, agreed, wrong["false resumable"], wrong["false broken"]]


_COUNTED = "states tried | killed states | of these not restored | agreements | false resumable"


def _by_job(states: Sequence[State], versions: dict[str, str]) -> str:
    rows = [f"| framework | configurations | {_COUNTED} | false broken |", "|---" * 8 + "|"]
    for job, version in versions.items():
        own = [state for state in states if state.job == job]
        names = ", ".join(dict.fromkeys(state.configuration for state in own))
        label = version if job == version.split()[0] else f"{job} ({version})"
        rows.append(_row([label, names, *_counts(own)]))
    rows.append(_row(["all", "", *_counts(states)]))
    return "\n".join([*rows, ""])


def _by_death(states: Sequence[State]) -> str:
    rows = [f"| what happened to the writers | {_COUNTED} | false broken |", "|---" * 7 + "|"]
    for death in Death:
        own = [state for state in states if state.death == death]
        if own:
            rows.append(_row([death, *_counts(own)]))
    return "\n".join([*rows, ""])


def _judged_alone(states: Sequence[State]) -> str:
    other = sum(state.alone.resumable is not state.framework.restored for state in states)
    return (
        "Each checkpoint was also judged alone, without its siblings: that answer differs from the"
        f"\nframework's in {other} cases.\n"
    )


def _disagreements(states: Sequence[State]) -> str:
    wrong = [state for state in states if not state.agreed]
    if not wrong:
        return "## Disagreements\n\nNone.\n"
    grouped = Counter((_kind(s), s.job, s.ours.verdict, explanation(s)) for s in wrong)
    rows = ["## Disagreements", "", "| kind | framework | we say | times | why |", "|---" * 5 + "|"]
    for (kind, job, verdict, why), times in grouped.most_common():
        rows.append(_row([kind, job, verdict, times, why]))
    return "\n".join([*rows, ""])


def _row(cells: Sequence[object]) -> str:
    return "| " + " | ".join(str(cell).replace("|", "\\|") for cell in cells) + " |"
