"""What the dashboard shows of verified bytes: the line, what came out of it, table and tabs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from ckpt_tui.core.verified import NotFinite, VerifiedFacts, VerifiedFile, WrongBytes
from ckpt_tui.core.verified_findings import with_verified
from ckpt_tui.tui.details.bytes import bytes_lines
from ckpt_tui.tui.lines import text_of, width_of
from ckpt_tui.tui.verify.lines import outcome_text, progress_line
from ckpt_tui.tui.verify.queue import Job, paths_of
from ckpt_tui.verify.results import Fault, FileResult, NonFinite, Progress, Verified
from tests.tui.app_tests import dashboard, says
from tests.tui.builders import GIB, NOW, ROOT, facts, run_of, snapshot_of

if TYPE_CHECKING:
    from ckpt_tui.core.checkpoint import Checkpoint
    from ckpt_tui.core.snapshot import Snapshot

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


def _right(path: str, **others: Any) -> FileResult:
    return FileResult(path, 4 * GIB, 1, 2, 3 * GIB, "zip CRC-32", True)._replace(**others)


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
    async with dashboard(_verified_picture(), size=(80, 24), ascii=True) as board:
        await board.press("6")
        await says(board, "wrong")
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
    scanned = _right("/r/e.pt", scanned_bytes=GIB)
    nan = _right("/r/d.pt", non_finite=(NonFinite("w", 1, 0),))
    for files, said in [
        ((right,), "step 100: every protected byte is right, 3.00 GiB of 4.00 GiB in 1.5 s."),
        ((right, scanned), "No NaN, no infinity."),
        ((right, unread), "Not read: b.pt."),
        ((right, wrong), "step 100: wrong bytes in c.pt."),
        ((wrong,) * 5, "wrong bytes in 5 files: c.pt, c.pt, c.pt and 2 more."),
        ((nan,), "NaN or infinity in w."),
        ((_right("/r/a.json", checked_bytes=0, ok=None),), "no checksum protects any"),
        ((), "nothing was verified: no files were found"),
    ]:
        assert said in outcome_text(job, Verified(files, 1.5))
    assert "NaN" not in outcome_text(job, Verified((right,), 1.5)), "nothing was scanned"
    assert "after 1 file;" in outcome_text(job, Verified((right,), 1.5, cancelled=True))


def test_the_bytes_tab_tells_a_part_from_all() -> None:
    half = _checkpoint(100)
    assert "✔ part right" in "\n".join(map(text_of, bytes_lines(half, 120)))
    verified = half.facts.verified
    assert verified is not None
    files = tuple(file._replace(checked_bytes=file.size_bytes) for file in verified.files)
    all_of_it = with_verified(half.facts, verified._replace(files=files))
    assert "✔ right" in "\n".join(map(text_of, bytes_lines(half._replace(facts=all_of_it), 120)))


def test_paths_of_what_is_made_of_files() -> None:
    made = facts(100)
    assert paths_of(_checkpoint(100)) == (made.path,)
    alone = made._replace(path="/r/a.pt", name="a.pt", files=(made.files[0]._replace(path="a.pt"),))
    picture = snapshot_of(run_of([alone]))
    assert paths_of(picture.checkpoints[0]) == ("/r/a.pt",)
