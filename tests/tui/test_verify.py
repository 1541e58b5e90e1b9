"""`v` in the dashboard: beside the screen, one after the other, stopped when asked."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

import pytest

from ckpt_tui.tui.planner.choice import ChoiceScreen
from ckpt_tui.tui.verify.queue import Verifier
from ckpt_tui.verify.results import FileResult, Progress, Verified
from tests.tui import situations
from tests.tui.app_tests import Dashboard, dashboard, says
from tests.tui.builders import GIB, facts, run_of, saving, snapshot_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


class ByHand:
    """A verifier that ends when a test says so."""

    def __init__(self, problem: str = "", result: Verified | None = None) -> None:
        self.begun: list[tuple[tuple[str, ...], bool]] = []
        self.remembered: list[Verified] = []
        self.go_on = threading.Semaphore(0)
        self.stopped = 0
        self._problem = problem
        self._result = result

    def verify(
        self,
        paths: Sequence[str],
        finite: bool,
        told: Callable[[Progress], None],
        cancel: threading.Event,
    ) -> Verified:
        self.begun.append((tuple(paths), finite))
        told(Progress(f"{paths[0]}/distcp/__3_0.distcp", 3 * GIB, 4 * GIB, 2, 5, 1))
        while not self.go_on.acquire(timeout=0.01):
            if cancel.is_set():
                self.stopped += 1
                return Verified((), 1.0, cancelled=True)
        return self._result or Verified((_right(f"{paths[0]}/a.pt"),), 2.0)

    def remember(self, verified: Verified) -> str:
        self.remembered.append(verified)
        return self._problem

    @property
    def options(self) -> dict[str, Any]:
        return {"verifier": Verifier(self.verify, self.remember)}


def _right(path: str, **others: Any) -> FileResult:
    return FileResult(path, 4 * GIB, 1, 2, 3 * GIB, "zip CRC-32", True)._replace(**others)


async def until(board: Dashboard, holds: Callable[[], bool]) -> None:
    """Waits for what another thread does."""
    for _ in range(2000):
        if holds():
            return
        await board.pilot.pause(0.002)
    raise AssertionError(board.text())


async def test_it_goes_on_beside_the_screen_and_tells_how_far_it_is() -> None:
    hand = ByHand()
    async with dashboard(situations.healthy(), **hand.options) as board:
        assert "v verify" in board.text()
        path = board.main.table.cursor_key
        await board.press("v")
        await until(board, lambda: "75 %" in board.text())
        for part in (
            "VERIFYING",
            "3.00 GiB of 4.00 GiB",
            "__3_0.distcp",
            "1 file wrong",
            "v stops",
        ):
            assert part in board.text()
        await board.press("j", "j", "3")
        assert board.main.table.cursor_key != path
        hand.go_on.release()
        await until(board, lambda: bool(hand.remembered))
        await until(board, lambda: "VERIFYING" not in board.text())
        assert hand.begun == [((path,), False)]
        assert "every protected byte is right, 3.00 GiB of 4.00 GiB" in board.toasts()[-1]


async def test_marked_ones_wait_for_their_turn() -> None:
    hand = ByHand()
    async with dashboard(situations.healthy(), **hand.options) as board:
        await board.press("space", "j", "space", "j", "space", "V")
        await until(board, lambda: len(hand.begun) == 1)
        assert len(board.main.verify_queue.waiting) == 2
        await until(board, lambda: "2 waiting" in board.text())
        for _ in range(3):
            hand.go_on.release()
        await until(board, lambda: len(hand.remembered) == 3)
        assert all(finite for _, finite in hand.begun)
        assert len({paths for paths, _ in hand.begun}) == 3


async def test_keys_in_a_rush_read_one_after_the_other() -> None:
    hand = ByHand()
    async with dashboard(situations.healthy(), **hand.options) as board:
        await board.rush("v", "j", "v", "j", "v")
        await until(board, lambda: bool(hand.begun))
        assert len(board.main.verify_queue.waiting) == 2
        for done in range(1, 4):
            hand.go_on.release()
            await until(board, lambda done=done: len(hand.remembered) == done)
        assert len(hand.begun) == 3


async def test_the_same_key_offers_to_stop_and_asks_first() -> None:
    hand = ByHand()
    async with dashboard(situations.healthy(), **hand.options) as board:
        await board.press("v")
        await until(board, lambda: bool(hand.begun))
        await board.press("v")
        assert isinstance(board.app.screen, ChoiceScreen)
        await says(board, "go on")
        await says(board, "2 of 5 files are read")
        await board.press("enter")
        assert hand.stopped == 0
        await board.press("v", "j", "enter")
        await until(board, lambda: hand.stopped == 1)
        await until(board, lambda: board.main.verify_queue.current is None)
        assert "stopped" in board.toasts()[-1]


async def test_escape_leaves_what_is_open_and_then_offers_to_stop_all() -> None:
    hand = ByHand()
    async with dashboard(situations.healthy(), **hand.options) as board:
        await board.press("v", "j", "v", "enter")
        await until(board, lambda: bool(hand.begun))
        await board.press("escape")
        assert not isinstance(board.app.screen, ChoiceScreen)
        await board.press("escape")
        assert isinstance(board.app.screen, ChoiceScreen)
        await says(board, "stop all 2")
        await board.press("j", "j", "enter")
        await until(board, lambda: hand.stopped == 1)
        await until(board, lambda: not board.main.verify_queue.jobs)
        assert len(hand.begun) == 1


@pytest.mark.parametrize("staging", [False, True])
async def test_what_is_not_final_is_refused(staging: bool) -> None:
    hand = ByHand()
    if staging:
        picture = snapshot_of(run_of([facts(100)._replace(staging=True)]))
    else:
        picture = snapshot_of(run_of([], in_flight=[saving(facts(100, met=False))]))
    async with dashboard(picture, **hand.options) as board:
        await board.press("v")
        said = "has a temporary name" if staging else "is still being written"
        assert said in board.toasts()[-1]
        assert not board.main.verify_queue.jobs
        await board.press("escape")
        assert not isinstance(board.app.screen, ChoiceScreen)


async def test_quitting_gives_up_what_is_being_read() -> None:
    hand = ByHand()
    async with dashboard(situations.healthy(), **hand.options) as board:
        await board.press("v", "j", "v")
        await until(board, lambda: bool(hand.begun))
        jobs = board.main.verify_queue.jobs
        await board.press("q")
    assert jobs[0].cancel.is_set()
    assert len(hand.begun) == 1


async def test_one_that_fails_does_not_take_the_others_with_it() -> None:
    hand = ByHand()

    def fail(*_: object) -> Verified:
        if not hand.begun:
            hand.begun.append(((), False))
            raise RuntimeError("[oops]")
        return Verified((), 1.0)

    verifier = Verifier(fail, hand.remember)
    async with dashboard(situations.healthy(), verifier=verifier) as board:
        await board.press("space", "j", "space", "v")
        await until(board, lambda: len(hand.remembered) == 1)
        assert any("could not be verified: [oops]" in toast for toast in board.toasts())


async def test_a_disk_that_hangs_keeps_nobody() -> None:
    hangs = threading.Event()
    hand = ByHand()

    def remember(verified: Verified) -> str:
        hangs.wait(10)
        return ""

    verifier = Verifier(hand.verify, remember)
    async with dashboard(situations.healthy(), verifier=verifier) as board:
        await board.press("v", "j", "v")
        await until(board, lambda: len(hand.begun) == 1)
        board.main.verify_queue.jobs[0].cancel.set()
        await until(board, lambda: len(hand.begun) == 2)
        await board.press("k", "k", "q")
    hangs.set()


async def test_what_will_be_forgotten_is_said() -> None:
    hand = ByHand(problem="disk full")
    async with dashboard(situations.healthy(), **hand.options) as board:
        hand.go_on.release()
        await board.press("v")
        await until(board, lambda: any("disk full" in toast for toast in board.toasts()))


async def test_without_a_verifier_there_is_no_key() -> None:
    async with dashboard(situations.healthy()) as board:
        assert "v verify" not in board.text()
        await board.press("v", "V")
        assert not board.main.verify_queue.jobs


async def test_the_line_needs_no_characters_beside_ascii() -> None:
    hand = ByHand()
    async with dashboard(situations.healthy(), size=(80, 24), ascii=True, **hand.options) as board:
        await board.press("v")
        await until(board, lambda: "75 %" in board.text())
        assert board.text().isascii()


async def test_where_several_runs_are_shown_the_run_is_named() -> None:
    hand = ByHand()
    runs = (run_of([facts(40, root=f"/mnt/{name}")], path=f"/mnt/{name}") for name in ("a", "b"))
    async with dashboard(snapshot_of(*runs, root="/mnt"), **hand.options) as board:
        board.main.table.move_cursor("/mnt/b/iter_0000040")
        await board.press("v")
        await until(board, lambda: "VERIFYING     b: step 40" in board.text())
        hand.go_on.release()
        await until(board, lambda: bool(board.toasts()))
        assert board.toasts()[-1].startswith("b: step 40: every protected byte is right")
