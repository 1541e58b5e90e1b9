"""From records to the immutable picture: what did not change is handed out again."""

from __future__ import annotations

import os
from operator import itemgetter
from typing import TYPE_CHECKING

from ckpt_tui.core.snapshot import Snapshot
from ckpt_tui.formats.registry import names_tried
from ckpt_tui.fs import calls
from ckpt_tui.fs.listing import list_directory
from ckpt_tui.store.assemble import Assembler, read_pointers
from ckpt_tui.store.families import by_format
from ckpt_tui.store.members import Options

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ckpt_tui.core.facts import RawPointer
    from ckpt_tui.core.runs import Run
    from ckpt_tui.core.snapshot import Reading
    from ckpt_tui.fs.listing import Directory
    from ckpt_tui.store.members import Member
    from ckpt_tui.store.moment import Moment
    from ckpt_tui.store.record import Records


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
        self._assemblers: dict[tuple[str, str], Assembler] = {}

    def draw(
        self,
        directories: Mapping[str, Directory],
        problems: Sequence[tuple[str, str]],
        touched: set[str],
        now: Moment,
        options: Options,
        reading: Reading | None = None,
    ) -> Snapshot:
        """A new picture, or the last one where nothing differs.

        Args:
            directories: Listings of the directories that are not inside a checkpoint.
            problems: (absolute path, reason) of what could not be listed.
            touched: Directories in which something may differ from the last picture.
            now: When the look was made.
            options: How to judge; where they are others than before, all is judged again.
            reading: How far the look is, where it is not over: what is not read is left out.
        """
        error = self._root_error()
        problems = tuple(p for p in problems if not (error and p[0] == self._root))
        linked = self._records.linked
        touched = touched | {os.path.dirname(path) for path in linked ^ self.linked}
        self.linked = linked
        judge_all, self._options = options != self._options, options
        changed = None if judge_all else touched
        self._runs = self._draw_runs(directories, changed, now, partly=reading is not None)
        for key in self._assemblers.keys() - self._runs.keys():
            del self._assemblers[key]
        pictured = tuple(self._runs.values())
        last = self.snapshot
        world_size = options.requirements.world_size
        said = (pictured, error, problems, world_size, reading)
        before = (last.runs, last.error, last.problems, last.world_size, last.reading)
        if said == before and last.version:
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
            single=self._is_single(),
            world_size=world_size,
            reading=reading,
        )
        return self.snapshot

    def _draw_runs(
        self,
        directories: Mapping[str, Directory],
        touched: set[str] | None,
        now: Moment,
        *,
        partly: bool,
    ) -> dict[tuple[str, str], Run]:
        """All runs: the last picture's where nothing differs; `touched` is None for all anew.

        A save that may still grow differs at each look, by the time that has passed.
        """
        if touched is None:
            places = self._records.run_paths() | {path for path, _ in self._runs}
        else:
            clocked = {path for (path, _), made in self._assemblers.items() if made.by_the_clock}
            places = touched | clocked | {os.path.dirname(path) for path in self._exports(touched)}
        runs = {key: run for key, run in self._runs.items() if key[0] not in places}
        for place in places:
            records = self._records.of_run(place)
            members = [
                record.member()
                for record in records
                if record.claim.path not in self.linked and not (partly and record.facts is None)
            ]
            for name, of_format in by_format(members).items():
                key = (place, name)
                new = self._assemble(key, of_format, directories, now)
                before = self._runs.get(key)
                runs[key] = before if before is not None and before == new else new
        return dict(sorted(runs.items(), key=itemgetter(0)))

    def _exports(self, paths: set[str]) -> list[str]:
        """Those that are exports: whether they hold a run decides where they belong themselves."""
        records = (self._records.get(path) for path in paths)
        return [r.claim.path for r in records if r is not None and r.claim.export]

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
        found = read_pointers(format_name, directory)
        pointers = tuple(pointer for pointer in found if self._is_pointer(pointer))
        assembler = self._assemblers.get(key)
        if assembler is None:
            relative = os.path.relpath(path, self._root)
            name = os.path.basename(path) if relative == "." else relative
            assembler = self._assemblers[key] = Assembler(path, name, format_name)
        alone = self._is_single()
        return assembler.assemble(members, pointers, self._options, now, alone=alone)

    def _is_single(self) -> bool:
        """Whether the root itself is one checkpoint."""
        return self._root in self._records and len(self._records) == 1

    def _is_pointer(self, pointer: RawPointer) -> bool:
        """A link that is listed as an attempt is none; a copy is both."""
        return pointer.kind == "copy" or pointer.path not in self._records

    def _root_error(self) -> str:
        try:
            calls.stat(self._root)
        except OSError as error:
            return error.strerror or str(error)
        if self._records or not calls.is_directory(self._root):
            return ""
        return list_directory(self._root).problem


def _free_bytes(path: str) -> int | None:
    try:
        info = calls.statvfs(path)
    except OSError:
        return None
    return info.f_bavail * info.f_frsize
