"""Reads GGUF files: exports, which are never resumed from.

The header says how long the file has to be; nothing protects the bytes of the tensors.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from ckpt_tui.artifacts.gguf_header import GgufHeader, read_gguf_header
from ckpt_tui.artifacts.limits import ArtifactError
from ckpt_tui.core.facts import CheckpointFacts, CommitFacts, LoaderFacts, RoleFacts, TensorFacts
from ckpt_tui.core.text import plural
from ckpt_tui.core.vocabulary import MODEL
from ckpt_tui.formats.base import ClaimKind
from ckpt_tui.formats.shared.bounds import MOST_TENSORS
from ckpt_tui.formats.shared.common_facts import common_facts
from ckpt_tui.formats.shared.file_table import Mark, file_table
from ckpt_tui.formats.shared.links_and_holes import hollow_files
from ckpt_tui.formats.shared.problems import capped, finding_of_error, missing_file
from ckpt_tui.formats.shared.times import save_times

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ckpt_tui.core.facts import RawPointer
    from ckpt_tui.core.findings import Finding
    from ckpt_tui.formats.base import CheckpointFiles
    from ckpt_tui.fs.listing import Directory

ENDING = ".gguf"

_RULE = "no commit mark: the header says how long the file has to be (GGUF)"
_SHARD = re.compile(r"(?P<stem>.+)-(?P<number>\d{5})-of-(?P<total>\d{5})\.gguf")
_MOST_SHARDS = 1000


class GgufFileReader:
    """Weights in GGUF files."""

    name = "gguf-file"

    def claims_directory(self, directory: Directory) -> ClaimKind:
        """Only files are claimed."""
        return ClaimKind.NO

    def claims_files(self, directory: Directory) -> tuple[tuple[str, ...], ...]:
        """Each file; shards of one model are one export."""
        found: dict[str, list[str]] = {}
        for name in sorted(directory.file_names()):
            if name.endswith(ENDING) and not name.startswith("."):
                shard = _SHARD.fullmatch(name)
                key = f"{shard['stem']}/{shard['total']}" if shard is not None else name
                found.setdefault(key, []).append(name)
        return tuple(tuple(names) for names in found.values())

    def pointers(self, directory: Directory) -> tuple[RawPointer, ...]:
        """Nothing points at an export."""
        return ()

    def read(self, files: CheckpointFiles) -> CheckpointFacts:
        """Reads the headers."""
        headers: dict[str, GgufHeader] = {}
        findings: list[Finding] = []
        for path in files.claim.members or (files.name,):
            try:
                with files.open(path) as source:
                    headers[path] = read_gguf_header(source, files.limits)
            except ArtifactError as error:
                findings.append(finding_of_error(error, path))
        findings += [*hollow_files(files.tree), *_absent(files.claim.members)]
        tensors = [
            TensorFacts(name, array.dtype, array.shape, array.size_bytes, MODEL, path)
            for path, header in headers.items()
            for name, array in header.tensors.items()
        ]
        times = save_times(files.tree.files(), None)
        return common_facts(files, self.name, CommitFacts(_RULE, None), times)._replace(
            roles=_model(tensors, headers),
            files=file_table(files.tree, {path: Mark(MODEL) for path in headers}),
            findings=tuple(findings),
            loader=LoaderFacts(flag=f"llama-cli --model {json.dumps(files.path)}", tag=files.name),
            export=True,
            tensors=tuple(tensors[:MOST_TENSORS]),
            tensors_total=len(tensors),
        )


def _model(tensors: list[TensorFacts], paths: Iterable[str]) -> tuple[RoleFacts, ...]:
    if not tensors:
        return ()
    size_bytes = sum(tensor.size_bytes for tensor in tensors)
    named = tuple(paths)
    evidence = f"{plural(len(tensors), 'tensor')} in {plural(len(named), 'GGUF header')}"
    return (RoleFacts(MODEL, size_bytes, len(named), evidence, paths=named),)


def _absent(members: tuple[str, ...]) -> list[Finding]:
    """Shards that the names of the others count."""
    shard = _SHARD.fullmatch(members[0]) if members else None
    if shard is None:
        return []
    count = min(int(shard["total"]), len(members) + _MOST_SHARDS)
    wanted = [f"{shard['stem']}-{n:05}-of-{shard['total']}{ENDING}" for n in range(1, count + 1)]
    why = "the other shards' names count it"
    return capped([missing_file(path, why) for path in wanted if path not in members])
