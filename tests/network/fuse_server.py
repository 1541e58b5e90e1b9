"""A read-only file system over /dev/fuse that shows a directory, and can be slow, fail and hang.

Usage: python -m tests.network.fuse_server SOURCE MOUNT_POINT

It speaks the kernel's FUSE protocol 7.31 by itself, so that nothing has to be installed. What is
written to SOURCE appears at MOUNT_POINT as another host's writes do on a network mount: without
events, and as late as the kernel's attribute cache lets it. Each line on standard input is a JSON
object with `Behaviour`'s fields and changes it; "ok" on standard output says that it holds. An
empty line asks how many requests hang. The mount goes when standard input ends.
"""

from __future__ import annotations

import ctypes
import errno
import json
import os
import struct
import sys
import threading
import time
from typing import NamedTuple

_HEADER = struct.Struct("<IIQQIIIHH")
_REPLY = struct.Struct("<IiQ")
_ATTRIBUTES = struct.Struct("<6Q10I")
_READ = struct.Struct("<QQIIQII")
_LOOKUP, _FORGET, _GETATTR, _READLINK = 1, 2, 3, 5
_OPEN, _READ_FILE, _STATFS, _RELEASE, _FLUSH, _INIT = 14, 15, 17, 18, 25, 26
_OPENDIR, _READDIR, _RELEASEDIR, _INTERRUPT, _DESTROY, _BATCH_FORGET = 27, 28, 29, 36, 38, 42
_UNANSWERED = (_FORGET, _BATCH_FORGET, _INTERRUPT)
_ASYNC_READ, _PARALLEL_DIROPS = 1, 1 << 18
_MAX_WRITE = 128 * 1024
_THREADS = 16
_ROOT = 1
_MNT_DETACH = 2


class Behaviour(NamedTuple):
    """How the server behaves.

    Attributes:
        delay_seconds: How long each answer takes; requests wait side by side.
        hang: Requests about a path that holds this text are never answered; "" for none.
        fail: Text in a path → error number of every request about it.
        cache_seconds: How long the kernel may use attributes and names without asking again.
    """

    delay_seconds: float = 0.0
    hang: str = ""
    fail: dict[str, int] = {}  # noqa: RUF012 - never changed
    cache_seconds: float = 0.0


