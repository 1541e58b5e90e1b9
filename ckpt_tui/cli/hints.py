"""Hints on stderr where a path shows nothing, or one checkpoint of a run that cannot be resumed."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from ckpt_tui.cli.messages import complain
from ckpt_tui.cli.patience import TimedOutError, within
from ckpt_tui.formats.near_miss_texts import searched_text, sentence
from ckpt_tui.formats.near_misses import Nearby, NearMiss, look_nearby, one_of_a_run
from ckpt_tui.words import say

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ckpt_tui.core.snapshot import Snapshot

_PATIENCE_SECONDS = 3.0


def hint(snapshots: Sequence[Snapshot], command: str) -> None:
    """Says what may have been meant, a line each.

    Args:
        snapshots: What was seen.
        command: The command that was typed, such as `check`; "" for the dashboard.
    """
    for snapshot in snapshots:
        for line in _lines(snapshot, command):
            complain(line)


def _lines(snapshot: Snapshot, command: str) -> Iterator[str]:
    if not snapshot.runs:
        yield from _of_nothing(_nearby(snapshot.root), command)
    elif all(checkpoint.facts.export for checkpoint in snapshot.checkpoints):
        yield say("hint: {path} holds exports: weights without a job's state", path=snapshot.root)
    elif snapshot.single:
        yield from _of_single(snapshot, command)


def _of_single(snapshot: Snapshot, command: str) -> Iterator[str]:
    try:
        miss = within(_PATIENCE_SECONDS, lambda: one_of_a_run(snapshot.root), snapshot.root)
    except TimedOutError:  # without a hint, then
        return
    if miss is not None:
        yield _with_command(miss, command)


def _of_nothing(nearby: Nearby, command: str) -> Iterator[str]:
    if nearby.directories:
        yield searched_text(nearby)
    for miss in nearby.misses:
        if miss.instead:
            yield _with_command(miss, command)
        else:
            yield say("hint: {text}", text=sentence(miss))


def _with_command(miss: NearMiss, command: str) -> str:
    words = ("ckpt-tui", command, shlex.quote(miss.instead))
    typed = " ".join(word for word in words if word)
    return say("hint: {text} ({command})", text=sentence(miss), command=typed)


def _nearby(path: str) -> Nearby:
    """What lies around; nothing where the file system gives no answer."""
    try:
        return within(_PATIENCE_SECONDS, lambda: look_nearby(path), path)
    except TimedOutError:
        return Nearby(path)
