"""The table of `docs/framework-agreement.md`, made from a journal."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from tests.framework.judge.deaths import Death
from tests.framework.judge.explanations import explanation

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tests.framework.judge.journal import Journal
    from tests.framework.judge.rounds import State

_HEAD = """\
# Agreement with the frameworks

The frameworks themselves are the judge: a real job of each, on CPU, is killed at a random moment
(all ranks; one rank, the others then die of it; one rank stopped while the others go on, then all
killed; on a file system that is full; in the middle of the removal of old checkpoints). Then the
framework is asked to load what is left, by the call and the protocol of its author, in as many
ranks as had written it, and the parameters, the optimizer's state and the step are compared with
what the writer had in memory. We agree where our `resumable` says what came back. `pytest -m
frameworks tests` does a small part of it; this table is made by

```
pip install '.[test,frameworks]'
python -m tests.framework.judge --states 1000 --journal FILE --table docs/framework-agreement.md
```

which goes on where it stopped when it is called again with the same journal. A *killed state* is
the newest attempt that one killed run left behind. *False resumable*: we say yes, the framework
refuses it or restores less than model, optimizer and step. *False broken*: the other way round.
Configurations that save the model alone (`model-only`, `weights-only`, `hf-…`) are never restored.
A full disk is a small tmpfs at the run's directory where mounting is allowed, else `RLIMIT_FSIZE`.
"""


def killed(states: Iterable[State]) -> list[State]:
    """The newest attempts of runs that were killed."""
    return [state for state in states if state.newest and state.death != Death.NONE]


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


def document(journal: Journal) -> str:
    """The whole page."""
    states = journal.states
    versions = {key.job: version for key, version in journal.rounds.items()}
    parts = [_HEAD, f"**{totals(states)}**\n", _by_job(states, versions), _by_death(states)]
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
