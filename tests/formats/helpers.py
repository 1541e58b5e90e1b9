"""Reads checkpoints with one reader, and judges them alone or among their siblings."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.artifacts.limits import Limits
from ckpt_tui.core.siblings import Habits
from ckpt_tui.core.verdict import judge
from ckpt_tui.formats import registry
from ckpt_tui.formats.base import CheckpointFiles, Claim, ClaimKind, HandOver
from ckpt_tui.formats.shared.nemo_marker import marker_of
from ckpt_tui.fs.listing import list_directory, list_tree

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from ckpt_tui.core.checkpoint import Checkpoint
    from ckpt_tui.core.facts import CheckpointFacts
    from ckpt_tui.formats.base import Reader


class Row(NamedTuple):
    """What a table of expectations says of one checkpoint."""

    path: str
    verdict: str
    step: int | None
    missing: tuple[str, ...]


def read_directory(reader: Reader, path: Path, limits: Limits | None = None) -> CheckpointFacts:
    """Facts of a directory, whether or not the reader claims it."""
    claim = Claim(reader.name, str(path), marker=os.path.lexists(marker_of(str(path))))
    return _read(reader, CheckpointFiles(claim, list_tree(str(path)), limits or Limits()))


def read_file(reader: Reader, path: Path, limits: Limits | None = None) -> CheckpointFacts:
    """Facts of a checkpoint that is one file."""
    marker = os.path.lexists(marker_of(str(path)))
    claim = Claim(reader.name, str(path), (path.name,), marker=marker)
    tree = list_tree(str(path), claim.members)
    return _read(reader, CheckpointFiles(claim, tree, limits or Limits()))


def _read(reader: Reader, files: CheckpointFiles) -> CheckpointFacts:
    """Facts by the reader, or by the one that it hands the checkpoint over to."""
    facts = reader.read(files)
    if isinstance(facts, HandOver):
        facts = registry.reader(facts.reader).read(files)
    assert not isinstance(facts, HandOver)
    return facts


def claims(reader: Reader, path: Path) -> bool:
    """Whether the reader takes the directory for a checkpoint of its own."""
    return reader.claims_directory(list_directory(str(path))) is ClaimKind.CHECKPOINT


def claimed_files(reader: Reader, path: Path) -> list[str]:
    """First names of the checkpoints of files that the reader sees in a directory."""
    return [names[0] for names in reader.claims_files(list_directory(str(path)))]


def judged(reader: Reader, path: Path) -> Checkpoint:
    """The verdict of one checkpoint alone."""
    if path.is_file():
        return judge(read_file(reader, path))
    return judge(read_directory(reader, path))


def check_row(reader: Reader, corpus: Path, row: Row) -> None:
    """The reader claims the checkpoint, and it is judged as the row says."""
    checkpoint = judged(reader, corpus / row.path)
    assert claims(reader, corpus / row.path)
    assert (checkpoint.verdict, checkpoint.step) == (row.verdict, row.step)
    assert checkpoint.missing_roles == row.missing


def judged_run(facts: Iterable[CheckpointFacts]) -> dict[str, Checkpoint]:
    """Verdicts of a run by name, each judged among its siblings."""
    run = list(facts)
    return {f.name: judge(f, siblings=Habits(run).siblings_of(f)) for f in run}


def codes(checkpoint: Checkpoint) -> set[str]:
    """Codes of all findings."""
    return {finding.code for finding in checkpoint.findings}


def copy_of(source: Path, target: Path) -> Path:
    """A copy to damage, with the times of the original."""
    if source.is_dir():
        shutil.copytree(source, target, symlinks=True)
    else:
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(source, target)
    return target


def cut(path: Path, size_bytes: int) -> None:
    """Cuts a file, and leaves its time as it was."""
    times = path.stat()
    os.truncate(path, size_bytes)
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))


def overwrite(path: Path, offset: int, data: bytes) -> None:
    """Puts other bytes in place, and leaves size and time as they were."""
    times = path.stat()
    with path.open("r+b") as file:
        file.seek(offset)
        file.write(data)
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))


def remove(*names: str) -> Callable[[Path], None]:
    """A damage that removes these files."""

    def damage(directory: Path) -> None:
        for name in names:
            (directory / name).unlink()

    return damage


def spread_rng(directory: Path, *ranks: int) -> None:
    """Gives each of several Trainer processes a random state of its own."""
    for rank in ranks:
        shutil.copy(directory / "rng_state.pth", directory / f"rng_state_{rank}.pth")
    (directory / "rng_state.pth").unlink()
