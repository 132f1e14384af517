"""Runs of a campaign: factors on vehicles, rows of finished and failed runs, equal numbers from both engines."""

import math

import numpy as np
import pytest

from pelagos.campaign import run_campaign
from pelagos.campaign.check import job_of
from pelagos.campaign.run import (
    factors_of,
    fly_alone,
    run_chunk,
    scale,
    scenario_of,
    split,
    why_not_batched,
)
from pelagos.campaign.sampling import PlannedRun
from pelagos.campaign.spec import Metric
from pelagos.campaign.vectorised.engine import run_batched
from pelagos.errors import CommandError
from pelagos.scenario.read import load_scenario, scenario_from
from pelagos.sim.log.log import Log
from pelagos.sim.simulation import Simulation
from pelagos.vehicle.load.vehicle import load_vehicle
from pelagos.vehicle.pack.records import mass_matrix
from tests.campaign.tiny import CURRENT, PUSH, tiny

FACTORS = {"vehicle.scale.mass": 1.1, "vehicle[1].scale.Y_uv": 0.9, "vehicle.0.scale.thruster:bow": 0.5}
AHEAD = PlannedRun(0, 5, {"control.sticks.surge": 0.5, "world.current_m_s": 0.1})
DIVE = {
    "vehicle": "bluerov2_heavy",
    "duration_s": 3.0,
    "log_rate_hz": 5.0,
    "world": {"depth_m": 30.0, "current_to_deg": 90.0},
    "start": {"depth_m": 5.0},
    "control": {"kind": "autopilot", "depth_m": 6.0, "heading_deg": 20.0},
}
VARY = [
    CURRENT,
    {"key": "control.depth_m", "low": 3.0, "high": 7.0},
    {"key": "vehicle.scale.mass", "mean": 1.0, "sigma": 0.05},
    {"key": "vehicle.scale.X_u", "low": 0.5, "high": 2.0},
]
METRICS = [
    {"name": "depth_m", "column": "depth_m", "take": "final"},
    {"name": "drift_m", "column": "hypot(north_m, east_m)", "take": "max"},
    {"name": "turned_deg", "column": "abs(wrap_deg(heading_deg - 20))", "take": "mean", "from_s": 1.0},
    {"name": "throttle", "column": "cmd_thruster_front_port_throttle", "take": "rms"},
]


def flown(changes=None, factors=None):
    logs = fly_alone(scenario_from(PUSH, changes=changes), [factors or {}])
    return logs["bluerov2_heavy"]


def test_a_coefficient():
    by_file = flown({"vehicle.change.hydro.coefficients": {"X_u": -13.7 * 3.0}})  # -13.7 in the library
    by_factor = flown(factors={"X_u": 3.0})
    assert np.ptp(by_file["surge_m_s"]) > 0.1
    np.testing.assert_allclose(by_factor["surge_m_s"], by_file["surge_m_s"], rtol=1e-12)  # one rounding: factor times
    assert abs(by_factor["surge_m_s"][-1] - flown()["surge_m_s"][-1]) > 1e-3


@pytest.mark.slow
def test_a_coefficient_that_holds_a_part_of_the_added_mass():
    """N_uv of remus100 is -24, of which -34.57 are added mass: a larger number turns it faster, not slower."""
    drift = {
        "vehicle": "remus100", "duration_s": 0.5, "world": {"depth_m": 30.0}, "control": {"kind": "direct"},
        "start": {"depth_m": 5.0, "surge_m_s": 1.5, "sway_m_s": 0.2},
    }  # fmt: skip
    by_file = fly_alone(scenario_from(drift, changes={"vehicle.change.hydro.coefficients": {"N_uv": -24.0 * 1.2}}))
    scenario, factors = scenario_from(drift), {"N_uv": 1.2}
    by_vehicle_file, nominal = by_file["remus100"]["yaw_rate_deg_s"], fly_alone(scenario)["remus100"]["yaw_rate_deg_s"]
    assert abs(by_vehicle_file[-1]) > abs(nominal[-1]) + 0.1
    for log in (fly_alone(scenario, [factors])["remus100"], *run_batched([scenario], [factors])):
        np.testing.assert_allclose(log["yaw_rate_deg_s"], by_vehicle_file, rtol=1e-9, atol=1e-12)


def test_a_leak_leaves_the_factors_as_they_are():
    leak = {"fault": [{"kind": "leak", "rate_kg_s": 0.5, "room_kg": 0.5, "at_s": 0.0}]}
    by_file = flown({"vehicle.change.hydro.coefficients": {"X_u": -13.7 * 3.0}, **leak})
    by_factor = flown(leak, {"X_u": 3.0})
    assert by_file["flooded_kg"][-1] > 0.1
    np.testing.assert_allclose(by_factor["surge_m_s"], by_file["surge_m_s"], rtol=1e-12)


