"""A listing by names alone says the same kinds as one with a look at each file."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ckpt_tui.fs.listing import list_directory, list_names

if TYPE_CHECKING:
    from pathlib import Path


def test_names_kinds_and_links_are_those_of_a_full_listing(tmp_path: Path) -> None:
    (tmp_path / "outside").write_bytes(b"1")
    place = tmp_path / "step-1"
    (place / "inner").mkdir(parents=True)
    (place / "data.bin").write_bytes(b"123")
    (place / os.fsdecode(b"odd-\xff\n")).write_bytes(b"")
    os.mkfifo(place / "pipe")
    (place / "in").symlink_to("data.bin")
    (place / "out").symlink_to("../outside")
    (place / "nowhere").symlink_to("gone")
    seen, names = list_directory(str(place)), list_names(str(place))
    assert not names.problem
    assert [(e.path, e.kind, e.inode, e.link_target) for e in names.entries] == [
        (e.path, e.kind, e.inode, e.link_target) for e in seen.entries
    ]
    assert {e.path: e.size_bytes for e in names.entries}["data.bin"] == 0  # nobody looked


def test_what_is_no_directory_is_a_problem(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    assert list_names(str(tmp_path / "file")).problem == "Not a directory"
    assert list_names(str(tmp_path / "gone")).problem == "No such file or directory"
