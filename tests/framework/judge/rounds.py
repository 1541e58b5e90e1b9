"""One round: a run of a job, its end, and the judging of what it left."""

from __future__ import annotations

import contextlib
import os
import random
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from tests.framework.jobs.base import Outcome
from tests.framework.jobs.imports import import_noted
from tests.framework.judge.deaths import RUN_SECONDS, Death, Fate
from tests.framework.judge.loader import load
from tests.framework.judge.losses import lose
from tests.framework.judge.moments import Watch
from tests.framework.judge.writers import Writers

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.framework.jobs.base import Configuration, Job
    from tests.framework.judge.moments import Profile
    from tests.framework.judge.verdicts import Judging, OurVerdict

ONE_BEFORE_SHARE = 0.25
FEW_IMPORTS = 20
NEVER_ASKED = Outcome(False, False, False, "NotAsked: the framework would never be given it")


class State(NamedTuple):
    """One judged checkpoint.

    Attributes:
        job: The framework's name here.
        configuration: How it saved.
        seed: The round, 0 for the undisturbed run.
        death: How its writers ended.
        detail: When, and other particulars.
        checkpoint: Its path inside the run's directory.
        newest: Whether it was the last attempt.
        framework: What the framework's loader did.
        ours: What we said, its siblings known.
        alone: What we said of it alone.
    """

    job: str
    configuration: str
    seed: int
    death: str
    detail: str
    checkpoint: str
    newest: bool
    framework: Outcome
    ours: OurVerdict
    alone: OurVerdict

    @property
    def agreed(self) -> bool:
        """Our `resumable` equals what the framework did."""
        return self.ours.resumable is self.framework.restored

    @property
    def where(self) -> str:
        """Which state."""
        of_round = f"{self.job} {self.configuration} {self.seed}"
        return f"{of_round} ({self.death}; {self.detail}), {self.checkpoint}"

    def __str__(self) -> str:
        loaded = "restores it" if self.framework.restored else self.framework.error or "loses state"
        return f"{self.where}: framework {loaded}; we: {self.ours.verdict}: {self.ours.why}"


class Habits(NamedTuple):
    """How rounds are played.

    Attributes:
        saves: How many checkpoints each run writes if nobody disturbs it.
        losses: How often a file of a finished checkpoint is taken away, per configuration.
        keep: Where states that we and the framework disagree on are kept; None for nowhere.
        keep_all: All states are kept there.
    """

    saves: int
    losses: int = 0
    keep: Path | None = None
    keep_all: bool = False


