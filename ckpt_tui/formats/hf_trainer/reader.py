"""Checkpoints of the Hugging Face Trainer, with DeepSpeed or FSDP parts inside where it used them.

The Trainer writes every file under its final name, `trainer_state.json` last, without a rename.
It restores optimizer and scheduler together or, silently, neither; a missing random state passes.
"""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING

from ckpt_tui.artifacts.json_document import read_json
from ckpt_tui.artifacts.limits import ArtifactError
from ckpt_tui.core.facts import CheckpointFacts, CommitFacts, LoaderFacts, OwnChoice, Reshard
from ckpt_tui.core.files import Kind
from ckpt_tui.core.findings import has_effect
from ckpt_tui.core.vocabulary import (
    CONFIG,
    DATALOADER,
    MODEL,
    OPTIMIZER,
    PROGRESS,
    RNG,
    SCHEDULER,
    Effect,
)
from ckpt_tui.formats.base import CheckpointFiles, ClaimKind
from ckpt_tui.formats.deepspeed.content import reshard_of
from ckpt_tui.formats.hf_trainer.content import TrainerContent, read_trainer
from ckpt_tui.formats.hf_trainer.model_files import is_weights_name
from ckpt_tui.formats.hf_trainer.state_files import (
    OPTIMIZER_FILES,
    RNG_FILE,
    SCHEDULER_FILE,
    TRAINING_ARGS,
)
from ckpt_tui.formats.hf_trainer.trainer_state import TRAINER_STATE
from ckpt_tui.formats.shared.common_facts import common_facts
from ckpt_tui.formats.shared.file_table import Mark, file_table
from ckpt_tui.formats.shared.links_and_holes import links_out
from ckpt_tui.formats.shared.names import step_of_name
from ckpt_tui.formats.shared.problems import finding_of_error, name_disagrees
from ckpt_tui.formats.shared.resharding import WHOLE
from ckpt_tui.formats.shared.safetensors_leftovers import leftovers_and_holes
from ckpt_tui.formats.shared.saves_apart import step_to_show
from ckpt_tui.formats.shared.times import save_times

if TYPE_CHECKING:
    from ckpt_tui.core.facts import RawPointer
    from ckpt_tui.core.findings import Finding
    from ckpt_tui.fs.listing import Directory

NAME = "hf-trainer"

_COMMIT_RULE = f"`{TRAINER_STATE}` is written last, under its final name (Trainer)"
_NO_RULE = "an export has no commit rule: its files' own end marks decide"
_CONFIG_FILES = ("config.json", "adapter_config.json")
_NUMBERED = re.compile(r"checkpoint-\d{1,18}")
_OWN = re.compile(
    r"trainer_state\.json|training_args\.bin|rng_state(?:_\d+)?\.pth|(?:adapter_)?config\.json"
    r"|.*\.safetensors|pytorch_model.*\.bin(?:\.index\.json)?|adapter_model\.bin|\.tmp\w*"
)
_STATE_FILES = frozenset({*OPTIMIZER_FILES, SCHEDULER_FILE, "scaler.pt"})
_TORCH_ENDINGS = (".pt", ".pth", ".ckpt", ".tar", ".distcp", ".metadata", ".pkl")
_INSIDE = ("global_step", "pytorch_model_", "optimizer_")

_BYTES = "the bytes of tensors"
_BASE_MODEL = "the base model, which the adapter needs and which is kept elsewhere"
_FSDP_RESHARD = Reshard(True, "natively: FSDP's parts are resharded on load", (RNG,))


class HfTrainerReader:
    """Reads `checkpoint-N/`, and exports with weights and a configuration."""

    name = NAME

    def claims_directory(self, directory: Directory) -> ClaimKind:
        """`checkpoint-N` with a Trainer's file; `trainer_state.json` with a model; an export."""
        names = directory.file_names()
        weights = any(is_weights_name(name) for name in names)
        if TRAINER_STATE in names:
            optimizer = any(name in names for name in OPTIMIZER_FILES) or _backend(directory)
            if optimizer or _NUMBERED.fullmatch(directory.name):
                return ClaimKind.CHECKPOINT
            return ClaimKind.EXPORT if weights else ClaimKind.NO
        if TRAINING_ARGS not in names and any(_is_foreign(name) for name in names):
            return ClaimKind.NO
        if _NUMBERED.fullmatch(directory.name):
            own = any(_OWN.fullmatch(name) or name in _STATE_FILES for name in names)
            return ClaimKind.CHECKPOINT if own or _backend(directory) else ClaimKind.NO
        described = any(name in names for name in _CONFIG_FILES)
        stateful = any(name in _STATE_FILES for name in names)
        exported = weights and described and not stateful
        return ClaimKind.EXPORT if exported else ClaimKind.NO

    def claims_files(self, directory: Directory) -> tuple[tuple[str, ...], ...]:
        """A Trainer checkpoint is always a directory."""
        return ()

    def pointers(self, directory: Directory) -> tuple[RawPointer, ...]:
        """The Trainer keeps none: told to find the latest, it takes the highest number."""
        return ()

    def read(self, files: CheckpointFiles) -> CheckpointFacts:
        """Reads one checkpoint or export."""
        export = files.claim.export
        if export:
            files = _without_directories(files)
        content = read_trainer(files)
        findings = (
            *content.findings,
            *_config_findings(files, content),
            *leftovers_and_holes(files.tree),
            *links_out(files.tree),
        )
        marker = files.tree.get(TRAINER_STATE)
        times = save_times(files.tree.files(), None if export else marker)
        named = step_of_name(files.name) if _NUMBERED.fullmatch(files.name) else None
        step = step_to_show(content.state.step, named, findings)
        commit = CommitFacts(_NO_RULE, None) if export else _commit(files, content, findings)
        return common_facts(files, NAME, commit, times)._replace(
            step=step,
            world_size=content.world_size,
            expected_ranks=content.expected_ranks,
            roles=content.roles,
            shards=content.shards,
            axes=content.axes,
            files=file_table(files.tree, _config_marks(files) | content.marks),
            findings=(*findings, *name_disagrees(named, step, None, f"`{TRAINER_STATE}`")),
            loader=_loader(files, export),
            reshard=_reshard(content),
            export=export,
            save_mode="sync",
            not_checked=_not_checked(content),
            tensors=content.tensors,
            tensors_total=content.tensors_total,
            neighbours=content.state.neighbours,
        )


