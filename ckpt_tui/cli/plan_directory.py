"""`plan --from DIR`: what a run's saves and failures say about the inputs of a plan."""

from __future__ import annotations

import argparse
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from ckpt_tui.cli import parsing
from ckpt_tui.cli.judging import Asked
from ckpt_tui.cli.looking import Look, look_at, names_of, runs_named
from ckpt_tui.cli.sources import sources_of
from ckpt_tui.core.document import utc_text
from ckpt_tui.history.database import History
from ckpt_tui.history.observed import observed
from ckpt_tui.history.place import history_path, is_kept
from ckpt_tui.planner.fields import FIELDS
from ckpt_tui.planner.rate import JEFFREYS_SHAPE
from ckpt_tui.planner.units import parse_rate, parse_share
from ckpt_tui.words import say, say_sentence

if TYPE_CHECKING:
    from ckpt_tui.core.runs import Run
    from ckpt_tui.core.snapshot import Snapshot
    from ckpt_tui.history.observed import Observed
    from ckpt_tui.planner.inputs import PlanInputs
    from ckpt_tui.planner.observation import SeenFailure

_LEVELS = (0.5, 0.999)
_SAME_SECONDS = 1.0


class Prior(NamedTuple):
    """What was believed of the failure rate before: Gamma with this shape, over these hours."""

    shape: float = JEFFREYS_SHAPE
    hours: float = 0.0


class Directory(NamedTuple):
    """A run and what is known of it.

    Attributes:
        free_bytes: Of its file system; None where unknown.
        level: Credible level, between 0 and 1.
    """

    run: Run
    observed: Observed
    free_bytes: int | None
    prior: Prior
    level: float

    def values(self, before: PlanInputs) -> dict[str, Any]:
        """Field of `PlanInputs` → what was observed, as far as a plan can be made of it.

        Args:
            before: The inputs without the directory; their mode says what a save time is.
        """
        cadence, observation = self.observed.cadence, self.observed.observation
        seen: dict[str, Any] = {
            "current_interval_minutes": cadence.interval_minutes,
            before.mode.observed_save_field: cadence.save_minutes,
            "checkpoint_bytes": cadence.checkpoint_bytes or None,
            "step_seconds": observation.minutes_per_step * 60 if observation else None,
        }
        if observation is not None and observation.rate is not None:
            present = before.fault_rate_per_hour
            seen["fault_rate_per_hour"] = observation.rate.to_plan_with(present)
        # File times can be any: what no plan takes is left out.
        known = {name: value for name, value in seen.items() if value is not None}
        return {name: value for name, value in known.items() if FIELDS[name].allows(value)}


def add_directory_options(parser: parsing.Parser) -> None:
    """`--from` and what goes with it."""
    parser.add_path(
        "--from",
        dest="directory",
        metavar="DIR",
        help=say(
            "take interval, save time, size, time of a step and the fault rate from the"
            " checkpoints below DIR; options win"
        ),
    )
    parser.add_argument("--run", dest="run_name", metavar="NAME", help=say("which run of DIR"))
    parser.add_argument(
        "--not-a-failure",
        type=_time,
        action="append",
        default=[],
        metavar="TIME",
        help=say("a stop that was planned, by its time as the report shows it (may be repeated)"),
    )
    parser.add_argument(
        "--prior",
        type=_prior,
        default=Prior(),
        metavar="SHAPE,HOURS",
        help=say(
            "belief about the rate before looking (default: 0.5,0); or a rate such as"
            " 6.5/1000nd x 2048, which counts as one failure"
        ),
    )
    parser.add_argument(
        "--credible-level",
        type=_level,
        default=0.9,
        metavar="SHARE",
        help=say("of the credible interval, 50%% to 99.9%% (default: 90%%)"),
    )
    parser.add_argument(
        "--no-history", action="store_true", help=say("use no history, only what DIR shows now")
    )


def directory_of(arguments: argparse.Namespace, before: PlanInputs) -> Directory | None:
    """Looks at the run that `--from` means; None without it.

    Args:
        arguments: The options.
        before: The inputs without the directory: how long a recovery takes.

    Raises:
        UsageError: There is no such run, or a planned stop is none of the failures seen.
    """
    if arguments.directory is None:
        if arguments.not_a_failure:
            raise parsing.UsageError(say("ckpt-tui plan: --not-a-failure goes with --from DIR"))
        return None
    snapshot = look_at((arguments.directory,), Look(Asked(sources_of(arguments)), 0.0))[0]
    run = _run_of(snapshot, arguments.directory, arguments.run_name)
    history = History(history_path()) if is_kept() and not arguments.no_history else None
    recovery = before.reload_minutes + before.down_minutes
    prior, level = arguments.prior, arguments.credible_level
    chosen = {"prior_shape": prior.shape, "prior_hours": prior.hours, "level": level}
    known = observed(run, history, recovery, **chosen)
    if arguments.not_a_failure:
        planned = _planned(known, arguments.not_a_failure)
        known = observed(run, history, recovery, planned=planned, **chosen)
    return Directory(run, known, snapshot.free_bytes, prior, level)


def _run_of(snapshot: Snapshot, directory: str, name: str | None) -> Run:
    if snapshot.error:
        why = say_sentence(snapshot.error)
        raise parsing.UsageError(f"ckpt-tui plan: --from {directory}: {why}")
    runs = snapshot.runs if name is None else runs_named(snapshot, name)
    if len(runs) != 1:
        names = names_of(snapshot.runs)
        raise parsing.UsageError(
            say(
                "ckpt-tui plan: --from {directory}: say which run with --run; there are: {names}",
                directory=directory,
                names=names,
            )
        )
    return runs[0]


def _planned(known: Observed, times: list[float]) -> set[float]:
    failures: tuple[SeenFailure, ...] = ()
    if known.observation is not None:
        failures = known.observation.failures
    planned: set[float] = set()
    for time in times:
        near = {f.at for f in failures if abs(f.at - time) <= _SAME_SECONDS}
        if not near:
            seen = ", ".join(str(utc_text(failure.at)) for failure in failures)
            raise parsing.UsageError(
                say(
                    "ckpt-tui plan: --not-a-failure {time}: no failure was seen then; seen: {seen}",
                    time=utc_text(time),
                    seen=seen or say("none"),
                )
            )
        planned |= near
    return planned


def _time(text: str) -> float:
    """A time as the report prints it, or seconds since the epoch."""
    try:
        return float(text)
    except ValueError:
        pass
    try:
        moment = datetime.fromisoformat(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(
            say("{text}: need a time such as 2026-01-31T03:12:00Z", text=repr(text))
        ) from error
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()


def _prior(text: str) -> Prior:
    try:
        if "," in text:
            shape, hours = (float(part) for part in text.split(","))
        else:
            shape, hours = 1.0, 1 / parse_rate(text)
        if not (0 < shape < 1e6 and 0 <= hours < 1e9):
            raise ValueError(text)
    except (ValueError, ZeroDivisionError) as error:
        raise argparse.ArgumentTypeError(
            say(
                "{text}: need a shape above 0 and hours ≥ 0 such as 0.5,0,"
                " or a rate such as 6.5/1000nd x 2048",
                text=repr(text),
            )
        ) from error
    return Prior(shape, hours)


def _level(text: str) -> float:
    try:
        level = parse_share(text if float(text.rstrip("%")) <= 1 else f"{text.rstrip('%')}%")
    except ValueError:
        level = 0.0
    if not _LEVELS[0] <= level <= _LEVELS[1]:
        raise argparse.ArgumentTypeError(
            say("{text}: need a share from 50% to 99.9% such as 90%", text=repr(text))
        )
    return level
