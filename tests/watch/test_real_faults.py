"""Faults of the system made to happen, with the real store: what is shown after at most a sweep."""

from __future__ import annotations

import os
import shutil
import threading
from typing import TYPE_CHECKING

import pytest

from ckpt_tui.core.snapshot import Snapshot
from ckpt_tui.core.vocabulary import Verdict
from ckpt_tui.store.growth import DAMAGE_SECONDS
from ckpt_tui.store.index import Store
from ckpt_tui.watch.service import WatchService
from tests.store.runs import write_checkpoint
from tests.watch.children import can_unshare, run
from tests.watch.fakes import NEVER_SECONDS, PATIENCE_SECONDS, Screen, wait_until

if TYPE_CHECKING:
    from pathlib import Path

_DAY_SECONDS = 86_400.0


def verdicts(snapshot: Snapshot) -> dict[str, Verdict]:
    return {c.facts.name: c.verdict for c in snapshot.checkpoints}


def test_no_file_can_be_opened_for_a_while(tmp_path: Path) -> None:
    """EMFILE, while a checkpoint comes: by a process that was there before."""
    script = """
write_checkpoint(root, 10)
copied = shutil.copytree(root / "step-10", root.parent / "elsewhere")
helper = subprocess.Popen(["sh"], stdin=subprocess.PIPE, text=True)
service = watch()
await_verdicts(service, step_10="exact")
soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (3, hard))
helper.communicate(f"cp -r {copied} {root}/step-20; rm -r {root}/step-10")
looks = service.status().looks
wait_until(lambda: service.status().looks > looks + 3 or service.status().error)
shown = verdicts(service).get("step-20")
resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
await_verdicts(service, step_20="exact")
print(shown in (None, "unknown"), service.stop(5.0))
"""
    assert run(script, str(tmp_path / "run")) == ("True True\n", "")


def test_a_shard_is_cut_and_then_the_checkpoint_saved_over(tmp_path: Path) -> None:
    """By real events; the time that tells the one from the other is the store's own."""
    whole = write_checkpoint(tmp_path, 10)
    passed = threading.Event()
    store = Store(str(tmp_path), monotonic=lambda: DAMAGE_SECONDS if passed.is_set() else 0.0)
    screen = Screen()
    service = WatchService(store, screen.show, sweep_seconds=NEVER_SECONDS)
    service.start()
    screen.await_snapshot(lambda seen: verdicts(seen) == {"step-10": Verdict.EXACT})
    with (whole / "model-rank0.bin").open("r+b") as shard:
        shard.truncate(3)
    screen.await_snapshot(lambda seen: verdicts(seen) == {"step-10": Verdict.SAVING})
    passed.set()
    screen.await_snapshot(lambda seen: verdicts(seen) == {"step-10": Verdict.CORRUPT})
    with (whole / "model-rank0.bin").open("r+b") as shard:
        shard.write(bytes(20))
    screen.await_snapshot(lambda seen: verdicts(seen) == {"step-10": Verdict.SAVING})
    with (whole / "model-rank0.bin").open("r+b") as shard:
        shard.write(bytes(64))
    screen.await_snapshot(lambda seen: verdicts(seen) == {"step-10": Verdict.EXACT})
    assert service.stop(PATIENCE_SECONDS)


@pytest.mark.skipif(
    not can_unshare("--mount", "mount", "-t", "tmpfs", "none", "/mnt"),
    reason="no user namespaces with mounts on this machine",
)
def test_the_root_is_unmounted_and_mounted_again(tmp_path: Path) -> None:
    script = """
def mount(*command):
    subprocess.run([*command, root], check=True)

mount("mount", "-t", "tmpfs", "none")
write_checkpoint(root, 10)
service = watch(sweep_seconds=NEVER_SECONDS)
await_verdicts(service, step_10="exact")
mount("umount", "--lazy")
await_verdicts(service)
mount("mount", "-t", "tmpfs", "none")
write_checkpoint(root, 20)
await_verdicts(service, step_20="exact")
write_checkpoint(root, 30)
await_verdicts(service, step_20="exact", step_30="exact")
print(service.status().mode, service.stop(5.0))
"""
    before = ("unshare", "--user", "--map-root-user", "--mount")
    assert run(script, str(tmp_path), before=before) == ("inotify True\n", "")


