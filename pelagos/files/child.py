"""Call a function in a child process with a time limit, so that an endless loop or a crash becomes an error.

For file readers in compiled code that a damaged file can send into an endless loop. The first call starts the process
and later calls reuse it. A process that exceeds its time limit is killed, and the next call starts another.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import pickle
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping
from typing import Any, BinaryIO

from pelagos.errors import PelagosError

_lock = threading.Lock()  # held for a whole call: requests and answers share one pair of pipes
_children: dict[int, subprocess.Popen[bytes]] = {}  # by the caller's process id: a fork must not use its parent's child


def in_child(
    seconds: float, refuse: Callable[[str], PelagosError], function: Callable[..., Any], *arguments: object
) -> Any:
    """Return the result of a module-level function called in the child process; its exceptions are raised here.

    Args:
        seconds: time limit.
        refuse: makes the error from the reason why there is no result: the time limit, or the process ended.
        function: the child imports it by module and name.
        arguments: anything that can be pickled.
    """
    with _lock:
        process = _child()
        assert process.stdin is not None and process.stdout is not None
        late = threading.Event()  # distinguishes a process killed for its time from one that crashed
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
        except BaseException:  # such as Ctrl-C: the next call would read the answer to this one
            _end(process)
            raise
        finally:
            clock.cancel()
    if problem is not None:
        raise problem
    return answer


def _child() -> subprocess.Popen[bytes]:
    process = _children.get(os.getpid())
    if process is not None and process.poll() is None:
        return process
    process = start_child("pelagos.files.child", stderr=subprocess.DEVNULL)
    if not _children:
        atexit.register(_end_child)
    _children[os.getpid()] = process
    return process


def start_child(module: str, environment: Mapping[Any, str] | None = None, **more: Any) -> subprocess.Popen[bytes]:
    """Start a module as a child with pipes for requests and answers; `more` arguments are those of Popen."""
    # the child finds the same modules as this process, also those of a script's folder
    path = os.pathsep.join(path or os.getcwd() for path in sys.path)
    more["env"] = {**os.environ, **(environment or {}), "PYTHONPATH": path}
    return subprocess.Popen[bytes](
        [sys.executable, "-m", module], stdin=subprocess.PIPE, stdout=subprocess.PIPE, **more
    )


def close_pipes(process: subprocess.Popen[bytes]) -> None:
    """Close the pipes to a child."""
    for pipe in (process.stdin, process.stdout):
        with contextlib.suppress(OSError):
            if pipe is not None:
                pipe.close()


def answer_pipe() -> BinaryIO:
    """In a child: the pipe for answers; prints go to the error stream, because they would corrupt the answers."""
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    return answers


def _end_child() -> None:
    process = _children.get(os.getpid())
    if process is not None:
        _end(process)


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()
    close_pipes(process)
    _children.pop(os.getpid(), None)


def main() -> None:
    """Run the child process: answer calls until the pipe closes."""
    answers = answer_pipe()
    while True:
        try:
            function, arguments = pickle.load(sys.stdin.buffer)
        except (EOFError, KeyboardInterrupt):
            return
        try:
            answer = pickle.dumps((function(*arguments), None))
        except Exception as problem:
            answer = pickle.dumps((None, problem))
        answers.write(answer)
        answers.flush()


if __name__ == "__main__":
    main()
