"""The processes that wrote a step: how many there were, and what each left.

Orbax has no number of processes anywhere but in names: `array_metadatas/process_1`,
`ocdbt.process_1/`, grain's `process_0-of-2.json`. Devices are another count (one process may have
eight), and no measure of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.core.facts import Reshard
from ckpt_tui.core.vocabulary import DATALOADER, Effect
from ckpt_tui.formats.orbax.items import Kind
from ckpt_tui.formats.orbax.names import process_of, processes_by_name
from ckpt_tui.formats.shared.shards import shard_of, shard_problem

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ckpt_tui.core.facts import ShardFacts
    from ckpt_tui.core.files import FileEntry, Tree
    from ckpt_tui.core.findings import Finding
    from ckpt_tui.formats.orbax.content import Content


class Processes(NamedTuple):
    """Who wrote what.

    Attributes:
        number: How many processes there are; None where no name tells.
        files: Process → its files, in path order.
    """

    number: int | None
    files: dict[int, tuple[FileEntry, ...]]

    def process_of_file(self) -> dict[str, int]:
        """Path → the process that wrote it."""
        return {entry.path: number for number, own in self.files.items() for entry in own}


def processes_of(tree: Tree) -> Processes:
    """Sorts the files of a step by the processes that names tell."""
    count = 0
    files: dict[int, list[FileEntry]] = {}
    for entry in tree.files():
        for part in entry.path.split("/"):
            number = process_of(part)
            if number is not None:
                files.setdefault(number, []).append(entry)
                count = max(count, number + 1, processes_by_name(part) or 0)
                break
    return Processes(count or None, {n: tuple(own) for n, own in sorted(files.items())})


def shards_of(processes: Processes, findings: Sequence[Finding]) -> tuple[ShardFacts, ...]:
    """A shard for each process; one without any file had nothing to write.

    Args:
        processes: Who wrote what.
        findings: Of the whole checkpoint, with paths relative to it.
    """
    problems: dict[int, str] = {}
    for finding in findings:
        number = _process_of_path(finding.path) if finding.effect is not Effect.NONE else None
        if number is not None:
            problems.setdefault(number, shard_problem(finding))
    shards = []
    for number in range(processes.number or 0):
        own = processes.files.get(number, ())
        shards.append(shard_of(number, own, problems.get(number, "")))
    return tuple(shards)


def _process_of_path(path: str) -> int | None:
    return next((n for part in path.split("/") if (n := process_of(part)) is not None), None)


def reshard_of(contents: Iterable[Content]) -> Reshard:
    """Arrays load onto any topology with a target; a data loader's files fit the old processes."""
    loses = [c.item.name for c in contents if c.item.kind is Kind.ITERATOR and c.item.there]
    how = (
        "natively, with a target tree or restore_args: without one Orbax wants the devices of"
        " the save"
    )
    return Reshard(True, how, (DATALOADER,) if loses else ())
