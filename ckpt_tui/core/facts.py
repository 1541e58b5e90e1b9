"""What a reader found in one checkpoint: facts without a verdict.

Readers fill these values; `ckpt_tui.core.verdict` turns them into a verdict. Nothing here depends
on the clock, so facts stay valid until a file of the checkpoint changes.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from ckpt_tui.core.findings import Finding
    from ckpt_tui.core.verified import VerifiedFacts


class CommitFacts(NamedTuple):
    """How we know whether the save was finished.

    Attributes:
        rule: The rule that was applied, as a phrase for `why` (".metadata is renamed into place
            last").
        met: True or False where the format has a rule; None where it has none and the files' own
            end marks decide.
        missing: What the rule still wants, where it is not met (".metadata").
        committed_at: Seconds since the epoch, from the marker.
        rewritten: True where data is younger than the marker and does not fit it: a save into an
            existing directory that has not finished.
        finish: Command that would complete a whole but uncommitted save by hand, or "".
        skipped: True where the framework, told nothing, passes what is not committed over
            without a word.
    """

    rule: str
    met: bool | None
    missing: str = ""
    committed_at: float | None = None
    rewritten: bool = False
    finish: str = ""
    skipped: bool = False


class RoleFacts(NamedTuple):
    """One role that is present, at least in part.

    Attributes:
        size_bytes: Bytes that hold it; None where it cannot be told apart from its file.
        files: Number of files that hold a part of it.
        missing_ranks: Ranks whose part is not there.
        evidence: Where it was seen ("key `optimizer` in step-10/.metadata").
        identity: Checkpoint ID or step that the content itself names, or "".
        paths: Relative paths of the files that hold it.
    """

    role: str
    size_bytes: int | None
    files: int
    evidence: str
    missing_ranks: tuple[int, ...] = ()
    identity: str = ""
    paths: tuple[str, ...] = ()


class ShardFacts(NamedTuple):
    """What one rank wrote.

    Attributes:
        checkpoint_id: The identity that its content names; None where it names none.
        size_bytes: Sum over the rank's files.
        paths: Relative paths of the rank's files.
        problem: "" when fine, else "missing", "short", "empty", "unreadable", "waiting".
    """

    rank: int
    checkpoint_id: str | None
    size_bytes: int
    paths: tuple[str, ...] = ()
    problem: str = ""
    mtime_ns: int = 0


class ParallelAxis(NamedTuple):
    """One way in which a job is split over its ranks.

    A rank's number on it is `rank // stride % size`.

    Attributes:
        name: As the framework's users say: "TP", "PP", "DP", "EP", "CP", "MP".
        size: Numbers on the axis, at least 1.
        stride: Ranks between two neighbours on the axis, at least 1.
    """

    name: str
    size: int
    stride: int


class NeighbourFacts(NamedTuple):
    """What was asked about a path outside the checkpoint; facts hold while the answer does.

    Attributes:
        path: Absolute path, beside the checkpoint.
        there: Whether anything is there.
    """

    path: str
    there: bool


class Reshard(NamedTuple):
    """Whether another world size can load it.

    Attributes:
        possible: None where it is not known.
        how: In which way, as a phrase.
        loses: Roles that are lost on the way.
        converts: True where a named conversion has to be run first.
        most_ranks: The largest world size that can load it; None for any.
    """

    possible: bool | None
    how: str
    loses: tuple[str, ...] = ()
    converts: bool = False
    most_ranks: int | None = None


class FileFacts(NamedTuple):
    """A file of the checkpoint as the reader understood it."""

    path: str
    size_bytes: int
    mtime_ns: int
    role: str = ""
    rank: int | None = None
    note: str = ""


class TensorFacts(NamedTuple):
    """A tensor as a header describes it; shape as stored, size in bytes over all shards."""

    name: str
    dtype: str
    shape: tuple[int, ...]
    size_bytes: int
    role: str = ""
    path: str = ""


class OwnChoice(StrEnum):
    """What a framework loads when it is told to go on, but not from which checkpoint."""

    NONE = "none"  # it has to be told, or it is not known
    HIGHEST_NAME = "highest-name"
    HIGHEST_COMMITTED = "highest-committed"  # what is not committed it passes over, silently
    POINTER = "pointer"
    FIXED_NAME = "fixed-name"  # the one that it writes over again and again, whatever is beside it


class LoaderFacts(NamedTuple):
    """How the framework's own loader treats what is absent, and how to call it.

    Attributes:
        needs: Roles without which it raises, or silently drops other state.
        tolerates: Roles that it lets pass even where the run's other checkpoints have them.
        flag: Text for the launch command ("--load … --ckpt-step 1200"), or "".
        tag: Name to pass where the framework takes a tag, else "".
        own_choice: What the framework takes when it is told nothing.
        opens: Files that it opens without fail, by names that are alike in every checkpoint of a
            run: one that only this checkpoint lacks stops the load.
        path: Absolute path that it is given, where that is not the checkpoint's own: TensorFlow
            takes a prefix, and with the index's own path restores nothing without a word.
    """

    needs: frozenset[str] = frozenset()
    tolerates: frozenset[str] = frozenset()
    flag: str = ""
    tag: str = ""
    own_choice: OwnChoice = OwnChoice.NONE
    opens: frozenset[str] = frozenset()
    path: str = ""


class CheckpointFacts(NamedTuple):
    """All facts about one checkpoint.

    Attributes:
        path: Absolute path.
        name: Last component, as shown in tables.
        format: Format name of the JSON contract ("torch-dcp").
        step: Training iteration; None where unknown.
        ordinal: Count of saves or epochs, where only that is known.
        world_size: Number of writers there should be; None where the format has none.
        expected_ranks: Ranks that must have a shard; None where the format has no shards.
        export: True for weights put out for use elsewhere; never the newest attempt.
        staging: True for a leftover under a temporary name.
        declared: True where a manifest names all that was saved, so that a role that is absent was
            left out on purpose.
        alias: True for a copy of another checkpoint under a second name (`last.ckpt`).
        save_mode: "sync", "async" or None.
        started_at: Seconds since the epoch of the first write, as far as times show.
        save_seconds: First write to commit; a lower bound unless the marker stores both times.
        not_checked: What nobody looked at, as phrases.
        axes: How the job was split over the ranks, the outermost first; empty where neither names
            nor stored arguments tell it.
        neighbours: All that facts depend on outside the checkpoint.
        verified: What `verify` found of its bytes. The store puts it in, no reader does: it holds
            while no file changes, and may come at any time.
    """

    path: str
    name: str
    format: str
    commit: CommitFacts
    checkpoint_id: str = ""
    step: int | None = None
    ordinal: int | None = None
    world_size: int | None = None
    expected_ranks: tuple[int, ...] | None = None
    roles: tuple[RoleFacts, ...] = ()
    shards: tuple[ShardFacts, ...] = ()
    files: tuple[FileFacts, ...] = ()
    findings: tuple[Finding, ...] = ()
    loader: LoaderFacts = LoaderFacts()
    reshard: Reshard | None = None
    export: bool = False
    staging: bool = False
    alias: bool = False
    declared: bool = False
    save_mode: str | None = None
    started_at: float | None = None
    save_seconds: float | None = None
    save_seconds_is_lower_bound: bool = True
    size_bytes: int = 0
    not_checked: tuple[str, ...] = ("the bytes of tensors",)
    evidence: str = ""
    tensors: tuple[TensorFacts, ...] = ()
    tensors_total: int = 0
    axes: tuple[ParallelAxis, ...] = ()
    neighbours: tuple[NeighbourFacts, ...] = ()
    verified: VerifiedFacts | None = None

    def is_made_of_files(self) -> bool:
        """Whether the checkpoint is a file, or several, and no directory of its own."""
        return any(file.path == self.name for file in self.files)

    def role(self, name: str) -> RoleFacts | None:
        """The facts of one role, or None where it is absent."""
        return next((role for role in self.roles if role.role == name), None)

    def role_names(self) -> frozenset[str]:
        """Names of the roles that are present."""
        return frozenset(role.role for role in self.roles)


class RawPointer(NamedTuple):
    """A pointer as it was read, before it is compared with the checkpoints.

    Attributes:
        path: Absolute path of the file or link.
        kind: "text", "link" or "copy".
        raw: Its content or link text, shortened.
        targets: Absolute paths it may mean, best first; empty where it could not be read.
        problem: "" or "unreadable" or "loop".
        default: True where the framework follows it when it is given no explicit checkpoint.
    """

    path: str
    kind: str
    raw: str
    targets: tuple[str, ...] = ()
    problem: str = ""
    default: bool = True
