"""One writer at a time: a lock on an open file, which the system takes away when its process ends, however it ends.

So nothing is left behind that would keep a later run out. Where a file system knows no locks, everybody gets one.
"""

from __future__ import annotations

import contextlib
import errno
import os
import sys
from collections.abc import Iterator
from pathlib import Path

HELD = (errno.EAGAIN, errno.EACCES, errno.EDEADLK)
FAR = 2**30  # Windows locks bytes and keeps readers from them: one that nobody reads


def lock(descriptor: int) -> bool:
    """Lock an open file until it is closed; False if somebody else has it, in this process or another."""
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
        return problem.errno not in HELD
    return True


def open_locked(path: str | os.PathLike[str]) -> int | None:
    """Open a file for writing, as it is, and lock it; None if somebody else has it. OSError if it cannot be opened."""
    while True:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o666)
        try:
            mine = lock(descriptor)
            if mine and _is_at(descriptor, path):
                return descriptor
        except BaseException:
            os.close(descriptor)
            raise
        os.close(descriptor)
        if not mine:
            return None


def _is_at(descriptor: int, path: str | os.PathLike[str]) -> bool:
    """Whether an open file still has its name: who had the lock before may have taken the file away."""
    try:
        return os.path.samestat(os.fstat(descriptor), os.stat(path))
    except FileNotFoundError:
        return False


@contextlib.contextmanager
def locked(path: Path) -> Iterator[bool]:
    """A lock by a file that is there meanwhile; False if somebody else has it. OSError if it cannot be made."""
    descriptor = open_locked(path)
    if descriptor is None:
        yield False
        return
    try:
        yield True
    finally:
        with contextlib.suppress(OSError):  # Windows: not while it is open
            path.unlink()
        os.close(descriptor)
        if sys.platform == "win32":
            with contextlib.suppress(OSError):
                path.unlink()
