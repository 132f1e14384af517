import numpy as np
import pytest

from pelagos.scenario.build import execute
from pelagos.scenario.read import load_scenario, scenario_from
from pelagos.session.make import settings_of
from pelagos.session.record.playback import known_of
from pelagos.sim.log.load import load_log
from pelagos.sim.log.log import Log
from pelagos.sim.simulation import Simulation

PLACES = {name: np.zeros(3) for name in ("north_m", "east_m", "depth_m")}


def log(meta, **columns):
    return Log({"time_s": np.arange(3.0), **PLACES, **columns}, meta)


def test_a_recording_says_how_it_was_made(tmp_path):
    settings = settings_of("seagrant1", None, task="hover", conditions={"current_m_s": 0.4, "current_to_deg": 90.0})
    known = known_of(log({"flight": settings.described(), "vehicle": "seagrant1"}), tmp_path / "a.csv")
    assert known.vehicle.key == "seagrant1" and known.task.name == "hover" and not known.notes
    assert known.world.water_velocity([[0.0, 0.0, 50.0]])[0].tolist() == pytest.approx([0.0, 0.4, 0.0], abs=1e-12)


def test_a_run_of_a_scenario_has_its_tables(tmp_path):
    scenario = load_scenario("rov-hover-wellhead", {"world.current_m_s": 0.5})
    meta = {"scenario": scenario.name, "scenario_tables": scenario.raw, "vehicle": "seagrant1"}
    known = known_of(log(meta), tmp_path / "a.csv")
    assert known.world.current_m_s == 0.5 and len(known.world.structures) == len(scenario.world.structures)
    assert known.waypoints[0] == (35.0, -15.0, 97.5) and not known.notes


def test_of_several_vehicles_it_is_the_one_of_the_log(tmp_path):
    tables = {"vehicle": [{"use": "iver3", "name": "a"}, {"use": "remus100", "name": "b"}]}
    known = known_of(log({"scenario_tables": tables, "vehicle": "remus100"}), tmp_path / "run.csv")
    assert known.vehicle.key == "remus100"
    assert known.notes == ["of the 2 vehicles of this run, a, b, the log is that of b: it is shown"]


def test_twins_are_told_apart_by_name(tmp_path):
    """The name in the log, or the end of its file's name; where neither says it, that is said."""
    legs = [[{"kind": "follow_path", "points_m": [[10.0 * k, 0.0], [10.0 * k, 50.0]], "depth_m": 5.0, "speed_m_s": 1.0}]
            for k in (1, 2, 3)]  # fmt: skip
    tables = {"vehicle": [{"use": "iver3", "name": name, "mission": leg}
                          for name, leg in zip(("left", "right", "far-right"), legs, strict=True)]}  # fmt: skip
    meta = {"scenario_tables": tables, "vehicle": "iver3"}

    def first(file, **more):
        known = known_of(log({**meta, **more}), tmp_path / file)
        return known.waypoints[0][0], known.notes[0]

    assert first("run.csv", name="right")[0] == 20.0
    assert first("run-left.csv", name="far-right")[0] == 30.0
    assert first("run-right.csv")[0] == 20.0 and first("run-far-right.parquet.unfinished")[0] == 30.0
    assert first("run.csv") == (10.0, "the log does not say which of left, right, far-right it is of; the path of left "
                                      "is drawn")  # fmt: skip


def test_a_run_writes_which_of_its_vehicles_a_log_is_of(tmp_path):
    scenario = scenario_from(
        {"duration_s": 0.4, "vehicle": [{"use": "iver3", "name": "left", "start": {"depth_m": 5.0}},
                                        {"use": "iver3", "name": "right", "start": {"east_m": 9.0, "depth_m": 5.0}}]},
        "twins.toml", tmp_path,
    )  # fmt: skip
    files = execute(scenario, str(tmp_path / "run")).files
    moved = tmp_path / "b.csv"
    moved.write_bytes((tmp_path / "run-right.csv").read_bytes())
    assert load_log(files["left"]).meta["name"] == "left"
    assert "the log is that of right" in known_of(load_log(moved), moved).notes[0]


def test_a_plain_run_names_its_world(tmp_path):
    meta = Simulation("bluerov2_heavy", "royer_field").meta()
    known = known_of(log(meta), tmp_path / "a.csv")
    assert known.vehicle.key == "bluerov2_heavy" and known.world.name == "Royer's field" and not known.notes


def test_what_is_not_known_is_plain_and_said(tmp_path):
    known = known_of(log({"vehicle": "nautilus", "world": "atlantis"}, depth_m=np.full(3, 4.0),
                         altitude_m=np.array([6.0, np.nan, 6.0])), tmp_path / "a.csv")  # fmt: skip
    assert known.world.depth_m == 10.0  # depth and altitude together
    assert any("nautilus" in note for note in known.notes) and any("open water" in note for note in known.notes)
    assert known_of(log({}), tmp_path / "a.csv").world.bottom is None


@pytest.mark.parametrize(
    "meta",
    [
        {"flight": {"seed": 1}}, {"flight": {"scenario": 3, "seed": 1, "rate_hz": 50.0, "task": "", "conditions": {}}},
        {"scenario_tables": {"vehicle": "nobody"}}, {"scenario_tables": {"vehicle": 5}}, {"vehicle": 7, "world": []},
        {"flight": {"seed": "x", "rate_hz": None, "task": 3, "conditions": 1, "vehicle": "iver3", "world": {},
                    "tether": None, "start": None, "sensors": 1}},
    ],
)  # fmt: skip
def test_nonsense_in_a_log_gives_a_note_and_no_error(tmp_path, meta):
    known = known_of(log({"vehicle": "iver3", **meta}), tmp_path / "a.csv")
    assert known.vehicle is not None and (known.notes or meta == {})
