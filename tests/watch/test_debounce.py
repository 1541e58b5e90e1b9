from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ckpt_tui.watch.debounce import LONGEST_SECONDS, QUIET_SECONDS, Batch, Debounce


def test_one_path_is_given_after_a_short_silence() -> None:
    window = Debounce()
    assert window.due_at() is None
    window.add("/r/a", 10.0)
    assert window.take(10.03) is None
    assert window.take(10.0 + QUIET_SECONDS) == Batch(False, frozenset({"/r/a"}))
    assert window.take(11.0) is None


def test_a_burst_is_cut_after_the_longest_time() -> None:
    window = Debounce()
    for index in range(20):
        window.add(f"/r/{index}", 10.0 + index * 0.01)
    assert window.due_at() == 10.0 + LONGEST_SECONDS
    batch = window.take(10.2)
    assert batch is not None
    assert len(batch.paths) == 20


def test_lost_events_outweigh_paths() -> None:
    window = Debounce()
    window.add("/r/a", 1.0)
    window.add_full(1.0)
    window.add("/r/b", 1.0)
    assert window.take(2.0) == Batch(True, frozenset())
    window.add("/r/c", 3.0)
    assert window.take(4.0) == Batch(False, frozenset({"/r/c"}))


def test_too_many_paths_become_a_full_look() -> None:
    window = Debounce(max_paths=3)
    for index in range(4):
        window.add(f"/r/{index}", 1.0)
    assert window.take(2.0) == Batch(True, frozenset())


def test_flush_does_not_wait() -> None:
    window = Debounce()
    assert window.flush() is None
    window.add("/r/a", 1.0)
    assert window.flush() == Batch(False, frozenset({"/r/a"}))
    assert window.due_at() is None


@given(
    st.lists(st.tuples(st.floats(0.0, 0.2), st.sampled_from(["/r/a", "/r/b", "/r/c"])), max_size=60)
)
def test_no_path_is_lost_and_none_waits_too_long(steps: list[tuple[float, str]]) -> None:
    window = Debounce()
    now = 0.0
    given_at: list[tuple[float, frozenset[str]]] = []

    def deliver_until(end: float) -> None:
        while (due := window.due_at()) is not None and due <= end:
            batch = window.take(due)
            assert batch is not None
            given_at.append((due, batch.paths))

    for gap, path in steps:
        deliver_until(now + gap)
        now += gap
        window.add(path, now)
    added, now = now, 1e9
    deliver_until(now)

    assert window.due_at() is None
    assert set().union(*(paths for _, paths in given_at)) == {path for _, path in steps}
    moment = 0.0
    for gap, path in steps:
        moment += gap
        later = [at for at, paths in given_at if path in paths and at >= moment]
        assert min(later) - moment <= LONGEST_SECONDS + 1e-9
    assert not given_at or given_at[-1][0] == pytest.approx(added, abs=LONGEST_SECONDS)