def test_collisions_and_tethers_meet_the_mass_in_the_water():
    vehicle = load_vehicle("bluerov2_heavy")
    sim = Simulation(vehicle, tether=True)
    density = float(sim.plant.water["density"])
    whole, before = mass_matrix(vehicle, density), sim.plant.lightest_at_fairlead
    scale(sim, {"mass": 2.0})
    body = whole - vehicle.added_mass * density / vehicle.water.density_kg_m3
    np.testing.assert_allclose(sim.plant.packed.mass_matrix, whole + body, rtol=1e-12, atol=1e-12)
    assert 1.1 * before < sim.plant.lightest_at_fairlead < 2.0 * before


def test_all_thrust():
    log = flown(factors={"thrust": 0.0})
    assert abs(log["thrusters_X_N"]).max() == 0.0
    assert abs(flown()["thrusters_X_N"]).max() > 5.0


def test_an_unknown_name():
    with pytest.raises(CommandError, match=r'has no such parameter.*did you mean "X_u"'):
        flown(factors={"X_uu": 2.0})


def test_factors_are_told_from_keys_of_the_scenario():
    keys, factors = split({"world.current_m_s": 0.1, "vehicle.change.body.mass_kg": 14.0, **FACTORS})
    assert list(keys) == ["world.current_m_s", "vehicle.change.body.mass_kg"] and factors == FACTORS


def test_all_vehicles_or_one():
    assert factors_of(0, FACTORS, 2) == {"mass": 1.1, "thruster:bow": 0.5}
    assert factors_of(1, FACTORS, 2) == {"mass": 1.1, "Y_uv": 0.9}


def test_a_vehicle_that_is_not_there():
    with pytest.raises(CommandError, match="there is no vehicle 1; the scenario has 1"):
        factors_of(0, FACTORS, 1)
    with pytest.raises(CommandError, match=r"vehicle.scale.mass is 'much'; expected a finite number"):
        factors_of(0, {"vehicle.scale.mass": "much"}, 1)


def rows_of(*runs, **given):
    return run_chunk(job_of(tiny(**given)), runs)


def test_a_run_is_a_row_with_its_exact_values():
    (row,) = rows_of(AHEAD)
    assert (row["run"], row["seed"], row["status"], row["message"], row["engine"]) == (0, 5, "done", "", "single")
    assert row["world.current_m_s"] == 0.1 and row["simulated_s"] == pytest.approx(1.0) and row["wall_s"] > 0.0
    assert row["north_m"] > 0.05 and row["slow"] == 0.0


def test_a_value_out_of_range_is_the_failure_of_its_run():
    far = PlannedRun(1, 5, {"control.sticks.surge": 7.0, "world.current_m_s": 0.1})
    first, bad, last = rows_of(AHEAD, far, AHEAD._replace(run=2))
    assert bad["status"] == "failed" and "surge" in bad["message"] and "7" in bad["message"]
    assert bad["control.sticks.surge"] == 7.0 and "north_m" not in bad
    assert first["north_m"] == last["north_m"] == rows_of(AHEAD)[0]["north_m"]


def test_a_run_that_breaks_under_way_says_when(tmp_path):
    (tmp_path / "mine.py").write_text(
        "class Broken:\n"
        "    def __init__(self, vehicle): pass\n"
        "    def reset(self): pass\n"
        "    def update(self, seen, dt):\n"
        "        raise ZeroDivisionError('no')\n"
    )
    scenario = {**PUSH, "control": {"kind": "python", "class_name": str(tmp_path / "mine.py:Broken")}}
    (row,) = rows_of(PlannedRun(0, 1, {}), scenario=scenario, vary=[])
    assert row["status"] == "failed" and "ZeroDivisionError: no" in row["message"] and "\n" not in row["message"]


def test_logs_are_kept_if_asked_for(tmp_path):
    job = job_of(tiny(output={"logs": True}), str(tmp_path))
    (row,) = run_chunk(job, [AHEAD])
    log = Log.from_parquet(tmp_path / "run-000000.parquet")
    assert log["north_m"][-1] == row["north_m"] and log.meta["seed"] == 5


def test_vehicles_are_read_once():
    job = job_of(tiny())
    first, second = (scenario_of(job, AHEAD._replace(seed=seed))[0] for seed in (1, 2))
    assert first.vehicles[0].vehicle is second.vehicles[0].vehicle and first.seed != second.seed
    other, _ = scenario_of(job, PlannedRun(0, 1, {"vehicle.change.body.mass_kg": 14.0}))
    assert other.vehicles[0].vehicle.body.mass_kg == 14.0 != first.vehicles[0].vehicle.body.mass_kg


