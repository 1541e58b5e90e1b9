"""Facts that were kept are what a fresh read says, whatever was done to the files meanwhile."""

from __future__ import annotations

import os
import shutil
import sqlite3
import stat
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ckpt_tui.artifacts.limits import Limits
from ckpt_tui.cache.database import CacheDatabase, CacheError
from ckpt_tui.cache.kept_facts import KeptFacts
from ckpt_tui.formats.shared.roles import NO_SYNONYMS, Synonyms, use_synonyms
from ckpt_tui.store.index import Store

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ckpt_tui.core.facts import CheckpointFacts
    from ckpt_tui.core.files import Tree
    from ckpt_tui.formats.base import Claim

_SAMPLES = Path(__file__).parents[2] / "sample_runs"
_FORMATS = ("manifest", "hf-trainer", "torch-dcp", "deepspeed", "lightning", "torch-file")
_HOUR_NS = 3600 * 10**9


class _Counting(KeptFacts):
    """Counts the answers that came from what was kept."""

    def __init__(self, path: Path) -> None:
        super().__init__(CacheDatabase(os.fspath(path)), Limits())
        self.hits = 0

    def get(self, claim: Claim, tree: Tree) -> CheckpointFacts | None:
        found = super().get(claim, tree)
        self.hits += found is not None
        return found


def _copy(name: str, top: Path) -> Path:
    """A sample whose files are an hour old."""
    run = top / "run"
    shutil.copytree(_SAMPLES / name, run, symlinks=True)
    _age(run)
    return run


def _age(run: Path) -> None:
    then = time.time_ns() - _HOUR_NS
    for path in sorted(run.rglob("*"), reverse=True):
        os.utime(path, ns=(then, then), follow_symlinks=False)


def _facts(run: Path, cache: KeptFacts | None = None) -> dict[str, CheckpointFacts]:
    store = Store(os.fspath(run), cache=cache)
    snapshot = store.look()
    if cache is not None:
        cache.finish(10)
    return {c.path: c.facts for c in snapshot.checkpoints}


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "ckpt-tui" / "facts.sqlite"


@pytest.mark.parametrize("name", _FORMATS)
def test_the_second_look_reads_nothing_that_is_settled(
    name: str, tmp_path: Path, database: Path
) -> None:
    run = _copy(name, tmp_path)
    fresh = _facts(run, _Counting(database))
    again = _Counting(database)
    assert _facts(run, again) == fresh == _facts(run)
    assert again.hits > 0
    assert again.problem == ""


def test_all_real_checkpoints_are_the_same_from_the_cache(corpus: Path, database: Path) -> None:
    fresh = _facts(corpus, _Counting(database))
    again = _Counting(database)
    assert _facts(corpus, again) == fresh
    assert again.hits > 30


