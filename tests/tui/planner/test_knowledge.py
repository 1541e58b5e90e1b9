"""What is known is known of the run that is shown, even where that changes meanwhile."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.history import observed as observing
from ckpt_tui.tui.planner import knowledge
from ckpt_tui.tui.planner.knowledge import Knowledge
from tests.tui.planner.host import FAILED_RUN, RUN

if TYPE_CHECKING:
    import pytest

    from ckpt_tui.core.runs import Run
    from ckpt_tui.history.database import History
    from ckpt_tui.history.observed import Observed

OTHER = FAILED_RUN._replace(path="/mnt/other")


async def test_a_look_begins_anew_where_the_run_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    known = Knowledge(None)
    known.run = RUN
    looked = []

    def observed(run: Run, history: History | None, recovery_minutes: float) -> Observed:
        looked.append(run)
        known.run = OTHER
        return observing.observed(run, history, recovery_minutes)

    monkeypatch.setattr(knowledge, "observed", observed)
    await known.look(8.0)
    assert looked == [RUN, OTHER]
    assert len(known.failures) == 2


async def test_planned_stops_belong_to_one_format_of_a_directory() -> None:
    known = Knowledge(None)
    known.run = FAILED_RUN
    await known.look(8.0)
    known.mark_planned({known.failures[0].at}, 8.0)
    assert len(known.planned) == 1
    known.run = FAILED_RUN._replace(format="another")
    assert known.planned == frozenset()
    known.run = None
    await known.look(8.0)
    assert (known.seen, known.failures) == (None, ())
