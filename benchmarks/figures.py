"""How a benchmark says what it found, so that `python -m benchmarks` can put all in one table."""

from __future__ import annotations

from typing import NamedTuple

MARK = "= "
_JOINT = " | "


class Figure(NamedTuple):
    """One thing that was measured.

    Attributes:
        what: What was done.
        measured: The figure, as a ratio to something of the same run where there is one.
        target: What it should be, or "".
        met: Whether it is; None where there is no target.
    """

    what: str
    measured: str
    target: str = ""
    met: bool | None = None

    def told(self) -> str:
        """The line that a benchmark prints."""
        verdict = "" if self.met is None else "met" if self.met else "not met"
        return MARK + _JOINT.join((self.what, self.measured, self.target, verdict))


def tell(what: str, measured: str, target: str = "", met: bool | None = None) -> None:
    """Prints a figure."""
    print(Figure(what, measured, target, met).told(), flush=True)


def cells_of(line: str) -> list[str] | None:
    """What a printed line holds; None for a line that is no figure."""
    return line.removeprefix(MARK).rstrip("\n").split(_JOINT) if line.startswith(MARK) else None
