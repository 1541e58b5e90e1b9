"""Why we and a framework disagree, where somebody has looked into it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from tests.framework.judge.rounds import State


class Known(NamedTuple):
    """One cause.

    Attributes:
        job: Whose states it explains.
        code: The finding of ours that goes with it; "" for any.
        error: What the framework's error begins with; "" where it had none.
        text: The cause.
    """

    job: str
    code: str
    error: str
    text: str


KNOWN: tuple[Known, ...] = ()


def explanation(state: State) -> str:
    """The cause of a disagreement, or that nobody knows it."""
    for known in KNOWN:
        of_code = not known.code or known.code in state.ours.codes
        of_error = state.framework.error.startswith(known.error) and (
            bool(known.error) or not state.framework.error
        )
        if known.job == state.job and of_code and of_error:
            return known.text
    return f"not explained: {state.framework.error or 'it loads'}; {state.ours.why}"
