"""Progress of compiling: which entry, at which stage, for how long.

Written to the error stream once compiling has taken two seconds in all: a terminal gets one line that is rewritten, a
file a line every ten seconds. Listeners, such as the console page, get the same text.

Threads: any thread may compile and call `begin`, `stage` and `end`; a thread of this module shows the line and calls
listeners. The lock guards everything but `_stage`, whose assignment is atomic.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import TextIO

PATIENCE_S = 2.0  # compiling time after which progress is shown
TERMINAL_EVERY_S = 0.2  # between two rewrites of a terminal's line; the thread looks this often
LISTENER_EVERY_S = 0.5  # between two calls of the listeners
FILE_EVERY_S = 10.0  # between two lines in a file, which keeps them all
WAITS = "waits for another process that compiles it"


class CompileWatch:
    """Monitor of compiling in this process or for it; writes to `stream`, by default the current error stream."""

    def __init__(self, stream: TextIO | None = None, now: Callable[[], float] = time.monotonic) -> None:
        self._stream, self._now = stream, now
        self.done: list[tuple[str, float]] = []  # entries that were compiled, and the seconds that each took
        self._lock = threading.RLock()
        self._entries: list[tuple[str, float]] = []  # in hand, the outermost first, and when each began
        self._stage = ""
        self._spent_s = 0.0  # on entries that are done
        self._shown = 0  # characters on the terminal's line
        self._next_line = self._next_call = 0.0
        self._over = threading.Event()
        self._listeners: list[Callable[[str, float], None]] = []
        self._sentences: set[str] = set()  # that were shown once

    @property
    def busy(self) -> bool:
        """Whether anything is being compiled."""
        return bool(self._entries)

    @contextlib.contextmanager
    def listening(self, listener: Callable[[str, float], None]) -> Iterator[None]:
        """Call `listener` twice a second, in another thread, with the progress text and the time taken, s."""
        self._listeners.append(listener)
        try:
            yield
        finally:
            with self._lock:  # a call under way ends first; none comes after this
                self._listeners.remove(listener)

    def begin(self, entry: str) -> None:
        """Compiling of an entry starts."""
        with self._lock:
            self._entries.append((entry, self._now()))
            self._stage = ""
            if len(self._entries) > 1:
                return
            self._over = threading.Event()
            threading.Thread(target=self._tick, args=(self._over,), name="pelagos-waiting", daemon=True).start()

    def stage(self, text: str) -> None:
        """Set the stage of the current entry, shown behind its name."""
        self._stage = text

    def end(self, made: bool = True) -> None:
        """Compiling of the newest entry ends; `made` is False if it gave no code."""
        with self._lock:
            entry, began = self._entries.pop()
            took_s = self._now() - began
            if made:
                self.done.append((entry, took_s))
            if self._entries:
                return
            self._over.set()
            self._spent_s += took_s
            if self._shown:
                live = self._live
                if made or live:
                    self._put(f"compiled {entry}, {clock(took_s)}" if made else "")
                if live:
                    self._write("\n" if made else "\r")
                self._shown = 0

    def once(self, sentence: str) -> None:
        """Write a sentence to the stream, once per process."""
        with self._lock:
            if sentence not in self._sentences:
                self._sentences.add(sentence)
                self._write(("\n" if self._shown and self._live else "") + f"pelagos: {sentence}\n")
                self._shown = 0

    def _tick(self, over: threading.Event) -> None:
        while not over.wait(TERMINAL_EVERY_S):
            with self._lock:
                if not over.is_set():
                    self._show()

    def _show(self) -> None:
        now = self._now()
        entry = self._entries[-1][0]
        total_s = self._spent_s + now - self._entries[0][1]
        text = f"compiling {entry}, {clock(total_s)}" + (f": {self._stage}" if self._stage else "")
        if now >= self._next_call:
            self._next_call = now + LISTENER_EVERY_S
            for listener in self._listeners:
                listener(text, total_s)
        live = self._live
        if total_s < PATIENCE_S or now < self._next_line or (self._stage == WAITS and not live):
            return
        self._next_line = now + (TERMINAL_EVERY_S if live else FILE_EVERY_S)
        self._put(text)

    @property
    def _live(self) -> bool:
        """Whether a line can be rewritten: in a terminal that no child process shares."""
        stream = self._stream or sys.stderr
        try:
            if not stream.isatty() or multiprocessing.parent_process() is not None:
                return False
            return not hasattr(os, "tcgetpgrp") or os.tcgetpgrp(stream.fileno()) == os.getpgrp()
        except (OSError, ValueError, AttributeError):
            return False

    def _put(self, text: str) -> None:
        stream = self._stream or sys.stderr
        with contextlib.suppress(OSError, ValueError, AttributeError):  # no stream, or a closed one
            put_line(stream, text, self._live, self._shown or (_width(stream) - 1))
            self._shown = max(len(text), 1)

    def _write(self, text: str) -> None:
        stream = self._stream or sys.stderr
        with contextlib.suppress(OSError, ValueError, AttributeError):
            stream.write(text)
            stream.flush()


def clock(seconds: float) -> str:
    """Format a duration: 9.5 s is "9 s", 125 s is "2:05", 3725 s is "1:02:05"."""
    whole = max(0, int(seconds))
    if whole < 60:
        return f"{whole} s"
    minutes, hours = whole // 60 % 60, whole // 3600
    return f"{hours}:{minutes:02d}:{whole % 60:02d}" if hours else f"{minutes}:{whole % 60:02d}"


def put_line(stream: TextIO, text: str, terminal: bool, shown: int) -> int:
    """Write a progress line; a terminal overwrites the line before, `shown` characters long. Returns its length."""
    if terminal:
        text = text[: _width(stream) - 1]  # a line that wraps cannot be rewritten
        stream.write("\r" + text.ljust(shown))
        shown = len(text)
    else:
        stream.write(text + "\n")
    stream.flush()
    return shown


def _width(stream: TextIO) -> int:
    try:
        return max(os.get_terminal_size(stream.fileno()).columns or 120, 20)  # 0: a terminal without a size
    except (OSError, ValueError, AttributeError):
        return 120


WATCH = CompileWatch()
