import numpy as np
import pytest

from pelagos.console.flight_settings import settings_of
from pelagos.console.playback_scene import known_of
from pelagos.sim.log import Log
from pelagos.sim.scenario_read import load_scenario
from pelagos.sim.simulation import Simulation

PLACES = {name: np.zeros(3) for name in ("north_m", "east_m", "depth_m")}


def log(meta, **columns):
    return Log({"time_s": np.arange(3.0), **PLACES, **columns}, meta)


def test_a_recording_says_how_it_was_made(tmp_path):
    settings = settings_of("seagrant1", None, task="hover", conditions={"current_m_s": 0.4, "current_to_deg": 90.0})
    known = known_of(log({"flight": settings.described(), "vehicle": "seagrant1"}), tmp_path)
    assert known.vehicle.key == "seagrant1" and known.task.name == "hover" and not known.notes
    assert known.world.water_velocity([[0.0, 0.0, 50.0]])[0].tolist() == pytest.approx([0.0, 0.4, 0.0], abs=1e-12)


def test_a_run_of_a_scenario_has_its_tables(tmp_path):
    scenario = load_scenario("rov-hover-wellhead", {"world.current_m_s": 0.5})
    meta = {"scenario": scenario.name, "scenario_tables": scenario.raw, "vehicle": "seagrant1"}
    known = known_of(log(meta), tmp_path)
    assert known.world.current_m_s == 0.5 and len(known.world.structures) == len(scenario.world.structures)
    assert known.waypoints[0] == (35.0, -15.0, 97.5) and not known.notes


def test_of_several_vehicles_it_is_the_one_of_the_log(tmp_path):
    tables = {"vehicle": [{"use": "iver3", "name": "a"}, {"use": "remus100", "name": "b"}]}
    assert known_of(log({"scenario_tables": tables, "vehicle": "remus100"}), tmp_path).vehicle.key == "remus100"


def test_a_plain_run_names_its_world(tmp_path):
    meta = Simulation("bluerov2_heavy", "royer_field").meta()
    known = known_of(log(meta), tmp_path)
    assert known.vehicle.key == "bluerov2_heavy" and known.world.name == "Royer's field" and not known.notes


def test_what_is_not_known_is_plain_and_said(tmp_path):
    known = known_of(log({"vehicle": "nautilus", "world": "atlantis"}, depth_m=np.full(3, 4.0),
                         altitude_m=np.array([6.0, np.nan, 6.0])), tmp_path)  # fmt: skip
    assert known.world.depth_m == 10.0  # depth and altitude together
    assert any("nautilus" in note for note in known.notes) and any("open water" in note for note in known.notes)
    assert known_of(log({}), tmp_path).world.bottom is None


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
    known = known_of(log({"vehicle": "iver3", **meta}), tmp_path)
    assert known.vehicle is not None and (known.notes or meta == {})
