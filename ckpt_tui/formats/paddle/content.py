"""Everything that the files of one Paddle checkpoint say: roles, step, ranks, and what is wrong."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.artifacts.json_document import read_json
from ckpt_tui.artifacts.limits import ArtifactError
from ckpt_tui.artifacts.pickle_arrays import sniff_pickle
from ckpt_tui.core.facts import Reshard, RoleFacts, ShardFacts, TensorFacts
from ckpt_tui.core.vocabulary import CONFIG, MODEL, OPTIMIZER, PROGRESS, RNG, SCHEDULER
from ckpt_tui.formats.paddle.distributed import read_distributed
from ckpt_tui.formats.paddle.distributed_roles import (
    joined_shards,
    roles_of_distributed,
    shards_of,
)
from ckpt_tui.formats.paddle.names import (
    ENDINGS,
    OPTIMIZER_STATE,
    is_metadata_name,
    is_staged_paddle_name,
    rank_of_data,
)
from ckpt_tui.formats.paddle.states import PaddleState, state_of
from ckpt_tui.formats.shared.archive_step import FoundStep, find_epoch, find_step, whole_number
from ckpt_tui.formats.shared.bounds import MOST_TENSORS
from ckpt_tui.formats.shared.file_table import Mark
from ckpt_tui.formats.shared.pickled import read_pickled
from ckpt_tui.formats.shared.problems import capped, finding_of_error, staging_leftover
from ckpt_tui.formats.shared.resharding import WHOLE
from ckpt_tui.formats.shared.roles import role_of_file_name
from ckpt_tui.formats.shared.safetensors_model import read_safetensors_model
from ckpt_tui.formats.shared.saves_apart import mixed_saves

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ckpt_tui.core.files import FileEntry
    from ckpt_tui.core.findings import Finding
    from ckpt_tui.formats.base import CheckpointFiles

_TRAINING_ARGS = "training_args.bin"
_OF_TRAINER = ("trainer_state.json", _TRAINING_ARGS)
"""What PaddleNLP's Trainer writes beside the states; it starts from step 0 without the first."""
_SCHEDULE_FILE = "scheduler.pdparams"
_RESHARDED = Reshard(
    True, "natively: paddle.distributed.load_state_dict reshards tensors to any world size"
)
_RANDOM = ("rng_state", ".pth")
_MOST_FILES = 4096
_MOST_DEPTH = 2
_GROUP_SHARDED = ".pdmodel"
"""`save_group_sharded_model` keeps weights under it; else it is a program, which is no state."""
_PROGRAM = b'{"base_code":'
"""So begins the program that `paddle.static.save` writes beside; `static.load` does not read it."""
_WEIGHTS = (".safetensors", ".safetensors.index.json")
_OPTIMIZER_WEIGHTS = ("optimizer", "master_weights")
_MASTER_WEIGHTS = "master_weight"


class PaddleContent(NamedTuple):
    """What was read.

    Attributes:
        roles: One entry per file and role.
        step: Training iteration, where a key holds it; in `step_path`.
        epoch: Count of epochs, where a key holds it.
        marks: Role and rank of each file.
        trainer: PaddleNLP's Trainer wrote it.
        distributed: It has no other data than that of `paddle.distributed`.
        data_paths: Absolute paths of the directories that `load_state_dict` takes.
        opens: Files that its loader opens, as far as every checkpoint of a run has them.
    """

    roles: tuple[RoleFacts, ...] = ()
    findings: tuple[Finding, ...] = ()
    step: FoundStep | None = None
    step_path: str = ""
    epoch: int | None = None
    marks: Mapping[str, Mark] = MappingProxyType({})
    tensors: tuple[TensorFacts, ...] = ()
    tensors_total: int = 0
    world_size: int | None = None
    expected_ranks: tuple[int, ...] | None = None
    shards: tuple[ShardFacts, ...] = ()
    reshard: Reshard | None = None
    trainer: bool = False
    distributed: bool = False
    data_paths: tuple[str, ...] = ()
    opens: frozenset[str] = frozenset()


