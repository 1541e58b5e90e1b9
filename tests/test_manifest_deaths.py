from __future__ import annotations

import json
import signal
import subprocess
import sys
import zlib
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[1]


def check_all_or_nothing(directory: Path) -> bool:
    """Whether the checkpoint is committed; if it is, it must be whole."""
    if not (directory / "manifest.json").exists():
        return False
    entries = json.loads((directory / "manifest.json").read_text())["entries"]
    assert [row["rank"] for row in entries] == [0, 1]
    for row in entries:
        data = (directory / row["path"]).read_bytes()
        assert (len(data), f"{zlib.crc32(data):08x}") == (row["size_bytes"], row["crc32"])
    return True


SAVE = """
import itertools, os, signal, sys
from ckpt_tui.manifest import ManifestWriter, remove_checkpoint
def save(directory, step):
    writer = ManifestWriter(directory, checkpoint_id=str(step), step=step, world_size=2)
    for rank in (0, 1):
        writer.write_shard("model", rank, (bytes([step % 251]) * 4096 for _ in range(4)))
    writer.commit()
"""

DIE_BEFORE_EACH_CALL = """
def die_before(call):
    count = itertools.count(1)
    def hook(event, _arguments):
        if event.startswith(("open", "os.")) and next(count) == call:
            os.kill(os.getpid(), signal.SIGKILL)
    sys.addaudithook(hook)
for call in itertools.count(1):
    child = os.fork()
    if not child:
        die_before(call)
        save(f"{sys.argv[1]}/save-{call:03}", 1)
        remove_checkpoint(f"{sys.argv[1]}/save-{call:03}")
        os._exit(0)
    if os.waitpid(child, 0)[1] == 0:
        break
"""

SAVE_FOR_EVER = """
for step in itertools.count():
    save(f"{sys.argv[1]}/{sys.argv[2]}-{step}", step)
    print(step, flush=True)
"""


def test_a_death_before_any_file_call_leaves_all_or_nothing(tmp_path: Path) -> None:
    subprocess.run(
        [sys.executable, "-c", SAVE + DIE_BEFORE_EACH_CALL, str(tmp_path)],
        cwd=REPOSITORY,
        check=True,
        timeout=60,
    )
    outcomes = [check_all_or_nothing(directory) for directory in sorted(tmp_path.iterdir())]
    # Dead while saving, then dead after the commit, then dead while removing.
    before = outcomes.index(True)
    after = before + outcomes[before:].index(False)
    assert before >= 8
    assert all(outcomes[before:after])
    assert not any(outcomes[after:])


def test_a_kill_at_any_moment_leaves_whole_commits_only(tmp_path: Path) -> None:
    for turn in range(6):
        child = subprocess.Popen(
            [sys.executable, "-c", SAVE + SAVE_FOR_EVER, str(tmp_path), str(turn)],
            stdout=subprocess.PIPE,
            cwd=REPOSITORY,
        )
        assert child.stdout is not None
        child.stdout.read(2 + turn)  # A little further each time: another moment of a save.
        child.send_signal(signal.SIGKILL)
        child.wait()
        child.stdout.close()
    assert sum(check_all_or_nothing(directory) for directory in tmp_path.iterdir()) >= 6
