"""Plant: placing, actuators, saving, both kinematics, diverging runs."""

import copy
from dataclasses import replace

import numpy as np
import pytest

from pelagos.engine.core.integrate import METHODS
from pelagos.errors import CommandError
from pelagos.vehicle.load.vehicle import load_vehicle
from pelagos.vehicle.plant import TERMS, Plant
from pelagos.vehicle.spec import Ballast
from tests.engine.probe import ball, put, terms
from tests.reference.everything import everything, situation

COMMANDS = {"thrusters": [120.0, 10.0, 0.5, -0.3], "surfaces": [0.2, -0.25], "ballast": [2.5, 1e-4, 0.03]}


def test_starts_at_rest_level_and_north():
    plant = Plant(everything())
    np.testing.assert_array_equal(plant.nu, 0.0)
    np.testing.assert_array_equal(plant.position_n, 0.0)
    np.testing.assert_array_equal(plant.quaternion, [1, 0, 0, 0])
    np.testing.assert_array_equal(plant.state["actuators"]["ballast"][:3], [1.5, 0.0, 0.0])
    assert plant.time_s == 0.0
    assert set(plant.forces()) == set(TERMS)


def test_a_vehicle_with_held_surge_starts_at_its_speed():
    dsrv = load_vehicle("dsrv")
    assert dsrv.held_speed_m_s > 0.0
    plant = Plant(dsrv)
    plant.advance(0.02, 50)
    assert plant.nu[0] == dsrv.held_speed_m_s


@pytest.mark.parametrize("euler_angles", [False, True])
def test_placing(euler_angles):
    plant = Plant(ball(), euler_angles=euler_angles)
    plant.place(position_n=(1.0, 2.0, 3.0), euler=(0.1, -0.2, 2.0), nu=np.arange(6.0))
    np.testing.assert_allclose(plant.euler, (0.1, -0.2, 2.0), atol=1e-15)
    plant.place(nu=np.zeros(6))
    np.testing.assert_array_equal(plant.position_n, (1.0, 2.0, 3.0))  # what is not given stays
    other = Plant(ball(), euler_angles=not euler_angles)
    other.place(quaternion=plant.quaternion)
    np.testing.assert_allclose(other.euler, (0.1, -0.2, 2.0), atol=1e-15)
    np.testing.assert_allclose(np.abs(other.quaternion @ plant.quaternion), 1.0, atol=1e-15)


def test_forces_do_not_depend_on_how_the_attitude_is_kept():
    vehicle, rng = everything(), np.random.default_rng(20)
    plants = Plant(vehicle), Plant(vehicle, euler_angles=True)
    for _ in range(10):
        now = situation(vehicle, rng)
        by_quaternion, other = (put(plant, now).forces() for plant in plants)
        for name in TERMS:
            # 640 N of weight through two roundings of the attitude
            np.testing.assert_allclose(other[name], by_quaternion[name], rtol=1e-12, atol=1e-11, err_msg=name)


def test_actuators_at_once_reach_their_command_and_the_body_stays():
    """A moving vehicle of every part: lags, rates and the supply run to their end, nothing else moves."""
    plant = Plant(everything())
    plant.place(position_n=(1, 2, 30.0), euler=(0.1, 0.2, 0.3), nu=[1.0, 0.2, 0.3, 0.1, 0.1, 0.1])
    plant.water["current_dot"] = [0.01, 0.0, 0.0]
    before = plant.save()["state"]
    plant.set_actuators(**COMMANDS, at_once=True)
    reached = plant.state["actuators"]
    np.testing.assert_allclose(reached["surface"][:2], COMMANDS["surfaces"], rtol=1e-15)
    np.testing.assert_allclose(reached["ballast"][:3], COMMANDS["ballast"], rtol=1e-15)
    np.testing.assert_allclose(reached["thruster"][:4], [120.0, 10.0, 20.0, -3.75], rtol=1e-14)
    after = plant.save()["state"]
    body = 3 + 4 + 6 + 6  # position, attitude, nu, nu_dot
    np.testing.assert_array_equal(after[:body], before[:body])
    assert plant.time_s == 0.0


def test_a_command_alone_moves_nothing_yet():
    plant = Plant(everything())
    plant.set_actuators(**COMMANDS)
    np.testing.assert_array_equal(plant.state["actuators"]["thruster"], 0.0)


def test_actuators_set_at_once_give_their_force():
    phoenix = load_vehicle("phoenix")
    plant = Plant(phoenix)
    plant.set_actuators(thrusters=[t.maximum for t in phoenix.thrusters], at_once=True)
    assert plant.forces()["thrusters"][0] > 0.0
    assert plant.forces()["thrusters"][1] > 0.0


