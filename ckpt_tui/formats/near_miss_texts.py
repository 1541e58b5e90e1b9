"""What to say where nothing was found: what was looked for and where, and what may be meant."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.formats.discovery import MAX_DEPTH
from ckpt_tui.formats.near_misses import Miss
from ckpt_tui.words import later, say, say_count

if TYPE_CHECKING:
    from ckpt_tui.formats.near_misses import Nearby, NearMiss

_TEXTS = {
    Miss.ONE_CHECKPOINT: later("{path} is one checkpoint; its run is {instead}"),
    Miss.INSIDE_CHECKPOINT: later("{path} lies inside a checkpoint; its run is {instead}"),
    Miss.FILE_BESIDE: later("{path} is a file; the checkpoints beside it are a run: {instead}"),
    Miss.FILE_ALONE: later("{path} is a file, and no checkpoint lies beside it"),
    Miss.SIMILAR_NAME: later("{path} is not there; did you mean {instead}?"),
    Miss.BESIDE: later("the checkpoints lie in the directory above: {instead}"),
    Miss.LINK: later(
        "the link {path} leads out and was not followed; there are checkpoints: {instead}"
    ),
    Miss.HIDDEN: later("{instead} holds checkpoints; hidden directories are not searched"),
    Miss.DEEPER: later("checkpoints lie deeper than is searched: {instead}"),
    Miss.EXPORT: later(
        "{path} is an export: weights without a job's state, nothing to resume from"
    ),
    Miss.USUAL_PLACE: later("{path} is there, and holds no checkpoint"),
}


def sentence(miss: NearMiss) -> str:
    """One near miss, as a sentence that names both paths."""
    return say(_TEXTS[miss.kind], path=miss.path, instead=miss.instead)


def searched_text(nearby: Nearby) -> str:
    """How far was looked."""
    if not nearby.whole:
        return say(
            "Looked through more than {count} directories, to be continued by a longer search.",
            count=nearby.directories,
        )
    below = say_count(
        nearby.directories,
        "Looked through one directory.",
        "Looked through {count} directories.",
    )
    rule = say(
        "The search goes up to {levels} levels down; links that lead out and hidden directories are"
        " not followed.",
        levels=MAX_DEPTH,
    )
    return f"{below} {rule}"
