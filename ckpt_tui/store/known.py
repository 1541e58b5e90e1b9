"""What a search need not ask again."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Container

    from ckpt_tui.formats.base import Claim
    from ckpt_tui.store.record import Records


class Known:
    """Answers for directories that were recognised in an earlier look.

    Args:
        records: All records.
        doubtful: Paths that are no longer what they were taken for.

    Attributes:
        remembered: Paths that it answered for.
    """

    def __init__(self, records: Records, doubtful: Container[str] = ()) -> None:
        self.remembered: set[str] = set()
        self._records = records
        self._doubtful = doubtful

    def __call__(self, path: str) -> Claim | None:
        """The claim that was made; None where it has to be made anew."""
        record = self._records.get(path)
        if record is None or record.open or record.claim.members or path in self._doubtful:
            return None
        self.remembered.add(path)
        return record.claim
