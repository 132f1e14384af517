"""Compiler process: a child process that compiles entries for this one and ends when it is idle.

One child serves all requests of its parent, so that Numba is imported and shared functions are compiled once. It
returns the machine code and also writes it to disk. Two processes that need the same entry exclude each other by a lock
that the system releases when its holder dies. Ctrl-C reaches the parent only, which ends the child; a child whose
parent is gone reads the end of its input and ends at once. Messages in both directions are pickles with a length in
front.

Threads: Numba holds its global compiler lock while it looks for code in the cache, so one thread at a time uses the
child. Only `end` runs beside it, when this process exits.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import importlib
import os
import pickle
import queue
import struct
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

from pelagos.engine.waiting import WAITS, WATCH

IDLE_S = 30.0  # a child without a request ends after this time
LOCK_S = 600.0  # a process that holds the lock longer counts as stuck; the slowest entry compiles in about a minute
HEAD = struct.Struct("<Q")  # length of a message
START = "import sys; sys.path[:] = {path!r}; from pelagos.engine.compiler import serve; serve()"


class CannotCompileError(Exception):
    """The child cannot compile the entry; `reason` is empty if Numba will report it."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class CompilerProcess:
    """Handle of the child process in its parent: starts it, sends requests, ends it."""

    def __init__(self) -> None:
        self.is_here = False  # in the child: this is the process that compiles
        self._process: subprocess.Popen[bytes] | None = None
        self._owner = 0  # process that started the child: after a fork another one has this object
        self._broken = ""  # why no child can be started
        self._over = False  # this process is ending

    def compile_entry(self, cache: Any, sig: Any, name: str) -> tuple[bytes | None, str]:
        """Compile an entry, or wait for another process that does: its sealed code, and why it was not saved.

        None if the child cannot compile it: the reason goes to the error stream, and Numba compiles in this process.
        """
        from numba.core.serialize import dumps

        from pelagos.engine.machine_code import label

        function, made = cache.function, False
        recipe = getattr(sys.modules.get(function.__module__), "MADE_BY", None)
        request = (function.__module__, function.__qualname__, recipe, name, str(cache.folder), dumps(sig))
        WATCH.begin(label(function))
        try:
            if function.__module__ == "__main__" or "<locals>" in function.__qualname__ or function.__closure__:
                raise CannotCompileError("no other process can import it")
            with _entry_lock(cache.folder, name) as waited:
                if waited and (sealed := cache.read(name)) is not None:
                    return sealed, ""
                sealed, problem = self._send_request(pickle.dumps(request))
            made = True
            return sealed, problem
        except CannotCompileError as problem:
            if problem.reason:  # none: Numba refuses the function, and will say why
                kind = "the engine" if self._broken else label(function)
                WATCH.once(
                    f"{kind} is compiled inside this process ({problem.reason}): "
                    "results may differ in the last bits from those of later starts"
                )
            return None, ""
        finally:
            WATCH.end(made)

    def end(self) -> None:
        """End the child for good; a thread that waits for its answer ends as well."""
        self._over = True
        self.stop()

    def stop(self) -> None:
        """End the child."""
        process, self._process = self._process, None
        if process is None:
            return
        if self._owner != os.getpid():
            process.returncode = 0  # the child of another process: only that one may wait for it
        else:
            process.kill()
            process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()

    def _send_request(self, request: bytes) -> tuple[bytes, str]:
        """The answer to a request, from a new child if the old one has just ended."""
        if self._broken:
            raise CannotCompileError(self._broken)
        used = self._process is not None and self._owner == os.getpid()  # an idle child may end at any moment
        for last in (False, True) if used else (True,):
            try:
                return self._exchange(request)
            except (OSError, EOFError) as problem:
                self.stop()
                if self._over:
                    raise SystemExit from None
                if last:
                    self._broken = str(problem) or "the process of the compiler has ended"
                    raise CannotCompileError(self._broken) from None
            except CannotCompileError:
                raise
            except BaseException:  # Ctrl-C
                self.stop()
                raise
        raise AssertionError

    def _exchange(self, request: bytes) -> tuple[bytes, str]:
        process = self._running()
        _send(process.stdin, request)
        while True:
            kind, *values = pickle.loads(_receive(process.stdout))
            if kind == "stage":
                WATCH.stage(*values)
            elif kind == "code":
                return values[0], values[1]
            else:
                raise CannotCompileError(values[0])

    def _running(self) -> Any:
        if self._process is not None and self._owner != os.getpid():
            self.stop()
        if self._process is None:
            if not sys.executable or getattr(sys, "frozen", False):
                raise OSError("there is no Python to start")
            WATCH.stage("starts the compiler")
            self._owner = os.getpid()
            self._process = subprocess.Popen(
                [sys.executable, "-c", START.format(path=[str(path) for path in sys.path])],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                start_new_session=True, creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
            )  # fmt: skip
        return self._process