@pytest.mark.skipif(
    not can_unshare("--mount", "mount", "-t", "tmpfs", "none", "/mnt"),
    reason="no user namespaces with mounts on this machine",
)
def test_a_directory_below_the_root_is_unmounted(tmp_path: Path) -> None:
    script = """
inner = root / "inner"
inner.mkdir()
write_checkpoint(root, 10)
subprocess.run(["mount", "-t", "tmpfs", "none", inner], check=True)
write_checkpoint(inner, 20)
service = watch()
await_verdicts(service, step_10="exact", step_20="exact")
subprocess.run(["umount", "--lazy", inner], check=True)
await_verdicts(service, step_10="exact")
write_checkpoint(inner, 30)
await_verdicts(service, step_10="exact", step_30="exact")
print(service.status().mode, service.stop(5.0))
"""
    before = ("unshare", "--user", "--map-root-user", "--mount")
    assert run(script, str(tmp_path), before=before) == ("inotify True\n", "")


def test_permission_is_taken_away_and_given_back() -> None:
    """Root may read everything, so root becomes nobody here, in a directory of nobody's own."""
    script = """
import tempfile
if os.geteuid() == 0:
    Store("sample_runs").look()  # what is imported late lies where nobody may not read
    import ckpt_tui.watch.inotify
    os.setresuid(65534, 65534, 65534)
root = Path(tempfile.mkdtemp(dir="/tmp"))
locked = write_checkpoint(root, 10)
service = watch()
await_verdicts(service, step_10="exact")
locked.chmod(0)
await_verdicts(service, step_10="unknown")
locked.chmod(0o700)
await_verdicts(service, step_10="exact")
locked.chmod(0)
write_checkpoint(root, 20)
await_verdicts(service, step_10="unknown", step_20="exact")
locked.chmod(0o700)
await_verdicts(service, step_10="exact", step_20="exact")
(locked / "late").mkdir()
service.stop(5.0)
shutil.rmtree(root)
print("done")
"""
    assert run(script, "/") == ("done\n", "")


@pytest.mark.parametrize("step_seconds", [_DAY_SECONDS, -_DAY_SECONDS, 1e9, -1e9])
def test_the_wall_clock_steps_while_a_save_is_in_flight(
    tmp_path: Path, step_seconds: float
) -> None:
    """Growth goes by the clock that never steps; the times of files count at the first look."""
    wall = [os.stat(tmp_path).st_mtime]
    screen = Screen()
    store = Store(str(tmp_path), wall=lambda: wall[0])
    write_checkpoint(tmp_path, 10)
    service = WatchService(store, screen.show, force_poll=True, poll_seconds=0.05)
    service.start()
    wait_until(lambda: verdicts(store.snapshot()) == {"step-10": Verdict.EXACT})
    save = write_checkpoint(tmp_path, 20, commit=False)
    wait_until(lambda: verdicts(store.snapshot()).get("step-20") is Verdict.SAVING)
    wall[0] += step_seconds
    seen = service.status().looks
    (save / "model-rank2.bin").write_bytes(b"1")
    os.utime(save / "model-rank2.bin", (wall[0] - step_seconds * 2,) * 2)
    wait_until(lambda: service.status().looks > seen + 2)
    assert verdicts(store.snapshot()) == {"step-10": Verdict.EXACT, "step-20": Verdict.SAVING}
    (save / "model-rank2.bin").unlink()
    write_checkpoint(tmp_path, 20)
    wait_until(lambda: verdicts(store.snapshot()).get("step-20") is Verdict.EXACT)
    assert service.stop(PATIENCE_SECONDS)
    said = [verdicts(s).get("step-20") for s in screen.snapshots if isinstance(s, Snapshot)]
    assert set(said) <= {None, Verdict.SAVING, Verdict.EXACT}


def test_files_are_deleted_and_made_while_they_are_read(tmp_path: Path) -> None:
    """A writer that keeps two checkpoints and never rests; at its end the picture is right."""
    store, screen = Store(str(tmp_path)), Screen()
    service = WatchService(store, screen.show, sweep_seconds=NEVER_SECONDS)
    service.start()

    def write() -> None:
        for step in range(60):
            write_checkpoint(tmp_path, step, world_size=8)
            if step >= 2:
                shutil.rmtree(tmp_path / f"step-{step - 2}")

    writer = threading.Thread(target=write)
    writer.start()
    writer.join()
    expected = {"step-58": Verdict.EXACT, "step-59": Verdict.EXACT}
    wait_until(lambda: verdicts(store.snapshot()) == expected)
    assert service.status().error is None
    assert service.stop(PATIENCE_SECONDS)