class Server:
    """Answers the kernel's requests about one directory."""

    def __init__(self, source: str, descriptor: int) -> None:
        self._descriptor = descriptor
        self._paths = {_ROOT: source}
        self._behaviour = Behaviour()
        self._held: list[bytes] = []
        self._lock = threading.Lock()

    def behave(self, behaviour: Behaviour) -> None:
        """Changes the behaviour; what hangs and should no more is answered now."""
        with self._lock:
            self._behaviour = behaviour
            held, self._held = self._held, []
        for request in held:
            threading.Thread(target=self._handle, args=(request,), daemon=True).start()

    def held_count(self) -> int:
        """How many requests wait for an answer that does not come."""
        with self._lock:
            return len(self._held)

    def serve(self) -> None:
        """Answers until the file system is unmounted."""
        while True:
            try:
                request = os.read(self._descriptor, _MAX_WRITE + 4096)
            except OSError as error:
                if error.errno in (errno.ENOENT, errno.EINTR, errno.EAGAIN):
                    continue
                return
            self._handle(request)

    def _handle(self, request: bytes) -> None:
        _, opcode, unique, node, *_ = _HEADER.unpack_from(request)
        if opcode in _UNANSWERED:
            return
        body = request[_HEADER.size :]
        path = self._path(opcode, node, body)
        with self._lock:
            behaviour = self._behaviour
            if behaviour.hang and behaviour.hang in path and opcode != _INIT:
                self._held.append(request)
                return
        if opcode != _INIT and behaviour.delay_seconds:
            time.sleep(behaviour.delay_seconds)
        try:
            for text, number in behaviour.fail.items():
                if text in path:
                    raise OSError(number, os.strerror(number))
            answer, failed = self._answer(opcode, path, body), 0
        except OSError as error:
            answer, failed = b"", error.errno or errno.EIO
        reply = _REPLY.pack(_REPLY.size + len(answer), -failed, unique) + answer
        try:
            os.write(self._descriptor, reply)
        except OSError:  # the asker was killed, or the mount is gone
            return

    def _path(self, opcode: int, node: int, body: bytes) -> str:
        path = self._paths.get(node, "")
        if opcode == _LOOKUP:
            return os.path.join(path, os.fsdecode(body.rstrip(b"\0")))
        return path

    def _answer(self, opcode: int, path: str, body: bytes) -> bytes:
        if opcode == _INIT:
            flags = _ASYNC_READ | _PARALLEL_DIROPS
            limits = struct.pack("<HHIIHHI", 64, 48, _MAX_WRITE, 1, 0, 0, 0)
            return struct.pack("<IIII", 7, 31, 65536, flags) + limits + bytes(28)
        if opcode == _LOOKUP:
            return self._entry(path)
        if opcode == _GETATTR:
            return self._valid() + struct.pack("<I", 0) + self._attributes(os.lstat(path))
        if opcode == _READLINK:
            return os.fsencode(os.readlink(path))
        if opcode == _OPEN:
            return struct.pack("<QII", os.open(path, os.O_RDONLY), 0, 0)
        if opcode == _OPENDIR:
            return struct.pack("<QII", os.open(path, os.O_RDONLY | os.O_DIRECTORY), 0, 0)
        handle, offset, size = _READ.unpack_from(body.ljust(_READ.size, b"\0"))[:3]
        if opcode == _READ_FILE:
            return os.pread(handle, size, offset)
        if opcode == _READDIR:
            return self._listing(handle, offset, size)
        if opcode in (_RELEASE, _RELEASEDIR):
            os.close(handle)
            return b""
        if opcode == _STATFS:
            return self._sizes(path)
        if opcode in (_FLUSH, _DESTROY):
            return b""
        raise OSError(errno.ENOSYS, "not one of ours")

    def _entry(self, path: str) -> bytes:
        """A name that is not there is remembered by the kernel as long as one that is."""
        seconds, nanoseconds = self._split()
        try:
            status = os.lstat(path)
        except FileNotFoundError:
            return struct.pack("<QQQQII", 0, 0, seconds, 0, nanoseconds, 0) + bytes(88)
        self._paths[status.st_ino] = path
        times = (seconds, seconds, nanoseconds, nanoseconds)
        return struct.pack("<QQQQII", status.st_ino, 0, *times) + self._attributes(status)

    def _split(self) -> tuple[int, int]:
        whole = int(self._behaviour.cache_seconds)
        return whole, int((self._behaviour.cache_seconds - whole) * 1e9)

    def _valid(self) -> bytes:
        return struct.pack("<QI", *self._split())

    def _attributes(self, status: os.stat_result) -> bytes:
        times = (status.st_atime_ns, status.st_mtime_ns, status.st_ctime_ns)
        return _ATTRIBUTES.pack(
            *(status.st_ino, status.st_size, status.st_blocks),
            *(time_ns // 10**9 for time_ns in times),
            *(time_ns % 10**9 for time_ns in times),
            *(status.st_mode, status.st_nlink, status.st_uid, status.st_gid),
            *(0, status.st_blksize, 0),
        )

    def _listing(self, handle: int, offset: int, size: int) -> bytes:
        parts: list[bytes] = []
        with os.scandir(handle) as scan:
            entries = sorted(scan, key=lambda entry: entry.name)
        for place, entry in enumerate(entries[offset:], offset + 1):
            name = os.fsencode(entry.name)
            mode = entry.stat(follow_symlinks=False).st_mode >> 12
            part = struct.pack("<QQII", entry.inode(), place, len(name), mode) + name
            part += bytes(-len(part) % 8)
            size -= len(part)
            if size < 0:
                break
            parts.append(part)
        return b"".join(parts)

    def _sizes(self, path: str) -> bytes:
        info = os.statvfs(path)
        counts = (info.f_blocks, info.f_bfree, info.f_bavail, info.f_files, info.f_ffree)
        return struct.pack("<5Q4I", *counts, info.f_bsize, 255, info.f_frsize, 0) + bytes(24)


def mount(mount_point: str) -> int:
    """Mounts an empty FUSE file system; returns the descriptor that its requests come from.

    Raises:
        OSError: There is no /dev/fuse here, or this process may not mount.
    """
    descriptor = os.open("/dev/fuse", os.O_RDWR | os.O_CLOEXEC)
    mode = f"{os.stat(mount_point).st_mode:o}"
    options = f"fd={descriptor},rootmode={mode},user_id={os.getuid()},group_id={os.getgid()}"
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.mount(b"ckpt-tui-test", os.fsencode(mount_point), b"fuse", 1, options.encode()):
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), mount_point)
    return descriptor


def unmount(mount_point: str) -> None:
    """Takes the mount away at once, whatever waits for it."""
    ctypes.CDLL(None).umount2(os.fsencode(mount_point), _MNT_DETACH)


def main(source: str, mount_point: str) -> None:
    """Serves until standard input ends."""
    try:
        server = Server(source, mount(mount_point))
    except OSError as error:
        print(f"no FUSE mount here: {error.strerror}", flush=True)
        return
    for _ in range(_THREADS):
        threading.Thread(target=server.serve, daemon=True).start()
    print("ok", flush=True)
    for line in sys.stdin:
        if line.strip():
            server.behave(Behaviour(**json.loads(line)))
            print("ok", flush=True)
        else:
            print(server.held_count(), flush=True)
    unmount(mount_point)
    os._exit(0)  # threads may wait for requests that never come


if __name__ == "__main__":
    main(*sys.argv[1:])
