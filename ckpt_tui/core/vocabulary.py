"""One word per thing: the terms that code, tables, JSON and docs share."""

from __future__ import annotations

from enum import StrEnum

from ckpt_tui.words import later

MODEL = later("model")
OPTIMIZER = later("optimizer")
SCHEDULER = later("scheduler")
RNG = later("rng")
PROGRESS = later("progress")
DATALOADER = later("dataloader")
METRICS = later("metrics")
CONFIG = later("config")
EXPORT = later("export")
OTHER = later("other")

REQUIRED_ROLES = (MODEL, OPTIMIZER, SCHEDULER, RNG, PROGRESS)
"""What a resumed run needs to continue the same training trajectory."""

ALL_ROLES = (*REQUIRED_ROLES, DATALOADER, METRICS, CONFIG, EXPORT, OTHER)


class Commit(StrEnum):
    """Was the save finished by its format's own rule?"""

    COMMITTED = later("committed")
    SAVING = later("saving")
    UNCOMMITTED = later("uncommitted")
    UNKNOWN = later("unknown")


class Verdict(StrEnum):
    """What can be done with a checkpoint; the first that applies, in this order."""

    UNKNOWN = later("unknown")
    SAVING = later("saving")
    UNCOMMITTED = later("uncommitted")
    CORRUPT = later("corrupt")
    INCOMPLETE = later("incomplete")
    WEIGHTS_ONLY = later("weights-only")
    INEXACT = later("inexact")
    EXACT = later("exact")


RESUMABLE = frozenset({Verdict.EXACT, Verdict.INEXACT})


class Severity(StrEnum):
    """How loud a finding is."""

    INFO = later("info")
    WARNING = later("warning")
    ERROR = later("error")


class Effect(StrEnum):
    """What a finding does to the verdict of its checkpoint."""

    NONE = "none"
    UNKNOWN = "unknown"
    CORRUPT = "corrupt"
    INCOMPLETE = "incomplete"


class PointerState(StrEnum):
    """What a pointer to the latest checkpoint is worth."""

    OK = "ok"
    STALE = "stale"
    AHEAD = "ahead"
    DANGLING = "dangling"
    UNREADABLE = "unreadable"
    LOOP = "loop"


class Level(StrEnum):
    """State of a run, as a monitoring system names it."""

    OK = "ok"
    WARNING = "warning"
    CRITICAL = "critical"
    UNKNOWN = "unknown"
    EMPTY = "empty"
