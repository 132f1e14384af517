"""What is said while something is compiled, and when nothing is."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from pelagos.engine.waiting import CompileWatch
from tests.engine.toy import CALL, Toy

TOLD = re.compile(r"compiling (\S+), (\d+) s: (.*)")


class Clock:
    """A clock that runs so many times faster than the wall's."""

    def __init__(self, factor: float) -> None:
        self.factor = factor

    def __call__(self) -> float:
        return self.factor * time.monotonic()


def compiled(watch: CompileWatch, *entries: str, wall_s: float) -> None:
    """Entries that take so long of the wall's time each."""
    for entry in entries:
        watch.begin(entry)
        watch.stage("function 7, drag")
        threading.Event().wait(wall_s)
        watch.end()


def test_a_short_one_is_silent() -> None:
    stream = io.StringIO()
    watch = CompileWatch(stream)
    compiled(watch, "advance", wall_s=0.5)
    assert stream.getvalue() == "" and watch.done[0][0] == "advance" and 0.4 < watch.done[0][1] < 60.0


def test_a_file_gets_a_line_now_and_then_with_stage_and_seconds() -> None:
    stream = io.StringIO()
    compiled(CompileWatch(stream, Clock(20.0)), "advance", "evaluate", wall_s=1.6)
    lines = stream.getvalue().splitlines()
    assert len(lines) >= 4 and "\r" not in stream.getvalue()
    told = [line for line in lines if line.startswith("compiling ")]
    entries, seconds, stages = zip(*(TOLD.fullmatch(line).groups() for line in told), strict=True)  # type: ignore[union-attr]
    assert set(entries) == {"advance", "evaluate"} and set(stages) == {"function 7, drag"}
    assert list(map(int, seconds)) == sorted(map(int, seconds)) and int(seconds[0]) >= 2 and int(seconds[-1]) > 20
    assert [line.partition(",")[0] for line in lines if line not in told] == ["compiled advance", "compiled evaluate"]


def test_a_terminal_has_one_line_that_is_rewritten(tmp_path: Path) -> None:
    """A real terminal, in a session of its own, and a real compiler that takes its time."""
    pty = pytest.importorskip("pty")
    toy = Toy(tmp_path)
    caller = toy.sources / "toy" / "caller.py"
    slow = "import sys, time\ntime.sleep(3.0 * ('pelagos.engine.compiler' in sys.orig_argv[-1]))\n"
    caller.write_text(slow + caller.read_text())
    terminal, end = pty.openpty()
    take = "import fcntl, os, termios\nfcntl.ioctl(2, termios.TIOCSCTTY, 0)\n"
    process = subprocess.Popen(
        toy.command(take + CALL), env=toy.environment(), stdout=subprocess.DEVNULL, stderr=end, start_new_session=True
    )
    os.close(end)
    said = b""
    try:
        while piece := os.read(terminal, 4096):
            said += piece
    except OSError:  # so Linux says that the other end is closed
        pass
    os.close(terminal)
    assert process.wait() == 0
    text = said.decode()
    assert text.count("\n") == 1 and text.endswith("\n")
    shown = [piece.strip() for piece in text.split("\r") if piece.strip()]
    assert len(shown) >= 3 and all(TOLD.fullmatch(text) for text in shown[:-1])
    assert shown[0].startswith("compiling toy.caller.one, 2 s: ")
    assert shown[-1].startswith("compiled toy.caller.one, ")


def test_a_listener_hears_it_until_it_leaves() -> None:
    heard: list[tuple[str, float]] = []
    watch = CompileWatch(io.StringIO(), Clock(10.0))
    with watch.listening(lambda text, seconds: heard.append((text, seconds))):
        compiled(watch, "advance", wall_s=0.7)
    assert len(heard) >= 2 and all(TOLD.fullmatch(text) for text, _ in heard)
    assert heard[-1][1] > heard[0][1] > 0.0
    before = len(heard)
    compiled(watch, "advance", wall_s=0.5)
    assert len(heard) == before


def test_a_sentence_is_told_once() -> None:
    stream = io.StringIO()
    watch = CompileWatch(stream)
    for _ in range(2):
        watch.once("the folder cannot be written")
    assert stream.getvalue() == "pelagos: the folder cannot be written\n"


def test_nobody_to_tell_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", None)
    watch = CompileWatch(now=Clock(20.0))
    compiled(watch, "advance", wall_s=0.5)
    watch.once("nobody hears this")
    assert [entry for entry, _ in watch.done] == ["advance"]
