"""Log: consistent columns, files that are read back equal, and what is left of a killed or interrupted run."""

import json
import signal
import subprocess
import sys
from importlib.util import find_spec

import numpy as np
import pytest

from pelagos.errors import PelagosError
from pelagos.messages import Event
from pelagos.sim.log.load import load_log
from pelagos.sim.log.log import Log, LogError
from tests.sim.synthetic import same, synthetic_log


@pytest.fixture
def log():
    return synthetic_log(seconds=5.0)


def test_what_cannot_be_written_or_read_is_one_sentence(log, tmp_path):
    for write in (log.save, log.to_csv, log.to_parquet):
        with pytest.raises(LogError, match=r"the log cannot be written \(No such file"):
            write(tmp_path / "nowhere" / "x")
        with pytest.raises(LogError, match="the file of the log is 77; expected its name"):
            write(77)
    np.save(tmp_path / "array.npy", np.zeros(3))
    (tmp_path / "empty").touch()
    (tmp_path / "text").write_text("PK\x03\x04 is how an archive starts")
    for name in ("array.npy", "empty", "text"):
        with pytest.raises(LogError, match=r"is not a log written by Log\.save"):
            Log.load(tmp_path / name)


def test_a_log_without_forces_or_samples_round_trips(tmp_path):
    for n in (0, 1):
        log = Log({"time_s": np.zeros(n), "depth_m": np.zeros(n)}, {"seed": 3})
        log.to_csv(tmp_path / "small.csv")
        log.save(tmp_path / "small.npz")
        log.to_parquet(tmp_path / "small.parquet")
        assert same(log, Log.from_csv(tmp_path / "small.csv"))
        assert same(log, Log.load(tmp_path / "small.npz"))
        assert same(log, Log.from_parquet(tmp_path / "small.parquet"))


def test_a_missing_file_is_named(tmp_path):
    for read in (Log.from_csv, Log.load, Log.from_parquet):
        with pytest.raises(LogError, match="no such file"):
            read(tmp_path / "gone")


def test_an_unknown_column_names_the_nearest(log):
    with pytest.raises(PelagosError, match="no column 'dept_m'; did you mean \"depth_m\""):
        log["dept_m"]
    with pytest.raises(KeyError):  # a mapping's error too
        log["dept_m"]
    with pytest.raises(PelagosError, match="no force term 'thruster'; did you mean \"thrusters\""):
        log.forces["thruster"]


def test_columns_that_do_not_fit_are_refused():
    with pytest.raises(LogError, match=r"shape of column depth_m is \(2,\); expected \(3,\)"):
        Log({"time_s": np.zeros(3), "depth_m": np.zeros(2)})
    with pytest.raises(LogError, match=r"shape of the forces of thrusters is \(3, 5\)"):
        Log({"time_s": np.zeros(3)}, forces={"thrusters": np.zeros((3, 5))})
    with pytest.raises(LogError, match="needs the column time_s"):
        Log({"depth_m": np.zeros(3)})


def test_between_keeps_both_ends(log):
    part = log.between(1.0, 2.0)
    assert part.time_s[0] == pytest.approx(1.0)
    assert len(part) == 11
    assert part.forces["thrusters"].shape == (11, 6)
    assert part.meta == log.meta


def test_between_takes_the_events_of_its_time(log):
    log.events += [Event(t, "leg", "next") for t in (0.5, 1.0, 1.7, 2.0, 2.1)]
    assert [event.time_s for event in log.between(1.0, 2.0).events] == [1.0, 1.7, 2.0]


def test_repr_is_one_line(log):
    assert repr(log) == f"Log of synthetic: 51 samples, 0 to 5 s, {len(log.names)} columns"
    assert repr(Log(log.columns, complete=False)).endswith("cut short")


def test_pandas_gets_every_column(log):
    pytest.importorskip("pandas")
    frame = log.to_pandas()
    assert list(frame.columns) == list(log.names)
    assert np.array_equal(frame["thrusters_X_N"].to_numpy(), log["thrusters_X_N"])
    assert frame.attrs["seed"] == 1


posix = pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals and limits")
ENDINGS = [".csv", *([".parquet"] if find_spec("pyarrow") else [])]

# Samples of the numbers 0, 1, 2 ... stamped with the clock; each is reported to the parent after it was recorded.
RUN = """
import sys, time
from pelagos.messages import Event
from pelagos.sim.log.recorder import Recorder
with Recorder(("time_s", "clock_s", "drag"), ("drag",), {"seed": 1}, sys.argv[1]) as recorder:
    recorder.event(Event(0.0, "start", "off we go"))
    for k in range(1_000_000):
        clock = time.monotonic()
        recorder.row()[:] = [0.01 * k, clock, k, *[k] * 6]
        recorder.commit()
        print(k, clock, flush=True)
        time.sleep(0.004)
"""

