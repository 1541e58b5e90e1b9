"""What weights lack by themselves, where no configuration tells what there must be."""

from __future__ import annotations

import math
import re
from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

_FEWEST_SLOTS = {
    "adam": 2, "adam_w": 2, "adamw": 2, "nadam": 2, "adamax": 2, "adadelta": 2, "ftrl": 2,
    "lamb": 2,
}  # fmt: skip
"""Names of optimizers → fewest arrays that they keep, alike for each trained variable."""

_FEWEST_VARIABLES = {
    "dense": 1, "conv1d": 1, "conv2d": 1, "conv3d": 1, "batch_normalization": 2, "embedding": 1,
}  # fmt: skip
"""Names of groups of layers → fewest variables of their own."""

_NUMBER = re.compile(r"_\d+$")


def lacks_moments(name: str, shapes: Iterable[tuple[int, ...]]) -> int | None:
    """How many arrays an optimizer must keep alike for each variable, where it does not.

    A save that fails on a full disk closes its file well all the same, without the arrays.

    Args:
        name: Its own name, as it is stored ("adam_1"); others than Keras's own are not judged.
        shapes: Of its arrays.
    """
    fewest = _FEWEST_SLOTS.get(_NUMBER.sub("", name))
    alike = math.gcd(*Counter(shapes).values())
    return fewest if fewest is not None and alike < fewest else None


def empty_layers(groups: Iterable[str], variables: Iterable[str]) -> list[str]:
    """Layers of Keras that must have variables and have none.

    Args:
        groups: Paths of all groups.
        variables: Paths of all variables.
    """
    present = frozenset(groups)
    own = Counter(path.rpartition("/")[0] for path in variables)
    found = []
    for group in sorted(present):
        above, _, name = group.rpartition("/")
        fewest = _FEWEST_VARIABLES.get(_NUMBER.sub("", name))
        if fewest and above.rpartition("/")[2] == "layers" and own[f"{group}/vars"] < fewest:
            others = any(g.startswith(f"{group}/") and g != f"{group}/vars" for g in present)
            found += [] if others else [group]
    return found