class Rounds:
    """Rounds of one job.

    Args:
        job: The job; its framework should have been imported, so that forks are quick.
        judging: Who says what we say.
        habits: How the rounds are played.
    """

    def __init__(self, job: Job, judging: Judging, habits: Habits) -> None:
        self.job, self.judging, self.habits = job, judging, habits
        self.profiles: dict[str, Profile] = {}

    def undisturbed(self, configuration: Configuration, *, known: bool = False) -> list[State]:
        """Learns how long a run takes that ends well, and judges it unless that is known.

        Raises:
            RuntimeError: The run did not end well.
        """
        with _scratch() as scratch:
            profile = self._whole_run(configuration, scratch)
            if import_noted(scratch / "writers.imports0") > FEW_IMPORTS:  # they took their time
                for path in (scratch / "run", scratch / "run.digests"):
                    shutil.rmtree(path, ignore_errors=True)
                profile = self._whole_run(configuration, scratch)
            self.profiles[configuration.name] = profile
            if known:
                return []
            with _scratch() as whole:
                _copy(scratch, whole)
                detail = f"{profile.seconds:.1f} s"
                states = self._judge(configuration, 0, Death.NONE, detail, scratch)
                import_noted(scratch / "load.imports")
                for number in range(self.habits.losses):
                    states += self._damaged(configuration, whole, number)
            return states

    def _damaged(self, configuration: Configuration, whole: Path, number: int) -> list[State]:
        """Judges a checkpoint of a run that ended well, after one of its files was lost."""
        chance = random.Random(f"{self.job.name}/{configuration.name}/loss {number}")
        with _scratch() as scratch:
            _copy(whole, scratch)
            target = chance.choice(self.job.checkpoints(scratch / "run", configuration))
            detail = f"{number}: {lose(target, chance)}"
            return self._judge(configuration, 0, Death.LOSS, detail, scratch, target)

    def _whole_run(self, configuration: Configuration, scratch: Path) -> Profile:
        run, log = scratch / "run", scratch / "writers.log"
        watch = Watch(run)
        writers = Writers(self.job, configuration, run, self.habits.saves, log)
        profile = watch.whole_run(writers, RUN_SECONDS)
        succeeded = writers.succeeded
        writers.kill_all()
        if not succeeded:
            end = log.read_text(errors="replace")[-2000:]
            what = f"{self.job.name} {configuration.name} does not run to its end"
            raise RuntimeError(f"{what}:\n{end}")
        return profile

    def play(self, configuration: Configuration, seed: int, *, known: bool) -> list[State]:
        """One round; the first of a configuration begins with an undisturbed run.

        Args:
            configuration: How the job saves.
            seed: Of everything random.
            known: Whether the undisturbed run was judged already.
        """
        first = configuration.name not in self.profiles
        states = self.undisturbed(configuration, known=known) if first else []
        profile = self.profiles[configuration.name]
        fate = Fate(self.job, configuration, seed, profile, self.habits.saves)
        with (
            _scratch() as scratch,
            fate.befalls(scratch / "run", scratch / "writers.log") as detail,
        ):
            return states + self._judge(configuration, seed, fate.death, detail, scratch)

    def _judge(
        self,
        configuration: Configuration,
        seed: int,
        death: Death,
        detail: str,
        scratch: Path,
        target: Path | None = None,
    ) -> list[State]:
        """Asks us and the framework about the target, or about the newest attempts."""
        run = scratch / "run"
        attempts = self.job.checkpoints(run, configuration) if run.exists() else []
        chosen = [target] if target else _chosen(attempts, death, seed)
        ours = self.judging.of(run, chosen, attempts)
        round_ = (self.job.name, configuration.name, seed, str(death), detail)
        kept = self._kept(scratch, _name_of(*round_))
        states = []
        for path, (in_run, alone) in ours.items():
            outcome = NEVER_ASKED
            if path in chosen:
                outcome = load(self.job, path, configuration, scratch / "load.log")
            name = os.path.relpath(path, run if path in chosen else os.path.realpath(run))
            newest = path == attempts[-1] if attempts else False
            states.append(State(*round_, name, newest, outcome, in_run, alone))
        if kept and not self.habits.keep_all and all(state.agreed for state in states):
            shutil.rmtree(kept)
        return states

    def _kept(self, scratch: Path, name: str) -> Path | None:
        """A copy from before the framework touched anything."""
        if self.habits.keep is None:
            return None
        target = self.habits.keep / name
        shutil.rmtree(target, ignore_errors=True)
        target.mkdir(parents=True)
        _copy(scratch, target)
        return target


def kept_name(state: State) -> str:
    """The name of the directory in which a state is kept."""
    return _name_of(*state[:5])


def _name_of(job: str, configuration: str, seed: int, death: str, detail: str) -> str:
    loss = f"_loss{detail.partition(':')[0]}" if death == Death.LOSS else ""
    return f"{job}_{configuration}_{seed}{loss}"


def _copy(source: Path, target: Path) -> None:
    """Copies what is in a directory, times and holes as they are."""
    subprocess.run(["cp", "-a", f"{source}/.", str(target)], check=True)


def _chosen(attempts: list[Path], death: Death, seed: int) -> list[Path]:
    """The last attempt; sometimes the one before; where old ones are removed, the oldest, too."""
    before = death is not Death.NONE and random.Random(seed).random() < ONE_BEFORE_SHARE
    oldest = attempts[:1] if death in (Death.NONE, Death.ROTATION) else []
    return list(dict.fromkeys([*attempts[-1:], *attempts[-2:-1] * before, *oldest]))


@contextlib.contextmanager
def _scratch() -> Iterator[Path]:
    """A directory below $TMPDIR; a disk that is still mounted in it is gone soon."""
    with tempfile.TemporaryDirectory(prefix="judge-", ignore_cleanup_errors=True) as name:
        yield Path(name)