FULL = """
import resource, sys
from pelagos.sim.log.log import LogError
from pelagos.sim.log.recorder import Recorder
try:
    with Recorder(("time_s", "depth_m"), (), {"seed": 1}, sys.argv[1], flush_every_s=float(sys.argv[2])) as recorder:
        resource.setrlimit(resource.RLIMIT_FSIZE, (40_000, 40_000))
        for k in range(100_000):
            recorder.row()[:] = [0.01 * k, k / 3]
            recorder.commit()
except LogError as error:
    print(error)
"""


def stopped(path, how, seconds, older=0):
    """Start a run, stop it by a signal after some seconds of its own clock and with so many samples `older` than one
    second; the samples it reported."""
    command = [sys.executable, "-c", RUN, str(path)]
    output = []
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as run:
        for line in run.stdout:
            output.append([float(word) for word in line.split()])
            now = output[-1][1]
            late = sum(when < now - 1.0 for _, when in output)
            if now - output[0][1] > seconds and late >= older:
                break
        run.send_signal(how)
        rest, message = run.stdout.read(), run.stderr.read()  # `communicate` would lose lines that the loop read ahead
    output += [[float(word) for word in line.split()] for line in rest.splitlines() if line.count(" ") == 1]
    return np.array(output), message


@posix
@pytest.mark.slow
@pytest.mark.parametrize("ending", ENDINGS)
def test_after_kill_9_all_but_the_last_second_is_there(tmp_path, ending):
    output, _ = stopped(tmp_path / f"dive{ending}", signal.SIGKILL, 1.6, older=11)
    log = load_log(tmp_path / f"dive{ending}")
    assert not log.complete and log.meta["seed"] == 1
    assert [event.kind for event in log.events] == ["start"]
    assert np.array_equal(log["drag"], np.arange(len(log)))
    assert np.array_equal(log.forces["drag"], np.repeat(np.arange(float(len(log))), 6).reshape(-1, 6))
    must = np.count_nonzero(output[:, 1] < output[-1, 1] - 1.0)  # by the run's own clock, however slow the machine
    assert must > 10 and len(log) >= must


@posix
@pytest.mark.slow
def test_after_kill_9_the_sidecar_says_unfinished(tmp_path):
    stopped(tmp_path / "dive.csv", signal.SIGKILL, 0.05)
    sidecar = json.loads((tmp_path / "dive.json").read_text())
    assert sidecar["complete"] is False and sidecar["meta"]["seed"] == 1 and "numba" in sidecar["versions"]


@posix
@pytest.mark.slow
@pytest.mark.parametrize("ending", ENDINGS)
def test_ctrl_c_keeps_every_sample(tmp_path, ending):
    output, message = stopped(tmp_path / f"dive{ending}", signal.SIGINT, 0.3)
    log = load_log(tmp_path / f"dive{ending}")
    assert "KeyboardInterrupt" in message and "LogError" not in message
    assert not log.complete
    # the sample being recorded may have been reported or not
    assert len(output) <= len(log) <= len(output) + 1
    assert np.array_equal(log["drag"], np.arange(len(log)))
    left = {path.name for path in tmp_path.iterdir()}
    assert left == ({"dive.csv", "dive.json"} if ending == ".csv" else {"dive.parquet"})


@posix
@pytest.mark.slow
@pytest.mark.parametrize("flush_every_s", ["0", "100"])
@pytest.mark.parametrize("ending", ENDINGS)
def test_a_full_disk_ends_the_run_in_a_sentence_and_keeps_the_log(tmp_path, ending, flush_every_s):
    path = tmp_path / f"dive{ending}"
    command = [sys.executable, "-c", FULL, str(path), flush_every_s]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stderr == ""
    file = path if ending == ".csv" else tmp_path / "dive.parquet.unfinished"
    assert done.stdout == (
        f"{file}: the log cannot be written any further (File too large); what was written can be read\n"
    )
    log = load_log(path)
    assert not log.complete
    assert np.array_equal(log["depth_m"], np.arange(len(log)) / 3)
    assert len(log) > 20 or flush_every_s == "100"  # the first batch of thousands may not fit whole
    if ending == ".csv":
        # a line is at most 5 + 1 + 18 + 1 characters here, a seal 55: the last bytes may hold no whole one
        assert 40_000 - 55 < path.stat().st_size <= 40_000 and path.read_bytes().endswith(b"\n")
        assert json.loads((tmp_path / "dive.json").read_text())["samples"] == len(log)
