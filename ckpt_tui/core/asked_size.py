"""What to say of a run that was asked for a job of another world size."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.core.text import plural, words
from ckpt_tui.core.vocabulary import Severity
from ckpt_tui.core.world_size import size_mismatch

if TYPE_CHECKING:
    from ckpt_tui.core.checkpoint import Checkpoint
    from ckpt_tui.core.runs import Run


class SizeAnswer(NamedTuple):
    """Whether that job can go on.

    Attributes:
        worst: How loud it is: INFO where it loads as it is, WARNING after a conversion or with a
            loss, ERROR where nothing loads.
        text: Which checkpoint.
        how: In which way it loads, or why not; "" where there is nothing to add.
        loss: What is lost on the way, as a phrase; "" for nothing.
    """

    worst: Severity
    text: str
    how: str = ""
    loss: str = ""

    def sentence(self) -> str:
        """All of it."""
        how = f": {self.how}" if self.how else ""
        return f"{self.text}{how}" + (f"; {self.loss}" if self.loss else "")


def answer_for_size(run: Run, wanted: int) -> SizeAnswer:
    """Answers for a run whose verdicts were asked for `wanted` ranks."""
    resume = run.resume
    if resume is None:
        return _nothing(run, wanted)
    size = resume.facts.world_size
    if size is None:
        how = "its format does not tell how many ranks wrote it"
        return SizeAnswer(Severity.INFO, f"{resume.title} fits, as far as is known", how)
    if size == wanted:
        return SizeAnswer(Severity.INFO, f"{resume.title} was written by as many ranks")
    return _resharded(resume, size)


def _resharded(resume: Checkpoint, size: int) -> SizeAnswer:
    reshard = resume.facts.reshard
    how = reshard.how if reshard is not None else ""
    loss = f"loses {words(reshard.loses)}" if reshard is not None and reshard.loses else ""
    converts = size_mismatch(resume) is not None
    if not converts:
        how = f"loads {how}"
    elif not how.startswith("by conversion"):
        how = f"after a conversion: {how}"
    worst = Severity.WARNING if loss or converts else Severity.INFO
    return SizeAnswer(worst, f"{resume.title} of {plural(size, 'rank')}", how, loss)


def _nothing(run: Run, wanted: int) -> SizeAnswer:
    """The newest checkpoint that would do, had the job another size, says why it does not."""
    barred = next((c for c in run.checkpoints if c.is_of_other_size), None)
    if barred is None:
        return SizeAnswer(Severity.ERROR, "nothing to load at any size")
    finding = size_mismatch(barred)
    why = f"{barred.title}: {finding.message}" if finding is not None else ""
    return SizeAnswer(Severity.ERROR, f"nothing that {plural(wanted, 'rank')} can load", why)
