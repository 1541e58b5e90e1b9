"""Why `latest` reads the old checkpoints too: any of them can change the answer."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tests.cli.process import ckpt_tui
from tests.store.runs import ROLES, write_checkpoint

if TYPE_CHECKING:
    from pathlib import Path

WITHOUT_SCHEDULER = tuple(role for role in ROLES if role != "scheduler")


def latest(run: Path) -> str:
    ended = ckpt_tui("latest", "--settle", "0", run)
    assert ended.code == 0, ended.err
    return ended.out.rstrip("\n").rpartition("/")[2]


def test_a_low_name_may_hold_the_highest_step(tmp_path: Path) -> None:
    for step in (100, 200, 300):
        write_checkpoint(tmp_path, step)
    assert latest(tmp_path) == "step-300"
    manifest = tmp_path / "step-100" / "manifest.json"
    document = json.loads(manifest.read_text())
    manifest.write_text(json.dumps(document | {"step": 900}))
    assert latest(tmp_path) == "step-100"


def test_the_oldest_says_whether_the_newest_lacks_what_all_others_have(tmp_path: Path) -> None:
    write_checkpoint(tmp_path, 200)
    write_checkpoint(tmp_path, 300)
    write_checkpoint(tmp_path, 400, roles=WITHOUT_SCHEDULER)
    assert latest(tmp_path) == "step-300"
    write_checkpoint(tmp_path, 100, roles=WITHOUT_SCHEDULER)
    assert latest(tmp_path) == "step-400"