def _backend(directory: Directory) -> bool:
    """Whether parts of DeepSpeed or FSDP lie in subdirectories."""
    return any(name.startswith(_INSIDE) for name in directory.directory_names())


def _is_foreign(name: str) -> bool:
    """A torch file that the Trainer never writes: the directory is of another loop."""
    own = name in _STATE_FILES or RNG_FILE.fullmatch(name) is not None
    return name.endswith(_TORCH_ENDINGS) and not own


def _without_directories(files: CheckpointFiles) -> CheckpointFiles:
    """An export may be the run's own directory: what lies in subdirectories is not part of it."""
    entries = tuple(
        entry
        for entry in files.tree.entries
        if "/" not in entry.path and entry.kind is not Kind.DIRECTORY
    )
    return CheckpointFiles(files.claim, files.tree._replace(entries=entries), files.limits)


def _commit(
    files: CheckpointFiles, content: TrainerContent, findings: tuple[Finding, ...]
) -> CommitFacts:
    if not content.state.there:
        return CommitFacts(_COMMIT_RULE, False, missing=TRAINER_STATE)
    marker = files.tree.get(TRAINER_STATE)
    younger = marker is not None and files.tree.newest_mtime_ns() > marker.mtime_ns
    damaged = has_effect(findings, Effect.CORRUPT) or has_effect(findings, Effect.INCOMPLETE)
    # A marker that is cut, or older than what is wrong, is that of a save that goes on or died.
    rewritten = damaged and (younger or not content.state.whole)
    return CommitFacts(_COMMIT_RULE, True, rewritten=rewritten)


def _config_findings(files: CheckpointFiles, content: TrainerContent) -> tuple[Finding, ...]:
    """The Trainer parses `config.json` before it loads weights; a backend's loader does not."""
    entry = files.tree.get(_CONFIG_FILES[0])
    if content.backend or entry is None or entry.kind is not Kind.FILE:
        return ()
    try:
        with files.open(entry.path) as source:
            read_json(source, files.limits)
    except ArtifactError as error:
        return (finding_of_error(error, entry.path, role=CONFIG),)
    return ()


def _config_marks(files: CheckpointFiles) -> dict[str, Mark]:
    marks = {TRAINER_STATE: Mark(PROGRESS)}
    for entry in files.tree.files():
        if entry.path == TRAINING_ARGS or entry.path.endswith(".json"):
            marks.setdefault(entry.path, Mark(CONFIG))
    return marks


def _loader(files: CheckpointFiles, export: bool) -> LoaderFacts:
    """Asked for the latest, the Trainer looks at `checkpoint-N` alone (`get_last_checkpoint`)."""
    seen = not export and _NUMBERED.fullmatch(files.name) is not None
    return LoaderFacts(
        needs=frozenset({MODEL, OPTIMIZER, SCHEDULER, PROGRESS}),
        tolerates=frozenset({RNG, DATALOADER}),
        flag="" if export else f"--resume_from_checkpoint {shlex.quote(files.path)}",
        tag="" if export else files.name,
        own_choice=OwnChoice.HIGHEST_NAME if seen else OwnChoice.NONE,
    )


def _not_checked(content: TrainerContent) -> tuple[str, ...]:
    data = content.deepspeed.not_checked if content.deepspeed else (_BYTES,)
    return (*data, _BASE_MODEL) if content.adapter else data


def _reshard(content: TrainerContent) -> Reshard:
    if content.deepspeed is not None:
        return reshard_of(content.deepspeed)
    return _FSDP_RESHARD if content.backend == "fsdp" else WHOLE
