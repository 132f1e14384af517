"""File locks for one writer at a time.

The operating system releases the lock of an open file when its process ends, also by a crash, so no stale lock can
block a later run. On a file system without locks every request succeeds.
"""

from __future__ import annotations

import contextlib
import errno
import os
import sys
from collections.abc import Iterator
from pathlib import Path

LOCK_HELD = (errno.EAGAIN, errno.EACCES, errno.EDEADLK)
FAR = 2**30  # Windows locks bytes also against readers, so the locked byte is far behind the end of the file


def lock(descriptor: int) -> bool:
    """Lock an open file until it is closed; False if it is already locked, in this process or another."""
    try:
        if sys.platform == "win32":
            import msvcrt

            at = os.lseek(descriptor, 0, os.SEEK_CUR)
            os.lseek(descriptor, FAR, os.SEEK_SET)
            try:
                msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
            finally:
                os.lseek(descriptor, at, os.SEEK_SET)
        else:
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as problem:
        return problem.errno not in LOCK_HELD
    return True


def open_locked(path: str | os.PathLike[str]) -> int | None:
    """Open a file for writing without truncation and lock it; None if it is locked. OSError if it cannot be opened."""
    while True:  # again if another process deleted or replaced the file between open and lock
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o666)
        try:
            acquired = lock(descriptor)
            if acquired and _is_at(descriptor, path):
                return descriptor
        except BaseException:
            os.close(descriptor)
            raise
        os.close(descriptor)
        if not acquired:
            return None


def _is_at(descriptor: int, path: str | os.PathLike[str]) -> bool:
    """Whether an open file still has its name; the previous holder of the lock may have deleted it."""
    try:
        return os.path.samestat(os.fstat(descriptor), os.stat(path))
    except FileNotFoundError:
        return False


@contextlib.contextmanager
def locked(path: Path) -> Iterator[bool]:
    """Hold a lock on a temporary file; yields False if it is already locked. OSError if the file cannot be made."""
    descriptor = open_locked(path)
    if descriptor is None:
        yield False
        return
    try:
        yield True
    finally:
        # POSIX: delete before the lock is released, or a new holder could lose its file. Windows cannot delete an open
        # file, so there it is deleted after.
        with contextlib.suppress(OSError):
            path.unlink()
        os.close(descriptor)
        if sys.platform == "win32":
            with contextlib.suppress(OSError):
                path.unlink()
