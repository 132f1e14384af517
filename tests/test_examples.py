"""Every example runs, and its key figure is correct; missions equal those of their scenario files."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest
from pytest import approx

from pelagos.files.library import SCENARIOS
from pelagos.scenario.read import load_scenario

EXAMPLES = Path(__file__).parents[1] / "examples"
PARTS = {"seabed"}  # a force that own_force_compiled.py uses
ELSEWHERE = {"ppo_station_keeping": "test_ppo_example.py"}  # needs torch; a separate test runs it for a few updates
PNG = b"\x89PNG\r\n\x1a\n"


def run(name, folder, *more):
    spec = importlib.util.spec_from_file_location(f"example_{name}", EXAMPLES / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.main(folder, *more)


def first_dive(log):
    assert log["depth_m"][-1] == approx(5.0, abs=0.05)  # m: the autopilot has settled
    assert log["heading_deg"][-1] == approx(90.0, abs=0.5)  # deg


def which_force_did_what(balance):
    assert np.abs(balance.total).max() < 0.01  # N, N m: steady, as the example says; single terms are 7 N
    assert balance["thrusters"][0] == approx(7.16, abs=0.01)  # 2 x 0.804776 lbf, closed form
    assert balance["rigid_body"][1] < -5.0  # the centrifugal force, outwards


def my_vehicle(speeds):
    assert 0.3 < speeds["my_vehicle"] < 0.99 * speeds["bluerov2_heavy"]  # the skid costs speed


def own_force_python(pull_and_drag):
    pull, drag = pull_and_drag
    assert pull == approx(drag, rel=0.01)  # 1 %: the last of the swinging
    assert pull == approx(13.7 * 0.5 + 141.0 * 0.25, rel=0.02)  # X_u u + X_u|u| u|u| of the vehicle file, bow on


def own_force_compiled(depths):
    rest, thrown = depths
    assert 10.0 < rest < 10.01  # m: 42 N on 20 kN/m is 2 mm
    assert thrown < 9.9  # held for 0.1 s the same law throws it off the floor


def own_controller(overshoot):
    assert 0.5 < overshoot < 10.0  # deg: it passes 10 deg, and comes back


def compare_integrators(errors):
    at = 1  # step 0.1 s; published errors in ft, two or three digits (2 %)
    for method, feet in {"euler": 0.121, "brutzman_printed": 0.203, "heun": 1.70e-4}.items():
        assert errors[method][at] == approx(0.3048 * feet, rel=0.02)
    assert errors["rk4"][at] < 1e-7


def through_a_loop(errors):
    assert errors["quaternion"] < 1e-8  # m
    assert errors["euler"] > 1e4 * errors["quaternion"]


def torpedo_from_three_numbers(speed_and_depth):
    assert speed_and_depth == approx((1.5, 5.0), abs=0.05)  # the setpoints


def many_vehicles(rate):
    assert rate.shape == (1024,)
    assert 0.1 < rate.std() < 2.0  # deg/s: no two alike
    assert rate.mean() == approx(6.0, abs=0.5)  # deg/s to starboard, as the vehicle of the file


def surface_float(depth_and_pitch):
    depth, pitch = depth_and_pitch
    assert depth == approx(0.130, abs=0.005)  # m: as published
    assert pitch == approx(1.18, abs=0.15)  # deg, closed form; it still swings by 0.05 deg


def drift_in_a_tide(north_and_east):
    # m: the tide closes, the mean current stays; until the water has caught it and while it rises it misses some metres
    assert north_and_east == approx((0.0, 0.05 * 12.4206012 * 3600.0), abs=15.0)


def ram_a_column(logs):
    for offset, log in logs.items():
        assert log["contact_with"][-1] == 0.0  # it leans on the first and only structure
        # m: nothing of the box of 0.46 x 0.58 m comes closer than the column is wide; O is in its middle
        assert np.hypot(log["north_m"] - 3.0, log["east_m"] - offset).min() > 0.4 + 0.23 - 0.005
    assert logs[0.0]["north_m"][-1] == approx(3.0 - 0.4 - 0.23, abs=0.005)  # bow on: flat against it


def sonar_rays(nearest):
    assert set(nearest) == {"column 1", "column 2", "column 3", "column 4", "wellhead", "pipeline"}
    assert nearest["pipeline"] == approx(9.0, abs=1e-9)  # m: 99 m, its top, less 90 m
    corner = np.hypot(40.0 - 10.0 - 0.75, 10.0 - 0.75)  # the column's nearest edge; rays are 0.25 deg apart
    assert nearest["column 2"] == approx(corner, abs=0.06)


def tether_inspection(runs):
    free, tied, pull = runs[0.3]
    speed = free / 240.0 + 0.3  # m/s through the water, full ahead; the start costs 1 %
    straight = np.sqrt(100.0**2 - 18.0**2) + 0.23  # m: from a fairlead 0.23 m behind O
    assert straight - 2.0 < tied < straight + 0.15  # a bow shortens it; 95 N on 1e5 N stretch 100 m by 0.1 m
    # N: thrust less the drag of the vehicle held in this current, with X_u and X_u|u| of its file; 10 %: the thrust
    # is that at speed, and the cable pulls down a little
    assert pull == approx(13.7 * (speed - 0.3) + 141.0 * (speed**2 - 0.3**2), rel=0.1)
    free, tied, pull = runs[0.6]
    assert tied < 0.9 * free  # slower, and not yet taut
    assert 5.0 < pull < 20.0  # N


def choose_rudder(log_and_wrong):
    log, wrong = log_and_wrong
    assert log["heading_deg"][-1] == approx(60.0, abs=2.0)  # deg: half of the way between two angles is 1.5 deg
    assert wrong.size >= 3 and np.abs(wrong).max() < 0.05  # deg: the same equations, in steps five times as long


def robot_client(away):
    # m: the law of the screws, 600 rpm/m, needs 0.06 m for the 34 rpm of this current; the rest of the swing is dying
    assert len(away) == 450 and max(away) < 0.5


FILES = {
    first_dive: ["dive.png"],
    which_force_did_what: ["turn_forces.png"],
    my_vehicle: ["my_vehicle.png"],
    own_force_python: ["moored.png"],
    own_force_compiled: ["seabed.png"],
    own_controller: ["zigzag.png"],
    compare_integrators: ["integrators.png"],
    through_a_loop: ["loop.png"],
    torpedo_from_three_numbers: ["torpedo_1600.toml", "torpedo_1600.png"],
    many_vehicles: ["many_vehicles.png"],
    surface_float: ["float.png"],
    drift_in_a_tide: ["drift.png"],
    ram_a_column: ["ram.png"],
    sonar_rays: ["rays.png"],
    tether_inspection: ["tether.png"],
    choose_rudder: ["choose_rudder.png"],
    robot_client: ["robot_client.csv", "robot_client.json"],
}

# missions that have a scenario file: simulated seconds here; tests/test_scenarios.py flies the files to their ends
MISSIONS = {
    "iver3_submerged": 60.0,
    "iver3_surfacing": 60.0,
    "phoenix_hover": 60.0,
    "phoenix_cruise_to_hover": 60.0,
    "rov_pipeline": 60.0,
    "rov_hover_wellhead": 60.0,
    "rov_tether_hover": 30.0,
    "gavia_terrain": 60.0,
    "remus_lawnmower": 60.0,
    "remus_trackline": 60.0,
    "bluerov_tether_inspection": 30.0,
    "glider_sawtooth": 300.0,
}


@pytest.mark.slow
@pytest.mark.parametrize("finding", FILES, ids=lambda finding: finding.__name__)
def test_example(finding, tmp_path, capsys):
    finding(run(finding.__name__, tmp_path))
    assert capsys.readouterr().out.count("\n") >= 2  # it prints a summary
    assert {path.name for path in tmp_path.iterdir()} == set(FILES[finding])
    for name in FILES[finding]:
        if name.endswith(".png"):
            assert (tmp_path / name).read_bytes().startswith(PNG)


@pytest.mark.slow
@pytest.mark.parametrize("name", MISSIONS)
def test_a_mission_in_python_is_that_of_its_file(name, tmp_path, capsys):
    seconds = MISSIONS[name]
    flown = run(name, tmp_path, seconds)
    assert capsys.readouterr().out.count("\n") >= 2
    assert {path.name for path in tmp_path.iterdir()} == {f"{name}.png"}
    filed = load_scenario(name, {"duration_s": seconds}).run()
    assert list(flown.columns) == list(filed.columns)
    assert flown.time_s[-1] == seconds
    for column in filed.columns:  # to the last bit
        assert np.array_equal(flown[column], filed[column], equal_nan=True), column


def test_every_ready_scenario_has_its_example():
    names = {name.replace("-", "_") for name in SCENARIOS.names()}
    assert names == {*MISSIONS, "first_dive", "gavia_notes"}  # the last has no mission


def test_every_example_is_tested_and_every_file_is_used():
    known = {finding.__name__ for finding in FILES} | PARTS | set(MISSIONS) | set(ELSEWHERE)
    assert {path.stem for path in EXAMPLES.glob("*.py")} == known
    assert all(f"{name}.py" in Path(__file__).with_name(test).read_text() for name, test in ELSEWHERE.items())
    text = "".join(path.read_text() for path in EXAMPLES.glob("*.py"))
    assert all(path.name in text for path in EXAMPLES.glob("*.toml"))
