"""Whatever goes wrong ends in one sentence and an exit code, and the log up to then can be read.

Everything here is the real command in a process of its own, really interrupted, killed or left without room.
"""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import pelagos

ROOT = Path(__file__).parents[1]
ROV = 'vehicle = "bluerov2_heavy"\nduration_s = 2.0\n[world]\ndepth_m = 30.0\n'
CONTROLLER = """
import numpy as np
from pelagos import Actuation

class Mine:
    def __init__(self, vehicle): pass
    def reset(self): pass
    def update(self, truth, dt):
        late = truth.time_s > 0.95
        return {answer}
"""

pytestmark = pytest.mark.usefixtures("in_an_empty_folder")


def command(*words, **how):
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "error"}
    arguments = [sys.executable, "-m", "pelagos", "run", *words, "--no-figure"]
    return subprocess.Popen(
        arguments, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **how
    )  # fmt: skip


def said_by(process, code=2):
    """The one sentence on stderr."""
    _, err = process.communicate(timeout=240)
    # a run of more than ten seconds, on a busy machine any, also prints its progress
    lines = [line for line in err.splitlines() if line.strip() and not line.startswith(("preparing", "compil"))]
    lines = [line for line in lines if " simulated" not in line]
    assert process.returncode == code, err
    assert len(lines) == 1 and "Traceback" not in err, err
    return lines[0]


def cut_short(name):
    log = pelagos.load_log(name)
    assert not log.complete
    return log


def until_there_is_more_than(path, size, process):
    """Wait for a file to grow: minutes on a machine that has to compile first."""
    for _ in range(4000):
        if path.exists() and path.stat().st_size > size:
            return
        assert process.poll() is None, process.communicate()
        time.sleep(0.05)
    pytest.fail(f"{path} did not grow beyond {size}")


def file(text, name="s.toml"):
    Path(name).write_text(text)
    return name


@pytest.mark.slow
def test_one_real_process_for_a_mistake_in_a_file():
    sentence = said_by(command(file(ROV + "[start]\ndept_m = 3.0\n")))
    assert sentence == 'pelagos: s.toml: start.dept_m: unknown key; did you mean "depth_m"?'
    assert not Path("s.csv").exists()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ("Actuation(np.full(8, np.nan if late else 0.0))", "actuation thrusters[0] is nan; expected a finite number"),
        (
            "Actuation(np.zeros(3 if late else 8))",
            "thrusters in the result of Mine.update() is 3; expected 8",
        ),
        ("None if late else Actuation()", "the result of Mine.update() is None; expected a pelagos.Actuation"),
        ("1 / 0 if late else Actuation()", "mine.py:Mine failed in line 10 of mine.py: ZeroDivisionError"),
    ],
)
def test_a_controller_that_gives_nonsense(answer, words):
    Path("mine.py").write_text(CONTROLLER.format(answer=answer))
    sentence = said_by(command(file(ROV + '[control]\nkind = "python"\nclass_name = "mine.py:Mine"\n')))
    assert words in sentence and sentence.endswith("; the log up to then is in s.csv")
    assert cut_short("s.csv").time_s[-1] == pytest.approx(1.0)


@pytest.mark.slow
def test_a_run_that_diverges():
    """Euler steps of 0.1 s in a current of 20 m/s: the drag overshoots from the first step on."""
    text = ROV + "current_m_s = 20.0\n"
    sentence = said_by(command(file(text), "--integrator", "euler", "--step-s", "0.1"))
    assert "the motion diverged" in sentence and sentence.endswith("the log up to then is in s.csv")
    assert len(cut_short("s")) >= 1


@pytest.mark.slow
@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_ctrl_c(ending):
    process = command(file(ROV), "--duration", "100000", "--speed", "20", "--format", ending)
    path = Path("s.csv" if ending == "csv" else "s.parquet.unfinished")
    until_there_is_more_than(path, 20_000, process)
    process.send_signal(signal.SIGINT)
    sentence = said_by(process, 130)
    assert sentence.endswith(f"pelagos: interrupted; the log up to then is in s.{ending}")
    log = cut_short("s")
    assert log.time_s[-1] > 1.0 and "depth_m" in log.columns


@pytest.mark.slow
def test_kill_minus_nine():
    process = command(file(ROV), "--duration", "100000", "--speed", "20")
    until_there_is_more_than(Path("s.csv"), 60_000, process)
    process.kill()
    process.communicate()
    assert process.returncode == -signal.SIGKILL
    log = cut_short("s.csv")
    assert log.time_s[-1] > 1.0
    assert (log.time_s[1:] > log.time_s[:-1]).all()


def small_files():
    """Only so many bytes may be written to a file; without the signal, so that a write fails as on a full disk."""
    import resource

    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="no limits of files on this system")
def test_a_full_disk():
    first = command(file(ROV), "--duration", "0.3", "--out", "warm")  # the compiled engine must find room elsewhere
    first.communicate(timeout=400)
    assert first.returncode == 0
    process = command("s.toml", "--duration", "600", preexec_fn=small_files)
    sentence = said_by(process)
    assert "s.csv: the log cannot be written any further (File too large)" in sentence
    assert Path("s.csv").stat().st_size <= 100_000
    assert cut_short("s.csv").time_s[-1] > 1.0


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no such device")
def test_a_device_without_room():
    Path("full.csv").symlink_to("/dev/full")
    assert "full.csv: the log cannot be written any further (No space left on device)" in said_by(
        command(file(ROV), "--out", "full")
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("out", "why"),
    [("/dev/null/x", "the folder /dev/null cannot be made (File exists)"), ("/proc/x", "/proc/x.csv: the log cannot")],
)
def test_outputs_that_cannot_be_written(out, why):
    assert why in said_by(command(file(ROV), "--out", out))