@contextlib.contextmanager
def _entry_lock(folder: Path | None, name: str) -> Iterator[bool]:
    """Hold the lock of an entry; True if another process held it before. Without a lock where the system has none."""
    try:
        import fcntl
    except ImportError:  # Windows: both compile
        fcntl = None
    try:
        if fcntl is None or folder is None:
            raise OSError
        folder.mkdir(parents=True, exist_ok=True)
        file = open(folder / f"{name}.lock", "wb")
    except OSError:
        yield False
        return
    waited, end = False, time.monotonic() + LOCK_S
    with file:
        while fcntl is not None and time.monotonic() < end:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                waited = True
                WATCH.stage(WAITS)
                time.sleep(0.1)  # s: short beside the seconds that compiling takes
            except OSError:  # a file system without locks
                break
        yield waited


COMPILER = CompilerProcess()
atexit.register(COMPILER.end)


def _send(stream: Any, data: bytes) -> None:
    stream.write(HEAD.pack(len(data)) + data)
    stream.flush()


def _receive(stream: Any) -> bytes:
    head = stream.read(HEAD.size)
    data = stream.read(HEAD.unpack(head)[0]) if len(head) == HEAD.size else b""
    if len(head) < HEAD.size or len(data) < HEAD.unpack(head)[0]:
        raise EOFError
    return data


# From here on: functions that run in the child.


class _Relay:
    """Sends the progress of the child to the parent's `CompileWatch`."""

    def __init__(self, sink: BinaryIO) -> None:
        self._sink = sink

    def begin(self, entry: str) -> None:
        self.stage(f"function 1, {entry}")

    def stage(self, text: str) -> None:
        _send(self._sink, pickle.dumps(("stage", text)))

    def end(self, made: bool) -> None:
        del made


def serve() -> None:
    """Run the child: compile requested entries until the parent is gone or sends no request for IDLE_S."""
    COMPILER.is_here = True
    sink = os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # a module that prints must not write into the answers
    requests: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    # A thread reads: Numba compiles for a minute, and the end of the input must end the process meanwhile
    threading.Thread(target=_read_requests, args=(sys.stdin.buffer, requests), daemon=True).start()
    from pelagos.engine.machine_code import STEPS

    STEPS.watch = _Relay(sink)
    try:
        while True:
            _send(sink, pickle.dumps(_compiled(requests.get(timeout=IDLE_S))))
    except (queue.Empty, OSError):
        os._exit(0)


def _read_requests(source: BinaryIO, requests: queue.SimpleQueue[bytes]) -> None:
    try:
        while True:
            requests.put(_receive(source))
    except (EOFError, OSError):
        os._exit(0)


def _compiled(request: bytes) -> tuple[Any, ...]:
    """The answer to a request: ("code", sealed code, why it was not saved) or ("unable", reason)."""
    from numba.core.errors import NumbaError

    from pelagos.engine.machine_code import DiskCode

    try:
        module, function, recipe, name, folder, sig = pickle.loads(request)
        if recipe is not None:
            getattr(importlib.import_module(recipe[0]), recipe[1])(*recipe[2])
        dispatcher: Any = functools.reduce(getattr, function.split("."), importlib.import_module(module))
        sig = pickle.loads(sig)
        cache = dispatcher._cache
        if not isinstance(cache, DiskCode):
            return "unable", "it is not an entry"
        if (cache.name(sig, dispatcher.targetctx), str(cache.folder)) != (name, folder):
            return "unable", "its source was edited after this process had read it"
        dispatcher.compile(sig)
        if name not in cache.sealed:
            return "unable", "its code cannot be kept"
        return "code", cache.sealed[name], cache.problem
    except NumbaError:
        return "unable", ""
    except (Exception, SystemExit) as problem:
        return "unable", traceback.format_exception_only(problem)[0].strip()[:200]
