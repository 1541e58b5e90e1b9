"""What is seen bit by bit equals what a fresh look sees, with checkpoints that a plug-in reads."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from ckpt_tui.formats import registry
from ckpt_tui.formats.plug_ins.installed import load_from
from ckpt_tui.store.index import Store
from tests.plug_ins.installed import install_example, write_toy
from tests.store.runs import write_checkpoint

if TYPE_CHECKING:
    from pathlib import Path

    from ckpt_tui.core.snapshot import Snapshot
    from ckpt_tui.core.vocabulary import Verdict

QUIET_SECONDS = 3600.0


@pytest.fixture(autouse=True)
def _installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    installed = install_example(tmp_path / "site")
    monkeypatch.syspath_prepend(str(installed.place))
    monkeypatch.delitem(sys.modules, "toy_ini", raising=False)
    found = load_from((str(installed.place),), registry.reader_names())
    monkeypatch.setattr(registry, "_asked", [found])


def store_of(root: Path) -> Store:
    """A store whose clock is long after every write, so that nothing counts as moving."""
    later = root.stat().st_mtime + QUIET_SECONDS
    return Store(str(root), wall=lambda: later, monotonic=lambda: 0.0)


def seen(picture: Snapshot) -> list[tuple[str, str, Verdict]]:
    return sorted((c.path, c.facts.format, c.verdict) for c in picture.checkpoints)


def test_step_by_step(tmp_path: Path) -> None:
    run = tmp_path / "run"
    write_toy(run, 10)
    store = store_of(run)
    store.look()

    def look(*paths: Path) -> dict[str, Verdict]:
        """A look at what changed; a fresh store sees the same."""
        picture = store.look(frozenset(map(str, paths)))
        assert seen(picture) == seen(store_of(run).look())
        assert {c.facts.format for c in picture.checkpoints} == {"toy-ini"}
        return {c.facts.name: c.verdict for c in picture.checkpoints}

    made = write_toy(run, 20, commit=False)
    assert look(made) == {"step-10": "exact", "step-20": "uncommitted"}
    (made / "state.ini").write_text((run / "step-10" / "state.ini").read_text())
    assert look(made / "state.ini") == {"step-10": "exact", "step-20": "exact"}
    (run / "step-30").mkdir()
    assert look(run)["step-30"] == "uncommitted"
    (run / "step-30").rmdir()
    for name in ("step-10", "step-20"):
        (run / name).rename(run / f"{name}-moved")
    assert look(run) == {"step-10-moved": "exact", "step-20-moved": "exact"}
    (run / "step-10-moved" / "inner").mkdir()
    write_checkpoint(run / "step-10-moved" / "inner", 5)  # ours, so the outer one is none any more
    assert {f for _, f, _ in seen(store_of(run).look())} == {"toy-ini", "manifest"}


def test_a_format_that_is_known_but_not_read_is_read_by_a_plug_in(tmp_path: Path) -> None:
    write_toy(tmp_path / "a", 10)
    (tmp_path / "a" / "step-10" / "net_iter_5.solverstate").write_bytes(b"x")
    (tmp_path / "b" / "step-10").mkdir(parents=True)
    (tmp_path / "b" / "step-10" / "net_iter_5.solverstate").write_bytes(b"x")
    picture = store_of(tmp_path).look()
    assert [c.path for c in picture.checkpoints] == [str(tmp_path / "a" / "step-10")]
    assert [path for path, _ in picture.problems] == [str(tmp_path / "b")]
