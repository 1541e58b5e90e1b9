"""How to verify."""

from __future__ import annotations

from typing import NamedTuple


class Options(NamedTuple):
    """How to verify.

    Attributes:
        jobs: Threads that read; 0 for one a core, at most 8.
        finite: Whether to look for NaN and infinity in floating tensors.
        seals: Files of seals whose checkpoints were moved since.
        use_seals: Whether the seal that is kept for a checkpoint counts.
        whole: Whether each result is to have the CRC-32 of the whole file.
        ranges: Whether each result is to have the ranges of bytes that were checked.
    """

    jobs: int = 0
    finite: bool = False
    seals: tuple[str, ...] = ()
    use_seals: bool = True
    whole: bool = False
    ranges: bool = False


DEFAULT_OPTIONS = Options()
