"""The command palette: the registry's actions, and going to a step."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from textual.command import DiscoveryHit, Hit, Hits, Provider

from ckpt_tui.tui.screens.main import MainScreen
from ckpt_tui.words import say

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from ckpt_tui.tui.actions.action import Action


class ActionCommands(Provider):
    """Everything that has a key has a name here, too."""

    def _offered(self) -> list[Action]:
        if not isinstance(self.screen, MainScreen):
            return []
        return [action for action in self.screen.actions if action.palette]

    def _run(self, action: Action) -> Callable[[], Awaitable[None]]:
        return partial(self.screen.run_action, action.call)

    async def discover(self) -> Hits:
        """All of them, while nothing is typed."""
        for action in self._offered():
            yield DiscoveryHit(_title(action), self._run(action), help=_key(action))

    async def search(self, query: str) -> Hits:
        """Those whose text is like the query; a number goes to that step."""
        if isinstance(self.screen, MainScreen) and query.strip().isdecimal():
            step = int(query)
            go = partial(self.screen.go_to_step, step)
            title = say("go to step {step}", step=step)
            yield Hit(1.0, title, go, help=say("puts the cursor there"))
        matcher = self.matcher(query)
        for action in self._offered():
            score = matcher.match(_title(action))
            if score > 0:
                found = matcher.highlight(_title(action))
                yield Hit(score, found, self._run(action), help=_key(action))


def _title(action: Action) -> str:
    return f"{say(action.group)}: {say(action.help)}"


def _key(action: Action) -> str:
    return say("key {key}", key=action.shown)
