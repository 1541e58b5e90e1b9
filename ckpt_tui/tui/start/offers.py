"""What a start without a directory offers: near misses, recent directories, this one, the demo."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.core.text import duration_text
from ckpt_tui.formats.near_miss_texts import searched_text, sentence
from ckpt_tui.words import say

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from ckpt_tui.formats.near_misses import Nearby
    from ckpt_tui.history.recent import Recent

MOST_RECENT = 6


class Kind(StrEnum):
    """What is opened."""

    DIRECTORY = "directory"
    DEMO = "demo"


class Offer(NamedTuple):
    """One thing that can be opened.

    Attributes:
        title: What, such as a path.
        detail: Why it is offered.
        path: Absolute path of a directory; "" for the demo.
    """

    kind: Kind
    title: str
    detail: str
    path: str = ""


class Start(NamedTuple):
    """All that the screen says.

    Attributes:
        heading: That nothing was found, and where.
        searched: How far was looked, and near misses that nothing can be opened for.
        offers: In order.
    """

    heading: str
    searched: tuple[str, ...]
    offers: tuple[Offer, ...]


def start_of(nearby: Nearby, recent: Sequence[Recent], gone: Collection[str], now: float) -> Start:
    """What to say and to offer.

    Args:
        nearby: What lies around the current directory.
        recent: What was opened lately, the latest first.
        gone: Paths of these that are not there now.
        now: Seconds since the epoch.
    """
    if nearby.whole:
        heading = say("No checkpoint in {path}", path=nearby.path)
    else:
        heading = say("No checkpoint found yet in {path}", path=nearby.path)
    offers = [
        Offer(Kind.DIRECTORY, miss.instead, sentence(miss), miss.instead)
        for miss in nearby.misses
        if miss.instead
    ]
    known = {nearby.path, *(offer.path for offer in offers)}
    lately = [each for each in recent if each.path not in known][:MOST_RECENT]
    offers += [
        Offer(Kind.DIRECTORY, each.path, _opened(each, gone, now), each.path) for each in lately
    ]
    offers += [
        Offer(
            Kind.DIRECTORY,
            say("this directory"),
            say("wait here for the first save; search on"),
            nearby.path,
        ),
        Offer(
            Kind.DEMO,
            say("the demo"),
            say("a simulated job, faults included, in a temporary directory"),
        ),
    ]
    told = [searched_text(nearby)] if nearby.directories else []
    told += [sentence(miss) for miss in nearby.misses if not miss.instead]
    return Start(heading, tuple(told), tuple(offers))


def _opened(recent: Recent, gone: Collection[str], now: float) -> str:
    ago = duration_text(max(0.0, now - recent.opened_at))
    if recent.path in gone:
        return say("opened {ago} ago, not there now", ago=ago)
    return say("opened {ago} ago", ago=ago)
