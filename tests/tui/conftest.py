"""The terminal that tests of the interface believe to be in, wherever they run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(autouse=True, scope="package")
def plain_terminal() -> Iterator[None]:
    """One with colours and a clipboard, not inside tmux or screen."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TERM", "xterm-256color")
        for name in ("COLORTERM", "COLORFGBG", "NO_COLOR", "STY", "TMUX"):
            patch.delenv(name, raising=False)
        yield
