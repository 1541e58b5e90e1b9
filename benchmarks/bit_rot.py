"""Flips one bit at a time in the files of real checkpoints, and looks what `verify` says of it.

    python -m benchmarks.bit_rot [--flips N] [--seed N] [--runs DIR…] [--sealed] [--markdown FILE]

Every file of every sample run is flipped at least once, in copies. A flip is protected where it
falls into bytes under a checksum, by a reckoning of its own (`bit_rot_ranges`). All of these have
to be found, in the right file and with the tensor's name where it hits a tensor; the others have to
be reported as protected by nothing. With `--sealed` every checkpoint is sealed before: then each
flip is protected.
"""

from __future__ import annotations

import argparse
import io
import os
import random
import shutil
import sys
import tempfile
import zipfile
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from benchmarks.bit_rot_ranges import Protected, protected_ranges
from benchmarks.figures import tell
from ckpt_tui.cli.app import run as command_line
from ckpt_tui.verify.engine import verify
from ckpt_tui.verify.planning import plan

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ckpt_tui.verify.results import FileResult

SAMPLES = Path(__file__).parent.parent / "sample_runs"
_COLUMNS = (
    "format", "flips", "protected", "found", "missed", "tensor named", "no tensor there",
    "unprotected", "found by structure", "said to be unprotected", "harmless",
)  # fmt: skip


class Target(NamedTuple):
    """A file to flip bits in.

    Attributes:
        path: The file.
        checkpoint: What `verify` is asked about.
        format: Of the checkpoint.
        ranges: What of it is protected.
    """

    path: Path
    checkpoint: str
    format: str
    ranges: list[Protected]


def main() -> int:
    """Flips, prints the table, and fails where a protected flip was missed."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--flips", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--runs", type=Path, nargs="*", default=[SAMPLES])
    parser.add_argument("--sealed", action="store_true")
    parser.add_argument("--markdown", type=Path, help="also write the table there")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        os.environ["XDG_STATE_HOME"] = os.environ["XDG_CACHE_HOME"] = f"{directory}/user"
        copies = [Path(directory) / "runs" / str(n) for n in range(len(options.runs))]
        for runs, copy in zip(options.runs, copies, strict=True):
            shutil.copytree(runs, copy, symlinks=True)
        counts = flip_all(targets_in(copies, sealed=options.sealed), options)
    table = rows_of(counts)
    print("\n".join(table))
    if options.markdown:
        options.markdown.write_text("\n".join(table) + "\n")
    total: Counter[str] = sum(counts.values(), Counter())
    missed, unnamed = total["missed"], total["tensor not named"]
    told = f"{total['found']} of {total['protected']} found, {missed} missed"
    name = "with a seal" if options.sealed else "as they are"
    tell(f"bit rot, {total['flips']} flips, {name}", told, "0 missed", not missed and not unnamed)
    return int(bool(missed or unnamed))


def targets_in(copies: Sequence[Path], *, sealed: bool) -> list[Target]:
    """Every file of every checkpoint that is right as it stands."""
    paths = [str(copy) for copy in copies]
    wrong = {file.path for file in verify(paths).files if file.ok is False or file.unread}
    if sealed:
        for planned in {each.context.path for each in plan(paths).files} - {""}:
            command_line(["seal", planned])
    targets = []
    for each in plan(paths).files:
        path, context = Path(each.path), each.context
        if each.path in wrong or not each.entry.size_bytes or context.uncommitted:
            continue
        whole = [Protected(0, each.entry.size_bytes)]
        is_sealed = each.entry.path in context.seal.files
        ranges = whole if is_sealed else protected_ranges(path)
        targets.append(Target(path, context.path or each.path, context.format or "none", ranges))
    return targets


def flip_all(targets: list[Target], options: argparse.Namespace) -> dict[str, Counter[str]]:
    """Flips bits in turn, until there are as many as were asked for; counts by format."""
    chance = random.Random(options.seed)
    counts: dict[str, Counter[str]] = {}
    for number in range(max(options.flips, len(targets))):
        target = targets[number % len(targets)]
        bit = chance.randrange(target.path.stat().st_size * 8)
        counted = counts.setdefault(target.format, Counter())
        counted.update(["flips", *outcome_of(target, bit)])
    return counts


def outcome_of(target: Target, bit: int) -> list[str]:
    """Flips one bit, asks `verify`, and puts the bit back; what happened, in the columns' words."""
    content, status = target.path.read_bytes(), target.path.stat()
    place = bit // 8
    flipped = bytearray(content)
    flipped[place] ^= 1 << bit % 8
    put(target.path, bytes(flipped), status)
    try:
        files = {file.path: file for file in verify((target.checkpoint,)).files}
        result = files[str(target.path)]
        others = [file.path for file in files.values() if file.ok is False and file != result]
        hit = next((r for r in target.ranges if r.begin <= place < r.end), None)
        if hit is not None and hit.deflated and same_content(content, bytes(flipped)):
            return ["harmless"]
        told = judged(result, hit)
        if others and "missed" not in told:
            told.append("others blamed")
    finally:
        put(target.path, content, status)
    if "missed" in told or "tensor not named" in told:
        print(f"{told}: {target.path} byte {place} bit {bit % 8}: {result}", file=sys.stderr)
    return told


def judged(result: FileResult, hit: Protected | None) -> list[str]:
    """What is counted for one flip."""
    if hit is None:
        how = "found by structure" if result.ok is False else "said to be unprotected"
        return ["unprotected", how]
    if result.ok is not False:
        return ["protected", "missed"]
    named = any(fault.tensor for fault in result.faults)
    if named:
        return ["protected", "found", "tensor named"]
    return ["protected", "found", "tensor not named" if hit.holds_tensor else "no tensor there"]


def same_content(before: bytes, after: bytes) -> bool:
    """Whether two zip archives hold the same, however it is stored."""
    try:
        return contents(io.BytesIO(before)) == contents(io.BytesIO(after))
    except Exception:  # whatever a damaged archive makes of it
        return False


def contents(stream: io.BytesIO) -> dict[str, bytes]:
    """All members of an archive."""
    with zipfile.ZipFile(stream) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def put(path: Path, content: bytes, status: os.stat_result) -> None:
    """Writes in place and leaves the time as it was: rot changes no time."""
    with path.open("r+b") as stream:
        stream.write(content)
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))


def rows_of(counts: dict[str, Counter[str]]) -> list[str]:
    """The table, as Markdown."""
    rows = [_COLUMNS, tuple("---" for _ in _COLUMNS)]
    for name, counted in sorted(counts.items()):
        rows.append((name, *(str(counted[column]) for column in _COLUMNS[1:])))
    total: Counter[str] = sum(counts.values(), Counter())
    rows.append(("all", *(str(total[column]) for column in _COLUMNS[1:])))
    return [f"| {' | '.join(row)} |" for row in rows]


if __name__ == "__main__":
    sys.exit(main())
