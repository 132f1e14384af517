"""Log: what is written comes back, what is broken says so in one sentence."""

import json

import numpy as np
import pytest

from pelagos.errors import PelagosError
from pelagos.sim.log import WRENCH, Log, LogError
from tests.sim.synthetic import TERMS, synthetic_log


@pytest.fixture
def log():
    return synthetic_log(seconds=5.0)


def same(a: Log, b: Log) -> bool:
    """Equal to the last bit: the text holds the shortest form that reads back to the same float."""
    columns = all(np.array_equal(a[name], b[name], equal_nan=True) for name in a.names)
    return a.names == b.names and a.forces.terms == b.forces.terms and a.meta == b.meta and columns


def test_csv_round_trip_is_exact(log, tmp_path):
    log.to_csv(tmp_path / "dive.csv")
    back = Log.from_csv(tmp_path / "dive.csv")
    assert same(log, back)
    assert back.complete


def test_csv_keeps_awkward_floats(tmp_path):
    values = np.array([0.1 + 0.2, -0.0, 5e-324, 1.7976931348623157e308, np.nan, -np.inf])
    Log({"time_s": np.arange(6.0), "x_m": values}).to_csv(tmp_path / "odd.csv")
    back = Log.from_csv(tmp_path / "odd.csv")["x_m"]
    assert back.tobytes()[:32] == values.tobytes()[:32]  # bits, so that -0.0 counts
    assert np.isnan(back[4])
    assert back[5] == -np.inf


def test_equal_logs_are_equal_bytes(tmp_path):
    for name in ("a.csv", "b.csv"):
        synthetic_log(seconds=2.0, seed=7).to_csv(tmp_path / name)
    synthetic_log(seconds=2.0, seed=8).to_csv(tmp_path / "c.csv")
    assert (tmp_path / "a.csv").read_bytes() == (tmp_path / "b.csv").read_bytes()
    assert (tmp_path / "a.csv").read_bytes() != (tmp_path / "c.csv").read_bytes()


def test_npz_round_trip_is_exact(log, tmp_path):
    log.save(tmp_path / "dive.npz")
    assert same(log, Log.load(tmp_path / "dive.npz"))
    assert Log.load(tmp_path / "dive.npz").complete


def test_npz_remembers_that_a_run_was_cut_short(log, tmp_path):
    cut = Log(log.columns, log.meta, log.forces, complete=False)
    cut.save(tmp_path / "cut.npz")
    assert not Log.load(tmp_path / "cut.npz").complete


def test_what_cannot_be_written_or_read_is_one_sentence(log, tmp_path):
    for write in (log.save, log.to_csv):
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


def test_reading_a_force_log_in_one_line(log):
    assert repr(log.forces) == f"ForceLog of {len(log)} samples: {', '.join(TERMS)}"


def test_a_log_without_forces_or_samples_round_trips(tmp_path):
    for n in (0, 1):
        log = Log({"time_s": np.zeros(n), "depth_m": np.zeros(n)}, {"seed": 3})
        log.to_csv(tmp_path / "small.csv")
        log.save(tmp_path / "small.npz")
        assert same(log, Log.from_csv(tmp_path / "small.csv"))
        assert same(log, Log.load(tmp_path / "small.npz"))


def test_header_is_json_behind_hashes(log, tmp_path):
    log.to_csv(tmp_path / "dive.csv")
    lines = (tmp_path / "dive.csv").read_text().splitlines()
    meta = dict(line[2:].split(": ", 1) for line in lines[1:6])
    assert {key: json.loads(value) for key, value in meta.items()} == log.meta
    assert lines[6].split(",")[:4] == ["time_s", "north_m", "east_m", "depth_m"]
    assert lines[-1] == "# complete: true"


@pytest.mark.parametrize("cut", [1, 5, 40, 200, 900])
def test_a_file_cut_short_reads_as_far_as_it_goes(log, tmp_path, cut):
    log.to_csv(tmp_path / "dive.csv")
    whole = (tmp_path / "dive.csv").read_bytes()
    (tmp_path / "cut.csv").write_bytes(whole[:-cut])
    back = Log.from_csv(tmp_path / "cut.csv")
    assert not back.complete
    assert len(log) - 3 <= len(back) <= len(log)  # 900 bytes are less than three of these lines
    assert np.array_equal(back["depth_m"], log["depth_m"][: len(back)])


