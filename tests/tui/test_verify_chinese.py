"""What the dashboard says of verified bytes in Chinese: it fits, and no English is left."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ckpt_tui import words
from ckpt_tui.core.verified import NotFinite, VerifiedFacts, VerifiedFile, WrongBytes
from ckpt_tui.core.verified_findings import with_verified
from ckpt_tui.tui.details.bytes import bytes_lines
from ckpt_tui.tui.lines import text_of, width_of
from ckpt_tui.tui.verify.lines import outcome_text, progress_line
from ckpt_tui.tui.verify.queue import Job
from ckpt_tui.verify.results import FileResult, NonFinite, Progress, Verified
from tests.tui.app_tests import dashboard
from tests.tui.builders import GIB, NOW, ROOT, facts, run_of, snapshot_of
from tests.tui.test_chinese_screens import english_in

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ckpt_tui.core.snapshot import Snapshot

WIDTHS = (40, 60, 80, 120)
RIGHT = VerifiedFile("a.pt", GIB, NOW - 7200, GIB // 2, "zip CRC-32", True)
WRONG = WrongBytes("checksum-mismatch", "record data/5 at byte 90", "w", "it has no HDF5 signature")
FILES = (
    RIGHT,
    RIGHT._replace(path="b.pt", scanned_bytes=GIB, not_finite=(NotFinite("w", 3, 0),)),
    RIGHT._replace(
        path="c.pt",
        ok=False,
        message="its bytes have the CRC-32 1, the zip directory says 2",
        wrong=(WRONG,),
        wrong_total=1,
    ),
    VerifiedFile("d.json", 24, NOW - 7200, 0, "nothing", None),
)


@pytest.fixture(autouse=True)
def chinese() -> Iterator[None]:
    words.use("zh")
    yield
    words.use("en")


def picture(files: tuple[VerifiedFile, ...]) -> Snapshot:
    found = VerifiedFacts(files, len(FILES), 4 * GIB)
    return snapshot_of(run_of([facts(100), with_verified(facts(200), found)]))


@pytest.mark.parametrize("files", [FILES, FILES[:2], FILES[:1], FILES[3:]])
@pytest.mark.parametrize("width", WIDTHS)
def test_the_tab(files: tuple[VerifiedFile, ...], width: int) -> None:
    newest = next(c for c in picture(files).checkpoints if c.step == 200)
    lines = bytes_lines(newest, width)
    assert max(width_of(lines[place]) for place in range(len(lines))) <= width
    text = "\n".join(text_of(lines[place]) for place in range(len(lines)))
    assert english_in(text) == []
    assert "向右" not in text, "what is right, not where"


@pytest.mark.parametrize("width", WIDTHS)
def test_the_line_that_says_how_far_it_is(width: int) -> None:
    job = Job(picture(FILES).checkpoints[0], finite=True)
    lines = [progress_line(job, 0, width)]
    job.tell(Progress(f"{ROOT}/iter/__3_0.distcp", 3 * GIB, 4 * GIB, 2, 5, 1))
    lines.append(progress_line(job, 11, width))
    job.cancel.set()
    lines.append(progress_line(job, 0, width))
    assert max(map(width_of, lines)) <= width
    assert english_in("\n".join(map(text_of, lines))) == []


def test_what_came_out() -> None:
    job = Job(picture(FILES).checkpoints[0], finite=True)
    right = FileResult("/r/a.pt", GIB, 1, 2, GIB, "zip CRC-32", True)
    found = [
        Verified((right,), 1.5),
        Verified((right._replace(ok=False), right._replace(unread=True)), 1.5),
        Verified((right._replace(non_finite=(NonFinite("w", 1, 0),)),), 1.5, cancelled=True),
        Verified((right._replace(checked_bytes=0),), 1.5),
        Verified((), 1.5),
        Verified((), 1.5, problems=(("/r", "No such file or directory"),)),
    ]
    for each in found:
        text = outcome_text(job, each)
        assert english_in(text.replace(job.title, "")) == []


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_the_screen(size: tuple[int, int]) -> None:
    async with dashboard(picture(FILES), size=size) as board:
        for keys in ("6", "L"):
            await board.press(keys)
            assert english_in(board.text()) == []
