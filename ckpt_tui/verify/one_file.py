"""Checks one file: against a checksum of the whole where there is one, else by its format."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.artifacts.limits import ArtifactError
from ckpt_tui.core.files import Kind
from ckpt_tui.core.verified import LISTED
from ckpt_tui.fs import calls
from ckpt_tui.verify.examined import NOTHING, START_BYTES, STRUCTURE, Examined, FileJob
from ckpt_tui.verify.finite.scan import scan
from ckpt_tui.verify.methods.table import method_of
from ckpt_tui.verify.results import FileResult
from ckpt_tui.verify.stream import FileStream, StoppedError, Work, absolute

if TYPE_CHECKING:
    from ckpt_tui.core.files import FileEntry
    from ckpt_tui.verify.context import Context
    from ckpt_tui.verify.listed import Listed
    from ckpt_tui.verify.options import Options


def check_file(context: Context, entry: FileEntry, work: Work, options: Options) -> FileResult:
    """Reads one file as far as anything protects it.

    Args:
        context: The checkpoint that it belongs to.
        entry: The file, as it was listed.
        work: The buffer of this thread, and when to stop.
        options: What else is asked for.

    Raises:
        StoppedError: Nobody wants it any more.
    """
    found = Examined()
    path = absolute(context.files.base, entry.path)
    try:
        with FileStream(_real(context, entry), work) as stream:
            job = FileJob(stream, context, entry.path, stream.read_at(0, START_BYTES))
            _examine(job, found, whole=options.whole)
            _ask_reader(job, found)
            if found.outdated_by and found.method == NOTHING:
                found.method = LISTED.format(found.outdated_by)
            if options.finite:
                _scan(job, found, work)
            status = stream.status
            if stream.changed():
                found = Examined()
                found.unread = "it changed while it was read"
        entry = entry._replace(
            size_bytes=status.st_size, mtime_ns=status.st_mtime_ns, inode=status.st_ino
        )
    except ArtifactError as error:
        found.failed(error)
    except StoppedError:
        raise
    except Exception as error:  # a bug must cost one file, not all
        found.unread = f"the check failed: {type(error).__name__}: {error}"
    return _result(context, path, entry, found, ranges=options.ranges)


def _real(context: Context, entry: FileEntry) -> str:
    """Where the bytes are: a link within the checkpoint is followed, one out of it is not.

    Raises:
        ArtifactError: ``outside-path``.
    """
    path = absolute(context.files.base, entry.path)
    if entry.kind is Kind.LINK:
        message = "it is a link that leads out of the checkpoint and is not followed"
        raise ArtifactError("outside-path", message, path)
    return calls.realpath(path) if entry.link_target is not None else path


def _examine(job: FileJob, found: Examined, *, whole: bool) -> None:
    lists = [each for each in (job.context.manifest, job.context.seal) if job.path in each.files]
    right = False
    try:
        for listed in lists:
            right = _is_as_listed(job, listed, found) or right
        method = None if right else method_of(job)  # where the whole is wrong it knows the place
        if method is not None and job.stream.size:
            method.check(job, found)
        if whole:
            found.crc32 = job.stream.crc32(0, job.stream.size)
    except ArtifactError as error:
        found.failed(error)
    if lists and (right or found.faults):
        found.method = LISTED.format(" and ".join(listed.by for listed in lists))


def _ask_reader(job: FileJob, found: Examined) -> None:
    """Takes down what the checkpoint's reader finds wrong with a file that no method knows.

    Only then: it reads other files, too, and one that hangs would keep the results of all.
    """
    if found.method != NOTHING or found.faults or found.unread:
        return
    for finding in job.context.damage_of(job.path):
        found.method = STRUCTURE
        message = finding.message.removeprefix(f"{job.path}: ")  # its place is told beside it
        found.wrong(finding.code, "", "", message)


def _scan(job: FileJob, found: Examined, work: Work) -> None:
    """Looks for NaN and infinity; what cannot be read as tensors is told where nothing else is."""
    method = method_of(job) if job.stream.size else None
    if method is None or not method.has_floats:
        return
    work.expected_bytes = work.file_bytes + job.stream.size  # what checks it is done
    try:
        scan(method.floats(job), found)
        found.finite_checked = True
    except ArtifactError as error:
        if not found.faults:
            found.note = f"its tensors could not be scanned for NaN: {error.message}"


def _is_as_listed(job: FileJob, listed: Listed, found: Examined) -> bool:
    """Whether size and checksum of the whole file are those of a list.

    Raises:
        ArtifactError: It cannot be read.
        StoppedError: Nobody wants it any more.
    """
    wanted, size = listed.files[job.path], job.stream.size
    if size != wanted.size_bytes:
        message = f"it has {size} bytes, {listed.by} says {wanted.size_bytes}"
        return _differs(job, listed, found, "size-mismatch", message)
    crc32 = job.stream.crc32(0, size)
    if crc32 != wanted.crc32:
        message = f"its bytes have the CRC-32 {crc32:08x}, {listed.by} says {wanted.crc32:08x}"
        return _differs(job, listed, found, "checksum-mismatch", message)
    found.cover(0, size)
    if listed.is_older_than(job.stream.status.st_mtime_ns):
        found.seal_note = f"it was written after {listed.by}, with the same bytes"
    return True


def _differs(job: FileJob, listed: Listed, found: Examined, code: str, message: str) -> bool:
    """Takes down a difference: a fault, unless the file was written after the list."""
    if listed.is_older_than(job.stream.status.st_mtime_ns):
        found.outdated_by = listed.by
        found.seal_note = (
            f"its bytes are not those of {listed.by}, and it was written after it: seal it again if"
            " that is right"
        )
    else:
        if code == "checksum-mismatch":
            found.cover(0, job.stream.size)
        found.wrong(code, "", job.context.tensors.of_file(job.path), message)
    return False


def _result(
    context: Context, path: str, entry: FileEntry, found: Examined, *, ranges: bool
) -> FileResult:
    covered = found.covered()
    faults, message = tuple(found.faults), found.seal_note or found.note
    ok: bool | None = None
    if faults:
        ok, message = False, faults[0].message
    elif found.unread:
        message = found.unread
    elif covered:
        ok = True
    if faults and context.uncommitted and all(f.code != "checksum-mismatch" for f in faults):
        # A save that never ended may end anywhere: that is no rot.
        ok, message = None, f"{message}; the save was not committed"
        faults, found.fault_count = (), 0
    return FileResult(
        path,
        entry.size_bytes,
        entry.mtime_ns,
        entry.inode,
        sum(end - begin for begin, end in covered),
        found.method,
        ok,
        message,
        faults,
        found.fault_count,
        checkpoint=context.path,
        unread=bool(found.unread),
        covered=covered if ranges else (),
        crc32=found.crc32,
        finite_checked=found.finite_checked,
        scanned_bytes=found.scanned_bytes,
        non_finite=tuple(found.non_finite.values()),
        outdated=bool(found.outdated_by),
    )