def _mutate(run: Path, data: st.DataObject) -> None:
    paths = sorted(path for path in run.rglob("*") if path.is_file() and not path.is_symlink())
    path = data.draw(st.sampled_from(paths))
    old = path.stat()
    kind = data.draw(st.sampled_from(["cut", "grow", "remove", "swap", "touch", "new", "link"]))
    if kind == "cut":
        os.truncate(path, old.st_size // 2)
    elif kind == "grow":
        path.write_bytes(path.read_bytes() + b"x")
    elif kind == "remove":
        path.unlink()
    elif kind == "swap":  # another file of the same size under the same name
        other = path.with_name("other")
        other.write_bytes(bytes(old.st_size))
        other.replace(path)
    elif kind == "touch":
        os.utime(path, ns=(old.st_atime_ns, old.st_mtime_ns + 1))
    elif kind == "new":
        path.with_name("new.pt").write_bytes(b"x")
    else:
        path.unlink()
        path.symlink_to("/dev/null")


@settings(max_examples=40)
@given(st.data())
def test_any_change_is_seen(data: st.DataObject) -> None:
    with tempfile.TemporaryDirectory() as top:
        run = _copy(data.draw(st.sampled_from(_FORMATS)), Path(top))
        database = Path(top) / "facts.sqlite"
        _facts(run, _Counting(database))
        for _ in range(data.draw(st.integers(1, 2))):
            _mutate(run, data)
        assert _facts(run, _Counting(database)) == _facts(run)


def test_same_size_and_time_in_place_of_another_file_is_seen(
    tmp_path: Path, database: Path
) -> None:
    run = _copy("manifest", tmp_path)
    path = next(iter(run.rglob("manifest.json")))
    old = path.stat()
    _facts(run, _Counting(database))
    other = path.with_name("other")
    other.write_bytes(b"x" * old.st_size)
    os.utime(other, ns=(old.st_atime_ns, old.st_mtime_ns))
    other.replace(path)
    assert _facts(run, _Counting(database)) == _facts(run)


def test_what_was_just_written_is_not_kept(tmp_path: Path, database: Path) -> None:
    run = _copy("manifest", tmp_path)
    for path in run.rglob("*"):
        os.utime(path)
    _facts(run, _Counting(database))
    again = _Counting(database)
    _facts(run, again)
    assert again.hits == 0


def test_the_best_checkpoint_that_goes_away_is_seen(tmp_path: Path, database: Path) -> None:
    run = _copy("hf-trainer", tmp_path)
    state = next(iter(run.rglob("trainer_state.json")))
    text = state.read_text().replace(
        '"best_model_checkpoint": null', '"best_model_checkpoint": "out/checkpoint-best"'
    )
    state.write_text(text)
    best = state.parent.parent / "checkpoint-best"
    best.mkdir()
    _age(run)
    before = _facts(run, _Counting(database))[os.fspath(state.parent)]
    assert [n.there for n in before.neighbours] == [True]
    best.rmdir()
    after = _facts(run, _Counting(database))[os.fspath(state.parent)]
    assert "best-model-dangling" in {f.code for f in after.findings}


@pytest.fixture
def _names_reset() -> Iterator[None]:
    yield
    use_synonyms(NO_SYNONYMS)


@pytest.mark.usefixtures("_names_reset")
def test_other_names_of_roles_void_it(tmp_path: Path, database: Path) -> None:
    run = _copy("torch-file", tmp_path)
    _facts(run, _Counting(database))
    use_synonyms(Synonyms(step_keys=("lap",)))
    again = _Counting(database)
    assert _facts(run, again) == _facts(run)
    assert again.hits == 0


def test_it_is_its_users_alone(tmp_path: Path, database: Path) -> None:
    _facts(_copy("manifest", tmp_path), _Counting(database))
    assert stat.S_IMODE(database.stat().st_mode) == 0o600
    assert stat.S_IMODE(database.parent.stat().st_mode) == 0o700


def test_rows_that_hold_anything_are_passed_over(tmp_path: Path, database: Path) -> None:
    run = _copy("hf-trainer", tmp_path)
    fresh = _facts(run, _Counting(database))
    for value in (b"", b"x" * 100, None, 7, "text"):
        with sqlite3.connect(database) as connection:
            # The table's own rules would refuse some of them.
            connection.execute("UPDATE OR IGNORE checkpoint SET facts = ?", (value,))
        again = _Counting(database)
        assert _facts(run, again) == fresh
        database.unlink()
        _facts(run, _Counting(database))


def _not_sqlite(path: Path) -> None:
    path.write_bytes(b"no database at all" * 100)


def _foreign(path: Path) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE theirs (a)")


def _cut(path: Path) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE checkpoint (path, b)")
        connection.execute("INSERT INTO checkpoint VALUES (zeroblob(9000), 1)")
    os.truncate(path, 4096)


def _pipe(path: Path) -> None:
    os.mkfifo(path)


def _link(path: Path) -> None:
    path.symlink_to(path.with_name("elsewhere"))


def _writable_by_all(path: Path) -> None:
    path.touch()
    path.chmod(0o666)


def _directory(path: Path) -> None:
    path.mkdir()


@pytest.mark.parametrize(
    "spoil", [_not_sqlite, _foreign, _cut, _pipe, _link, _writable_by_all, _directory]
)
def test_a_file_that_cannot_be_used_is_one_remark(
    spoil: object, tmp_path: Path, database: Path
) -> None:
    assert callable(spoil)
    run = _copy("manifest", tmp_path)
    database.parent.mkdir(parents=True)
    spoil(database)
    cache = _Counting(database)
    assert _facts(run, cache) == _facts(run)
    ((path, why),) = cache.remarks
    assert path == os.fspath(database)
    assert "cache clear" in why


def test_a_directory_that_cannot_be_made_is_one_remark(tmp_path: Path) -> None:
    run = _copy("manifest", tmp_path)
    (tmp_path / "file").touch()
    cache = _Counting(tmp_path / "file" / "facts.sqlite")
    assert _facts(run, cache) == _facts(run)
    assert len(cache.remarks) == 1


def test_a_locked_file_does_not_hold_anybody_up(tmp_path: Path, database: Path) -> None:
    run = _copy("manifest", tmp_path)
    _facts(run, _Counting(database))
    with sqlite3.connect(database) as connection:
        connection.execute("BEGIN EXCLUSIVE")
        cache = _Counting(database)
        start = time.monotonic()
        assert _facts(run, cache) == _facts(run)
        assert time.monotonic() - start < 5
        connection.rollback()
    assert "another process" in cache.problem


def test_two_processes_write_at_once(tmp_path: Path, database: Path) -> None:
    run = _copy("manifest", tmp_path)
    code = (
        "import sys; from pathlib import Path\n"
        "from tests.cache.test_kept_facts import _Counting, _facts\n"
        "cache = _Counting(Path(sys.argv[2])); _facts(Path(sys.argv[1]), cache)\n"
        "sys.exit(cache.problem or 0)"
    )
    command = [sys.executable, "-c", code, os.fspath(run), os.fspath(database)]
    both = [subprocess.Popen(command) for _ in range(2)]
    assert [process.wait(60) for process in both] == [0, 0]
    again = _Counting(database)
    assert _facts(run, again) == _facts(run)
    assert again.hits > 0


def test_too_large_a_file_is_halved_and_old_rows_go(tmp_path: Path, database: Path) -> None:
    _facts(_copy("manifest", tmp_path), _Counting(database))
    count = sum(n for _, n in CacheDatabase(os.fspath(database)).counts())
    small = CacheDatabase(os.fspath(database), most_bytes=database.stat().st_size - 1)
    small.trim(0)
    assert sum(n for _, n in small.counts()) < count
    small.trim(1_000_000)
    assert small.counts() == ()


def test_clear_deletes_whatever_is_there(database: Path) -> None:
    database.parent.mkdir(parents=True)
    _not_sqlite(database)
    CacheDatabase(os.fspath(database)).clear()
    assert not database.exists()
    database.mkdir()
    with pytest.raises(CacheError):
        CacheDatabase(os.fspath(database)).clear()
