"""CSV logs: exact, equal bytes for equal runs, readable when cut short; the sidecar is strict JSON, replaced whole."""

import json
import os
import platform

import numba
import numpy as np
import pytest

from pelagos.messages import Event
from pelagos.sim.log import csv
from pelagos.sim.log.log import Log, LogError
from pelagos.sim.log.recorder import Recorder
from tests.sim.log.samples import append
from tests.sim.synthetic import same, synthetic_log


def strict(path):
    """JSON as every other program reads it: no NaN, no Infinity."""

    def refuse(word):
        raise AssertionError(f"{word} is not JSON")

    return json.loads(path.read_text(), parse_constant=refuse)


def test_it_is_there_from_the_start_and_finished_at_the_end(tmp_path):
    recorder = Recorder(("time_s", "depth_m"), ("drag",), {"seed": 5, "world": {"depth_m": 30.0}}, tmp_path / "a.csv")
    first = strict(tmp_path / "a.json")
    assert first["complete"] is False and first["samples"] is None
    assert first["meta"]["seed"] == 5 and first["meta"]["world"] == {"depth_m": 30.0}
    assert first["columns"] == {"time_s": "s", "depth_m": "m"}
    assert first["force_columns"]["drag_X_N"] == "N" and first["force_columns"]["drag_N_N_m"] == "N m"
    made_by = {"python": platform.python_version(), "numpy": np.__version__, "numba": numba.__version__}
    assert first["versions"].items() >= made_by.items() and "pelagos" in first["versions"]
    append(recorder, [0.0, 1.0], np.zeros(6))
    append(recorder, [0.5, 2.0], np.zeros(6))
    recorder.event(Event(0.5, "leg", "leg 1 begins"))
    recorder.close()
    last = strict(tmp_path / "a.json")
    assert (last["complete"], last["samples"], last["end_s"]) == (True, 2, 0.5)
    assert last["events"] == [{"time_s": 0.5, "kind": "leg", "text": "leg 1 begins"}]
    assert last["meta"] == first["meta"]
    assert {path.name for path in tmp_path.iterdir()} == {"a.csv", "a.json"}  # nothing left behind


def test_nan_and_infinity_are_texts_in_json(tmp_path):
    Log({"time_s": np.zeros(1)}, {"depth_m": np.inf, "rest": [np.nan, {"low": -np.inf}]}).to_csv(tmp_path / "a.csv")
    assert strict(tmp_path / "a.json")["meta"] == {"depth_m": "inf", "rest": ["nan", {"low": "-inf"}]}
    assert Log.from_csv(tmp_path / "a.csv").meta["depth_m"] == np.inf  # the log itself keeps the number


@pytest.mark.parametrize("text", ["{}", '{"format": 3}', "[1, 2]", "not JSON", ""])
def test_a_file_of_somebody_else_is_left_alone(tmp_path, text):
    (tmp_path / "a.json").write_text(text)
    with pytest.raises(LogError, match=r"a\.json: exists and is not the sidecar of a log; choose another name"):
        Recorder(("time_s",), path=tmp_path / "a.csv")
    assert (tmp_path / "a.json").read_text() == text
    assert not (tmp_path / "a.csv").exists()


def test_the_sidecar_of_the_run_before_is_replaced(tmp_path):
    for seed in (1, 2):
        Log({"time_s": np.zeros(1)}, {"seed": seed}).to_csv(tmp_path / "a.csv")
    assert strict(tmp_path / "a.json")["meta"] == {"seed": 2}


def test_meta_that_only_the_sidecar_has_is_added(tmp_path):
    Log({"time_s": np.zeros(1)}, {"seed": 1}).to_csv(tmp_path / "a.csv")
    content = strict(tmp_path / "a.json")
    content["meta"] |= {"seed": 9, "operator": "Ann"}
    csv.write_sidecar(tmp_path / "a.json", content)
    assert Log.from_csv(tmp_path / "a.csv").meta == {"seed": 1, "operator": "Ann"}  # the log itself goes first


LEAK = Event(1.25, "fault", "battery bay: leak of 0.2 L/min", "auv1")
DONE = Event(3.0, "leg", 'leg "dive" done')


@pytest.fixture
def log():
    return synthetic_log(seconds=5.0)


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


