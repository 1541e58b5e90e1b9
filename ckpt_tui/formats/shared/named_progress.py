"""Progress that is in a checkpoint's name alone: the loop that gave it takes it from there."""

from __future__ import annotations

from ckpt_tui.core.facts import RoleFacts
from ckpt_tui.core.vocabulary import PROGRESS
from ckpt_tui.formats.shared.names import epoch_of_name


def progress_of_name(name: str, step: int | None, why: str) -> RoleFacts | None:
    """The step or the epoch that a name carries; None where it has neither.

    Args:
        name: Name of the directory or file.
        step: The step in it, as the format reads names.
        why: What does not hold it, for the evidence ("no key holds it").
    """
    number = step if step is not None else epoch_of_name(name)
    if number is None:
        return None
    what = "step" if step is not None else "epoch"
    return RoleFacts(PROGRESS, None, 0, f"{what} {number} in the name {name} ({why})")
