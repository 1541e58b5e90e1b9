from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ckpt_tui.watch.signs import Signs

if TYPE_CHECKING:
    from pathlib import Path


_ALL, _NONE = 0, 1 << 63


def test_a_first_sign_is_news_where_it_is_younger_than_asked(tmp_path: Path) -> None:
    there, absent = str(tmp_path), str(tmp_path / "later")
    info = os.stat(tmp_path)
    newest_ns = max(info.st_mtime_ns, info.st_ctime_ns)
    assert Signs().changed([there, absent], _ALL) == {there}
    assert Signs().changed([there, absent], newest_ns) == {there}
    assert not Signs().changed([there, absent], newest_ns + 1)
    signs = Signs()
    signs.changed([there, absent], _NONE)
    (tmp_path / "later").mkdir()
    assert signs.changed([there, absent], _NONE) == {there, absent}
    assert not signs.changed([there, absent], _ALL)


def test_a_file_that_is_renamed_into_place_shows(tmp_path: Path) -> None:
    marker, staged = tmp_path / "marker", tmp_path / "marker.tmp"
    marker.write_bytes(b"old")
    signs = Signs()
    signs.changed([str(marker)], _ALL)
    staged.write_bytes(b"new")
    info = os.stat(marker)
    os.utime(staged, ns=(info.st_atime_ns, info.st_mtime_ns))
    staged.rename(marker)
    assert signs.changed([str(marker)], _ALL) == {str(marker)}


def test_what_a_directory_tells_and_what_not(tmp_path: Path) -> None:
    """The sweep relies on the one, and looks round by round for the other."""
    shard = tmp_path / "shard"
    shard.write_bytes(b"12345678")
    signs = Signs()
    signs.changed([str(tmp_path)], _ALL)
    os.truncate(shard, 3)
    assert not signs.changed([str(tmp_path)], _ALL)
    shard.unlink()
    assert signs.changed([str(tmp_path)], _ALL)
    tmp_path.chmod(0o500)
    assert signs.changed([str(tmp_path)], _ALL)
    tmp_path.chmod(0o700)


def test_a_path_that_is_not_asked_for_is_forgotten(tmp_path: Path) -> None:
    signs = Signs()
    signs.changed([str(tmp_path)], _ALL)
    signs.changed([], _ALL)
    assert signs.changed([str(tmp_path)], _ALL) == {str(tmp_path)}
