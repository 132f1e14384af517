"""A factor does what the same change of the vehicle's file does, and leaves the description alone."""

import numpy as np
import pytest

from pelagos.campaign.run import fly_alone, fly_together, scale
from pelagos.errors import CommandError
from pelagos.scenario.read import scenario_from
from pelagos.sim.simulation import Simulation
from pelagos.vehicle.load.vehicle import load_vehicle
from pelagos.vehicle.pack.records import mass_matrix
from tests.campaign.tiny import PUSH


def flown(changes=None, factors=None):
    logs = fly_alone(scenario_from(PUSH, changes=changes), [factors or {}])
    return logs["bluerov2_heavy"]


def test_a_coefficient():
    by_file = flown({"vehicle.change.hydro.coefficients": {"X_u": -13.7 * 3.0}})  # -13.7 in the library
    by_factor = flown(factors={"X_u": 3.0})
    assert np.ptp(by_file["surge_m_s"]) > 0.1
    np.testing.assert_allclose(by_factor["surge_m_s"], by_file["surge_m_s"], rtol=1e-12)  # one rounding: factor times
    assert abs(by_factor["surge_m_s"][-1] - flown()["surge_m_s"][-1]) > 1e-3


def test_a_coefficient_that_holds_a_part_of_the_added_mass():
    """N_uv of remus100 is -24, of which -34.57 are added mass: a larger number turns it faster, not slower."""
    drift = {
        "vehicle": "remus100", "duration_s": 0.5, "world": {"depth_m": 30.0}, "control": {"kind": "direct"},
        "start": {"depth_m": 5.0, "surge_m_s": 1.5, "sway_m_s": 0.2},
    }  # fmt: skip
    by_file = fly_alone(scenario_from(drift, changes={"vehicle.change.hydro.coefficients": {"N_uv": -24.0 * 1.2}}))
    scenario, factors = scenario_from(drift), {"N_uv": 1.2}
    wanted, nominal = by_file["remus100"]["yaw_rate_deg_s"], fly_alone(scenario)["remus100"]["yaw_rate_deg_s"]
    assert abs(wanted[-1]) > abs(nominal[-1]) + 0.1
    for log in (fly_alone(scenario, [factors])["remus100"], *fly_together([scenario], [factors])):
        np.testing.assert_allclose(log["yaw_rate_deg_s"], wanted, rtol=1e-9, atol=1e-12)


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
