"""`v` in the dashboard: beside the screen, one after the other, stopped when asked."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

import pytest

from ckpt_tui.core.verified import NotFinite, VerifiedFacts, VerifiedFile, WrongBytes
from ckpt_tui.core.verified_findings import with_verified
from ckpt_tui.tui.details.bytes import bytes_lines
from ckpt_tui.tui.lines import text_of, width_of
from ckpt_tui.tui.planner.choice import ChoiceScreen
from ckpt_tui.tui.verify.lines import outcome_text, progress_line
from ckpt_tui.tui.verify.queue import Job, Verifier, paths_of
from ckpt_tui.verify.results import Fault, FileResult, NonFinite, Progress, Verified
from tests.tui import situations
from tests.tui.app_tests import Dashboard, dashboard, says
from tests.tui.builders import GIB, NOW, ROOT, facts, run_of, saving, snapshot_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ckpt_tui.core.checkpoint import Checkpoint
    from ckpt_tui.core.snapshot import Snapshot


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


_WRONG = WrongBytes("checksum-mismatch", "record data/5", "layer.weight", "its CRC-32 is 1, not 2")


def _verified_picture() -> Snapshot:
    """The newest has wrong bytes, the one before NaN, the oldest is right."""
    made = []
    for place, step in enumerate((100, 200, 300)):
        read = facts(step, age=600.0 * (4 - place))
        held = tuple(role._replace(paths=(read.files[0].path,)) for role in read.roles)
        found = _verified_facts(read.files[0].path, step)
        made.append(with_verified(read._replace(roles=held), found))
    return snapshot_of(run_of(made))


def _verified_facts(path: str, step: int | None) -> VerifiedFacts:
    file = VerifiedFile(path, GIB, NOW - 7200, GIB // 2, "zip CRC-32", True, scanned_bytes=GIB)
    if step == 300:
        file = file._replace(ok=False, message="wrong", wrong=(_WRONG,), wrong_total=1)
    if step == 200:
        file = file._replace(not_finite=(NotFinite("layer.weight", 3, 0),))
    bare = VerifiedFile("common.pt", 24 * 1024, NOW - 7200, 0, "nothing", None, scanned_bytes=0)
    return VerifiedFacts((bare, file), 2, GIB + 24 * 1024)


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 60)])
async def test_results_are_in_table_header_and_tabs(size: tuple[int, int]) -> None:
    async with dashboard(_verified_picture(), size=size) as board:
        text = board.text()
        assert "corrupt" in text
        assert ("not finite" if size[0] < 100 else "the newest without is step 100") in text
        await board.press("4")
        await says(board, "layer.weight")
        await board.press("6")
        await says(board, "wrong bytes")
        assert "distcp/__0_0.distcp" in board.text()


async def test_without_characters_beside_ascii_nothing_is_lost() -> None:
    hand = ByHand()
    async with dashboard(_verified_picture(), size=(80, 24), ascii=True, **hand.options) as board:
        await board.press("6")
        await says(board, "wrong")
        await board.press("escape", "v")
        await until(board, lambda: "75 %" in board.text())
        assert board.text().isascii()


def _checkpoint(step: int) -> Checkpoint:
    return next(c for c in _verified_picture().checkpoints if c.step == step)


def test_the_tab_lists_wrong_files_first() -> None:
    rows = [text_of(row) for row in bytes_lines(_checkpoint(300), 118)]
    first = next(row for row in rows if "distcp" in row)
    bare = next(row for row in rows if "common.pt" in row)
    assert rows.index(first) < rows.index(bare)
    assert first.startswith("✗ wrong")
    assert "zip CRC-32" in first
    assert "nothing" in bare
    assert "NaN, inf" in "\n".join(text_of(row) for row in bytes_lines(_checkpoint(200), 118))


@pytest.mark.parametrize("width", [40, 60, 80, 120, 200])
def test_the_line_fits_and_the_share_stays(width: int) -> None:
    job = Job(_checkpoint(100), finite=True)
    assert width_of(progress_line(job, 0, width)) <= width
    job.tell(Progress(f"{ROOT}/iter/[bold]__3_0.distcp", 3 * GIB, 4 * GIB, 2, 5, 1))
    for second in range(7):
        job.rate.note(job.progress._replace(read_bytes=second * GIB // 4), float(second))
    line = text_of(progress_line(job, 11, width))
    assert len(line) <= width
    assert "75 %" in line
    if width >= 120:
        for part in ("256 MiB/s", "4.0 s left", "11 waiting"):
            assert part in line
    job.cancel.set()
    assert "stopping" in text_of(progress_line(job, 0, width))


def test_what_came_out_is_said() -> None:
    job = Job(_checkpoint(100), finite=True)
    right, unread = _right("/r/a.pt"), _right("/r/b.pt", ok=None, unread=True)
    wrong = _right("/r/c.pt", ok=False, faults=(Fault("checksum-mismatch", "", "", ""),))
    nan = _right("/r/d.pt", non_finite=(NonFinite("w", 1, 0),))
    for files, said in [
        ((right,), "step 100: every protected byte is right, 3.00 GiB of 4.00 GiB in 1.5 s."),
        ((right,), "No NaN, no infinity."),
        ((right, unread), "Not read: b.pt."),
        ((right, wrong), "step 100: wrong bytes in c.pt."),
        ((wrong,) * 5, "wrong bytes in 5 files: c.pt, c.pt, c.pt and 2 more."),
        ((nan,), "NaN or infinity in w."),
        ((_right("/r/a.json", checked_bytes=0, ok=None),), "no checksum protects any"),
        ((), "nothing was verified: no files were found"),
    ]:
        assert said in outcome_text(job, Verified(files, 1.5))
    assert "after 1 file;" in outcome_text(job, Verified((right,), 1.5, cancelled=True))


def test_paths_of_what_is_made_of_files() -> None:
    made = facts(100)
    assert paths_of(_checkpoint(100)) == (made.path,)
    alone = made._replace(path="/r/a.pt", name="a.pt", files=(made.files[0]._replace(path="a.pt"),))
    picture = snapshot_of(run_of([alone]))
    assert paths_of(picture.checkpoints[0]) == ("/r/a.pt",)
