"""Whether a torch file ends as a whole one does, where there are too many to read them all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.artifacts.limits import ArtifactError
from ckpt_tui.artifacts.torch_archive import has_zip_end
from ckpt_tui.formats.shared.problems import finding_of_error, truncated_file

if TYPE_CHECKING:
    from ckpt_tui.core.files import FileEntry
    from ckpt_tui.core.findings import Finding
    from ckpt_tui.formats.base import CheckpointFiles

MOST_FILES_READ = 512
"""Files of one checkpoint whose pickle is read; of further ones only the end mark is looked at."""


def look_at_end(files: CheckpointFiles, entry: FileEntry) -> Finding | None:
    """What is wrong with a file's end, or with opening it; None where its end mark is there."""
    try:
        with files.open(entry.path) as source:
            if has_zip_end(source):
                return None
    except ArtifactError as error:
        return finding_of_error(error, entry.path)
    cut = truncated_file(entry.path, f"has {entry.size_bytes} bytes and no end mark")
    return cut if entry.size_bytes else cut._replace(code="empty-file")


def not_read(count: int) -> tuple[str, ...]:
    """What to say, among what was not checked, of files of which only the end was looked at."""
    return (f"the content of {count} files (their end marks are whole)",) if count else ()
