"""Recorder: nothing is lost while the table grows, and the file is readable at any moment."""

import numpy as np
import pytest

from pelagos.sim.log import Log, LogError
from pelagos.sim.recorder import Recorder

COLUMNS = ("time_s", "depth_m")


def test_every_sample_survives_growth():
    recorder = Recorder(COLUMNS, ("drag",), {"seed": 1})
    for k in range(1000):  # the first table holds 256
        recorder.append([0.1 * k, k], np.full((1, 6), -k))
    log = recorder.log()
    assert len(recorder) == len(log) == 1000
    assert np.array_equal(log["depth_m"], np.arange(1000.0))
    assert np.array_equal(log["drag_N_N_m"], -np.arange(1000.0))
    assert log.meta == {"seed": 1}


def test_a_block_larger_than_the_table_fits():
    recorder = Recorder(COLUMNS)
    block = np.arange(5000.0).reshape(2500, 2)
    recorder.extend(block)
    assert np.array_equal(recorder.log().table(), block)


def test_a_log_taken_early_does_not_change():
    recorder = Recorder(COLUMNS)
    recorder.append([0.0, 1.0])
    early = recorder.log()
    recorder.append([0.1, 2.0])
    assert len(early) == 1
    assert len(recorder.log()) == 2


def test_the_stream_equals_the_file_written_at_the_end(tmp_path):
    with Recorder(COLUMNS, ("drag",), {"seed": 1}, tmp_path / "stream.csv") as recorder:
        for k in range(300):
            recorder.append([0.1 * k, k / 3], np.full((1, 6), k / 7))
    recorder.log().to_csv(tmp_path / "end.csv")
    assert (tmp_path / "stream.csv").read_bytes() == (tmp_path / "end.csv").read_bytes()


def test_an_interrupted_run_leaves_a_readable_log(tmp_path):
    def interrupted():
        with Recorder(COLUMNS, path=tmp_path / "stream.csv") as recorder:
            recorder.append([0.0, 1.0])
            recorder.append([0.1, 2.0])
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    log = Log.from_csv(tmp_path / "stream.csv")
    assert log["depth_m"].tolist() == [1.0, 2.0]
    assert not log.complete


def test_a_flushed_stream_can_be_read_while_it_grows(tmp_path):
    recorder = Recorder(COLUMNS, path=tmp_path / "stream.csv", flush_every_s=0.0)
    recorder.append([0.0, 1.0])
    assert len(Log.from_csv(tmp_path / "stream.csv")) == 1  # as after a crash: nothing has been closed
    recorder.close()
    assert Log.from_csv(tmp_path / "stream.csv").complete


def test_a_sample_of_the_wrong_width_is_refused():
    with pytest.raises(LogError, match="a sample has 3 values, expected 2"):
        Recorder(COLUMNS).append([0.0, 1.0, 2.0])


def test_a_folder_that_does_not_exist_is_named(tmp_path):
    with pytest.raises(LogError, match="the log cannot be written"):
        Recorder(COLUMNS, path=tmp_path / "nowhere" / "log.csv")
