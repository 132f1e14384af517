"""Log: columns that fit together, and every file brings back what was written."""

import numpy as np
import pytest

from pelagos.errors import PelagosError
from pelagos.messages import Event
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


def test_one_line_says_what_it_is(log):
    assert repr(log) == f"Log of synthetic: 51 samples, 0 to 5 s, {len(log.names)} columns"
    assert repr(Log(log.columns, complete=False)).endswith("cut short")


def test_pandas_gets_every_column(log):
    pytest.importorskip("pandas")
    frame = log.to_pandas()
    assert list(frame.columns) == list(log.names)
    assert np.array_equal(frame["thrusters_X_N"].to_numpy(), log["thrusters_X_N"])
    assert frame.attrs["seed"] == 1
