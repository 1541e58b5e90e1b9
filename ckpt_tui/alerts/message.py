"""An event as JSON, as environment variables and as one line of text."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from ckpt_tui.core.alarms.values import AlarmLevel, EventKind
from ckpt_tui.core.document import utc_text
from ckpt_tui.core.printable import printable
from ckpt_tui.words import later, say, say_sentence

if TYPE_CHECKING:
    from ckpt_tui.core.alarms.values import Event

SCHEMA = "ckpt-tui/alarm/1"
LONGEST_MESSAGE = 2000
LONGEST_PATH = 4096
_TITLE = "ckpt-tui"
_CLEARED = later("cleared")
LEVEL_WORDS = {
    AlarmLevel.INFO: later("info"),
    AlarmLevel.WARNING: later("warning"),
    AlarmLevel.CRITICAL: later("critical"),
}


def title_and_text(event: Event) -> tuple[str, str]:
    """What programs get, in English, without any character that a terminal could obey."""
    return f"{_TITLE} {_what(event)}", _text(event, event.message)


def said_title_and_text(event: Event) -> tuple[str, str]:
    """What a notification says to a person, in the language in use."""
    return f"{_TITLE} {say(_what(event))}", _text(event, say_sentence(event.message))


def _what(event: Event) -> str:
    return _CLEARED if event.kind is EventKind.CLEARED else LEVEL_WORDS[event.level]


def _text(event: Event, message: str) -> str:
    where = f"{event.run.name}: " if event.run.name else ""
    return printable(f"{where}{message}")[:LONGEST_MESSAGE]


def json_body(event: Event, root: str) -> bytes:
    """The event for a program's stdin or a web address; `text` is what chat services show."""
    title, text = title_and_text(event)
    return json.dumps(
        {
            "schema": SCHEMA,
            "text": f"{title}: {text}",
            "event": event.kind.value,
            "code": event.code,
            "level": event.level.value,
            "message": event.message[:LONGEST_MESSAGE],
            "at": utc_text(event.at),
            "root": root[:LONGEST_PATH],
            "run": event.run.path[:LONGEST_PATH] or None,
            "format": event.run.format or None,
            "checkpoint": event.checkpoint[:LONGEST_PATH] or None,
            "lasted_seconds": event.lasted_seconds,
        }
    ).encode()


def environment(event: Event, root: str) -> dict[str, str]:
    """The same as variables, for a program that reads no JSON."""
    _, text = title_and_text(event)
    return {
        "CKPT_TUI_EVENT": event.kind.value,
        "CKPT_TUI_CODE": event.code,
        "CKPT_TUI_LEVEL": event.level.value,
        "CKPT_TUI_MESSAGE": text,
        "CKPT_TUI_AT": utc_text(event.at) or "",
        "CKPT_TUI_ROOT": root,
        "CKPT_TUI_RUN": event.run.path,
        "CKPT_TUI_CHECKPOINT": event.checkpoint,
    }
