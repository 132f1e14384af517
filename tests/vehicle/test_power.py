"""Electric power of thrusters: the disc in closed form, figures of the file, the thrust as the engine has it."""

import math
from dataclasses import replace

import numpy as np
import pytest

from pelagos.vehicle.load.vehicle import load_vehicle, loads
from pelagos.vehicle.plant import Plant
from pelagos.vehicle.power import EFFICIENCY, ThrusterPower, disc_power
from tests.vehicle.plain import PLAIN

SCREW = """
[[thrusters]]
name = "screw"
position_m = [-1, 0, 0]
direction = [1, 0, 0]
drive = "force"
lag_on = "thrust"
maximum_N = 100
diameter_m = 0.2
"""
AREA = math.pi * 0.01
REST = np.zeros(6)


def ahead(speed):
    return np.array([speed, 0.0, 0.0, 0.0, 0.0, 0.0])


def test_bollard_pull_of_a_disc():
    # T^(3/2) / sqrt(2 rho A)
    assert disc_power(50.0, 0.0, AREA, 1000.0) == pytest.approx(50.0**1.5 / math.sqrt(2000.0 * AREA), rel=1e-12)


def test_under_way_the_power_tends_to_thrust_times_speed():
    # the disc speeds up the water by 2w with T = rho A (u + w) 2w: momentum and energy must agree
    thrust, u, rho = 30.0, 1.5, 1025.0
    w = disc_power(thrust, u, AREA, rho) / thrust - u
    assert rho * AREA * (u + w) * 2.0 * w == pytest.approx(thrust, rel=1e-12)
    assert disc_power(1e-6, 2.0, AREA, rho) == pytest.approx(2e-6, rel=1e-6)
    assert disc_power(-30.0, -1.5, AREA, rho) == pytest.approx(disc_power(30.0, 1.5, AREA, rho))


def power(vehicle, drives, nu=REST, density=None):
    """Watts of a vehicle that moves at nu with its thrusters at these drives."""
    plant = Plant(vehicle, density_kg_m3=density)
    plant.place(nu=nu)
    plant.set_actuators(thrusters=drives, at_once=True)
    plant.evaluate()
    reached = plant.state["actuators"]["thruster"][: len(vehicle.thrusters)]
    return ThrusterPower(vehicle, density).watts(plant.thrust_and_inflow(), reached)


def test_without_a_figure_the_stated_efficiency():
    vehicle = loads(PLAIN + SCREW, "body.toml")
    assert power(vehicle, [50.0]) == pytest.approx(disc_power(50.0, 0.0, AREA, 1025.0) / EFFICIENCY, rel=1e-12)


def test_the_figure_of_the_file_comes_out_at_full_drive():
    vehicle = loads(PLAIN + SCREW + "power_at_maximum_kW = 0.8\nlaw = 'linear'", "body.toml")
    assert vehicle.thrusters[0].power_at_maximum_w == pytest.approx(800.0)
    assert power(vehicle, [100.0]) == pytest.approx(800.0, rel=1e-9)
    assert power(vehicle, [25.0]) == pytest.approx(100.0, rel=1e-9)  # (1/4)^(3/2) = 1/8


def test_a_table_gives_its_full_thrust_its_power():
    rov = load_vehicle("bluerov2_heavy")
    unit = rov.thrusters[0]
    assert unit.power_at_maximum_w == 290.0
    full = np.zeros(len(rov.thrusters))
    full[0] = unit.maximum
    assert power(rov, full) == pytest.approx(290.0, rel=1e-9)
    # thrust follows the density, and P = T^(3/2) / sqrt(2 rho A) with it
    assert power(rov, full, density=1.21 * rov.water.density_kg_m3) == pytest.approx(1.21 * 290.0, rel=1e-9)


def test_a_windmill_and_a_stopped_thruster_draw_nothing():
    remus = load_vehicle("remus100")
    assert power(remus, [0.0], ahead(1.5)) == 0.0
    milling = replace(remus, thrusters=(replace(remus.thrusters[0], inflow_forward=10.0),))
    assert power(milling, [10.0], ahead(5.0)) == 0.0


@pytest.mark.parametrize("key", ["remus100", "phoenix", "gavia", "bluerov2_heavy", "delphin2", "rexrov"])
def test_the_pushes_add_up_to_the_force_of_the_thrusters(key):
    vehicle = load_vehicle(key)
    plant = Plant(vehicle)
    rng = np.random.default_rng(2)
    for _ in range(5):
        nu = rng.uniform(-1.0, 1.0, 6) * (1.0, 0.3, 0.3, 0.2, 0.2, 0.2)
        plant.place(nu=nu)
        drives = np.array([rng.uniform(t.minimum, t.maximum) for t in vehicle.thrusters])
        plant.set_actuators(thrusters=drives, at_once=True)
        reached = plant.state["actuators"]["thruster"][: len(vehicle.thrusters)]
        plant.evaluate()
        push = sum(
            t * np.array(unit.direction_b)
            for t, unit in zip(plant.thrust_and_inflow()[:, 0], vehicle.thrusters, strict=True)
        )
        assert push == pytest.approx(plant.forces()["thrusters"][:3], rel=1e-9, abs=1e-9)
        assert all(watts >= 0.0 for watts in ThrusterPower(vehicle).each(plant.thrust_and_inflow(), reached))
        # the inflow of each is the velocity of its point along its axis, less the wake
        for unit, u_a in zip(vehicle.thrusters, plant.thrust_and_inflow()[:, 1], strict=True):
            at = nu[:3] + np.cross(nu[3:], unit.position_b)
            along = np.linalg.norm(nu[:3]) if unit.inflow_from == "speed" else at @ np.array(unit.direction_b)
            assert u_a == pytest.approx((1.0 - unit.wake) * along, abs=1e-12)
