"""Progress messages on the terminal, and when there are none."""

import io
import re
from itertools import pairwise

import pytest

from pelagos.engine.waiting import WATCH, clock
from pelagos.session.progress import Progress, bar


class Screen(io.StringIO):
    """A terminal, or a file that only looks like one stream."""

    def __init__(self, terminal):
        super().__init__()
        self.isatty = lambda: terminal


def output_of(terminal, total_s, calls):
    """Everything said by a run whose calls come at (wall, simulated) seconds."""
    screen, wall = Screen(terminal), [0.0]
    with Progress(total_s, screen, now=lambda: wall[0]) as progress:
        for wall[0], done_s in calls:
            progress(done_s)
    return screen.getvalue()


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.0, "0 s"), (59.9, "59 s"), (60.0, "1:00"), (125.4, "2:05"), (3600.0, "1:00:00"), (90061.0, "25:01:01")],
)
def test_times_as_people_read_them(seconds, text):
    assert clock(seconds) == text


@pytest.mark.parametrize(
    ("done", "total", "wall", "text"),
    [
        # 900 of 3600 s in 5 s: a quarter of 24 cells, 180 times real time, three times as long to go
        (
            900.0,
            3600.0,
            5.0,
            "[######------------------]  25 %  15:00 of 1:00:00 simulated, 180 x real time, 15 s left",
        ),
        (0.0, 60.0, 0.0, "[------------------------]   0 %  0 s of 1:00 simulated"),
        (60.0, 60.0, 80.0, "[########################] 100 %  1:00 of 1:00 simulated, 0.75 x real time"),
        (59.999, 60.0, 1e-3, "[#######################-]  99 %  59 s of 1:00 simulated, 59999 x real time, 0 s left"),
        (90.0, None, 45.0, "1:30 simulated, 2 x real time"),
        (5.0, None, 0.0, "5 s simulated"),
    ],
)
def test_the_bar(done, total, wall, text):
    assert bar(done, total, wall) == text


def test_a_short_run_is_silent():
    calls = [(0.01 * k, float(k)) for k in range(1, 190)]
    assert output_of(True, 190.0, calls) == output_of(False, 190.0, calls) == ""


def test_a_file_gets_a_line_every_ten_seconds():
    lines = output_of(False, 100.0, [(0.5 * k, float(k)) for k in range(1, 101)]).splitlines()
    # 50 s of wall time at twice real time
    assert [re.search(r"(\S+ ?s?) of", line).group(1) for line in lines] == ["20 s", "40 s", "1:00", "1:20", "1:40"]
    assert all("2 x real time" in line for line in lines)


def test_a_terminal_has_one_line_that_is_rewritten():
    text = output_of(True, 10.0, [(1.0 * k, float(k)) for k in range(1, 8)])
    assert text.count("\n") == 1 and text.endswith("\n")  # what follows starts on a line of its own
    shown = text.rstrip("\n").split("\r")[1:]
    assert len(shown) == 6 + 1  # at 2 s and each call after it, and the last one once more
    assert "7 s of 10 s" in shown[-1]
    assert all(len(b) >= len(a.rstrip()) for a, b in pairwise(shown))  # no rest of a longer line


def test_compiling_does_not_count_as_slow():
    # 30 s of compiling before the first call, then 10 s simulated in each second
    text = output_of(True, 100.0, [(30.0 + k, 10.0 * (k + 1)) for k in range(6)])
    assert "10 x real time, 4 s left" in text.split("\r")[-1]


def test_an_unknown_end_shows_time_and_speed_only():
    text = output_of(False, None, [(1.0 * k, 50.0 * k) for k in range(1, 12)])
    assert text == "  8:20 simulated, 50 x real time\n"


def test_a_long_preparation_is_told_unless_the_engine_tells_that_it_compiles(monkeypatch):
    monkeypatch.setattr("pelagos.session.progress.PATIENCE_S", 0.0)
    for compiles, text in ((False, "preparing the run…\n"), (True, "")):
        screen = Screen(False)
        if compiles:
            WATCH.begin("an entry")
        with Progress(10.0, screen) as progress:
            progress._preparing.join(60.0)
        if compiles:
            WATCH.end(made=False)
        assert screen.getvalue() == text