def test_entries_of_lists_are_counted_between_points_or_in_brackets():
    scenario = {**PUSH, "control": {}, "mission": [{"kind": "hold", "depth_m": 5.0, "seconds_s": 1.0}]}
    job = job_of(tiny(scenario=scenario, vary=[]))
    for key in ("mission.0.depth_m", "mission[0].depth_m"):
        made, _ = scenario_of(job, PlannedRun(0, 1, {key: 7.0}))
        assert made.vehicles[0].mission[0].depth_m == 7.0


def test_a_metric_that_is_unknown_is_no_failure():
    (row,) = rows_of(AHEAD, metric=[{"name": "late_m", "column": "north_m", "from_s": 100.0}])
    assert row["status"] == "done" and math.isnan(row["late_m"])


def test_both_engines_say_when_a_run_diverged():
    scenario = {**PUSH, "control": {"kind": "autopilot", "depth_m": 6.0}}
    wild = PlannedRun(0, 1, {"vehicle.scale.damping": 300.0})
    batch, single = (rows_of(wild, scenario=scenario, vary=[], engine=name)[0] for name in ("batch", "single"))
    assert batch["status"] == single["status"] == "failed" and "diverged" in batch["message"]
    assert batch["simulated_s"] == single["simulated_s"] > 0.0


@pytest.fixture(scope="module")
def both(tmp_path_factory):
    """Ten runs with an instrument, whose errors follow the seed of each run, by both engines."""
    folder = tmp_path_factory.mktemp("engines")
    scenario = DIVE | {"sensor": [{"kind": "depth", "noise_m": 0.1, "rate_hz": 4.0}]}
    metrics = [*METRICS, {"name": "deepest_reading_m", "column": "depth_depth_m", "take": "max"}]
    given = {"scenario": scenario, "vary": VARY, "metric": metrics, "method": "lhs", "runs": 10}
    return [run_campaign(tiny(engine=name, **given), folder / name, workers=1) for name in ("auto", "single")]


@pytest.mark.slow
def test_what_can_be_batched_is(both):
    batch, single = both
    assert set(batch["engine"]) == {"batch"} and set(single["engine"]) == {"single"}
    assert set(batch["status"]) == set(single["status"]) == {"done"}


def test_the_numbers_are_the_same(both):
    batch, single = both
    for name in ("run", "seed", "simulated_s", *batch.keys):
        np.testing.assert_array_equal(batch[name], single[name])
    for name in batch.metrics:
        # the kernels of lanes and of one vehicle round differently: 3e-13 was seen after 30 s, nine digits are promised
        np.testing.assert_allclose(batch[name], single[name], rtol=1e-9, atol=1e-9, err_msg=name)
        assert np.ptp(single[name]) > 1e-3 * abs(single[name]).max()  # there is something to compare


@pytest.mark.slow
def test_events_and_faults_with_varied_numbers_are_the_same(tmp_path):
    """Times and sizes of events and faults differ from run to run, as do factors on the damaged vehicle."""
    tables = DIVE | {
        "event": [{"at_s": 1.0, "depth_m": 7.0}, {"when": "depth_m > 5.05", "heading_deg": 60.0}],
        "fault": [
            {"kind": "thruster_weak", "thruster": "front_port", "at_s": 0.5},
            {"kind": "current_gust", "speed_m_s": 0.2, "rise_s": 0.5, "seconds_s": 1.5, "when": "time_s > 0.8"},
            {"kind": "leak", "rate_kg_s": 0.2, "at_s": 1.0},
        ],
    }
    vary = [
        VARY[2], {"key": "event[0].at_s", "low": 0.2, "high": 2.0}, {"key": "fault[0].share", "low": 0.0, "high": 1.0},
        {"key": "fault[1].to_deg", "low": 0.0, "high": 90.0}, {"key": "fault[2].rate_kg_s", "low": 0.1, "high": 0.4},
    ]  # fmt: skip
    metrics = [*METRICS[:3], {"name": "water_kg", "column": "flooded_kg", "take": "final"}]
    batch, single = (
        run_campaign(
            tiny(scenario=tables, vary=vary, metric=metrics, runs=6, engine=engine), tmp_path / engine, workers=1
        )
        for engine in ("batch", "single")
    )
    assert set(batch["status"]) == {"done"} and set(batch["engine"]) == {"batch"}
    for name in batch.metrics:
        np.testing.assert_allclose(batch[name], single[name], rtol=1e-9, atol=1e-9, err_msg=name)
        assert np.ptp(single[name]) > 1e-3 * abs(single[name]).max()


def test_what_cannot_be_batched_says_why():
    dive = load_scenario("first-dive")
    assert why_not_batched(dive, []) == ""
    assert "faster than the control rate" in why_not_batched(load_scenario("first-dive", {"sensor": True}), [])
    force = Metric(name="x", column="thrusters_X_N")
    assert why_not_batched(dive, [force]).startswith("a metric reads the force thrusters_X_N")
