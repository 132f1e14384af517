"""A run of parts: the same result in processes, a failed part is one row, and progress in terminals and files."""

import io
import os
import signal
import subprocess
import sys
import threading
from itertools import pairwise
from pathlib import Path

import pytest

from evidence.tests.made_up import BAD, GONE, OTHER, SLOW, SMALL, fails, speeds
from pelagos_evidence.claim import ClaimVerdict
from pelagos_evidence.outcome import PartOutcome
from pelagos_evidence.run import RunProgress, run

ROOT = Path(__file__).parents[2]


class Listener:
    """Keeps the messages it receives."""

    def __init__(self):
        self.heard = []

    def begun(self, document, part):
        self.heard.append(("begun", document, part))

    def share(self, document, part, done):
        assert 0.0 <= done <= 1.0
        self.heard.append(("share", document, part, done))

    def done(self, document, part):
        self.heard.append(("done", document, part.part.title))


@pytest.mark.slow
def test_processes_find_what_this_process_finds():
    listener = Listener()
    together = run([SMALL, OTHER], jobs=2, watcher=listener)
    alone = run([SMALL, OTHER], jobs=1)
    assert together.documents[0].document is SMALL
    assert [entry.claims for entry in together.documents] == [entry.claims for entry in alone.documents]
    assert together.documents[0].drawings == alone.documents[0].drawings  # equal bytes
    assert (together.jobs, alone.jobs) == (2, 1)
    shared = run([SMALL], jobs=2)  # the parts of a single document are shared too
    assert shared.jobs == 2 and shared.documents[0].claims == alone.documents[0].claims
    assert together.complete
    assert together.seconds > 0.0
    for document in (SMALL, OTHER):
        messages = [words for words in listener.heard if words[1] == document.key and words[0] != "share"]
        for part in document.parts:
            assert [kind for kind, _, title in messages if title == part.title] == ["begun", "done"]
    assert ("share", "other", "Part words", 1.0) in listener.heard


def test_what_breaks_is_a_row_and_the_others_go_on():
    for jobs in (1, 2):
        outcome = run([BAD, OTHER], jobs=jobs)
        claims = outcome.documents[0].claims
        assert outcome.complete
        assert [claim.key for claim in claims] == ["off", "raises-runs", "complains-runs", "sign", "lost"]
        assert claims[1].ours == "ValueError: the mass is negative and more"
        assert claims[1].why.startswith("raised in made_up.py, line ")
        assert claims[2].ours == "the vehicle has no rudder"
        assert {claim.key for _, claim in outcome.failed} == {"off", "raises-runs", "complains-runs"}
        assert outcome.counts[ClaimVerdict.FAILED] == 3


@pytest.mark.slow
def test_a_process_that_ends_too_early_fails_the_part_in_its_hand():
    outcome = run([GONE, OTHER], jobs=2)
    entry = outcome.documents[0]
    assert [claim.key for claim in entry.claims] == [
        "sign",
        "lost",
        "vanishes-runs",
        "top",
        "drag",
        "gap",
        "wrong",
        "luck",
        "copy",
    ]
    assert entry.claims[2].ours == "the process ended with exit code 7"
    assert outcome.documents[1].counts[ClaimVerdict.FAILED] == 0
    assert outcome.complete


INTERRUPTED = """
import sys
from pelagos_evidence.run import run
from evidence.tests.made_up import OTHER, SLOW

class Told:
    def begun(self, document, part): print(document, part, flush=True)
    def share(self, document, part, done): pass
    def done(self, document, part): pass

if __name__ == "__main__":
    outcome = run([SLOW, OTHER], jobs=int(sys.argv[1]), watcher=Told())
    slow = outcome.documents[0]
    print("end", outcome.complete, slow.parts[1].findings is None, flush=True)
"""


@pytest.mark.slow
def test_ctrl_c_keeps_what_is_done(tmp_path):
    script = tmp_path / "interrupted.py"
    script.write_text(INTERRUPTED)
    place = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])}
    for jobs in ("1", "2"):
        # a group of its own, to which the signal goes as it does in a terminal
        process = subprocess.Popen(
            [sys.executable, str(script), jobs],
            env=place, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
        )  # fmt: skip
        watch = threading.Timer(100.0, process.kill)
        watch.start()
        assert process.stdout is not None
        for line in process.stdout:
            if line.strip() == "slow Part waits":
                os.killpg(process.pid, signal.SIGINT)
                break
        out, err = process.communicate()
        watch.cancel()
        assert out.splitlines()[-1] == "end False True", err
        assert err == ""


def test_jobs_are_never_more_than_parts():
    assert run([OTHER], jobs=8).jobs == 1
    assert run([], jobs=None).documents == ()
    assert SLOW.parts[0].run is OTHER.parts[0].run


class Terminal(io.StringIO):
    def isatty(self):
        return True


class Clock:
    def __init__(self):
        self.s = 0.0

    def __call__(self):
        return self.s


def output(stream):
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
    assert output(io.StringIO()).splitlines() == [
        "1 of 3 parts, 1:15  small: Part speeds, 6 rows, 74.6 s",
        "2 of 3 parts, 1:15  other: Part fails, 1 row, 1 FAILED, 1.0 s",
    ]


def test_a_terminal_has_one_line(monkeypatch):
    monkeypatch.setattr("pelagos_evidence.run.TICK_S", 3600.0)  # the lines below are those of the calls alone
    text = output(Terminal())
    assert "\n" not in text
    lines = [line.rstrip() for line in text.split("\r")]
    assert "0 of 3 parts, 1:15 · small: Part speeds 40 % · other: Part fails" in lines
    assert not any("45 %" in line for line in lines)
    assert "1 of 3 parts, 1:15 · other: Part fails" in lines
    assert lines[-1] == ""  # what comes next starts on a clean line
    for before, after in pairwise(text.split("\r")[:-1]):
        assert len(after) >= len(before.rstrip())  # nothing of the line before is left standing
