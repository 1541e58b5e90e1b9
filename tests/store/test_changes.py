"""Changes after which a look at the changed paths must say what a look at everything says."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from ckpt_tui.core.vocabulary import Verdict
from ckpt_tui.store.index import Store
from tests.store.runs import ROLES, write_checkpoint
from tests.store.test_index import TIMELESS, Clock, cold, summary

SAMPLES = Path(__file__).parents[2] / "sample_runs"


def sees_what_a_new_one_sees(store: Store, root: Path, *dirty: Path) -> None:
    incremental = store.look(frozenset(map(str, dirty)))
    assert summary(incremental) == summary(Store(str(root), TIMELESS).look())


def test_a_directory_of_checkpoints_in_the_place_of_another_is_read(tmp_path: Path) -> None:
    write_checkpoint(tmp_path / "whole", 10)
    write_checkpoint(tmp_path / "thin", 10, roles=ROLES[:1])
    cold(tmp_path)
    store = Store(str(tmp_path), TIMELESS)
    store.look()
    (tmp_path / "whole").rename(tmp_path / "aside")
    (tmp_path / "thin").rename(tmp_path / "whole")
    (tmp_path / "aside").rename(tmp_path / "thin")
    sees_what_a_new_one_sees(store, tmp_path, tmp_path / "whole", tmp_path / "thin")


def test_a_file_in_the_place_of_a_checkpoint_is_none(tmp_path: Path) -> None:
    gone = write_checkpoint(tmp_path, 10)
    write_checkpoint(tmp_path, 20)
    cold(tmp_path)
    store = Store(str(tmp_path), TIMELESS)
    store.look()
    shutil.rmtree(gone)
    gone.write_bytes(b"")
    sees_what_a_new_one_sees(store, tmp_path, gone)


def test_a_directory_in_the_place_of_a_checkpoint_that_is_a_file_is_none(
    tmp_path: Path,
) -> None:
    shutil.copytree(SAMPLES / "torch-file/numbered", tmp_path, dirs_exist_ok=True)
    store = Store(str(tmp_path), TIMELESS)
    gone = Path(store.look().checkpoints[0].path)
    gone.unlink()
    gone.mkdir()
    sees_what_a_new_one_sees(store, tmp_path, gone)


def test_a_directory_that_is_removed_is_missed_by_the_one_above(tmp_path: Path) -> None:
    shutil.copytree(SAMPLES / "torch-dcp/nested", tmp_path, dirs_exist_ok=True)
    marker = tmp_path / "step-20-unfinished"
    marker.mkdir()
    store = Store(str(tmp_path), TIMELESS)
    assert store.look().checkpoints[0].verdict is Verdict.UNCOMMITTED
    marker.rmdir()
    sees_what_a_new_one_sees(store, tmp_path, marker)


def test_an_attempt_that_no_sibling_speaks_for_any_more_is_forgotten(tmp_path: Path) -> None:
    whole, attempt = tmp_path / "step-10", tmp_path / "step-20"
    whole.mkdir()
    attempt.mkdir()
    for name in ("model.pt", "optimizer.pt"):
        shutil.copy(next((SAMPLES / "torch-file/numbered").glob("*.pt")), whole / name)
    (attempt / "notes").write_text("begun")
    cold(tmp_path)
    store = Store(str(tmp_path), TIMELESS)
    assert {c.path for c in store.look().checkpoints} == {str(attempt), str(whole)}
    shutil.rmtree(whole)
    sees_what_a_new_one_sees(store, tmp_path, whole)


def test_a_change_in_what_a_link_leads_to_is_seen_by_the_link(tmp_path: Path) -> None:
    write_checkpoint(tmp_path / "run", 10)
    elsewhere = tmp_path / "kept" / "elsewhere"
    elsewhere.mkdir(parents=True)
    (elsewhere / "notes").write_text("begun")
    attempt = tmp_path / "run" / "step-20"
    attempt.symlink_to(elsewhere)
    cold(tmp_path)
    store = Store(str(tmp_path), TIMELESS)
    sizes = {c.path: c.facts.size_bytes for c in store.look().checkpoints}
    (elsewhere / "notes").write_text("begun, and more")
    changed = store.look(frozenset({str(elsewhere / "notes")})).checkpoints
    assert {c.path: c.facts.size_bytes for c in changed} == sizes | {str(attempt): 15}


def test_what_goes_on_beside_an_export_is_no_growth_of_it(tmp_path: Path) -> None:
    shutil.copytree(SAMPLES / "torch-dcp/nested", tmp_path, dirs_exist_ok=True)
    shutil.copy(tmp_path / "step-10" / "__0_0.distcp", tmp_path)
    (tmp_path / "logs").mkdir()
    cold(tmp_path)
    clock = Clock()
    store = Store(str(tmp_path), wall=clock, monotonic=clock)
    before = summary(store.look())
    clock.now += 1000
    (tmp_path / "logs" / "events").write_bytes(b"")
    assert summary(store.look()) == before


def test_what_a_link_of_an_export_leads_to_is_no_growth_of_it(tmp_path: Path) -> None:
    shutil.copytree(SAMPLES / "torch-dcp/nested", tmp_path, dirs_exist_ok=True)
    weights = tmp_path / "step-10" / "__0_0.distcp"
    (tmp_path / weights.name).symlink_to(weights)
    cold(tmp_path)
    clock = Clock()
    store = Store(str(tmp_path), wall=clock, monotonic=clock)
    store.look()
    clock.now += 1000
    weights.write_bytes(weights.read_bytes() + b"a longer tail")
    cold(tmp_path)
    assert summary(store.look()) == summary(Store(str(tmp_path), wall=clock).look())


def test_what_a_settled_save_shows_of_its_siblings_is_told_when_it_settles(
    tmp_path: Path,
) -> None:
    """A format without a commit mark: what may still grow is no measure for the others."""
    run = SAMPLES / "accelerate/automatic/checkpoints"
    older, newer = tmp_path / "checkpoint_0", tmp_path / "checkpoint_1"
    shutil.copytree(run / older.name, older)
    (older / "optimizer.bin").unlink()
    cold(tmp_path)
    clock = Clock()
    store = Store(str(tmp_path), wall=clock, monotonic=clock)
    store.look()
    shutil.copytree(run / newer.name, newer)
    os.utime(newer / "optimizer.bin", (clock.now, clock.now))
    before = store.look(frozenset({str(newer)}))
    clock.now += 1000
    expected = summary(Store(str(tmp_path), wall=clock, monotonic=clock).look())
    assert summary(before) != expected
    assert summary(store.look(frozenset())) == expected
