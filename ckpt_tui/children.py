"""What child processes of ours need to be this very package."""

from __future__ import annotations

import os
from pathlib import Path


def import_environment() -> dict[str, str]:
    """An environment in which a child finds this package, wherever it was imported from."""
    home = str(Path(__file__).resolve().parents[1])
    known = os.environ.get("PYTHONPATH")
    return {**os.environ, "PYTHONPATH": f"{home}{os.pathsep}{known}" if known else home}
