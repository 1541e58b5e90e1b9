"""Two checkpoints side by side, over the dashboard; it follows them while it is open."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType

from ckpt_tui.tui.compare.lines import compare_lines
from ckpt_tui.tui.compare.reading import Comparer
from ckpt_tui.tui.lines import Tone, line, piece
from ckpt_tui.tui.screens.text import ScrollingScreen
from ckpt_tui.words import say

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ckpt_tui.core.checkpoint import Checkpoint
    from ckpt_tui.core.comparing.checkpoints import Comparison
    from ckpt_tui.tui.lines import Line
    from ckpt_tui.tui.tensors.shelf import TensorSource

TICK_SECONDS = 1.0


class CompareScreen(ScrollingScreen):
    """The comparison; the key that opened it closes it, too.

    Args:
        first: The one of the left column.
        second: The one of the right column.
        now: The checkpoint of a path as it is now; None where it is gone.
        source: Reads the headers of a checkpoint; None goes by what looks saw of them.
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("c", "dismiss", show=False)]

    def __init__(
        self,
        first: Checkpoint,
        second: Checkpoint,
        now: Callable[[str], Checkpoint | None],
        source: TensorSource | None,
    ) -> None:
        title = say("{first} and {second}", first=first.title, second=second.title)
        super().__init__(piece(title).text.replace("[", r"\["), self._lines)
        self._pair = (first, second)
        self._now = now
        self._comparer = Comparer(source)
        self._comparison: Comparison | None = None

    def on_mount(self) -> None:
        """Compares, and again whenever one of the two has changed."""
        super().on_mount()
        self._compare()
        self.set_interval(TICK_SECONDS, self.look)

    def on_unmount(self) -> None:
        """Reads no further."""
        self._comparer.stop()

    def look(self) -> None:
        """Compares again where one of the two has changed; one that is gone stays as it was."""
        first, second = (self._now(old.path) or old for old in self._pair)
        if first is not self._pair[0] or second is not self._pair[1]:
            self._pair = (first, second)
            self._compare()

    def _compare(self) -> None:
        self.run_worker(self._read(), exclusive=True)

    async def _read(self) -> None:
        """Shows what differs as soon as it is known; the tensors that were known stay till then."""
        known = self._comparison.tensors if self._comparison is not None else None
        async for comparison in self._comparer.compare(*self._pair):
            told = (
                comparison if comparison.tensors is not None else comparison._replace(tensors=known)
            )
            self._comparison = told
            self.redraw()

    def _lines(self, width: int) -> Sequence[Line]:
        if self._comparison is None:
            return [line(piece(say("comparing …"), Tone.DIM))]
        return compare_lines(self._comparison, width)
