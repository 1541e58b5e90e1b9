"""Installs plug-ins as pip leaves them, and writes checkpoints of the example's toy format."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

PAGE = Path(__file__).parents[2] / "docs" / "plug-ins.md"
ROLES = ("model", "optimizer", "scheduler", "rng", "progress")


class Installed(NamedTuple):
    """A directory for the module search path with distributions in it."""

    place: Path

    def install(self, entry_points: str, source: str = "", distribution: str = "toy-ini") -> None:
        """Adds a distribution, and the module `toy_ini` unless the source is empty."""
        info = self.place / f"{distribution.replace('-', '_')}-1.2.dist-info"
        info.mkdir(parents=True)
        (info / "METADATA").write_text(
            f"Metadata-Version: 2.1\nName: {distribution}\nVersion: 1.2\n"
        )
        (info / "entry_points.txt").write_text(f"[ckpt_tui.formats]\n{entry_points}\n")
        if source:
            (self.place / "toy_ini.py").write_text(source)

    @property
    def environment(self) -> dict[str, str]:
        return {"PYTHONPATH": str(self.place)}


def example() -> str:
    """The reader that the documentation shows."""
    (source,) = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(), re.M | re.S)
    return str(source)


def install_example(place: Path) -> Installed:
    installed = Installed(place)
    installed.install("toy-ini = toy_ini:ToyIniReader", example())
    return installed


def write_toy(run: Path, step: int, *, commit: bool = True, cut: str = "") -> Path:
    """One checkpoint; without commit its index is missing, `cut` is a role whose file is short."""
    directory = run / f"step-{step}"
    directory.mkdir(parents=True)
    for role in ROLES:
        (directory / f"{role}.raw").write_bytes(bytes(4 if role == cut else 8))
    if commit:
        sizes = "".join(f"{role} = 8\n" for role in ROLES)
        (directory / "state.ini").write_text(f"[checkpoint]\nstep = {step}\n\n[bytes]\n{sizes}")
    return directory
