"""The planner: what its keys do."""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING, ClassVar

from textual import on, work
from textual.binding import Binding, BindingType

from ckpt_tui.core.document import utc_text
from ckpt_tui.core.text import duration_text
from ckpt_tui.planner.presets import PRESETS
from ckpt_tui.planner.retention import Policy
from ckpt_tui.tui.actions.planner import EDITING_KEYS, FILL, FILL_KEY, PLANNER_KEYS, READING_KEYS
from ckpt_tui.tui.clipboard import MOST_BYTES
from ckpt_tui.tui.export import watched_place, write_export
from ckpt_tui.tui.planner.board import RATE, PlannerBoard
from ckpt_tui.tui.planner.body import PlannerBody
from ckpt_tui.tui.planner.choice import Choice, ChoiceScreen, TickScreen
from ckpt_tui.tui.planner.directory import filled_from, source_lines
from ckpt_tui.tui.planner.exports import EXPORTS
from ckpt_tui.tui.planner.form import PlannerForm
from ckpt_tui.tui.planner.notes import Origin
from ckpt_tui.tui.planner.retention_lines import Asked
from ckpt_tui.tui.planner.retention_screen import RetentionScreen
from ckpt_tui.tui.planner.simulating import SimulationView
from ckpt_tui.words import later, say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual.widget import Widget

    from ckpt_tui.history.database import History
    from ckpt_tui.planner.inputs import PlanInputs
    from ckpt_tui.planner.observation import SeenFailure
    from ckpt_tui.planner.presets import Preset
    from ckpt_tui.tui.actions.action import Action
    from ckpt_tui.tui.planner.exports import Export