class _Gathered:
    """What the files said so far."""

    def __init__(self) -> None:
        self.roles: list[RoleFacts] = []
        self.findings: list[Finding] = []
        self.marks: dict[str, Mark] = {}
        self.states: dict[str, PaddleState] = {}
        self.steps: list[tuple[FoundStep, str]] = []
        self.epochs: list[int] = []


def read_content(files: CheckpointFiles) -> PaddleContent:
    """Reads every file of a checkpoint that belongs to it."""
    entries = [e for e in files.tree.files() if e.path.count("/") < _MOST_DEPTH][:_MOST_FILES]
    gathered = _Gathered()
    for entry in entries:
        _read_file(files, entry, gathered)
    weights = [e for e in entries if e.path.endswith(_WEIGHTS) and not _is_distributed(e.path)]
    _read_weights(files, weights, gathered)
    gathered.findings += _apart(gathered.states)
    content = _of_states(files, gathered)
    directories = sorted({_directory(e.path) for e in entries if _is_distributed(e.path)})
    for directory in directories:
        content = _with_distributed(files, directory, content)
    return content


def _is_distributed(path: str) -> bool:
    name = path.rpartition("/")[2]
    return is_metadata_name(name) or rank_of_data(name) is not None


def _directory(path: str) -> str:
    return path[: path.rfind("/") + 1]


def _read_file(files: CheckpointFiles, entry: FileEntry, gathered: _Gathered) -> None:
    path = entry.path
    name = path.rpartition("/")[2]
    if (
        name.endswith(ENDINGS)
        or (name.endswith(_GROUP_SHARDED) and _is_pickle(files, path))
        or (name.startswith(_RANDOM[0]) and name.endswith(_RANDOM[1]))
    ):
        read = read_pickled(files, path)
        gathered.findings += read.findings
        gathered.marks[path] = Mark(_role_of_name(name))
        if read.pickle is not None:
            _take(state_of(read.pickle, path), path, gathered)
    elif name.endswith(".json"):
        _read_json(files, path, gathered)
    elif is_staged_paddle_name(name) and files.claim.members[:1] != (path,):
        gathered.findings.append(staging_leftover(path))
    elif name == _TRAINING_ARGS:
        gathered.marks[path] = Mark(CONFIG)


def _is_pickle(files: CheckpointFiles, path: str) -> bool:
    try:
        with files.open(path) as source:
            return not source.size or sniff_pickle(source)
    except ArtifactError:
        return False


def _role_of_name(name: str) -> str:
    """What the file ought to hold, for one that cannot be read."""
    if name.endswith(OPTIMIZER_STATE):
        return OPTIMIZER
    if name.startswith(_RANDOM[0]) or name.endswith(".pdrng"):
        return RNG
    return role_of_file_name(name) or (MODEL if name.endswith(ENDINGS[0]) else "")


def _take(state: PaddleState, path: str, gathered: _Gathered) -> None:
    content = state.content
    gathered.states[path] = state
    gathered.roles += content.roles
    if content.step is not None:
        gathered.steps.append((content.step, path))
    if content.epoch is not None:
        gathered.epochs.append(content.epoch)
    held = [role.role for role in content.roles]
    if held:
        note = f"holds {', '.join(held)}" if len(held) > 1 else ""
        gathered.marks[path] = Mark(held[0], None, note)


def _read_json(files: CheckpointFiles, path: str, gathered: _Gathered) -> None:
    """The progress that a loop, or PaddleNLP's Trainer, keeps in JSON; others are configuration."""
    name = path.rpartition("/")[2]
    beside = files.claim.members and path in files.claim.members
    if not beside and role_of_file_name(name) != PROGRESS:
        gathered.marks[path] = Mark(CONFIG)
        return
    try:
        with files.open(path) as source:
            if source.read_at(0, len(_PROGRAM)) == _PROGRAM:
                gathered.marks[path] = Mark(CONFIG)
                return
            document = read_json(source, files.limits)
    except ArtifactError as error:
        gathered.findings.append(finding_of_error(error, path, role=PROGRESS))
        return
    step, epoch = find_step(document, whole_number), find_epoch(document)
    if step is not None:
        gathered.steps.insert(0, (step, path))
    if epoch is not None:
        gathered.epochs.append(epoch)
    if step is not None or epoch is not None:
        key = step.key if step is not None else "epoch"
        gathered.roles.append(RoleFacts(PROGRESS, None, 1, f"key `{key}` in {path}", paths=(path,)))
        gathered.marks[path] = Mark(PROGRESS)


