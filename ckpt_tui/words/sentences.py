"""Sentences that were made elsewhere: evidence, findings, remedies.

Readers tell facts in English, and so do the JSON and the cache. On the screen such a sentence is
said in the language in use. A catalog holds the template of each, as the source has it with `{}`
for every value, and the same in the other language with `{0}`, `{1}` … for these values. A value
that is a sentence itself is said too where the catalog asks for it: `{0:say}`. One that is a list
is said item by item: `{0:list}`; one that is all that follows, in as many sentences as there are:
`{0:rest}`; one that has to be of known words, or a number, else the template does not count:
`{0:known}`; a command stays, whatever is in it: `{0:code}`. What matches no template stays as it
is: a name must not be changed.
"""

from __future__ import annotations

import re
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from ckpt_tui.words.saying import Language, Punctuation, Saying
from ckpt_tui.words.templates import HOLE, Index

if TYPE_CHECKING:
    from collections.abc import Mapping

LONGEST_SENTENCE = 4000
"""In characters; a longer one, which holds somebody's names, stays as it is."""
_KEPT_SENTENCES = 4096
_BETWEEN_IDEOGRAPHS = re.compile(
    r"(?<=[\u3001-\u9fff\uff00-\uffef]) (?=[\u3001-\u9fff\uff00-\uffef])"
)
"""A blank that is meant for a name beside ideographs, where a value turned out to be of these."""


class Sentences:
    """The sentences of one language.

    Args:
        texts: English template → the same in the language.
        counts: Noun → the same with a number, such as "{} Dateien"; `plural` made the English.
        punctuation: Of the language.
    """

    def __init__(
        self,
        texts: Mapping[str, str],
        counts: Mapping[str, str] | None = None,
        punctuation: Punctuation | None = None,
    ) -> None:
        self._texts = texts
        self._counts = counts or {}
        self._punctuation = punctuation or Punctuation()
        self.say = lru_cache(_KEPT_SENTENCES)(self._say)

    @cached_property
    def _language(self) -> Language:
        """Made for the first sentence: many a command says none."""
        plain = {text: said for text, said in self._texts.items() if HOLE not in text}
        return Language(plain, Index(self._texts), self._counts, self._punctuation)

    def _say(self, sentence: str) -> str:
        if len(sentence) > LONGEST_SENTENCE:
            return sentence
        said = Saying(self._language).known(sentence)
        return sentence if said is None else _BETWEEN_IDEOGRAPHS.sub("", said)
