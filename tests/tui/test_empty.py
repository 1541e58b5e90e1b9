"""What stands in the table's place: why nothing is listed, and what may have been meant."""

from __future__ import annotations

import threading

from ckpt_tui.formats.near_misses import Miss, Nearby, NearMiss
from tests.tui.app_tests import Dashboard, dashboard
from tests.tui.builders import ROOT, snapshot_of

NEARBY = Nearby(
    ROOT,
    14,
    misses=(
        NearMiss(Miss.LINK, f"{ROOT}/link", "/scratch/gpt"),
        NearMiss(Miss.USUAL_PLACE, f"{ROOT}/outputs"),
    ),
)


async def told(board: Dashboard, text: str) -> str:
    """The screen, once it shows a text that comes from another thread."""
    for _ in range(200):
        if text in board.text():
            return board.text()
        await board.pilot.pause(0.01)
    return board.text()


async def test_it_says_how_much_was_looked_through_and_what_may_be_meant() -> None:
    async with dashboard(snapshot_of(), nearby=lambda _path: NEARBY) as board:
        text = await told(board, "14 directories")
    assert "Looked through 14 directories." in text
    assert "/scratch/gpt" in text
    assert f"{ROOT}/outputs is there, and holds no checkpoint" in text


async def test_the_screen_does_not_wait_for_it() -> None:
    go_on = threading.Event()

    def slow(_path: str) -> Nearby:
        go_on.wait(5.0)
        return NEARBY

    async with dashboard(snapshot_of(), nearby=slow) as board:
        assert "No checkpoint in" in board.text()
        assert "14 directories" not in board.text()
        go_on.set()
        assert "14 directories" in await told(board, "14 directories")


async def test_where_the_look_around_fails_the_dashboard_goes_on() -> None:
    failed = threading.Event()

    def look(path: str) -> Nearby:
        failed.set()
        raise PermissionError(13, "Permission denied", path)

    async with dashboard(snapshot_of(), nearby=look) as board:
        assert failed.wait(5.0)
        await board.pilot.pause(0.05)
        assert "No checkpoint in" in board.text()
        assert board.app.is_running


async def test_it_is_asked_once_for_one_state() -> None:
    asked: list[str] = []

    def look(path: str) -> Nearby:
        asked.append(path)
        return NEARBY

    async with dashboard(snapshot_of(), nearby=look) as board:
        await told(board, "14 directories")
        await board.send(snapshot_of(version=2))
        await board.send(snapshot_of(version=3, error="No such file or directory"))
        await told(board, "cannot be read")
        await board.pilot.pause(0.05)
    assert asked == [ROOT, ROOT]