def _read_weights(files: CheckpointFiles, entries: list[FileEntry], gathered: _Gathered) -> None:
    """The weights of PaddleNLP's unified form: the optimizer's beside the model's."""
    others = [e for e in entries if e.path.startswith(_OPTIMIZER_WEIGHTS)]
    model = read_safetensors_model(files, [e for e in entries if e not in others])
    optimizer = read_safetensors_model(files, others)
    gathered.findings += [*model.findings, *optimizer.findings]
    gathered.roles += model.roles
    gathered.roles += [role._replace(role=OPTIMIZER) for role in optimizer.roles]


def _apart(states: dict[str, PaddleState]) -> list[Finding]:
    """A schedule that two files hold has stepped as often in both of them."""
    counted = {p: s.schedule for p, s in states.items() if s.schedule is not None}
    if len(set(counted.values())) < 2:
        return []
    return [mixed_saves("the schedule's step", counted)]


def _of_states(files: CheckpointFiles, gathered: _Gathered) -> PaddleContent:
    tensors = [t for state in gathered.states.values() for t in state.content.tensors]
    step = gathered.steps[0] if gathered.steps else None
    trainer = any(files.tree.get(name) is not None for name in _OF_TRAINER)
    roles = [r for r in gathered.roles if not trainer or _counts_for_trainer(files, r)]
    return PaddleContent(
        roles=tuple(roles),
        findings=tuple(capped(gathered.findings)),
        step=step[0] if step is not None else None,
        step_path=step[1] if step is not None else "",
        epoch=gathered.epochs[0] if gathered.epochs else None,
        marks=gathered.marks,
        tensors=tuple(tensors[:MOST_TENSORS]),
        tensors_total=sum(state.content.tensors_total for state in gathered.states.values()),
        reshard=WHOLE if trainer else None,
        trainer=trainer,
        opens=frozenset(p for p in gathered.marks if p.endswith((*ENDINGS, _GROUP_SHARDED))),
    )


def _counts_for_trainer(files: CheckpointFiles, role: RoleFacts) -> bool:
    """PaddleNLP's Trainer takes the schedule from its own file, not from the optimizer's state."""
    return role.role != SCHEDULER or files.tree.get(_SCHEDULE_FILE) is not None


def _with_distributed(
    files: CheckpointFiles, directory: str, content: PaddleContent
) -> PaddleContent:
    """Adds one directory; PaddleNLP, and loops, keep the model and the optimizer in one each."""
    found = read_distributed(files, directory)
    told = roles_of_distributed(found)
    copies = directory.startswith(_MASTER_WEIGHTS)  # of the weights, in full precision
    roles = told.roles if not copies else ()
    role = roles[0].role if roles else OPTIMIZER if copies else MODEL
    own = shards_of(files, directory, found)
    step = content.step or told.step
    marks = {path: Mark(role, shard.rank) for shard in own for path in shard.paths}
    shards = joined_shards((*content.shards, *own))
    world_size = shards[-1].rank + 1 if shards else None
    others = not content.distributed and bool(content.roles or content.marks)
    return content._replace(
        roles=(*content.roles, *roles),
        findings=(*content.findings, *found.findings),
        step=step,
        step_path=content.step_path or (found.metadata_path if step is not None else ""),
        epoch=content.epoch if content.epoch is not None else told.epoch,
        marks={**content.marks, **marks},
        tensors=(*content.tensors, *told.tensors)[:MOST_TENSORS],
        tensors_total=content.tensors_total + told.tensors_total,
        world_size=world_size,
        expected_ranks=tuple(range(world_size)) if world_size is not None else None,
        shards=shards,
        reshard=_RESHARDED if not content.roles else content.reshard,
        distributed=not others,
        data_paths=(*content.data_paths, f"{files.base}/{directory}".rstrip("/")),
        opens=content.opens | ({found.metadata_path} - {""} if directory else set()),
    )
