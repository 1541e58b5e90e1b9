"""The journal of a long run: JSON lines, so that an interrupted run goes on where it stopped."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from tests.framework.jobs.base import Outcome
from tests.framework.judge.rounds import State
from tests.framework.judge.verdicts import OurVerdict

if TYPE_CHECKING:
    from pathlib import Path


class RoundKey(NamedTuple):
    """Which round."""

    job: str
    configuration: str
    seed: int


class Journal:
    """Reads what is there, and appends; each round is one write that its closing line ends.

    Args:
        path: The file; it is made if it is not there.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.states: list[State] = []
        self.rounds: dict[RoundKey, str] = {}
        pending: list[State] = []
        for line in path.read_text().splitlines() if path.exists() else ():
            entry = _parsed(line)
            if "closes" in entry:
                self._close(RoundKey(*entry["closes"]), entry["version"], pending)
                pending = []
            elif entry:
                pending.append(_state(entry))

    def add(self, key: RoundKey, version: str, states: list[State]) -> None:
        """Appends one round.

        Args:
            key: Which.
            version: Of the framework.
            states: What was judged; none where the writers died before any checkpoint.
        """
        entries = [*map(_entry, states), {"closes": key, "version": version}]
        with self.path.open("a") as file:
            file.write("".join(json.dumps(entry) + "\n" for entry in entries))
        self._close(key, version, states)

    def _close(self, key: RoundKey, version: str, states: list[State]) -> None:
        if key in self.rounds:  # judged again: the newer result counts
            self.states = [state for state in self.states if state[:3] != key]
        self.rounds[key] = version
        known = {state[:3] for state in self.states}  # undisturbed runs come once per worker
        self.states.extend(state for state in states if state[:3] not in known)


def _parsed(line: str) -> dict[str, Any]:
    """One line; a line that a kill cut is dropped with its round."""
    try:
        entry: dict[str, Any] = json.loads(line)
    except ValueError:
        return {}
    return entry


def _entry(state: State) -> dict[str, Any]:
    entry = state._asdict()
    for name in ("framework", "ours", "alone"):
        entry[name] = entry[name]._asdict()
    return entry


def _state(entry: dict[str, Any]) -> State:
    framework = Outcome(**entry["framework"])
    views = {name: OurVerdict(**entry[name]) for name in ("ours", "alone")}
    views = {name: view._replace(codes=tuple(view.codes)) for name, view in views.items()}
    return State(**{**entry, "framework": framework, **views})
