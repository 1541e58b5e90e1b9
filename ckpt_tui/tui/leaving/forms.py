"""What can be taken of a checkpoint: its path, what a launch needs, all that is known of it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.core.document import checkpoint_document
from ckpt_tui.core.reasons import reason_of
from ckpt_tui.core.world_size import size_mismatch
from ckpt_tui.tui.clipboard import path_word
from ckpt_tui.words import later, say, say_sentence

if TYPE_CHECKING:
    from ckpt_tui.core.checkpoint import Checkpoint

PATH, FLAG, JSON, TAG = later("path"), later("resume flag"), later("row as JSON"), later("tag")


class Form(NamedTuple):
    """A text about a checkpoint.

    Attributes:
        name: What it is.
        text: "" where there is none.
        why_not: Why there is none.
        suffix: Of a file that holds it.
    """

    name: str
    text: str
    why_not: str = ""
    suffix: str = ".txt"


def path_form(checkpoint: Checkpoint) -> Form:
    """Its path, as a shell word where it is no text."""
    return Form(PATH, path_word(checkpoint.path))


def json_form(checkpoint: Checkpoint) -> Form:
    """All that is known of it as one JSON object, as `check --json` lists it."""
    return Form(JSON, json.dumps(checkpoint_document(checkpoint), indent=1), suffix=".json")


def flag_form(checkpoint: Checkpoint) -> Form:
    """What the framework's launch command needs to go on from it, as `latest --print flag` says."""
    return _of_loader(FLAG, checkpoint, checkpoint.facts.loader.flag)


def forms_of(checkpoint: Checkpoint) -> tuple[Form, ...]:
    """Those that are worth an entry in a list; a tag only where the framework takes one."""
    path, flag, whole = path_form(checkpoint), flag_form(checkpoint), json_form(checkpoint)
    tag = checkpoint.facts.loader.tag
    if not tag or tag == flag.text:
        return path, flag, whole
    return path, flag, _of_loader(TAG, checkpoint, tag), whole


def _of_loader(name: str, checkpoint: Checkpoint, text: str) -> Form:
    why_not = _why_not(checkpoint, text)
    return Form(name, "" if why_not else text, why_not)


def _why_not(checkpoint: Checkpoint, text: str) -> str:
    """Why it is better not to paste it into a launch command; "" where it can be."""
    if not checkpoint.resumable:
        reason = reason_of(checkpoint)
        because = say(": {reason}", reason=say_sentence(reason)) if reason else ""
        return say(
            "nothing can go on from it, it is {verdict}{because}",
            verdict=say_sentence(checkpoint.verdict.value),
            because=because,
        )
    converting = size_mismatch(checkpoint)
    if converting is not None:
        message, remedy = say_sentence(converting.message), say_sentence(converting.remedy)
        return say("{message}: {remedy}", message=message, remedy=remedy)
    if not text:
        return say("its framework takes none that is known: it is loaded by its path")
    if not text.isprintable():
        return say("its name holds characters that are not safe to paste")
    return ""