class PlannerPanel(PlannerBoard):
    """The board with its keys; letters are keys while no field has the focus."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(FILL_KEY, "fill", "fill in what the directory shows", show=False),
        Binding("escape", "back", "close what is open", show=False),
        *(
            Binding(each.keys, each.call, each.help, show=False, id=each.id)
            for each in PLANNER_KEYS
        ),
    ]

    def __init__(self, first: PlanInputs | None = None, history: History | None = None) -> None:
        super().__init__(first, history)
        self._asked = Asked(Policy(last=3))

    @property
    def keys(self) -> Sequence[Action]:
        """What the key bar offers: other keys matter in a field."""
        return READING_KEYS if self.query_one(PlannerBody).has_focus else EDITING_KEYS

    @property
    def help_keys(self) -> Sequence[Action]:
        """What the help tells of."""
        return (FILL, *PLANNER_KEYS)

    @on(PlannerForm.Left)
    def action_leave(self) -> None:
        """Takes the keys from the fields."""
        self.query_one(PlannerBody).focus(scroll_visible=False)

    @on(PlannerBody.EditAsked)
    def action_edit(self) -> None:
        """Gives the keys to the first field."""
        self.query_one(PlannerForm).focus_first()

    async def action_back(self) -> None:
        """Ends or closes the simulation; where there is none, closes the planner."""
        if not self._made or not self.query_one(SimulationView).cancel():
            await self.run_action("screen.back")

    # What the directory shows

    @on(PlannerForm.FillAsked)
    @work(exclusive=True)
    async def action_fill(self) -> None:
        """Fills in what the present run's directory and its history show."""
        if self._made:
            await self._known.look(self._recovery_minutes)
            self._fill()

    def _fill(self, *only: str) -> None:
        """Fills all fields that are known, or only some of them; says where from."""
        form, known = self.query_one(PlannerForm), self._known
        filled = filled_from(known.seen, form.mode, known.ranks, self._rate_to_beat)
        form.fill(each for each in filled if not only or each.field in only)
        self._rate = known.rate
        lines = source_lines(filled, known.seen, known.name, self._body_width)
        self._text("source").set_lines(lines)
        self._replan()

    @property
    def _rate_to_beat(self) -> float:
        """The present fault rate; one that an earlier look told gives way to any other."""
        if self.query_one(PlannerForm).origin_of(RATE).is_observed:
            return math.inf
        return self._plan.inputs.fault_rate_per_hour

    @property
    def _recovery_minutes(self) -> float:
        return self._plan.inputs.reload_minutes + self._plan.inputs.down_minutes

    @work(exclusive=True)
    async def action_failures(self) -> None:
        """Lists the failures that were seen; ticked ones are planned stops from then on."""
        if not self._made:
            return
        await self._known.look(self._recovery_minutes)
        failures = self._known.failures
        if not failures:
            text = say(
                "No failure is seen: no step went back, and no gap is longer than its steps need."
            )
            self.notify(text, timeout=5)
            return
        choices = [_failure_choice(failure) for failure in failures]
        planned = [n for n, each in enumerate(failures) if each.at in self._known.planned]
        title, words = say("failures that the saves show"), (say("failure"), say("planned stop"))
        ticked = await self.app.push_screen_wait(TickScreen(title, choices, planned, words))
        if ticked != frozenset(planned):
            stops = {failures[number].at for number in ticked}
            self._known.mark_planned(stops, self._recovery_minutes)
            typed = self.query_one(PlannerForm).origin_of(RATE) is Origin.TYPED
            self._fill("" if typed else RATE)

    # Other plans

    @work(exclusive=True)
    async def action_presets(self) -> None:
        """Lists published runs; the one that is taken fills the fields that it speaks of."""
        choices = [_preset_choice(preset) for preset in PRESETS]
        chosen = await self.app.push_screen_wait(ChoiceScreen(say("published runs"), choices))
        if chosen is not None and self._made:
            self.query_one(PlannerForm).fill_preset(PRESETS[chosen])
            self._replan()

    def action_pin(self) -> None:
        """Pins the present plan as A, to compare others with it, or lets it go."""
        self._pinned = None if self._pinned is not None else self._plan
        self._draw()
        if self._pinned is not None:
            self._bring_up(self._text("comparison"))

    # Simulation

    def action_simulate(self) -> None:
        """Simulates the plan at the interval that it recommends."""
        self._simulate(min(self._plan.interval_to_set, self._plan.inputs.run_minutes))

    def action_simulate_now(self) -> None:
        """Simulates the plan at the present interval."""
        current = self._plan.inputs.current_interval_minutes
        if current is None:
            text = say("There is no present interval: fill in `now every` first.")
            self.notify(text, timeout=4)
        else:
            self._simulate(current)

    def _simulate(self, interval_minutes: float) -> None:
        if self._made:
            self.query_one(SimulationView).start(self._plan, interval_minutes)

    @on(SimulationView.Changed)
    def _simulation_changed(self) -> None:
        view = self.query_one(SimulationView)
        self._text("progress").set_lines(view.progress)
        if view.shown is not None and self.query_one(PlannerBody).has_focus:
            self._bring_up(view)

    def _bring_up(self, widget: Widget) -> None:
        """Scrolls to what a key has just shown."""
        body = self.query_one(PlannerBody)
        self.call_after_refresh(body.scroll_to_widget, widget, animate=False)

    # Retention and export

    @work(exclusive=True)
    async def action_keep(self) -> None:
        """Shows what a retention policy would keep and free."""
        known = self._known
        screen = RetentionScreen(known.run, self._plan, self._asked, known.free_bytes)
        self._asked = await self.app.push_screen_wait(screen)

    @work(exclusive=True)
    async def action_export(self) -> None:
        """Lists the forms of the plan; each goes to a file or to the clipboard."""
        choices = [_export_choice(each, where) for each in EXPORTS for where in _TARGETS]
        chosen = await self.app.push_screen_wait(ChoiceScreen(say("export the plan"), choices))
        if chosen is None:
            return
        number, where = divmod(chosen, len(_TARGETS))
        if where:
            self._copy(EXPORTS[number])
        else:
            self._write(EXPORTS[number])

    def _copy(self, export: Export) -> None:
        text = export.text(self._plan, self._asked.policy)
        if len(text) > MOST_BYTES:
            told = say("The plan is too long for a terminal's clipboard.")
            self.notify(told, severity="warning")
            return
        self.app.copy_to_clipboard(text)
        self.notify(say("The plan was sent to the terminal's clipboard."), timeout=3)

    def _write(self, export: Export) -> None:
        stamp = time.strftime("%Y%m%d-%H%M%S", time.gmtime())
        root = watched_place(self._known.snapshot)
        text = export.text(self._plan, self._asked.policy)
        try:
            path = write_export(text, root, f"plan-{stamp}", export.suffix)
        except OSError as error:
            told = say("Not written: {reason}", reason=error)
            self.notify(told, severity="error", markup=False)
            return
        self.notify(say("The plan is in {path}", path=path), markup=False)


_TARGETS = (later("to a file"), later("to the clipboard"))


def _export_choice(export: Export, where: str) -> Choice:
    return Choice(say("{form}, {where}", form=say(export.title), where=say(where)))


def _failure_choice(failure: SeenFailure) -> Choice:
    when = (utc_text(failure.at) or "").replace("T", " ").removesuffix("Z")
    lost = duration_text(failure.excess_minutes * 60)
    if failure.went_back:
        details = say("{time} beyond what its steps need", time=lost)
        return Choice(f"{when} UTC  {say('the step went back')}", (details,))
    details = say("{time} longer than its steps need", time=lost)
    return Choice(f"{when} UTC  {say('a gap')}", (details,))


def _preset_choice(preset: Preset) -> Choice:
    source = f"{say(preset.evidence)}{say(': ')}{say(preset.source)}"
    details = (source, say(preset.note))
    title = f"{preset.name}{say(': ')}{say(preset.title)}"
    return Choice(title, tuple(filter(None, details)))
