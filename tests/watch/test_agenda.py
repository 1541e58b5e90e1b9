from __future__ import annotations

from ckpt_tui.watch.agenda import Agenda, Work
from ckpt_tui.watch.pace import Scope


def looked_at_zero(*, polling: bool = False, saving: bool = False) -> Agenda:
    agenda = Agenda(poll_seconds=2.0, sweep_seconds=30.0)
    agenda.pace.polling = polling
    agenda.pace.looked(Scope.FULL, 0.0, 0.0, saving=saving)
    return agenda


def test_begins_with_everything() -> None:
    agenda = Agenda(poll_seconds=2.0, sweep_seconds=30.0)
    assert agenda.next_at() == 0.0
    assert agenda.take(0.0) == Work(Scope.FULL)


def test_an_event_is_looked_at_when_its_window_closes() -> None:
    agenda = looked_at_zero()
    assert agenda.changed("/r/a", 1.0)
    assert not agenda.changed("/r/b", 1.0)
    assert agenda.take(1.01) is None
    assert agenda.next_at() == 1.04
    assert agenda.take(1.04) == Work(Scope.PATHS, frozenset({"/r/a", "/r/b"}))
    assert agenda.take(1.05) is None


def test_lost_events_ask_for_everything() -> None:
    agenda = looked_at_zero()
    agenda.changed("/r/a", 1.0)
    agenda.lost_events(1.0)
    assert agenda.take(1.2) == Work(Scope.FULL)


def test_a_sweep_settles_the_paths_that_wait() -> None:
    agenda = looked_at_zero()
    agenda.changed("/r/a", 30.0)
    assert agenda.take(30.0) == Work(Scope.FULL)
    agenda.pace.looked(Scope.FULL, 30.0, 30.0, saving=False)
    assert agenda.take(30.5) is None


def test_the_user_does_not_wait() -> None:
    agenda = looked_at_zero()
    agenda.ask(Scope.HOT)
    assert agenda.next_at() == 0.0
    assert agenda.take(1.0) == Work(Scope.HOT)
    agenda.ask(Scope.FULL)
    agenda.ask(Scope.HOT)
    assert agenda.take(1.0) == Work(Scope.FULL)
    assert agenda.take(1.0) is None


def test_the_user_does_not_wait_for_a_retry_either() -> None:
    agenda = looked_at_zero()
    agenda.pace.failed(1.0)
    agenda.changed("/r/a", 1.0)
    assert agenda.take(1.2) is None
    agenda.ask(Scope.FULL)
    assert agenda.take(1.2) == Work(Scope.FULL)


def test_a_hot_look_is_not_kept_waiting_by_a_stream_of_events() -> None:
    agenda = looked_at_zero(saving=True)
    agenda.changed("/r/a", 0.1)
    assert agenda.take(0.25) == Work(Scope.HOT)
    agenda.pace.looked(Scope.HOT, 0.25, 0.25, saving=True)
    assert agenda.take(0.25) == Work(Scope.PATHS, frozenset({"/r/a"}))


def test_events_rest_after_a_long_look() -> None:
    agenda = looked_at_zero()
    agenda.pace.looked(Scope.PATHS, 1.0, 1.5, saving=False)
    agenda.changed("/r/a", 1.5)
    assert agenda.take(1.7) is None
    assert agenda.next_at() == 2.0
    assert agenda.take(2.0) == Work(Scope.PATHS, frozenset({"/r/a"}))


def test_a_marker_is_looked_at_without_delay_but_once() -> None:
    agenda = looked_at_zero(saving=True)
    agenda.pace.looked(Scope.PATHS, 1.0, 1.5, saving=True, awaiting=True)
    agenda.await_markers(["/r/step-1/.metadata"])
    assert agenda.changed("/r/step-1/.metadata", 1.51)
    assert agenda.next_at() == 0.0
    assert agenda.take(1.51) == Work(Scope.PATHS, frozenset({"/r/step-1"}))
    agenda.await_markers(["/r/step-1/.metadata"])
    assert not agenda.changed("/r/step-1/.metadata", 1.52)
    agenda.await_markers([])
    agenda.await_markers(["/r/step-1/.metadata"])
    assert agenda.changed("/r/step-1/.metadata", 2.0)


def test_the_shards_of_a_save_in_flight_are_left_to_the_clock() -> None:
    agenda = looked_at_zero(saving=True)
    agenda.changed("/r/step-1/shard-0", 0.01)
    agenda.await_markers(["/r/step-1/.metadata"])
    assert agenda.take(0.2) is None
    assert not agenda.changed("/r/step-1/shard-1", 0.2)
    assert agenda.changed("/r/step-2", 0.2)
    assert agenda.take(0.25) == Work(Scope.HOT)
    agenda.pace.looked(Scope.HOT, 0.25, 0.25, saving=True)
    assert agenda.take(0.26) == Work(Scope.PATHS, frozenset({"/r/step-2"}))


def test_a_marker_does_not_make_the_user_wait() -> None:
    agenda = looked_at_zero(saving=True)
    agenda.await_markers(["/r/step-1/.metadata"])
    agenda.changed("/r/step-1/.metadata", 0.1)
    agenda.ask(Scope.HOT)
    assert agenda.take(0.1) == Work(Scope.PATHS, frozenset({"/r/step-1"}))
    assert agenda.take(0.1) == Work(Scope.HOT)
    agenda.await_markers(["/r/step-2/.metadata"])
    agenda.changed("/r/step-2/.metadata", 0.2)
    agenda.ask(Scope.FULL)
    assert agenda.take(0.2) == Work(Scope.FULL)
    assert agenda.take(0.2) is None
