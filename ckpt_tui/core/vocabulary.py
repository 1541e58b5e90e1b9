"""One word per thing: the terms that code, tables, JSON and docs share."""

from __future__ import annotations

from enum import StrEnum

MODEL = "model"
OPTIMIZER = "optimizer"
SCHEDULER = "scheduler"
RNG = "rng"
PROGRESS = "progress"
DATALOADER = "dataloader"
METRICS = "metrics"
CONFIG = "config"
EXPORT = "export"
OTHER = "other"

REQUIRED_ROLES = (MODEL, OPTIMIZER, SCHEDULER, RNG, PROGRESS)
"""What a resumed run needs to continue the same training trajectory."""

ALL_ROLES = (*REQUIRED_ROLES, DATALOADER, METRICS, CONFIG, EXPORT, OTHER)


class Commit(StrEnum):
    """Was the save finished by its format's own rule?"""

    COMMITTED = "committed"
    SAVING = "saving"
    UNCOMMITTED = "uncommitted"
    UNKNOWN = "unknown"


class Verdict(StrEnum):
    """What can be done with a checkpoint; the first that applies, in this order."""

    UNKNOWN = "unknown"
    SAVING = "saving"
    UNCOMMITTED = "uncommitted"
    CORRUPT = "corrupt"
    INCOMPLETE = "incomplete"
    WEIGHTS_ONLY = "weights-only"
    INEXACT = "inexact"
    EXACT = "exact"


RESUMABLE = frozenset({Verdict.EXACT, Verdict.INEXACT})


class Severity(StrEnum):
    """How loud a finding is."""

    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


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
