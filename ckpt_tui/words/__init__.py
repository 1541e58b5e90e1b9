"""The language of what a person reads: English stands in the code, others in a catalog each.

`say` gives a text in the language that is in use; `later` marks one that is said where it is shown,
such as a label in a table of constants. Both take the English text as it stands in the code: a test
collects these, and every catalog has to hold each of them. `say_sentence` is for what a layer below
has put into words already.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ckpt_tui.words.sentences import Sentences

ENGLISH = "en"
CATALOGS = {"zh": "ckpt_tui.words.zh"}
"""Language → the module that holds its texts, imported when it is used."""

LANGUAGES = (ENGLISH, *CATALOGS)

MEANING = "\4"
"""Stands behind the meaning of a short word that has several: `"of costs\4exact"` is "exact"."""

_in_use: dict[str, Mapping[str, str]] = {}
_sentences_in_use: dict[str, Sentences] = {}


def use(language: str) -> None:
    """Speaks that language from now on, in the whole process.

    Raises:
        KeyError: It is none of `LANGUAGES`.
    """
    _in_use.clear()
    _sentences_in_use.clear()
    if language != ENGLISH:
        from ckpt_tui.words.sentences import Sentences

        catalog = import_module(CATALOGS[language])
        _in_use[language] = catalog.TEXTS
        _sentences_in_use[language] = Sentences(
            catalog.SENTENCES, catalog.COUNTS, catalog.PUNCTUATION
        )


def language() -> str:
    """The language in use."""
    return next(iter(_in_use), ENGLISH)


def of_locale(environ: Mapping[str, str]) -> str:
    """The language that the locale asks for, where there is a catalog for it; else English."""
    locale = environ.get("LC_ALL") or environ.get("LC_MESSAGES") or environ.get("LANG") or ""
    wanted = locale.partition("_")[0].partition(".")[0].lower()
    return wanted if wanted in LANGUAGES else ENGLISH


def say(text: str, /, **values: object) -> str:
    """A text in the language in use.

    Args:
        text: The English text; `{name}` stands for a value where values are given. What stands
            before `MEANING` only tells a catalog which word it is.
        values: What stands for the names; a value is never read as a text with names itself.
    """
    for texts in _in_use.values():
        text = texts.get(text, text)
    text = text.rpartition(MEANING)[2]
    return text.format(**values) if values else text


def say_count(count: int, one: str, many: str, /, **values: object) -> str:
    """The text for one, or for several; `{count}` in it is the number."""
    return say(one if count == 1 else many, count=count, **values)


def say_sentence(sentence: str) -> str:
    """A finished sentence of a finding, a reason or a remedy in the language in use."""
    for sentences in _sentences_in_use.values():
        sentence = sentences.say(sentence)
    return sentence


def later(text: str) -> str:
    """The text itself: it is said where it is shown."""
    return text
