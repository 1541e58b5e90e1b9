"""A mounted FUSE file system, and how to change the behaviour of its server."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from tests.network.fuse_server import Behaviour


class FuseMount:
    """A mounted FUSE file system and the process that serves it."""

    def __init__(self, source: Path, mount_point: Path) -> None:
        self.source = source
        self.path = mount_point
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.network.fuse_server", source, mount_point],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=Path(__file__).parents[2],
        )
        answer = self._answer()
        self.refusal = "" if answer == "ok" else answer or "the server did not start"

    def behave(self, **fields: object) -> None:
        """Changes `Behaviour`; fields that are not named go back to their defaults."""
        self._tell(json.dumps(Behaviour(**fields)._asdict()))
        assert self._answer() == "ok"

    def held_count(self) -> int:
        """How many requests hang."""
        self._tell("")
        return int(self._answer())

    def close(self) -> None:
        """Unmounts and ends the server, which lets everything go that hangs in it."""
        self._process.communicate(timeout=10)

    def _tell(self, line: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()

    def _answer(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline().strip()
