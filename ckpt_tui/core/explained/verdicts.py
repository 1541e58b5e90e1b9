"""The eight verdicts, from the first that applies to the best."""

from __future__ import annotations

from ckpt_tui.core.explained.values import Explanation
from ckpt_tui.core.vocabulary import Verdict
from ckpt_tui.words import later

_NOT = later("Not resumable: `latest` passes over it.")

VERDICTS = (
    Explanation(
        Verdict.UNKNOWN.value,
        later("It could not be read far enough to judge it."),
        later(
            "This account may not read it, the file system fails, or its version is not known."
            " `why` and the findings say which."
        ),
        later("Not resumable as far as anybody can tell; `check` ends with 3 if nothing is worse."),
        later("Remove the obstacle and check again, or load it with the framework."),
    ),
    Explanation(
        Verdict.SAVING.value,
        later("It is being written now."),
        later("Its commit is missing and it grows, or grew less than `--stall-after` ago."),
        later("Not resumable yet; alone it is no cause for alarm."),
        later("Wait, and check again. If the job is dead it becomes uncommitted by itself."),
    ),
    Explanation(
        Verdict.UNCOMMITTED.value,
        later("Its save never finished, and nothing writes it any more."),
        later("The job was killed, ran out of time or out of space while it saved."),
        _NOT,
        later(
            "Resume from an older one. Where the finding `finishable` stands beside it, the"
            " content is whole and a command completes it."
        ),
    ),
    Explanation(
        Verdict.CORRUPT.value,
        later("It was committed, but bytes in it cannot be right."),
        later("A file is cut, empty, of a wrong size or unreadable. The findings name it."),
        _NOT,
        later("Resume from another one, or copy the named file back from where it was whole."),
    ),
    Explanation(
        Verdict.INCOMPLETE.value,
        later("It was committed, but something that a restart needs is not there."),
        later(
            "A role or a rank's file is missing, parts of several saves are mixed, or the loader"
            " cannot restore the step."
        ),
        _NOT,
        later("Resume from another one, or bring back what the findings name."),
    ),
    Explanation(
        Verdict.WEIGHTS_ONLY.value,
        later("It is whole, but holds no optimizer state."),
        later("It is an export, was thinned on purpose, or the job saves only its model."),
        later("Not resumable: a new run can start from its weights, this one cannot continue."),
        later("Resume from one that has its optimizer."),
    ),
    Explanation(
        Verdict.INEXACT.value,
        later("The framework goes on from its step, but not bit for bit."),
        later("Random state, data loader or a scheduler that the loader does without is absent."),
        later("Resumable; `latest` prefers an exact one of the same step, `--exact` demands one."),
        later(
            "Resume from it. To continue exactly the next time, save what `why` names as absent."
        ),
    ),
    Explanation(
        Verdict.EXACT.value,
        later("Every required role and every shard of one committed checkpoint is there."),
        later("All that was checked is right; `not checked` says what was not, such as bytes."),
        later("Resumable: training goes on from its step, with every required state."),
        later("Resume from it: `ckpt-tui latest DIR --print flag` prints how."),
    ),
)
