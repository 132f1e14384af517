"""The Parquet form: exact, self-describing, and readable before it is finished."""

import json
import os

import numpy as np
import pytest

from pelagos.errors import MissingExtraError
from pelagos.messages import Event
from pelagos.sim.log import parquet
from pelagos.sim.log.log import Log, LogError
from pelagos.sim.log.recorder import Recorder
from tests.sim.log.samples import append
from tests.sim.synthetic import same, synthetic_log

pq = pytest.importorskip("pyarrow.parquet")

LEAK = Event(0.35, "fault", "leak", "auv1")


@pytest.fixture
def log():
    log = synthetic_log(seconds=5.0)
    log["depth_m"][[3, 4, 5, 6]] = [np.nan, -0.0, 5e-324, -np.inf]
    log.events.append(LEAK)
    return log


@pytest.fixture
def stream(tmp_path):
    """What a run leaves that was killed: twenty batches of one sample, an event after the fourth."""
    recorder = Recorder(("time_s", "depth_m"), (), {"seed": 4}, tmp_path / "dive.parquet", flush_every_s=0.0)
    for k in range(20):
        append(recorder, [0.1 * k, k])
        if k == 3:
            recorder.event(LEAK)
    yield tmp_path / "dive.parquet.unfinished"
    recorder.close()


def test_the_round_trip_is_exact(log, tmp_path):
    log.to_parquet(tmp_path / "dive.parquet")
    back = Log.from_parquet(tmp_path / "dive.parquet")
    assert same(log, back) and back.complete
    assert back["depth_m"].tobytes() == log["depth_m"].tobytes()  # bits, so that -0.0 counts
    assert os.listdir(tmp_path) == ["dive.parquet"]


def test_a_log_cut_short_stays_so(log, tmp_path):
    Log(log.columns, complete=False).to_parquet(tmp_path / "cut.parquet")
    assert not Log.from_parquet(tmp_path / "cut.parquet").complete


def test_other_programs_find_units_and_meta_data(log, tmp_path):
    log.to_parquet(tmp_path / "dive.parquet")
    schema = pq.read_schema(tmp_path / "dive.parquet")
    assert schema.names == list(log.names)
    assert schema.field("surge_m_s").metadata == {b"unit": b"m/s"}
    description = json.loads(schema.metadata[b"pelagos"])
    assert description["meta"] == log.meta and description["complete"] is True
    assert description["events"] == [{"time_s": 0.35, "kind": "fault", "text": "leak", "vehicle": "auv1"}]


def test_single_precision_keeps_seven_digits_and_the_time(log, tmp_path):
    log.to_parquet(tmp_path / "small.parquet", single=True)
    back = Log.from_parquet(tmp_path / "small.parquet")
    assert np.array_equal(back.time_s, log.time_s)
    # half a unit in the last place of float32: 2^-24
    np.testing.assert_allclose(back["east_m"], log["east_m"], rtol=2.0**-24, atol=0.0)
    assert not np.array_equal(back["east_m"], log["east_m"])


def test_a_stream_reads_before_it_is_finished(stream):
    log = Log.from_parquet(stream.with_name("dive.parquet"))  # nothing has been closed, as after a crash
    assert log["depth_m"].tolist() == list(range(20))
    assert not log.complete and log.events == [LEAK] and log.meta["seed"] == 4


def test_a_stream_cut_anywhere_reads_to_its_last_whole_batch(stream, tmp_path):
    whole = stream.read_bytes()
    lengths = []
    for size in range(len(whole), len(whole) // 3, -41):  # 41 and the size of a batch have no common factor
        (tmp_path / "cut.parquet.unfinished").write_bytes(whole[:size])
        log = Log.from_parquet(tmp_path / "cut.parquet")
        assert np.array_equal(log["depth_m"], np.arange(len(log)))
        lengths.append(len(log))
    assert lengths[0] == 20 and lengths == sorted(lengths, reverse=True) and len(set(lengths)) > 8


def test_the_end_of_a_run_turns_the_stream_into_the_file(tmp_path):
    rows = np.random.default_rng(1).standard_normal((3000, 8))
    with Recorder(("time_s", "x_m"), ("drag",), {"seed": 1}, tmp_path / "a.parquet", flush_every_s=0.01) as recorder:
        for k, row in enumerate(rows):
            append(recorder, row[:2], row[2:])
            if k == 1000:
                recorder.event(LEAK)
    assert os.listdir(tmp_path) == ["a.parquet"]
    back = Log.from_parquet(tmp_path / "a.parquet")
    assert same(back, recorder.log()) and back.complete and np.array_equal(back.table(), rows)
    assert pq.ParquetFile(tmp_path / "a.parquet").num_row_groups == 1  # not one for each batch


def test_a_new_run_takes_the_place_of_the_old(log, tmp_path):
    log.to_parquet(tmp_path / "a.parquet")
    recorder = Recorder(("time_s",), path=tmp_path / "a.parquet", flush_every_s=0.0)
    append(recorder, [7.0])
    assert Log.from_parquet(tmp_path / "a.parquet").time_s.tolist() == [7.0]  # not the old one
    recorder.close(complete=False)
    assert not Log.from_parquet(tmp_path / "a.parquet").complete


def test_a_table_of_another_program_is_a_log_if_it_has_a_time(tmp_path):
    pa = pytest.importorskip("pyarrow")
    pq.write_table(pa.table({"time_s": [0, 1], "depth_m": pa.array([1.5, None], pa.float64())}), tmp_path / "a.parquet")
    log = Log.from_parquet(tmp_path / "a.parquet")
    assert log["depth_m"][0] == 1.5 and np.isnan(log["depth_m"][1]) and log.meta == {}
    assert not log.complete  # it does not say so
    pq.write_table(pa.table({"t": [0.0]}), tmp_path / "b.parquet")
    with pytest.raises(LogError, match=r"b\.parquet: is not a log, it has no column time_s"):
        Log.from_parquet(tmp_path / "b.parquet")
    pq.write_table(pa.table({"time_s": [0.0], "who": ["me"]}), tmp_path / "c.parquet")
    with pytest.raises(LogError, match=r"c\.parquet: cannot be read as a log \(could not convert"):
        Log.from_parquet(tmp_path / "c.parquet")


def test_a_broken_file_is_one_sentence(log, tmp_path):
    log.to_parquet(tmp_path / "a.parquet")
    whole = (tmp_path / "a.parquet").read_bytes()
    for name, content in (("cut", whole[:-200]), ("text", b"PAR1 is how one starts"), ("none", b"")):
        (tmp_path / f"{name}.parquet").write_bytes(content)
        (tmp_path / f"{name}2.parquet.unfinished").write_bytes(content)
        for file in (name, name + "2"):
            with pytest.raises(LogError, match=rf"{file}\.parquet.*: cannot be read as a log") as caught:
                Log.from_parquet(tmp_path / f"{file}.parquet")
            assert "\n" not in str(caught.value)


def test_without_pyarrow_it_says_what_to_install(log, tmp_path, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)  # as if it were not installed
    for use in (log.to_parquet, Log.from_parquet, lambda path: Recorder(("time_s",), path=path)):
        with pytest.raises(MissingExtraError, match=r'a Parquet log needs .*pip install "\.\[log\]"'):
            use(tmp_path / "a.parquet")
    assert parquet.unfinished_path("a.parquet").name == "a.parquet.unfinished"
    assert os.listdir(tmp_path) == []