def test_header_is_json_behind_hashes(log, tmp_path):
    log.to_csv(tmp_path / "dive.csv")
    lines = (tmp_path / "dive.csv").read_text().splitlines()
    meta = dict(line[2:].split(": ", 1) for line in lines[1:6])
    assert {key: json.loads(value) for key, value in meta.items()} == log.meta
    assert lines[6].split(",")[:4] == ["time_s", "north_m", "east_m", "depth_m"]
    assert lines[-1] == f'# complete: {{"samples": {len(log)}}}'


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
    ("text", "sentence"),
    [
        ("", "no line of column names"),
        ("a,b\n1,2\n", "no line of column names"),
        ("time_s,depth_m\n0,1\n0,1,2\n0,1\n", "line 3: number of values = 3: expected 2"),
        ("time_s,depth_m\n0,deep\n", "not a number"),
        ("# seed: {oops\ntime_s\n0\n", 'line 1: seed = "{oops": expected JSON'),
    ],
)
def test_a_broken_file_is_refused_in_one_sentence(tmp_path, text, sentence):
    (tmp_path / "bad.csv").write_text(text)
    with pytest.raises(LogError, match=sentence) as caught:
        Log.from_csv(tmp_path / "bad.csv")
    assert "bad.csv" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_numpy_values_in_meta_become_plain(tmp_path):
    log = Log({"time_s": np.zeros(1)}, {"seed": np.int64(4), "start": np.array([1.0, 2.0])})
    log.to_csv(tmp_path / "m.csv")
    assert Log.from_csv(tmp_path / "m.csv").meta == {"seed": 4, "start": [1.0, 2.0]}
    with pytest.raises(LogError, match="expected numbers, text, lists and tables"):
        Log({"time_s": np.zeros(1)}, {"seed": {1}}).to_csv(tmp_path / "m.csv")


def test_a_name_that_would_break_the_file_is_refused(tmp_path):
    with pytest.raises(LogError, match="expected no comma, line end or leading #"):
        Log({"time_s": np.zeros(1), "a,b": np.zeros(1)}).to_csv(tmp_path / "m.csv")


def test_events_stand_where_they_happened(log, tmp_path):
    log.events += [LEAK, DONE]
    log.to_csv(tmp_path / "dive.csv")
    lines = (tmp_path / "dive.csv").read_text().splitlines()
    where = [k for k, line in enumerate(lines) if line.startswith("# event: ")]
    assert [json.loads(lines[k][9:])["kind"] for k in where] == ["fault", "leg"]
    # 10 Hz: 1.2 s is the last sample before the leak; the leg ended at the sample of 3.0 s
    assert [float(lines[k - 1].split(",")[0]) for k in where] == pytest.approx([1.2, 3.0])
    assert same(Log.from_csv(tmp_path / "dive.csv"), log)


def test_a_line_that_is_no_event_is_refused(tmp_path):
    (tmp_path / "bad.csv").write_text('time_s\n0.0\n# event: {"kind": "leak"}\n')
    with pytest.raises(LogError, match=r"event = .*: expected time_s, kind and text"):
        Log.from_csv(tmp_path / "bad.csv")


def test_an_old_log_reads(tmp_path):
    """As version 0.1.0 wrote it: no events, no sidecar."""
    text = '# pelagos log 1\n# vehicle: "remus100"\n# seed: 1\ntime_s,depth_m\n0.0,1.5\n0.1,1.25\n# complete: true\n'
    (tmp_path / "old.csv").write_text(text)
    log = Log.from_csv(tmp_path / "old.csv")
    assert log.complete and log.meta == {"vehicle": "remus100", "seed": 1} and log.events == []
    assert log["depth_m"].tolist() == [1.5, 1.25]


def test_a_lost_or_foreign_sidecar_takes_nothing_away(log, tmp_path):
    log.events.append(LEAK)
    log.to_csv(tmp_path / "dive.csv")
    for spoil in ("{", "[1]", '{"format": "of another program", "meta": {"seed": 99, "depth": 3}}'):
        (tmp_path / "dive.json").write_text(spoil)
        assert same(Log.from_csv(tmp_path / "dive.csv"), log)
    (tmp_path / "dive.json").unlink()
    assert same(Log.from_csv(tmp_path / "dive.csv"), log)


def test_without_a_sidecar_on_request(log, tmp_path):
    log.to_csv(tmp_path / "dive.csv", sidecar=False)
    assert os.listdir(tmp_path) == ["dive.csv"]


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="the system has no full device")
def test_a_full_disk_is_one_sentence(log):
    with pytest.raises(LogError, match=r"/dev/full: .*cannot be written any further \(No space left on device\)"):
        log.to_csv("/dev/full")


def test_pandas_reads_it_without_us(log, tmp_path):
    pandas = pytest.importorskip("pandas")
    log.events.append(LEAK)
    log.to_csv(tmp_path / "dive.csv")
    frame = pandas.read_csv(tmp_path / "dive.csv", comment="#", float_precision="round_trip")
    assert list(frame.columns) == list(log.names)
    assert np.array_equal(frame.to_numpy(), log.table())
