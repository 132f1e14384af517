"""Progress messages while something is compiled, and none otherwise."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pelagos.engine.waiting import CompileWatch
from tests.engine.toy import CALL, Toy

PROGRESS = re.compile(r"compiling (\S+), (\d+) s: (.*)")


LIMIT_S = 60.0  # to wait for what takes milliseconds on a machine that is not busy


class Clock:
    """A clock that only the test moves. It counts how often the watch reads it."""

    def __init__(self) -> None:
        self.s, self.reads = 0.0, 0

    def __call__(self) -> float:
        self.reads += 1
        return self.s

    def advance(self, seconds: float) -> None:
        """Move it, and wait until the watch has acted on the new time: until it reads the time once more after that."""
        self.s += seconds
        before, end = self.reads, time.monotonic() + LIMIT_S
        while self.reads < before + 2:
            assert time.monotonic() < end, "the watch does not read its clock"
            time.sleep(0.001)


@pytest.fixture(autouse=True)
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    """The watch reads its clock every few milliseconds."""
    monkeypatch.setattr("pelagos.engine.waiting.TERMINAL_EVERY_S", 0.005)


def compiled(watch: CompileWatch, clock: Clock, *entries: str, seconds: int) -> None:
    """Entries that take so long each, by the clock of the watch."""
    for entry in entries:
        watch.begin(entry)
        watch.stage("function 7, drag")
        for _ in range(seconds):
            clock.advance(1.0)
        watch.end()


def test_a_short_one_is_silent() -> None:
    stream, clock = io.StringIO(), Clock()
    watch = CompileWatch(stream, clock)
    compiled(watch, clock, "advance", seconds=1)
    assert stream.getvalue() == "" and watch.done == [("advance", 1.0)]


def test_a_file_gets_a_line_every_ten_seconds_with_stage_and_seconds() -> None:
    stream, clock = io.StringIO(), Clock()
    compiled(CompileWatch(stream, clock), clock, "advance", "evaluate", seconds=15)
    assert stream.getvalue().splitlines() == [
        "compiling advance, 2 s: function 7, drag",
        "compiling advance, 12 s: function 7, drag",
        "compiled advance, 15 s",
        "compiling evaluate, 22 s: function 7, drag",
        "compiled evaluate, 15 s",
    ]


@pytest.mark.slow
def test_a_terminal_has_one_line_that_is_rewritten(tmp_path: Path) -> None:
    """A real terminal in a separate session, and a real compiler that ends after three lines of output."""
    pty = pytest.importorskip("pty")
    toy, seen = Toy(tmp_path), tmp_path / "seen"
    caller = toy.sources / "toy" / "caller.py"
    slow = (
        "import pathlib, sys, time\n"
        f"end, seen = time.monotonic() + {LIMIT_S}, pathlib.Path({str(seen)!r})\n"
        "while 'pelagos.engine.compiler' in sys.orig_argv[-1] and not seen.exists() and time.monotonic() < end:\n"
        "    time.sleep(0.05)\n"
    )
    caller.write_text(slow + caller.read_text())
    terminal, end = pty.openpty()
    take = "import fcntl, os, termios\nfcntl.ioctl(2, termios.TIOCSCTTY, 0)\n"
    process = subprocess.Popen(
        toy.command(take + CALL), env=toy.environment(), stdout=subprocess.DEVNULL, stderr=end, start_new_session=True
    )
    os.close(end)
    output = b""
    try:
        while piece := os.read(terminal, 4096):
            output += piece
            if output.count(b"compiling") >= 3:
                seen.touch()
    except OSError:  # Linux reports in this way that the other end is closed
        pass
    os.close(terminal)
    assert process.wait() == 0
    text = output.decode()
    assert text.count("\n") == 1 and text.endswith("\n")
    shown = [piece.strip() for piece in text.split("\r") if piece.strip()]
    matches = [PROGRESS.fullmatch(piece) for piece in shown[:-1]]
    assert len(matches) >= 3 and all(matches)
    assert {match[1] for match in matches if match} == {"toy.caller.one"}
    seconds = [int(match[2]) for match in matches if match]
    assert seconds == sorted(seconds) and seconds[0] >= 2
    assert shown[-1].startswith("compiled toy.caller.one, ")


def test_a_listener_is_called_twice_a_second_until_it_is_removed() -> None:
    heard: list[tuple[str, float]] = []
    clock = Clock()
    watch = CompileWatch(io.StringIO(), clock)
    with watch.listening(lambda text, seconds: heard.append((text, seconds))):
        compiled(watch, clock, "advance", seconds=3)
    assert all(PROGRESS.fullmatch(text) for text, _ in heard)
    assert [seconds for _, seconds in heard if seconds] == [1.0, 2.0, 3.0]  # once for every second of this clock
    before = len(heard)
    compiled(watch, clock, "advance", seconds=1)
    assert len(heard) == before


def test_a_message_is_printed_once() -> None:
    stream = io.StringIO()
    watch = CompileWatch(stream)
    for _ in range(2):
        watch.once("the folder cannot be written")
    assert stream.getvalue() == "pelagos: the folder cannot be written\n"


def test_without_a_stream_there_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", None)
    clock = Clock()
    watch = CompileWatch(now=clock)
    compiled(watch, clock, "advance", seconds=5)
    watch.once("nobody hears this")
    assert [entry for entry, _ in watch.done] == ["advance"]
