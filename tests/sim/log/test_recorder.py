"""Recorder: nothing is lost while the table grows, and the file is readable at any moment."""

import shutil

import numpy as np
import pytest

from pelagos.messages import Event
from pelagos.sim.log.load import load_log
from pelagos.sim.log.log import Log, LogError
from pelagos.sim.log.recorder import Recorder
from tests.sim.log.samples import append

COLUMNS = ("time_s", "depth_m")


def test_every_sample_survives_growth():
    recorder = Recorder(COLUMNS, ("drag",), {"seed": 1})
    for k in range(1000):  # the first table holds 256
        append(recorder, [0.1 * k, k], np.full((1, 6), -k))
    log = recorder.log()
    assert len(recorder) == len(log) == 1000
    assert np.array_equal(log["depth_m"], np.arange(1000.0))
    assert np.array_equal(log["drag_N_N_m"], -np.arange(1000.0))
    assert log.meta["seed"] == 1


def test_a_log_taken_early_does_not_change():
    recorder = Recorder(COLUMNS)
    append(recorder, [0.0, 1.0])
    early = recorder.log()
    append(recorder, [0.1, 2.0])
    assert len(early) == 1
    assert len(recorder.log()) == 2


def test_the_stream_equals_the_file_written_at_the_end(tmp_path):
    with Recorder(COLUMNS, ("drag",), {"seed": 1}, tmp_path / "stream.csv") as recorder:
        for k in range(300):
            append(recorder, [0.1 * k, k / 3], np.full((1, 6), k / 7))
    recorder.log().to_csv(tmp_path / "end.csv")
    assert (tmp_path / "stream.csv").read_bytes() == (tmp_path / "end.csv").read_bytes()


def test_an_interrupted_run_leaves_a_readable_log(tmp_path):
    def interrupted():
        with Recorder(COLUMNS, path=tmp_path / "stream.csv") as recorder:
            append(recorder, [0.0, 1.0])
            append(recorder, [0.1, 2.0])
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    log = Log.from_csv(tmp_path / "stream.csv")
    assert log["depth_m"].tolist() == [1.0, 2.0]
    assert not log.complete


def test_a_flushed_stream_can_be_read_while_it_grows(tmp_path):
    recorder = Recorder(COLUMNS, path=tmp_path / "stream.csv", flush_every_s=0.0)
    append(recorder, [0.0, 1.0])
    assert len(Log.from_csv(tmp_path / "stream.csv")) == 1  # as after a crash: nothing has been closed
    recorder.close()
    assert Log.from_csv(tmp_path / "stream.csv").complete


def test_a_folder_that_does_not_exist_is_named(tmp_path):
    with pytest.raises(LogError, match="the log cannot be written"):
        Recorder(COLUMNS, path=tmp_path / "nowhere" / "log.csv")


def test_a_row_is_filled_in_place():
    recorder = Recorder(COLUMNS, ("drag",))
    for k in range(600):  # the first table holds 256
        row = recorder.row()
        row[0], row[2:] = k, -k
        recorder.commit()
    log = recorder.log()
    assert np.array_equal(log.time_s, np.arange(600.0))
    assert np.array_equal(log["drag_M_N_m"], -np.arange(600.0))
    assert np.isnan(log["depth_m"]).all()  # nothing was put there


def test_a_row_that_was_not_committed_does_not_count(tmp_path):
    with Recorder(COLUMNS, path=tmp_path / "a.csv") as recorder:
        append(recorder, [0.0, 1.0])
        recorder.row()[:] = 9.0
    assert len(recorder.log()) == len(Log.from_csv(tmp_path / "a.csv")) == 1


def test_forces_may_stay_out_of_the_file(tmp_path):
    with Recorder(COLUMNS, ("drag",), path=tmp_path / "a.csv", write_forces=False) as recorder:
        append(recorder, [0.0, 1.0], np.arange(6.0))
    assert recorder.log().forces["drag"].tolist() == [[0.0, 1.0, 2.0, 3.0, 4.0, 5.0]]
    back = Log.from_csv(tmp_path / "a.csv")
    assert back.names == COLUMNS and len(back.forces) == 0


