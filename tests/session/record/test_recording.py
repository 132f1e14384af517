"""Recordings on a real disk, also of a process that is killed."""

import shutil
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from pelagos.errors import CommandError, PelagosError
from pelagos.session.flight import Flight
from pelagos.session.record.journal import read_journal
from pelagos.session.record.recording import free_path, new_path
from pelagos.session.record.rerun import rerun
from pelagos.session.source import Input
from pelagos.sim.log.load import load_log
from pelagos.world.spec import World
from tests.log_difference import largest_difference


@pytest.fixture
def flight(tmp_path):
    flight = Flight("bluerov2_heavy", World(depth_m=30.0), start={"depth_m": 10.0}, record_dir=tmp_path, pilot="Ann")
    yield flight
    flight.close()


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_every_tick_is_in_the_log_with_what_the_page_saw(flight, tmp_path, ending):
    if ending == "parquet":
        pytest.importorskip("pyarrow")
    path = tmp_path / f"a.{ending}"
    flight.record(path)
    state = [flight.state().copy()]
    flight.input(Input(surge=0.5, tilt=0.2))
    for k in range(30):
        if k == 10:
            flight.order("lights", {"level": 0.25})
        flight.tick()
        state.append(flight.state().copy())
    flight.close()
    log = load_log(path)
    assert log.complete and len(log) == 31 and log.meta["pilot"] == "Ann"
    assert np.allclose(log.time_s, np.arange(31) / 50.0)
    for k, name in enumerate(flight.columns):
        if name != "recording":
            assert np.array_equal(log[name], np.array(state)[:, k], equal_nan=True), name
    assert {"stick_surge", "tilt_deg", "lights", "thruster_front_port", "battery_voltage_V"} <= set(log.columns)
    assert [event.kind for event in log.events] == ["record"]


def test_a_log_that_exists_is_not_written_over(flight, tmp_path):
    (tmp_path / "a.csv").write_text("mine")
    with pytest.raises(CommandError, match="exists"):
        flight.record(tmp_path / "a.csv")
    assert (tmp_path / "a.csv").read_text() == "mine" and flight.recordings.current is None


@pytest.mark.parametrize("beside", ["a.orders.jsonl", "a.parquet.unfinished"])
def test_what_belongs_to_another_recording_is_not_written_over(flight, tmp_path, beside):
    """run.csv and run.parquet would share the file of their orders."""
    (tmp_path / beside).write_text("mine")
    name = "a.csv" if "orders" in beside else "a.parquet"
    with pytest.raises(CommandError, match=f"{beside}: exists already; expected a new name"):
        flight.record(tmp_path / name)
    assert (tmp_path / beside).read_text() == "mine" and [file.name for file in tmp_path.iterdir()] == [beside]


@pytest.mark.parametrize("name", ["a.txt", "a", "a.npz", "a.orders.jsonl"])
def test_other_endings_are_refused(flight, tmp_path, name):
    with pytest.raises(CommandError, match=r"expected a name that ends in \.csv or \.parquet"):
        flight.record(tmp_path / name)
    assert not list(tmp_path.iterdir()) and flight.recordings.current is None


def test_names_are_new(tmp_path):
    first = new_path(tmp_path, "dive")
    assert first.parent == tmp_path and first.name.startswith("dive-")
    first.write_text("")
    assert free_path(first) != first
    (tmp_path / "b.orders.jsonl").write_text("")
    assert free_path(tmp_path / "b.csv").name == "b-2.csv"


def test_a_reset_ends_one_recording_and_begins_another(flight, tmp_path):
    flight.record(tmp_path / "a.csv")
    for _ in range(10):
        flight.tick()
    flight.order("reset", {})
    for _ in range(5):
        flight.tick()
    flight.close()
    assert len(load_log(tmp_path / "a.csv")) == 11 and len(load_log(tmp_path / "a-2.csv")) == 6
    assert read_journal(tmp_path / "a.csv").end == 10


@pytest.mark.slow
def test_many_resets_are_counted_in_the_name(flight, tmp_path):
    flight.record(tmp_path / "dive-7.csv")
    for _ in range(3):
        flight.tick()
        flight.order("reset", {})
    assert flight.recordings.current.path.name == "dive-7-4.csv"
    flight.close()
    assert sorted(file.stem for file in tmp_path.glob("*.csv")) == ["dive-7", "dive-7-2", "dive-7-3", "dive-7-4"]


