"""The network-like file systems that the tests look through."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ckpt_tui.fs import calls
from tests.network.fuse_mount import FuseMount
from tests.network.injected import Injected

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def mounted(tmp_path: Path) -> Iterator[FuseMount]:
    """A FUSE mount of an empty directory; its source is written to as by another host."""
    source, mount_point = tmp_path / "exported", tmp_path / "mounted"
    source.mkdir()
    mount_point.mkdir()
    mount = FuseMount(source, mount_point)
    if mount.refusal:
        mount.close()
        pytest.skip(f"FUSE did not run: {mount.refusal}")
    try:
        yield mount
    finally:
        mount.close()


@pytest.fixture
def hung() -> Iterator[Injected]:
    """A file system that is let go at the end of the test, whatever happened."""
    system = Injected()
    with calls.replaced(system):
        yield system
        system.released.set()
