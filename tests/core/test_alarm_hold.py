"""Alarms do not flap: whatever the rules do, what is told is calm, complete and in order."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ckpt_tui.core.alarms.hold import HOLD_SECONDS, MOST_ALARMS, Held, Moment, hold
from ckpt_tui.core.alarms.values import AlarmCode, AlarmLevel, Condition, Event, EventKind, Key

INFO, WARNING, CRITICAL = AlarmLevel
CODES = (AlarmCode.SAVE_STALLED, AlarmCode.DISK_FULL)


def condition(code: AlarmCode = CODES[0], level: AlarmLevel = WARNING) -> Condition:
    return Condition(code, level, "a message")


class Alarms:
    def __init__(self) -> None:
        self.now = 0.0
        self.held: dict[Key, Held] = {}
        self.log: list[Event] = []

    def look(self, *conditions: Condition, seconds: float = 1.0) -> list[str]:
        self.now += seconds
        self.held, events = hold(self.held, conditions, Moment(5000 + self.now, self.now))
        self.log += events
        return [event.kind.value for event in events]


def test_raised_at_once_and_cleared_after_a_while() -> None:
    alarms = Alarms()
    assert alarms.look(condition()) == ["raised"]
    assert alarms.look(condition()) == []
    assert alarms.look() == []
    assert alarms.look(seconds=HOLD_SECONDS - 1) == []
    assert alarms.look(seconds=1) == ["cleared"]
    assert alarms.log[-1].lasted_seconds == pytest.approx(2)
    assert alarms.look(seconds=1e6) == []
    assert alarms.held == {}


def test_a_higher_level_is_told_at_once_and_a_lower_one_after_a_while() -> None:
    alarms = Alarms()
    alarms.look(condition(level=WARNING))
    assert alarms.look(condition(level=CRITICAL)) == ["changed"]
    assert alarms.look(condition(level=WARNING)) == []
    assert alarms.look(condition(level=CRITICAL), seconds=HOLD_SECONDS) == []
    assert alarms.look(condition(level=WARNING)) == []
    assert alarms.look(condition(level=WARNING), seconds=HOLD_SECONDS) == ["changed"]
    assert [event.level for event in alarms.log] == [WARNING, CRITICAL, WARNING]
    assert {held.alarm.since for held in alarms.held.values()} == {5001.0}


def test_what_comes_back_soon_is_held_longer_each_time() -> None:
    alarms = Alarms()
    for _ in range(100):
        alarms.look(condition(), seconds=HOLD_SECONDS + 1)
        alarms.look(seconds=1)
        alarms.look(seconds=HOLD_SECONDS + 1)
    kinds = [event.kind for event in alarms.log]
    assert len(kinds) <= 4


def test_what_passes_by_itself_is_raised_only_when_it_stays() -> None:
    alarms, brief = Alarms(), condition()._replace(raise_after_seconds=5.0)
    for _ in range(20):
        assert alarms.look(brief) == []
        assert alarms.look(brief, seconds=4) == []
        assert not any(held.shown for held in alarms.held.values())
        assert alarms.look() == []
    alarms.look(brief)
    assert alarms.look(brief, seconds=5) == ["raised"]
    assert [held.alarm.since for held in alarms.held.values()] == [alarms.now + 5000 - 5]
    _, events = hold({}, [brief], Moment(0, 0, first=True))
    assert [event.kind for event in events] == [EventKind.RAISED]


def test_messages_are_kept_up_to_date_without_an_event() -> None:
    alarms = Alarms()
    alarms.look(condition())
    alarms.look(condition()._replace(message="another"))
    assert [held.alarm.message for held in alarms.held.values()] == ["another"]


def test_of_one_key_the_loudest_counts_and_there_is_an_end() -> None:
    alarms = Alarms()
    alarms.look(condition(level=INFO), condition(level=CRITICAL))
    assert [event.level for event in alarms.log] == [CRITICAL]
    many = [condition()._replace(subject=str(place)) for place in range(3 * MOST_ALARMS)]
    alarms.look(*many, condition(CODES[1], CRITICAL))
    assert len(alarms.held) == MOST_ALARMS + 1
    assert any(held.alarm.code is CODES[1] for held in alarms.held.values())


looks = st.lists(
    st.tuples(
        st.lists(st.builds(condition, st.sampled_from(CODES), st.sampled_from(AlarmLevel))),
        st.floats(0, 30),
    ),
    max_size=60,
)


@given(looks)
def test_whatever_happens_each_alarm_is_raised_before_it_is_cleared(
    given_looks: list[tuple[list[Condition], float]],
) -> None:
    alarms = Alarms()
    for conditions, seconds in given_looks:
        alarms.look(*conditions, seconds=seconds)
        present = {c.key for c in conditions}
        shown = {key for key, held in alarms.held.items() if held.shown}
        assert shown == present
    for code in CODES:
        of_code = [event for event in alarms.log if event.code == code.value]
        told = [e for e in of_code if e.kind is not EventKind.CHANGED]
        expected = (EventKind.RAISED, EventKind.CLEARED)
        assert [e.kind for e in told] == [expected[place % 2] for place in range(len(told))]
        for before, after in pairwise(told):
            if after.kind is EventKind.CLEARED:
                assert after.at - before.at >= HOLD_SECONDS
        for before, after in pairwise(of_code):
            if after.kind is EventKind.CHANGED:
                assert after.level is not before.level
    assert [e.at for e in alarms.log] == sorted(e.at for e in alarms.log)


@given(st.floats(0.1, HOLD_SECONDS - 0.1), st.integers(2, 60))
def test_a_rule_that_flickers_faster_than_the_hold_is_one_alarm(period: float, times: int) -> None:
    alarms = Alarms()
    for place in range(2 * times):
        alarms.look(*([condition()] if place % 2 == 0 else []), seconds=period)
    assert [event.kind for event in alarms.log] == [EventKind.RAISED]


@given(looks)
def test_the_same_moment_again_tells_nothing(
    given_looks: list[tuple[list[Condition], float]],
) -> None:
    alarms = Alarms()
    for conditions, seconds in given_looks:
        alarms.look(*conditions, seconds=seconds)
        assert alarms.look(*conditions, seconds=0.0) == []
