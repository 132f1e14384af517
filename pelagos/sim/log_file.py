"""A file that grows by whole blocks: it can be read at any moment, and a failed write leaves no half line.

Each block goes to the system in one call, without a buffer of our own, so that `kill -9` loses nothing that was
put. A block is written at a known place and counted after it is there: a Ctrl-C in between makes the next call
write the same bytes to the same place again. When the disk is full, the file is cut back to the end of its last
whole line (or block), and the error says so.
"""

from __future__ import annotations

import contextlib
import io
import os

from pelagos.sim.log_content import cannot_write, checked_path
from pelagos.sim.log_forces import LogError


class BlockFile:
    """An open file and how much of it is whole.

    Args:
        path: the file to make.
        line_end: what ends a piece that may stay when a block could not be written whole; b"" for none.
    """

    def __init__(self, path: str | os.PathLike[str], line_end: bytes = b"\n") -> None:
        self.path = checked_path(path)
        self._line_end = line_end
        try:
            self._file = io.FileIO(self.path, "w")
        except OSError as problem:
            raise cannot_write(path, problem) from None
        self._seekable = self._file.seekable()  # a pipe is not
        self._done = (0, 0)  # bytes and rows; one name, so that an interrupt cannot come between the two

    @property
    def rows(self) -> int:
        """How many samples are in the file."""
        return self._done[1]

    def put(self, block: bytes, rows: int = 0) -> None:
        """Add a block that holds `rows` samples."""
        start, before = self._done
        sent = 0
        try:
            if self._seekable:
                self._file.seek(start)
            while sent < len(block):
                sent += self._file.write(memoryview(block)[sent:])
        except OSError as problem:
            kept = block[:sent].rfind(self._line_end) + 1 if self._line_end else 0
            whole = block[:kept].count(self._line_end) if rows and kept else 0  # a sample is a line
            self._cut(start + kept, before + whole)
            reason = problem.strerror or str(problem)
            raise LogError(
                f"{self.path}: the log cannot be written any further ({reason}); what was written can be read"
            ) from None
        self._done = (start + len(block), before + rows)

    def _cut(self, size: int, rows: int) -> None:
        with contextlib.suppress(OSError):  # a device has no length
            self._file.truncate(size)
        self._done = (size, rows)

    def close(self) -> None:
        """Give the file back; bytes of a block that was interrupted are cut off."""
        if not self._file.closed:
            if self._seekable:
                self._cut(*self._done)
            self._file.close()
