"""What is claimed by names alone is claimed the same with a look at every file."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ckpt_tui.formats import claiming
from ckpt_tui.fs.listing import list_directory, list_names

if TYPE_CHECKING:
    from pathlib import Path


def test_every_directory_of_the_corpus(corpus: Path) -> None:
    by_names = 0
    for place, _, _ in os.walk(corpus):
        claim = claiming.claim_by_names(list_names(place))
        if claim is not None:
            by_names += 1
            assert claim == claiming.claim_of(list_directory(place)), place
    assert by_names > 50
