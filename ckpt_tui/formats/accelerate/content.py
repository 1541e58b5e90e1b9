"""What one save of accelerate holds in all, and whether it came to its end."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.artifacts.inert import as_mapping
from ckpt_tui.core.findings import Finding
from ckpt_tui.core.vocabulary import PROGRESS, SCHEDULER, Effect, Severity
from ckpt_tui.formats.accelerate.backend import Backend, read_backend
from ckpt_tui.formats.accelerate.names import (
    CUSTOM_FILE,
    MODEL_FILE,
    OPTIMIZER_FILE,
    SAMPLER_FILE,
    SCALER_FILE,
    SCHEDULER_FILE,
    named_step,
    numbered,
    numbered_name,
)
from ckpt_tui.formats.accelerate.objects import (
    Custom,
    read_custom,
    read_data_states,
    read_scaler,
    read_schedulers,
)
from ckpt_tui.formats.accelerate.random_states import (
    RandomStates,
    bounded_processes,
    random_role,
    read_random_states,
)
from ckpt_tui.formats.accelerate.saves_apart import files_apart
from ckpt_tui.formats.shared.named_progress import progress_of_name
from ckpt_tui.formats.shared.names import epoch_of_name
from ckpt_tui.formats.shared.problems import missing_file
from ckpt_tui.formats.shared.role_merge import merge_roles

if TYPE_CHECKING:
    from ckpt_tui.core.facts import RoleFacts
    from ckpt_tui.formats.accelerate.objects import Objects
    from ckpt_tui.formats.base import CheckpointFiles
    from ckpt_tui.formats.shared.file_table import Mark
    from ckpt_tui.formats.shared.state_file import StatePart

_SAMPLER = "the shuffle sampler's own generator: with several processes accelerate does not save it"
_REGISTERED = "whether the job registers objects of its own: accelerate refuses a save without them"


class AccelerateContent(NamedTuple):
    """Everything that the files say.

    Attributes:
        backend: Model and optimizer.
        custom: The registered objects.
        opens: Files that the loader opens without fail.
        named: The step in the directory's name; None where it has none.
        epoch: By the registered objects, else by the name.
        world_size: Number of processes, as far as files tell.
    """

    backend: Backend
    custom: Custom
    roles: tuple[RoleFacts, ...]
    findings: tuple[Finding, ...]
    marks: dict[str, Mark]
    named: int | None
    epoch: int | None
    world_size: int | None
    not_checked: tuple[str, ...]
    opens: frozenset[str]

    @property
    def step(self) -> int | None:
        """The step that a registered object holds."""
        return self.custom.step.value if self.custom.step is not None else None


def read_accelerate(files: CheckpointFiles) -> AccelerateContent:
    """Reads a save; what is wrong with it comes back as findings."""
    backend = read_backend(files)
    schedulers, data = read_schedulers(files), read_data_states(files)
    scaler, custom = read_scaler(files), read_custom(files)
    random = read_random_states(files)
    processes, absurd = bounded_processes(random.processes, backend.world_size)
    held = random_role(random, processes)
    named, epoch = named_step(files.name), _epoch(files, custom)
    parts = (*backend.roles, *schedulers.roles, *data.roles, *scaler.roles, *custom.roles)
    roles = merge_roles((*parts, *((held,) if held else ()), *_by_name(files, custom, named)))
    findings = (
        *backend.findings,
        *schedulers.findings,
        *data.findings,
        *scaler.findings,
        *custom.findings,
        *random.findings,
        *absurd,
        *_cut_short(backend, custom, random),
        *_lost_objects(backend.optimizers, schedulers, custom),
        *files_apart(files, backend.optimizers, schedulers, custom, len(random.ranks)),
    )
    several = processes is not None and processes > 1 and not data.roles
    return AccelerateContent(
        backend=backend,
        custom=custom,
        roles=roles,
        findings=findings,
        marks={
            **backend.marks,
            **schedulers.marks,
            **data.marks,
            **scaler.marks,
            **custom.marks,
            **random.marks,
        },
        named=named,
        epoch=epoch,
        world_size=processes,
        not_checked=(
            "the bytes of tensors",
            *backend.not_checked,
            *((_SAMPLER,) if several else ()),
            *(() if custom.marks else (_REGISTERED,)),
        ),
        opens=_opens(files, backend),
    )


def _opens(files: CheckpointFiles, backend: Backend) -> frozenset[str]:
    """One for each object of the job; weights by the name that they have as safetensors."""
    kinds = [OPTIMIZER_FILE, SCHEDULER_FILE, SAMPLER_FILE, CUSTOM_FILE]
    names = {e.path for kind in kinds for e in numbered(files.tree, kind).values()}
    if not backend.name:
        models = numbered(files.tree, MODEL_FILE)
        names |= {numbered_name("model", number, ".safetensors") for number in models}
    if files.tree.get(SCALER_FILE) is not None:
        names.add(SCALER_FILE)
    return frozenset(names)


def _epoch(files: CheckpointFiles, custom: Custom) -> int | None:
    return custom.epoch if custom.epoch is not None else epoch_of_name(files.name)


def _by_name(files: CheckpointFiles, custom: Custom, named: int | None) -> tuple[RoleFacts, ...]:
    """A loop that registers no counter takes step or epoch from the name that it gave."""
    if any(role.role == PROGRESS for role in custom.roles):
        return ()
    by_name = progress_of_name(files.name, named, "no registered object holds it")
    return (by_name,) if by_name is not None else ()


def _cut_short(backend: Backend, custom: Custom, random: RandomStates) -> tuple[Finding, ...]:
    """Every save ends with the main process's random state and the registered objects.

    Where the former is absent or cut and none of the latter is there, the save never came that far:
    what else it should have held cannot be told.
    """
    if 0 in random.held or custom.marks or backend.missing:
        return ()
    what = "cut" if 0 in random.ranks else "missing"
    return (
        Finding(
            "missing-role",
            Severity.ERROR,
            "random_states_0.pkl",
            f"random_states_0.pkl is {what}, and accelerate writes it (and then the registered"
            " objects) last: the save did not come to its end",
            "Resume from another checkpoint.",
            Effect.INCOMPLETE,
        ),
    )


def _lost_objects(optimizers: Objects, schedulers: Objects, custom: Custom) -> tuple[Finding, ...]:
    """A scheduler leaves `initial_lr` in its optimizer's groups, and each has an optimizer."""
    registered = sum(role.role == SCHEDULER for role in custom.roles)
    scheduled = sum(_was_scheduled(part) for part in optimizers.parts.values())
    if scheduled > len(schedulers.parts) + registered:
        held = "the optimizer's groups hold `initial_lr`: a scheduler was at work"
        return (missing_file(numbered_name("scheduler", len(schedulers.parts), ".bin"), held),)
    if optimizers.parts and len(schedulers.parts) > len(optimizers.parts):
        more = "there are more schedulers than optimizers"
        return (missing_file(numbered_name("optimizer", len(optimizers.parts), ".bin"), more),)
    return ()


def _was_scheduled(optimizer: StatePart) -> bool:
    groups = as_mapping(optimizer.value).get("param_groups")
    return isinstance(groups, list) and any("initial_lr" in as_mapping(one) for one in groups)