def test_saving_and_restoring_is_exact():
    """Bit for bit: the run after a restore is the run itself."""
    plant = Plant(everything())
    plant.place(position_n=(0, 0, 20.0), nu=[1.0, 0, 0, 0, 0, 0])
    plant.set_actuators(**COMMANDS)
    plant.advance(0.02, 25)
    saved = plant.save()
    plant.advance(0.02, 25)
    first = plant.save()
    plant.restore(saved)
    assert plant.time_s == pytest.approx(0.5)
    plant.advance(0.02, 25)
    second = plant.save()
    np.testing.assert_array_equal(second["state"], first["state"])


def test_reset_forgets_everything():
    plant = Plant(everything())
    fresh = plant.save()["state"]
    plant.place(nu=np.ones(6), euler=(0.1, 0.2, 0.3))
    plant.set_actuators(**COMMANDS, at_once=True)
    plant.command["external"] = 5.0
    plant.reset()
    np.testing.assert_array_equal(plant.save()["state"], fresh)
    np.testing.assert_array_equal(plant.command["external"], 0.0)


def test_time_goes_on():
    plant = Plant(ball())
    assert plant.advance(0.05, 40) == 40
    assert plant.time_s == pytest.approx(2.0, rel=1e-14)


def test_a_diverging_run_stops_at_its_last_sound_step():
    """u-dot = +u|u| from 10 m/s blows up at 0.1 s: fewer steps than requested, a finite state."""
    driven = ball(coefficients=terms({"X u |u|": 150.0}), free=(True, False, False, False, False, False))
    plant = Plant(driven)
    plant.place(nu=[10.0, 0, 0, 0, 0, 0])
    done = plant.advance(0.01, 100)
    assert 5 < done < 30
    assert np.all(np.isfinite(plant.nu))
    assert plant.time_s == pytest.approx(0.01 * done)


@pytest.mark.parametrize("method", sorted(METHODS))
def test_every_method_runs(method):
    """One second of a decaying surge, u = 1/(1 + t): within the first order of a 0.02 s step."""
    dragged = ball(coefficients=terms({"X u |u|": -150.0}), free=(True, False, False, False, False, False))
    plant = Plant(dragged)
    plant.place(nu=[1.0, 0, 0, 0, 0, 0])
    assert plant.advance(0.02, 50, method) == 50
    assert plant.nu[0] == pytest.approx(0.5, rel=0.02)
    assert plant.position_n[0] == pytest.approx(np.log(2.0), rel=0.03)


def test_density_and_gravity_default_to_the_vehicles_own_water():
    phoenix = load_vehicle("phoenix")
    plant = Plant(phoenix)
    assert plant.water["density"] == phoenix.water.density_kg_m3
    assert plant.water["gravity"] == phoenix.water.gravity_m_s2
    salty = Plant(phoenix, density_kg_m3=1025.0, gravity_m_s2=9.81)
    lift = -(1025.0 * phoenix.body.volume_m3 - phoenix.body.mass_kg) * 9.81
    assert salty.forces()["restoring"][2] == pytest.approx(lift, rel=1e-12)


def test_a_held_vehicle_with_ballast_settles_too():
    tank = Ballast("tank", "tank", "kg", 0.0, 3.0, 1.0, 0.1, mass_per_unit=1.0)
    plant = Plant(replace(ball(), ballast=(tank,), free=(False, False, True, False, False, False)))
    plant.set_actuators(ballast=[2.5], at_once=True)
    assert plant.state["actuators"]["ballast"][0] == 2.5


@pytest.mark.parametrize(
    ("where", "message"),
    [
        ({"position_n": [0, 0]}, r"place position_n is \[0, 0\]; expected 3 numbers"),
        ({"quaternion": [0, 0, 0, 0]}, r"place quaternion is \[0, 0, 0, 0\]; expected a unit quaternion"),
        ({"nu": "abc"}, "place nu is 'abc'; expected 6 numbers"),
        ({"position_n": [1, 2, 3], "euler": [0, float("nan"), 0]}, r"place euler\[1\] is nan"),
    ],
)
def test_a_place_that_does_not_exist_changes_nothing(where, message):
    plant = Plant(load_vehicle("phoenix"))
    before = plant.save()["state"]
    with pytest.raises(CommandError, match=message):
        plant.place(**where)
    np.testing.assert_array_equal(plant.save()["state"], before)


def test_only_a_save_can_be_restored():
    with pytest.raises(CommandError, match="the saved state needs the key 'state'"):
        Plant(load_vehicle("phoenix")).restore({})


def test_a_deep_copy_has_records_of_its_own():
    """Its named records share memory with its own rows, not with those of the original."""
    plant = Plant(load_vehicle("remus100"))
    plant.place(nu=[1.5, 0, 0, 0, 0, 0])
    other = copy.deepcopy(plant)
    np.testing.assert_array_equal(other.forces()["coefficients"], plant.forces()["coefficients"])
    other.place(nu=[0.5, 0, 0, 0, 0, 0])
    assert other.forces()["coefficients"][0] != plant.forces()["coefficients"][0]
    other.advance(0.02, 10)
    assert plant.nu[0] == 1.5 and plant.position_n[0] == 0.0