def test_a_number_cut_in_the_middle_is_not_taken_for_another(tmp_path):
    (tmp_path / "cut.csv").write_text("# pelagos log 1\ntime_s,depth_m\n0.0,1.5\n0.1,2.7")
    back = Log.from_csv(tmp_path / "cut.csv")  # 2.7 may have been 2.75
    assert back["depth_m"].tolist() == [1.5]
    assert not back.complete


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no line of column names"),
        ("a,b\n1,2\n", "no line of column names"),
        ("time_s,depth_m\n0,1\n0,1,2\n0,1\n", "line 3 has 3 values, expected 2"),
        ("time_s,depth_m\n0,deep\n", "not a number"),
        ("# seed: {oops\ntime_s\n0\n", "line 1: the value of 'seed' is not JSON"),
    ],
)
def test_a_broken_file_is_refused_in_one_sentence(tmp_path, text, said):
    (tmp_path / "bad.csv").write_text(text)
    with pytest.raises(LogError, match=said) as caught:
        Log.from_csv(tmp_path / "bad.csv")
    assert "bad.csv" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_missing_file_is_named(tmp_path):
    for read in (Log.from_csv, Log.load):
        with pytest.raises(LogError, match="there is no such file"):
            read(tmp_path / "gone")


def test_an_unknown_column_names_the_nearest(log):
    with pytest.raises(PelagosError, match="no column 'dept_m'; did you mean 'depth_m'"):
        log["dept_m"]
    with pytest.raises(KeyError):  # a mapping's error too
        log["dept_m"]
    with pytest.raises(PelagosError, match="no force term 'thruster'; did you mean 'thrusters'"):
        log.forces["thruster"]


def test_columns_that_do_not_fit_are_refused():
    with pytest.raises(LogError, match=r"column depth_m has shape \(2,\), expected \(3,\)"):
        Log({"time_s": np.zeros(3), "depth_m": np.zeros(2)})
    with pytest.raises(LogError, match=r"forces of thrusters have shape \(3, 5\)"):
        Log({"time_s": np.zeros(3)}, forces={"thrusters": np.zeros((3, 5))})
    with pytest.raises(LogError, match="needs the column time_s"):
        Log({"depth_m": np.zeros(3)})


def test_forces_are_columns_too(log):
    for k, unit in enumerate(WRENCH):
        assert np.array_equal(log[f"thrusters_{unit}"], log.forces["thrusters"][:, k])
        assert f"thrusters_{unit}" in log
    assert log.table().shape == (len(log), len(log.names))


def test_mean_force_is_the_mean_and_the_total_is_the_sum(log):
    table = log.forces.mean(start_s=2.0, end_s=4.0)
    inside = (log.time_s >= 2.0) & (log.time_s <= 4.0)
    assert tuple(table) == TERMS
    np.testing.assert_allclose(table["thrusters"], log.forces["thrusters"][inside].mean(axis=0), rtol=1e-14)
    # two orders of summing five terms of size 20: a few units in the last place
    np.testing.assert_allclose(table.total, log.forces.total()[inside].mean(axis=0), atol=1e-13)
    with pytest.raises(LogError, match="no sample in this interval"):
        log.forces.mean(start_s=99.0)


def test_the_force_table_prints_units_terms_and_total():
    log = Log({"time_s": np.zeros(2)}, forces={"a": np.full((2, 6), 1.25), "longer_name": np.full((2, 6), -1e-9)})
    lines = str(log.forces.mean()).splitlines()
    assert lines[0].split() == ["term", *WRENCH]
    assert lines[1].split() == ["a"] + ["1.250"] * 6
    assert lines[2].split() == ["longer_name"] + ["0.000"] * 6  # not -0.000
    assert lines[3].split() == ["total"] + ["1.250"] * 6


def test_between_keeps_both_ends(log):
    part = log.between(1.0, 2.0)
    assert part.time_s[0] == pytest.approx(1.0)
    assert len(part) == 11
    assert part.forces["thrusters"].shape == (11, 6)
    assert part.meta == log.meta


def test_numpy_values_in_meta_become_plain(tmp_path):
    log = Log({"time_s": np.zeros(1)}, {"seed": np.int64(4), "start": np.array([1.0, 2.0])})
    log.to_csv(tmp_path / "m.csv")
    assert Log.from_csv(tmp_path / "m.csv").meta == {"seed": 4, "start": [1.0, 2.0]}
    with pytest.raises(LogError, match="plain values, got set"):
        Log({"time_s": np.zeros(1)}, {"seed": {1}}).to_csv(tmp_path / "m.csv")


def test_a_name_that_would_break_the_file_is_refused(tmp_path):
    with pytest.raises(LogError, match="may not hold a comma"):
        Log({"time_s": np.zeros(1), "a,b": np.zeros(1)}).to_csv(tmp_path / "m.csv")