def test_a_reset_that_cannot_be_recorded_is_a_reset_all_the_same(flight, tmp_path):
    flight.record(tmp_path / "deep" / "a.csv")
    flight.tick()
    shutil.rmtree(tmp_path / "deep")
    (tmp_path / "deep").write_text("no folder any more")
    flight.take_events()
    flight.order("reset", {})
    assert flight.ticks == 0 and flight.recordings.current is None
    assert any("not recorded any more" in event["text"] for event in flight.take_events() if event["kind"] == "warning")


@pytest.mark.slow
@pytest.mark.parametrize(("ending", "size"), [("csv", 60_000), ("parquet", 400_000), ("csv", 3_000)])
def test_a_full_disk_ends_the_recording_and_not_the_flight(flight, tmp_path, ending, size):
    """A limit on the size of a file stands in for the disk. At 3000 bytes nothing can be begun."""
    resource = pytest.importorskip("resource", reason="no limits of files on this system")
    if ending == "parquet":
        pytest.importorskip("pyarrow")
    path = tmp_path / f"a.{ending}"
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        if size < 10_000:
            with pytest.raises(CommandError, match="cannot be written"):
                flight.order("record", {"on": True})
            assert flight.recordings.current is None and not list(tmp_path.glob("*.orders.jsonl"))
            flight.tick()
            return
        flight.record(path)
        for k in range(700):
            flight.input(Input(surge=0.5 + 0.0001 * k))
            flight.tick()
            if k % 50 == 0:
                flight.order("lights", {"level": 0.5})
        flight.recordings.wait()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    flight.tick()
    assert flight.ticks == 701 and flight.recordings.current is None
    assert sum("cannot be written" in event["text"] for event in flight.take_events() if event["kind"] == "warning")
    log, again = load_log(path), rerun(path)
    assert not log.complete and 10 < len(log) < 700
    assert largest_difference(log, again) == (0.0, "")  # never farther than the orders


def test_a_disk_that_refuses_ends_the_recording_and_not_the_flight(flight, tmp_path, monkeypatch):
    from pelagos.sim.log.csv import CsvWriter
    from pelagos.sim.log.forces import LogError

    flight.record(tmp_path / "a.csv")
    monkeypatch.setattr(CsvWriter, "write", lambda *_: (_ for _ in ()).throw(LogError("a.csv: no space left")))
    flight.publish_event("message", "written at once")
    for _ in range(3):
        flight.tick()
    flight.recordings.wait()
    flight.tick()
    assert flight.recordings.current is None and flight.ticks == 4
    assert any(event["kind"] == "warning" and "no space" in event["text"] for event in flight.take_events())


def test_a_folder_that_cannot_be_made_is_a_sentence(flight, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(CommandError, match="cannot be made"):
        flight.record(tmp_path / "file" / "deep" / "a.csv")


KILLED = """
import sys, time
from pelagos.session.flight import Flight
from pelagos.session.source import Input
flight = Flight("bluerov2_heavy", None, start={"depth_m": 10.0}, record=sys.argv[1])
began, k = time.monotonic(), 0
print("flying", flush=True)
while True:
    flight.input(Input(surge=0.5 + 0.001 * (k % 100)))
    flight.tick()
    k += 1
    time.sleep(max(0.0, began + k / 50.0 - time.monotonic()))
"""


WARM = """
from pelagos.session.flight import Flight
Flight("bluerov2_heavy", None, start={"depth_m": 10.0}).tick()
"""
AGAIN = """
import sys
from pelagos.session.record.rerun import rerun
from pelagos.sim.log.load import load_log
from tests.log_difference import largest_difference
log, again = load_log(sys.argv[1]), rerun(sys.argv[1])
print(len(log) == len(again), *largest_difference(log, again))
"""


def elsewhere(code, *arguments):
    done = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def compiled():
    """The process that compiles the engine differs in the last bit from those that load what it left: one first."""
    elsewhere(WARM)


def has_written(path):
    """Whether enough of a running flight is on the disk to tell what a kill leaves."""
    try:
        return len(load_log(path)) > 10 and len(read_journal(path).entries) > 10
    except (PelagosError, OSError):
        return False


@pytest.mark.slow
@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_kill_9_leaves_both_files_readable(tmp_path, ending):
    if ending == "parquet":
        pytest.importorskip("pyarrow")
    path = tmp_path / f"a.{ending}"
    process = subprocess.Popen([sys.executable, "-c", KILLED, str(path)], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None and process.stdout.readline() == "flying\n"
        end = time.monotonic() + 120.0
        while not has_written(path) and time.monotonic() < end:
            time.sleep(0.1)
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
        process.stdout.close()
    log = load_log(path)
    assert not log.complete and len(log) > 10
    kept = read_journal(path)
    assert kept.end is None and len(kept.entries) > 10
    assert elsewhere(AGAIN, str(path)).split() == ["True", "0.0"]
