"""From records to the immutable picture: what did not change is handed out again."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ckpt_tui.core.snapshot import Snapshot
from ckpt_tui.formats.registry import names_tried
from ckpt_tui.fs.listing import list_directory
from ckpt_tui.store.assemble import Options, assemble_run, read_pointers
from ckpt_tui.store.families import by_format

if TYPE_CHECKING:
    from collections.abc import Container, Mapping, Sequence

    from ckpt_tui.core.facts import RawPointer
    from ckpt_tui.core.runs import Run
    from ckpt_tui.fs.listing import Directory
    from ckpt_tui.store.assemble import Member
    from ckpt_tui.store.growth import Moment
    from ckpt_tui.store.record import Record, Records


class Picture:
    """The last picture, and what it was made of.

    Attributes:
        snapshot: The last picture.
        linked: Paths of checkpoints that another run links to, and that are counted there.
    """

    def __init__(self, root: str, records: Records) -> None:
        self.snapshot = Snapshot(root=root, tried=names_tried())
        self.linked: frozenset[str] = frozenset()
        self._root = root
        self._options = Options()
        self._records = records
        self._runs: dict[tuple[str, str], Run] = {}

    def draw(
        self,
        directories: Mapping[str, Directory],
        problems: Sequence[tuple[str, str]],
        touched: set[str],
        now: Moment,
        options: Options,
    ) -> Snapshot:
        """A new picture, or the last one where nothing differs.

        Args:
            directories: Listings of the directories that are not inside a checkpoint.
            problems: (absolute path, reason) of what could not be listed.
            touched: Directories in which something may differ from the last picture.
            now: When the look was made.
            options: How to judge; where they are others than before, all is judged again.
        """
        error = self._root_error()
        problems = tuple(p for p in problems if not (error and p[0] == self._root))
        linked = frozenset(record.target for record in self._records.values() if record.target)
        touched = touched | {os.path.dirname(path) for path in linked ^ self.linked}
        self.linked = linked
        judge_all, self._options = options != self._options, options
        self._runs = self._draw_runs(directories, None if judge_all else touched, now)
        pictured = tuple(self._runs.values())
        last = self.snapshot
        world_size = options.requirements.world_size
        said = (pictured, error, problems, world_size)
        if said == (last.runs, last.error, last.problems, last.world_size) and last.version:
            return last
        self.snapshot = Snapshot(
            root=self._root,
            runs=pictured,
            looked_at=now.wall,
            version=last.version + 1,
            error=error,
            free_bytes=_free_bytes(self._root),
            tried=names_tried(),
            problems=problems,
            single=self._root in self._records and len(self._records) == 1,
            world_size=world_size,
        )
        return self.snapshot

    def _draw_runs(
        self, directories: Mapping[str, Directory], touched: Container[str] | None, now: Moment
    ) -> dict[tuple[str, str], Run]:
        """All runs: the last picture's where nothing differs; `touched` is None for all anew."""
        last: dict[str, dict[tuple[str, str], Run]] = {}
        for key, run in self._runs.items():
            last.setdefault(key[0], {})[key] = run
        runs: dict[tuple[str, str], Run] = {}
        for place, records in sorted(self._places().items()):
            old = last.get(place, {})
            changed = touched is None or place in touched
            if old and not changed and not any(run.in_flight for run in old.values()):
                runs |= old
                continue
            members = [record.member() for record in records]
            for name, of_format in sorted(by_format(members).items()):
                key = (place, name)
                before = old.get(key)
                if before is not None and not changed and before.in_flight is None:
                    runs[key] = before
                    continue
                new = self._assemble(key, of_format, directories, now)
                runs[key] = before if before == new else new
        return runs

    def _places(self) -> dict[str, list[Record]]:
        """Run's directory → its checkpoints, each counted once: where it is linked."""
        places: dict[str, list[Record]] = {}
        for path, record in self._records.items():
            if path not in self.linked:
                places.setdefault(self._run_path(record), []).append(record)
        return places

    def _assemble(
        self,
        key: tuple[str, str],
        members: list[Member],
        directories: Mapping[str, Directory],
        now: Moment,
    ) -> Run:
        path, format_name = key
        single = path in self._records and len(members) == 1
        directory = None if single else directories.get(path)
        relative = os.path.relpath(path, self._root)
        return assemble_run(
            path,
            os.path.basename(path) if relative == "." else relative,
            format_name,
            members,
            [p for p in read_pointers(format_name, directory) if self._is_pointer(p)],
            self._options,
            now,
        )

    def _is_pointer(self, pointer: RawPointer) -> bool:
        """A link that is listed as an attempt is none; a copy is both."""
        return pointer.kind == "copy" or pointer.path not in self._records

    def _run_path(self, record: Record) -> str:
        """The directory of a checkpoint's run: its own where it is the root or holds the run."""
        path = record.claim.path
        if path == self._root or self._records.holds_run(record.claim):
            return path
        return os.path.dirname(path)

    def _root_error(self) -> str:
        try:
            os.stat(self._root)
        except OSError as error:
            return error.strerror or str(error)
        if self._records or not os.path.isdir(self._root):
            return ""
        return list_directory(self._root).problem


def _free_bytes(path: str) -> int | None:
    try:
        info = os.statvfs(path)
    except OSError:
        return None
    return info.f_bavail * info.f_frsize
