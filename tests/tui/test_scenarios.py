"""The prepared situations: does the answer area say what has to be decided?"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import pytest

from ckpt_tui.demo.scenarios.catalog import SCENARIOS
from ckpt_tui.tui.app import DashboardApp
from ckpt_tui.tui.options import DashboardOptions
from tests.demo.scenes import scene
from tests.tui.app_tests import dashboard
from tests.tui.builders import FrozenClock, StubFeed, StubStatus

if TYPE_CHECKING:
    from collections.abc import Callable

SMALL, MIDDLE = (80, 24), (120, 40)
ANSWER_LINES = 6
WATCHING = StubStatus(mode="inotify · simulated disk")


class Answer(NamedTuple):
    """What the answer area has to say, and what not."""

    resume_step: int | None
    said: tuple[str, ...] = ()
    never: tuple[str, ...] = ()


ANSWERS = {
    "all-good": Answer(12400, ("exact", "nothing needs a look"), ("⚠",)),
    "newest-broken": Answer(6750, ("step 7000", "__19_0.distcp has 6347551951 bytes")),
    "pointer-dangling": Answer(4000, ("latest: broken latest", "global_step4500")),
    "save-in-flight": Answer(12400, ("SAVING", "step 12500", "left", "nothing needs"), ("⚠",)),
    "save-stalled": Answer(12400, ("SAVING", "step 12500", "waits for ranks 11, 37")),
    "weights-only": Answer(2500, ("asked for the latest, a job takes step 3500", "no optimizer")),
    "nothing-resumable": Answer(
        None, ("NOTHING TO RESUME FROM: only a start from step 0", "NEAREST       step 1000")
    ),
    "world-size-changed": Answer(
        None, ("CONVERT       step 4000", "FOR 8 RANKS", "of 16 ranks: by conversion")
    ),
    "disk-nearly-full": Answer(7000, ("the disk has room for 1 more save",)),
    "two-runs-mixed": Answer(
        None,
        (
            "WHICH JOB?    step 12400 ✔ exact",
            "or the younger: step 300 ✔ exact",
            "asked for the latest, a job takes step 300",
            "a job began from step 0 in a used directory",
        ),
    ),
}


def test_each_scenario_has_an_answer() -> None:
    assert list(ANSWERS) == list(SCENARIOS)
    assert len(ANSWERS) == 10


@pytest.mark.parametrize("name", ANSWERS)
async def test_the_answer_area_says_what_has_to_be_decided(name: str) -> None:
    wanted = ANSWERS[name]
    async with dashboard(scene(name), status=WATCHING) as running:
        area = "\n".join(running.text().splitlines()[:ANSWER_LINES])
    if wanted.resume_step is not None:
        assert f"RESUME FROM   step {wanted.resume_step} " in area
    else:
        assert "RESUME FROM " not in area.replace("NOTHING TO RESUME FROM", "")
    for text in wanted.said:
        assert text in area
    for text in wanted.never:
        assert text not in area


@pytest.mark.parametrize("name", ANSWERS)
async def test_the_screen_says_that_the_disk_is_simulated(name: str) -> None:
    async with dashboard(scene(name), status=WATCHING) as running:
        assert "simulated disk" in running.text().splitlines()[0]


@pytest.mark.parametrize("size", [SMALL, MIDDLE], ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("name", ANSWERS)
def test_picture(snap_compare: Callable[..., bool], name: str, size: tuple[int, int]) -> None:
    options = DashboardOptions(clock=FrozenClock(), reload_assumed=False)  # the demo says it
    app = DashboardApp(StubFeed(scene(name), WATCHING), options)
    assert snap_compare(app, terminal_size=size)
