"""The sidecar: there from the start, replaced whole, strict JSON, and never over somebody else's file."""

import json
import platform

import numba
import numpy as np
import pytest

from pelagos.messages import Event
from pelagos.sim.log import csv
from pelagos.sim.log.log import Log, LogError
from pelagos.sim.log.recorder import Recorder


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
    recorder.append([0.0, 1.0], np.zeros(6))
    recorder.append([0.5, 2.0], np.zeros(6))
    recorder.event(Event(0.5, "leg", "leg 1 begins"))
    recorder.close()
    last = strict(tmp_path / "a.json")
    assert (last["complete"], last["samples"], last["end_s"]) == (True, 2, 0.5)
    assert last["events"] == [{"time_s": 0.5, "kind": "leg", "text": "leg 1 begins"}]
    assert last["meta"] == first["meta"]
    assert {path.name for path in tmp_path.iterdir()} == {"a.csv", "a.json"}  # nothing left behind


def test_what_json_has_no_number_for_is_a_word(tmp_path):
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
    said = strict(tmp_path / "a.json")
    said["meta"] |= {"seed": 9, "operator": "Ann"}
    csv.write_sidecar(tmp_path / "a.json", said)
    assert Log.from_csv(tmp_path / "a.csv").meta == {"seed": 1, "operator": "Ann"}  # the log itself goes first
