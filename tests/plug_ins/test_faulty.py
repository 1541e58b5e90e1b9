"""A faulty plug-in costs a line that names it, and never the look."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from ckpt_tui.core.vocabulary import PointerState, Verdict
from ckpt_tui.formats import registry
from ckpt_tui.formats.plug_ins.guarded import FailedPlugInError, told_error
from ckpt_tui.formats.plug_ins.installed import installed_in, load_from
from ckpt_tui.fs.listing import list_directory
from ckpt_tui.store.index import Store
from tests.cli.process import ckpt_tui
from tests.plug_ins.installed import Installed, example, install_example, write_toy
from tests.store.runs import write_checkpoint

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from ckpt_tui.core.snapshot import Snapshot

GOOD = "toy-ini = toy_ini:ToyIniReader"
ORIGIN = "plug-in `toy-ini = toy_ini:ToyIniReader` of toy-ini 1.2"


@pytest.fixture
def look(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Snapshot]:
    """Looks at a run of the toy format with a plug-in whose source is changed."""

    def with_change(old: str = "", new: str = "", *, entry_points: str = GOOD) -> Snapshot:
        source = example()
        assert old in source
        installed = Installed(tmp_path / "site")
        installed.install(entry_points, source.replace(old, new, 1) if old else source)
        monkeypatch.syspath_prepend(str(installed.place))
        monkeypatch.delitem(sys.modules, "toy_ini", raising=False)
        found = load_from((str(installed.place),), registry.reader_names())
        monkeypatch.setattr(registry, "_asked", [found])
        write_toy(tmp_path / "run", 10)
        return Store(str(tmp_path / "run")).look()

    return with_change


@pytest.mark.parametrize(
    ("old", "new", "entry_points", "why"),
    [
        ("import ConfigParser", "import NoSuchThing", GOOD, "ImportError"),
        ("INDEX =", "raise SystemExit(3)\nINDEX =", GOOD, "SystemExit: 3"),
        ("def pointers(", "def no_pointers(", GOOD, "it lacks `pointers`"),
        ('name = "toy-ini"', 'name = "other"', GOOD, "its attribute `name` is not 'toy-ini'"),
        ('hints = (".ini", ".raw")', 'hints = ".ini"', GOOD, "`hints` is no tuple"),
        ("", "", "toy-ini = toy_ini:Absent", "AttributeError"),
        ("", "", "toy-ini = gone.away:Reader", "ModuleNotFoundError"),
        ("", "", "toy-ini = toy_ini", "TypeError"),
        ("", "", "torch-dcp = toy_ini:ToyIniReader", "may not take the name"),
        ("", "", "Toy/Ini = toy_ini:ToyIniReader", "lower-case words"),
    ],
)
def test_one_that_cannot_be_loaded(
    look: Callable[..., Snapshot], old: str, new: str, entry_points: str, why: str
) -> None:
    picture = look(old, new, entry_points=entry_points)
    assert not picture.runs
    ((path, told),) = picture.problems
    assert path.endswith("step-10")
    assert why in told
    assert "of toy-ini 1.2 cannot be used" in told


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("names = directory.file_names()", "1 / 0", "ZeroDivisionError: division by zero"),
        ("ClaimKind.CHECKPOINT if ours", "'yes' if ours", "'yes' is no ClaimKind"),
        (
            "ClaimKind.CHECKPOINT if ours else ClaimKind.NO\n\n"
            "    def claims_files(self, directory):\n        return ()",
            "ClaimKind.NO\n\n    def claims_files(self, directory):\n        return (('../x',),)",
            "not tuples of names of files in the directory",
        ),
    ],
)
def test_one_that_fails_to_claim(
    look: Callable[..., Snapshot], old: str, new: str, why: str
) -> None:
    picture = look(old, new)
    assert not picture.runs
    told = dict(picture.problems)[f"{picture.root}/step-10"]
    assert told.startswith(f"{ORIGIN} failed in claims_")
    assert why in told


@pytest.mark.parametrize("answer", ["[]", "('x',)", "(([],),)", "((),)", "(('a', 'a'),)", "7"])
def test_nonsense_about_files(look: Callable[..., Snapshot], answer: str) -> None:
    change = "def claims_files(self, directory):\n        return ()"
    good = look(change, change.replace("()", answer), entry_points=GOOD)
    assert [c.verdict for c in good.checkpoints] == [Verdict.EXACT]  # it was taken as a directory
    (reader,) = registry.plugged().readers.values()
    with pytest.raises(FailedPlugInError, match="not tuples of names of files") as raised:
        reader.claims_files(list_directory(good.root))
    assert str(raised.value).startswith(f"{ORIGIN} failed in claims_files: ")


def test_an_error_that_cannot_be_shown() -> None:
    class OddError(Exception):
        def __str__(self) -> str:
            raise RuntimeError

    assert told_error(OddError()) == "OddError: (it cannot even be shown)"
    assert len(told_error(ValueError("x" * 10_000))) < 400
    assert told_error(ValueError("two\nlines")) == "ValueError: two lines"


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("step, sizes, findings = read_index(files)", "1 / 0", "ZeroDivisionError"),
        ("step, sizes, findings = read_index(files)", "exit(1)", "SystemExit"),
        ("step, sizes, findings = read_index(files)", "return None", "facts is None"),
        ("step=step", "step='10'", "facts.step is '10', not int | None"),
        ("step=step", "step=-1", "facts.step is -1"),
        ("step=step", "step=True", "facts.step is True"),
        ("step=step", "step=10**5000", "facts.step is of type int, not int | None"),
        ("step=step", "world_size=10**9", "more than 200000 ranks"),
        ("step=step", "started_at=float('nan')", "facts.started_at is nan"),
        ("RoleFacts(role,", "RoleFacts('modle',", "'modle', not a known role"),
        ("RoleFacts(role, size,", "RoleFacts(role, str(size),", "facts.roles[0].size_bytes"),
        ("declared=True", "shards=('s',)", "facts.shards[0] is 's', not ShardFacts"),
        ("declared=True", "declared=1", "facts.declared is 1, not bool"),
        ("declared=True", "not_checked=['x']", "of type list, not tuple[str, ...]"),
        ("declared=True", "reshard=('yes', '')", "facts.reshard is of type tuple, not Reshard"),
    ],
)
def test_one_that_fails_to_read(
    look: Callable[..., Snapshot], old: str, new: str, why: str
) -> None:
    (checkpoint,) = look(old, new).checkpoints
    assert checkpoint.verdict is Verdict.UNKNOWN
    (finding,) = checkpoint.findings
    assert finding.code == "reader-failed"
    assert ORIGIN in finding.message
    assert why in finding.message


def test_one_that_fails_at_pointers(look: Callable[..., Snapshot]) -> None:
    change = "def pointers(self, directory):\n        return ()"
    (run,) = look(change, change.replace("()", "[1]")).runs
    (pointer,) = run.pointers
    assert pointer.state is PointerState.UNREADABLE
    assert ORIGIN in pointer.raw
    assert run.resume is not None


def test_it_cannot_say_which_checkpoint_it_read(look: Callable[..., Snapshot]) -> None:
    picture = look("path=files.path,\n            name=files.name", 'path="/etc", name="passwd"')
    (checkpoint,) = picture.checkpoints
    assert (checkpoint.path, checkpoint.facts.name) == (f"{picture.root}/step-10", "step-10")


def test_two_of_one_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    installed = install_example(tmp_path / "site")
    installed.install(GOOD, distribution="toy-too")
    monkeypatch.syspath_prepend(str(installed.place))
    monkeypatch.delitem(sys.modules, "toy_ini", raising=False)
    found = load_from((str(installed.place),), ())
    assert list(found.readers) == ["toy-ini"]
    assert "of toy-too 1.2 cannot be used" in found.broken[0]


def test_what_is_in_the_current_directory_does_not_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install_example(tmp_path)
    assert installed_in((str(tmp_path), "/nowhere", "")) == (str(tmp_path),)
    monkeypatch.chdir(tmp_path)
    assert installed_in((str(tmp_path), "")) == ()


def test_ours_are_judged_beside_a_broken_one(tmp_path: Path) -> None:
    installed = Installed(tmp_path / "site")
    installed.install("toy-ini = gone.away:Reader")
    write_checkpoint(tmp_path / "runs" / "own", 10)
    (tmp_path / "runs" / "logs").mkdir()
    (tmp_path / "runs" / "logs" / "out.txt").write_text("")
    assert ckpt_tui("check", tmp_path / "runs", **installed.environment).code == 0
    write_toy(tmp_path / "runs" / "toy", 10)
    ended = ckpt_tui("check", tmp_path / "runs", **installed.environment)
    assert ended.code == 3
    assert "RESUME FROM step 10" in ended.out
    assert "plug-in `toy-ini = gone.away:Reader` of toy-ini 1.2 cannot be used" in ended.err
