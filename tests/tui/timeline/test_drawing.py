from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ckpt_tui.tui.lines import text_of, width_of
from ckpt_tui.tui.timeline.axis import LEAST_SECONDS, Axis, Window, ticks_of, whole_window
from ckpt_tui.tui.timeline.lanes import LABEL_CELLS
from ckpt_tui.tui.timeline.picture import timeline_lines
from ckpt_tui.tui.timeline.story import Story, TimedSave, story_of
from tests.tui.builders import NOW
from tests.tui.timeline.builders import night_run

TIMES = st.floats(-1e12, 1e12)
STORY = story_of(night_run(), None)
WHOLE = whole_window(STORY.saves[0].at, STORY.saves[-1].at)


def save(at: float, size: int, took: float | None) -> TimedSave:
    return TimedSave("x", "step 1", 1, at, size, took, True, None)


def test_the_ends_of_the_axis_are_its_first_and_last_column() -> None:
    axis = Axis(100.0, 200.0, 50)
    assert [axis.column(at) for at in (100.0, 101.9, 102.0, 199.9, 200.0)] == [0, 0, 1, 49, 49]
    assert not axis.shows(99.9)
    assert not axis.shows(200.1)


@given(TIMES, st.floats(LEAST_SECONDS, 4e8), st.integers(12, 300))
def test_ticks_are_in_sight_and_do_not_crowd(start: float, seconds: float, columns: int) -> None:
    axis = Axis(start, start + seconds, columns)
    ticks = ticks_of(axis)
    assert all(0 <= column < columns for column, _ in ticks)
    assert len(ticks) <= columns // 12 + 2


@given(st.floats(0.01, 4), st.floats(0, 1), st.integers(1, 30))
def test_a_zoomed_window_stays_within_the_whole(factor: float, share: float, times: int) -> None:
    whole, window = Window(1000.0, 9000.0), Window(1000.0, 9000.0)
    at = 1000.0 + 8000.0 * share
    for _ in range(times):
        window = window.zoomed(at, factor, whole)
    assert whole.start - 1e-6 <= window.start < window.end <= whole.end + 1e-6
    assert window.start - 1e-6 <= at <= window.end + 1e-6


def test_a_window_follows_the_cursor() -> None:
    window = Window(0.0, 10.0).with_in_sight(50.0, Window(0.0, 100.0))
    assert window == Window(45.0, 55.0)
    assert window.with_in_sight(100.0, Window(0.0, 100.0)) == Window(90.0, 100.0)


@pytest.mark.parametrize("size", [(76, 22), (116, 38), (196, 58), (30, 10), (12, 3)])
@pytest.mark.parametrize("ascii_only", [False, True])
def test_no_line_is_wider_than_the_screen(size: tuple[int, int], ascii_only: bool) -> None:
    lines = timeline_lines(STORY, WHOLE, 20, NOW, size, ascii_only=ascii_only)
    assert max(width_of(text) for text in lines) <= size[0]


def test_plots_and_some_events_fit_on_a_small_screen() -> None:
    lines = timeline_lines(STORY, WHOLE, 35, NOW, (76, 22))
    texts = [text_of(text) for text in lines]
    first_event = next(n for n, text in enumerate(texts) if "step 2100 is uncommitted" in text)
    assert first_event < 22


def test_signs_stand_in_the_column_of_their_save() -> None:
    texts = [text_of(text) for text in timeline_lines(STORY, WHOLE, 20, NOW, (116, 38))]
    axis = Axis(WHOLE.start, WHOLE.end, 116 - LABEL_CELLS)
    saves = next(text for text in texts if text.startswith("    saves"))
    events = next(text for text in texts if text.startswith("   events"))
    dead = LABEL_CELLS + axis.column(STORY.saves[20].at)
    assert saves[dead] == "⊘"
    assert saves.rstrip()[-1] == "▶"
    assert events[LABEL_CELLS + axis.column(STORY.restarts[0].at)] == "↻"
    assert "gap 2h 00m" in events
    pointer = next(text for text in texts if "▲" in text)
    assert pointer.index("▲") == dead


def test_without_colour_the_words_tell() -> None:
    texts = [text_of(text) for text in timeline_lines(STORY, WHOLE, 35, NOW, (116, 38))]
    told = "\n".join(texts)
    for words in ("step 3450", "resume point", "size 1.29 TiB", "took at least", "slow: usually"):
        assert words in told


@given(
    st.lists(st.tuples(TIMES, st.integers(0, 2**62), st.none() | st.floats(0, 1e9)), max_size=40),
    st.integers(11, 120),
    st.booleans(),
)
def test_any_saves_can_be_drawn(
    made: list[tuple[float, int, float | None]], width: int, ascii_only: bool
) -> None:
    saves = tuple(sorted((save(*each) for each in made), key=lambda each: each.at))
    window = whole_window(saves[0].at, saves[-1].at) if saves else Window(0, 1)
    lines = timeline_lines(
        Story(saves), window, len(saves) // 2 if saves else 0, NOW, (width, 20), ascii_only
    )
    assert all(width_of(text) <= max(width, 30) for text in lines)
