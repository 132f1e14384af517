"""Progress: one line rewritten in a terminal, a line for each part in a file."""

import io
from itertools import pairwise

from evidence.tests.made_up import BAD, OTHER, SMALL, fails, speeds
from pelagos_evidence.outcome import PartOutcome
from pelagos_evidence.run import RunProgress


class Terminal(io.StringIO):
    def isatty(self):
        return True


class Clock:
    def __init__(self):
        self.s = 0.0

    def __call__(self):
        return self.s


def told(stream):
    clock = Clock()
    with RunProgress([SMALL, OTHER], stream, now=clock) as progress:
        progress.begun("small", "Part speeds")
        progress.begun("other", "Part fails")
        clock.s = 75.0
        progress.share("small", "Part speeds", 0.4)
        progress.share("small", "Part speeds", 0.45)  # too soon for another line
        progress.done("small", PartOutcome(SMALL.parts[0], speeds(lambda done: None), 74.6))
        progress.done("other", PartOutcome(BAD.parts[0], fails(lambda done: None), 1.0))
    return stream.getvalue()


def test_a_file_gets_a_line_for_each_part():
    assert told(io.StringIO()).splitlines() == [
        "1 of 3 parts, 1:15  small: Part speeds, 6 rows, 74.6 s",
        "2 of 3 parts, 1:15  other: Part fails, 1 row, 1 FAILED, 1.0 s",
    ]


def test_a_terminal_has_one_line(monkeypatch):
    monkeypatch.setattr("pelagos_evidence.run.TICK_S", 3600.0)  # the lines below are those of the calls alone
    text = told(Terminal())
    assert "\n" not in text
    lines = [line.rstrip() for line in text.split("\r")]
    assert "0 of 3 parts, 1:15 · small: Part speeds 40 % · other: Part fails" in lines
    assert not any("45 %" in line for line in lines)
    assert "1 of 3 parts, 1:15 · other: Part fails" in lines
    assert lines[-1] == ""  # what comes next starts on a clean line
    for before, after in pairwise(text.split("\r")[:-1]):
        assert len(after) >= len(before.rstrip())  # nothing of the line before is left standing