def test_events_are_kept_in_memory_and_written_at_once(tmp_path):
    recorder = Recorder(COLUMNS, path=tmp_path / "a.csv", flush_every_s=1e9)
    append(recorder, [0.0, 1.0])
    recorder.event(Event(0.05, "fault", "thruster 3 lost"))
    back = Log.from_csv(tmp_path / "a.csv")  # with the samples before it, though no second has passed
    assert back.events == recorder.log().events == [Event(0.05, "fault", "thruster 3 lost")]
    assert len(back) == 1
    recorder.close()


def test_samples_wait_for_a_second_at_most(tmp_path, monkeypatch):
    """On a clock of our own: written when a second has passed, or at once if samples come seldom."""
    clock = [100.0]
    monkeypatch.setattr("pelagos.sim.log.recorder.time.monotonic", lambda: clock[0])
    recorder = Recorder(COLUMNS, path=tmp_path / "a.csv")
    in_file = []
    for step in [0.2] * 6 + [5.0, 0.2, 0.2]:
        clock[0] += step
        append(recorder, [clock[0], 0.0])
        in_file.append(len(Log.from_csv(tmp_path / "a.csv")))
    assert in_file == [0, 0, 0, 0, 5, 5, 7, 7, 7]
    recorder.flush()
    assert len(Log.from_csv(tmp_path / "a.csv")) == 9
    recorder.close()


def test_an_interrupt_between_write_and_count_doubles_nothing(tmp_path):
    """Ctrl-C may come after the bytes are in the file and before they are counted."""
    for ending in (".csv", ".parquet"):
        recorder = Recorder(COLUMNS, path=tmp_path / f"a{ending}", flush_every_s=1e9)
        append(recorder, [0.0, 1.0])
        file = recorder._writer._file
        before = file._done
        recorder.flush()
        file._done = before
        append(recorder, [0.1, 2.0])
        recorder.close(complete=False)
        assert load_log(tmp_path / f"a{ending}")["depth_m"].tolist() == [1.0, 2.0]


def test_the_same_run_twice_is_the_same_bytes_however_it_was_flushed(tmp_path):
    rows = np.random.default_rng(3).standard_normal((700, 2))
    for name, every in (("a", 0.0), ("b", 1e9)):
        (tmp_path / name).mkdir()
        with Recorder(COLUMNS, (), {"seed": 3}, tmp_path / name / "x.csv", flush_every_s=every) as recorder:
            for k, row in enumerate(rows):
                append(recorder, row)
                if k % 100 == 7:
                    recorder.event(Event(float(k), "leg", f"leg {k}"))
    for file in ("x.csv", "x.json"):
        assert (tmp_path / "a" / file).read_bytes() == (tmp_path / "b" / file).read_bytes()


@pytest.mark.parametrize("name", ["a.npz", "a.json"])
def test_a_run_cannot_write_every_kind_of_file(tmp_path, name):
    with pytest.raises(LogError, match=r"a run writes \.csv or \.parquet"):
        Recorder(COLUMNS, path=tmp_path / name)


def test_time_comes_first():
    with pytest.raises(LogError, match="the first column of a recorder is time_s"):
        Recorder(("depth_m", "time_s"))


@pytest.mark.parametrize("ending", [".csv", ".parquet"])
def test_a_file_that_cannot_be_finished(tmp_path, ending):
    """The folder is removed during the run: an error at the end, unless something else has ended the run."""
    for complete in (True, False):
        folder = tmp_path / str(complete)
        folder.mkdir()
        recorder = Recorder(COLUMNS, path=folder / f"a{ending}")
        append(recorder, [0.0, 1.0])
        shutil.rmtree(folder)
        if complete:
            with pytest.raises(LogError, match=r"cannot be (written|read)|no such file"):
                recorder.close()
        else:
            recorder.close(complete=False)
        recorder.close()  # twice is once
        assert recorder.log()["depth_m"].tolist() == [1.0]  # the memory has it still
