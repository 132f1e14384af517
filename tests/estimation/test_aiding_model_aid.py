"""The vehicle's dynamics as an instrument: the same kernel, fed with attitude and demands."""

import copy

import numpy as np
import pytest

import pelagos
from pelagos.estimation.aiding import ModelAid
from pelagos.messages import Actuation


@pytest.fixture(scope="module")
def flown():
    """A run in a current: attitude, rates, depth, demands and the velocity through the water of each tick."""
    sim = pelagos.Simulation("remus100", pelagos.World(depth_m=60.0, current_m_s=0.4, current_to_deg=30.0))
    sim.place(depth_m=10.0, surge_m_s=1.0)
    sim.command(depth_m=15.0, speed_m_s=1.5, heading_deg=60.0)
    rows = []
    for _ in range(400):
        quaternion, rates, depth = sim.plant.quaternion, sim.plant.nu[3:].copy(), float(sim.plant.position_n[2])
        sim.tick()
        rows.append((quaternion, rates, depth, sim.plant.command["demand"].copy(), sim.state().nu_r[:3].copy()))
    return sim.vehicle, rows


def follow(model, vehicle, rows):
    found = []
    for quaternion, rates, depth, demand, _ in rows:
        applied = Actuation(demand["thruster"][: len(vehicle.thrusters)], demand["surface"][: len(vehicle.surfaces)])
        found.append(model.advance(0.1, quaternion, rates, depth, applied))
    return np.array(found)


def test_it_goes_through_the_water_as_the_vehicle_does(flown):
    vehicle, rows = flown
    model = ModelAid(vehicle)
    model.start(np.array([0.0, 0.0, 0.0]))  # wrong at first: drag forgets it
    found, true = follow(model, vehicle, rows), np.array([row[4] for row in rows])
    # m/s: attitude and rates are given ten times a second and run free between. Quadratic drag forgets the start with
    # m / (2 X_uu u) = 31 kg / (2 x 2.2 kg/m x 1.5 m/s), 5 s: after 40 s 1.5 m/s have become 0.5 mm/s
    assert np.abs(found - true)[-1].max() < 0.005
    assert abs(found[0, 0] - true[0, 0]) > 0.5


def test_a_copy_is_a_model_of_its_own(flown):
    vehicle, rows = flown
    model = ModelAid(vehicle)
    model.start(np.array([1.0, 0.0, 0.0]))
    twin = copy.deepcopy(model)
    a, b = follow(model, vehicle, rows[:5]), follow(twin, vehicle, rows[:5])
    assert np.array_equal(a, b)


def test_a_model_that_leaves_the_numbers_begins_again(flown):
    vehicle, rows = flown
    model = ModelAid(vehicle)
    model.start(np.array([1e200, 0.0, 0.0]))
    quaternion, rates, depth, demand, _ = rows[0]
    applied = Actuation(demand["thruster"][: len(vehicle.thrusters)], demand["surface"][: len(vehicle.surfaces)])
    assert model.advance(0.1, quaternion, rates, depth, applied) is None
    assert model.advance(0.1, quaternion, rates, depth, applied) is not None
