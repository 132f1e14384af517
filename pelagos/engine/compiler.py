"""The compiler in a process of its own: started when there is something to compile, gone soon after.

One child compiles all that its parent asks for, so that Numba is imported and shared functions are compiled once. It
hands the machine code over and puts it on disk too. Two processes that want the same entry wait for each other by a
lock that the system releases when its holder dies. Ctrl-C reaches the parent only, which ends the child; a child whose
parent is gone reads the end of its input and ends at once, whatever it is doing.
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
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

from pelagos.engine.waiting import WAITS, WATCH

IDLE_S = 30.0  # a child that is asked for nothing ends after so long
LOCK_S = 600.0  # then the other process is taken for stuck
HEAD = struct.Struct("<Q")  # length of a message
START = "import sys; sys.path[:] = {path!r}; from pelagos.engine.compiler import serve; serve()"


class UnableError(Exception):
    """The child cannot do it; the text says why."""


class CompilerProcess:
    """The child, seen from its parent."""

    def __init__(self) -> None:
        self.is_here = False  # in the child: this is the process that compiles
        self._process: subprocess.Popen[bytes] | None = None
        self._owner = 0  # a fork has the object, but not the child
        self._broken = ""  # why none can be started
        self._over = False  # this process ends

    def ask(self, cache: Any, sig: Any, name: str) -> tuple[bytes | None, str]:
        """Have an entry compiled, unless another process does so just now: its sealed code, and why it was not kept.

        None if the child cannot do it: the user is told why, and Numba shall compile in this process.
        """
        from numba.core.serialize import dumps

        from pelagos.engine.machine_code import label

        function, made = cache.function, False
        recipe = getattr(sys.modules.get(function.__module__), "MADE_BY", None)
        asked = (function.__module__, function.__qualname__, recipe, name, str(cache.folder), dumps(sig))
        WATCH.begin(label(function))
        try:
            if function.__module__ == "__main__" or "<locals>" in function.__qualname__ or function.__closure__:
                raise UnableError("no other process can import it")
            with _alone(cache.folder, name) as waited:
                if waited and (sealed := cache.read(name)) is not None:
                    return sealed, ""
                sealed, problem = self._answer(pickle.dumps(asked))
            made = True
            return sealed, problem
        except UnableError as problem:
            if str(problem):  # none: Numba refuses the function, and will say why
                WATCH.once(
                    f"{'the engine' if self._broken else label(function)} is compiled inside this process ({problem}): "
                    "results may differ in the last bits from those of later starts"
                )
            return None, ""
        finally:
            WATCH.end(made)

    def end(self) -> None:
        """End the child for good, with a thread that may be waiting for it."""
        self._over = True
        self.stop()

    def stop(self) -> None:
        """End the child."""
        process, self._process = self._process, None
        if process is None:
            return
        if self._owner != os.getpid():
            process.returncode = 0  # not ours to wait for
        else:
            process.kill()
            process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()

    def _answer(self, asked: bytes) -> tuple[bytes, str]:
        if self._broken:
            raise UnableError(self._broken)
        used = self._process is not None and self._owner == os.getpid()  # such a one may just have ended
        for last in (False, True) if used else (True,):
            try:
                return self._talk(asked)
            except (OSError, EOFError) as problem:
                self.stop()
                if self._over:
                    raise SystemExit from None
                if last:
                    self._broken = str(problem) or "the process of the compiler has ended"
                    raise UnableError(self._broken) from None
            except UnableError:
                raise
            except BaseException:  # Ctrl-C
                self.stop()
                raise
        raise AssertionError

    def _talk(self, asked: bytes) -> tuple[bytes, str]:
        process = self._running()
        _send(process.stdin, asked)
        while True:
            what, *values = pickle.loads(_receive(process.stdout))
            if what == "stage":
                WATCH.stage(*values)
            elif what == "code":
                return values[0], values[1]
            else:
                raise UnableError(values[0])

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
def _alone(folder: Path | None, name: str) -> Iterator[bool]:
    """While no other process has the same compiled; True if there was one. Without a lock where there can be none."""
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
                time.sleep(0.1)
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


# ---- in the child ----------------------------------------------------------------------------------------------------


class _Relay:
    """Tells the parent's watch."""

    def __init__(self, sink: BinaryIO) -> None:
        self._sink = sink

    def begin(self, entry: str) -> None:
        self.stage(f"function 1, {entry}")

    def stage(self, text: str) -> None:
        _send(self._sink, pickle.dumps(("stage", text)))

    def end(self, made: bool) -> None:
        del made


def serve() -> None:
    """Compile what is asked for until the parent is gone or asks no more."""
    COMPILER.is_here = True
    sink = os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # a module that prints must not speak to the parent
    asked: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_hear, args=(sys.stdin.buffer, asked), daemon=True).start()
    from pelagos.engine.machine_code import STEPS

    STEPS.watch = _Relay(sink)
    try:
        while True:
            _send(sink, pickle.dumps(_compiled(asked.get(timeout=IDLE_S))))
    except (queue.Empty, OSError):
        os._exit(0)


def _hear(source: BinaryIO, asked: queue.SimpleQueue[bytes]) -> None:
    try:
        while True:
            asked.put(_receive(source))
    except (EOFError, OSError):
        os._exit(0)


def _compiled(asked: bytes) -> tuple[Any, ...]:
    from numba.core.errors import NumbaError

    from pelagos.engine.machine_code import DiskCode

    try:
        module, function, recipe, name, folder, sig = pickle.loads(asked)
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
        return "unable", f"{type(problem).__name__}: {problem}".partition("\n")[0][:200]
