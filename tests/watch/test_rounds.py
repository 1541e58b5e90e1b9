from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ckpt_tui.watch.rounds import ONE_LOOK_SECONDS, Rounds


@given(paths=st.sets(st.text("abc/", min_size=1), max_size=40), seconds=st.floats(0.001, 1.0))
def test_each_comes_once_in_a_round(paths: set[str], seconds: float) -> None:
    rounds = Rounds()
    rounds.took(32, seconds)
    seen: list[str] = []
    while len(seen) < len(paths):
        seen += rounds.next(tuple(paths))
    assert paths <= set(seen)
    assert rounds.next(()) == frozenset()


def test_those_that_come_and_go_do_not_stop_the_round() -> None:
    rounds = Rounds()
    rounds.took(32, 32 * ONE_LOOK_SECONDS / 2)  # two fit
    assert rounds.next("abcdef") == frozenset("ab")
    assert rounds.next("acdf") == frozenset("cd")
    assert rounds.next("abf") == frozenset("fa")


def test_a_look_takes_about_as_long_as_it_should() -> None:
    rounds = Rounds()
    paths = [f"{number:05d}" for number in range(20_000)]
    for _ in range(20):
        chosen = rounds.next(paths)
        rounds.took(len(chosen), len(chosen) * 0.0005)
    assert len(chosen) == 100
    rounds.took(100, 60.0)
    assert len(rounds.next(paths)) == 1
