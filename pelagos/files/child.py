"""A function called in a process of its own: one that loops for ever or crashes ends in a sentence.

For readers in compiled code that a damaged file can send astray. The process is started at the first call and kept for
the next ones; when it has overstepped its time it is killed, and the next call starts another.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import pickle
import subprocess
import sys
import threading
from collections.abc import Callable
from typing import Any

from pelagos.errors import PelagosError

_lock = threading.Lock()
_kept: dict[int, subprocess.Popen[bytes]] = {}  # by our own process id: a fork must not talk to its parent's child


def in_child(
    seconds: float, refuse: Callable[[str], PelagosError], function: Callable[..., Any], *arguments: object
) -> Any:
    """The answer of a function of a module; what it raises is raised here.

    Args:
        seconds: how long it may take.
        refuse: makes the error from why there is no answer: too late, or the process ended.
        function: found by its module and name in the other process.
        arguments: whatever can be pickled.
    """
    with _lock:
        process = _started()
        assert process.stdin is not None and process.stdout is not None
        late = threading.Event()
        clock = threading.Timer(seconds, lambda: (late.set(), process.kill()))
        clock.daemon = True
        clock.start()
        try:
            pickle.dump((function, arguments), process.stdin)
            process.stdin.flush()
            answer, problem = pickle.load(process.stdout)
        except (OSError, EOFError, pickle.UnpicklingError):
            _end(process)
            why = f"took more than {seconds:.0f} s" if late.is_set() else f"ended with exit code {process.returncode}"
            raise refuse(f"cannot be read: its reader {why}") from None
        except BaseException:  # such as Ctrl-C: its answer would be taken for that to the next call
            _end(process)
            raise
        finally:
            clock.cancel()
    if problem is not None:
        raise problem
    return answer


def _started() -> subprocess.Popen[bytes]:
    process = _kept.get(os.getpid())
    if process is not None and process.poll() is None:
        return process
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path or os.getcwd() for path in sys.path)}
    process = subprocess.Popen(
        [sys.executable, "-m", "pelagos.files.child"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment,
    )
    if not _kept:
        atexit.register(_end_all)
    _kept[os.getpid()] = process
    return process


def _end_all() -> None:
    process = _kept.get(os.getpid())
    if process is not None:
        _end(process)


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()
    for pipe in (process.stdin, process.stdout):
        with contextlib.suppress(OSError):
            if pipe is not None:
                pipe.close()
    _kept.pop(os.getpid(), None)


def main() -> None:
    """The other process: answers calls until the pipe closes."""
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what a reader prints is no answer
    while True:
        try:
            function, arguments = pickle.load(sys.stdin.buffer)
        except (EOFError, KeyboardInterrupt):
            return
        try:
            said = pickle.dumps((function(*arguments), None))
        except Exception as problem:
            said = pickle.dumps((None, problem))
        answers.write(said)
        answers.flush()


if __name__ == "__main__":
    main()
