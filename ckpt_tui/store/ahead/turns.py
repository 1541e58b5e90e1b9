"""Hands out claims in their order, from some point on with what other processes found of them."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from ckpt_tui.fs.pace import SAMPLE
from ckpt_tui.store.ahead.worth import Cost, processes_worth, threads_worth

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterator, Sequence

    from ckpt_tui.formats.base import Claim
    from ckpt_tui.store.ahead.examine import Terms, Turn
    from ckpt_tui.store.moment import Moment


def in_turn(
    claims: Sequence[Claim],
    unread: Container[Claim],
    terms: Terms,
    clock: Callable[[], Moment],
) -> Iterator[Turn]:
    """Each claim, a moment before its listing began, and what was examined ahead, if anything.

    What the caller takes for the first few says whether the rest is worth other processes.

    Args:
        claims: In the order in which they are wanted.
        unread: Those that would have to be read.
        terms: How they are read.
        clock: The present moment.
    """
    wall, cpu = time.monotonic(), time.thread_time()
    for claim in claims[:SAMPLE]:
        yield claim, clock(), None
    rest = claims[SAMPLE:]
    ahead = [claim for claim in rest if claim in unread]
    each = Cost((time.monotonic() - wall) / SAMPLE, (time.thread_time() - cpu) / SAMPLE)
    if threads_worth(len(rest), each):
        yield from _asked_at_once(rest, unread, terms, clock)
        return
    count = processes_worth(len(ahead), each) if ahead else 0
    if not count:
        for claim in rest:
            yield claim, clock(), None
        return
    from ckpt_tui.store.ahead.processes import Processes  # paid for only where it pays

    with Processes(count, ahead, terms, clock) as processes:
        answers = processes.answers()
        for claim in rest:
            yield next(answers) if claim in unread else (claim, clock(), None)


def _asked_at_once(
    claims: Sequence[Claim],
    unread: Container[Claim],
    terms: Terms,
    clock: Callable[[], Moment],
) -> Iterator[Turn]:
    """On threads: what is read before is listed, what is not is read, an export is left alone."""
    from ckpt_tui.fs.many import ask_many
    from ckpt_tui.store.ahead.examine import examine, list_only

    def ask(claim: Claim) -> Turn:
        moment = clock()
        if claim.export:
            return claim, moment, None
        return claim, moment, (examine if claim in unread else list_only)(claim, terms)

    return ask_many(claims, ask, lambda claim: claim.path)
