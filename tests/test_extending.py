"""The examples of docs/extending.md are run as they stand there."""

from __future__ import annotations

import re
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

import pytest

from ckpt_tui import words
from ckpt_tui.tui.app import DashboardApp
from ckpt_tui.tui.options import DashboardOptions
from ckpt_tui.tui.screens.main import MainScreen
from tests.tui import situations
from tests.tui.builders import FrozenClock, StubFeed, facts, run_of

if TYPE_CHECKING:
    from collections.abc import Iterator

PAGE = Path(__file__).parents[1] / "docs" / "extending.md"
NAMES = ("finding", "action", "language")


@pytest.fixture(autouse=True)
def english_again() -> Iterator[None]:
    yield
    words.use("en")


def example(name: str) -> ModuleType:
    found = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.M | re.S)
    assert len(found) == len(NAMES)
    module = ModuleType(name)
    exec(found[NAMES.index(name)], vars(module))
    return module


def test_the_finding() -> None:
    shrunk = example("finding").shrunk_findings
    run = run_of([facts(300, size=1000), facts(200, size=9000), facts(100, size=9000)])
    (found,) = shrunk(run.checkpoints, run.resume)
    assert found.message == "it has 1000 bytes, those before it about 9000"
    alike = run_of([facts(300), facts(200)])
    assert shrunk(alike.checkpoints, alike.resume) == ()
    assert shrunk((), None) == ()


async def test_the_action() -> None:
    module = example("action")

    bindings = {"BINDINGS": [module.COUNT.binding()]}
    screen = type("Screen", (module.Counting, MainScreen), bindings)
    options = DashboardOptions(clock=FrozenClock())
    app = DashboardApp(StubFeed(situations.mixed()), options, make_screen=screen)
    async with app.run_test(size=(120, 36)) as pilot:
        await pilot.press("K")
        await pilot.pause()
        (told,) = app._notifications
        total = len(situations.mixed().checkpoints)
        assert told.message == f"{total} of {total} rows"


def test_the_language(monkeypatch: pytest.MonkeyPatch) -> None:
    catalog = example("language")
    monkeypatch.setitem(words.CATALOGS, "de", "example")
    monkeypatch.setattr(words, "import_module", {"example": catalog}.__getitem__)
    words.use("de")
    assert words.say("{shown} of {total} rows", shown=2, total=3) == "2 von 3 Zeilen"
    assert words.say("nothing known of this") == "nothing known of this"
    sentence = "it has 1000 bytes, those before it about 9000"
    assert words.say_sentence(sentence) == "es hat 1000 Bytes, die davor etwa 9000"
    assert words.say_sentence("3 checkpoints") == "3 Checkpoints"
