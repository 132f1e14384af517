"""Numerical holds: held coordinates stay, free ones move as in the kernel."""

from dataclasses import replace

import numpy as np
import pytest

from pelagos.control.pilot.numerical_hold import NumericalHold, hold_state
from pelagos.errors import CommandError, ScenarioError
from pelagos.vehicle.load.vehicle import load_vehicle
from pelagos.vehicle.plant import Plant
from tests.reference.kinematics import rotation

EULER = (0.2, -0.3, 1.1)
NU = (0.6, -0.2, 0.3, 0.1, -0.15, 0.2)


def euler_rates(euler, omega, step=1e-6):
    """By turning the body a little and looking: R exp(step [omega x])."""
    x, y, z = step * np.asarray(omega)
    turned = rotation(*euler) @ (np.eye(3) + np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]]))
    roll, pitch = np.arctan2(turned[2, 1], turned[2, 2]), -np.arcsin(turned[2, 0])
    return (np.array([roll, pitch, np.arctan2(turned[1, 0], turned[0, 0])]) - euler) / step


def moving(name="seagrant1"):
    plant = Plant(load_vehicle(name))
    plant.place(position_n=(3.0, -4.0, 20.0), euler=EULER, nu=NU)
    return plant


@pytest.mark.parametrize("names", [("depth",), ("place",), ("heading",), ("roll", "pitch"), ("depth", "heading"),
                                   ("depth", "place", "heading", "roll", "pitch")])  # fmt: skip
def test_rates_of_the_held_coordinates_vanish_and_the_others_stay(names):
    plant = moving()
    velocity = rotation(*EULER) @ np.array(NU[:3])
    rates = euler_rates(EULER, NU[3:])
    hold_state(plant, NumericalHold.here(plant, names))
    after = plant.euler
    got = rotation(*after) @ plant.nu[:3]
    still = np.array(["place" in names, "place" in names, "depth" in names])
    assert got == pytest.approx(np.where(still, 0.0, velocity), abs=1e-12)
    fixed = np.array(["roll" in names, "pitch" in names, "heading" in names])
    # Differences over 1e-6 s: second order terms of that size.
    assert euler_rates(after, plant.nu[3:]) == pytest.approx(np.where(fixed, 0.0, rates), abs=1e-6)
    assert after == pytest.approx(EULER, abs=1e-12)
    assert plant.position_n.tolist() == [3.0, -4.0, 20.0]


def test_auto_depth_as_royer_had_it():
    """Full thrust ahead, nose down, in a vehicle that is too light: the depth stays to the last bit, it still goes."""
    sound = load_vehicle("seagrant1")
    plant = Plant(replace(sound, body=replace(sound.body, volume_m3=1.02 * sound.body.volume_m3)))
    plant.place(position_n=(0.0, 0.0, 20.0), euler=(0.0, -0.1, 0.0))
    plant.set_actuators(thrusters=[200.0, 200.0, 0.0, 0.0, 0.0])
    hold = NumericalHold.here(plant, ["depth"])
    free = []
    for _ in range(100):
        plant.advance(0.05, 2)
        free.append(plant.position_n[2] - 20.0)
        hold_state(plant, hold)
        assert plant.position_n[2] == 20.0
    # It rises between ticks, 2 % of 400 kg: 78 N on 800 kg of mass and added mass, 0.5 a t^2 = 0.5 mm in 0.1 s.
    assert -2e-3 < min(free) < -1e-5
    assert plant.position_n[0] > 5.0


def test_with_nothing_held_nothing_changes():
    plant = moving("bluerov2_heavy")
    before = plant.save()["state"]
    hold_state(plant, NumericalHold())
    # The velocity goes to NED and back: rounding.
    assert plant.save()["state"] == pytest.approx(before, abs=1e-15)


def test_free_coordinates_follow_the_kernel():
    """With heading held, one interval of the held vehicle is the kernel's own from the state the hold left."""
    held, other = moving(), moving()
    hold = NumericalHold(heading_deg=60.0)
    hold_state(held, hold)
    other.place(euler=held.euler, nu=held.nu.copy(), position_n=held.position_n.copy())
    held.advance(0.01, 10)
    other.advance(0.01, 10)
    before = held.euler
    hold_state(held, hold)
    assert held.position_n.tolist() == other.position_n.tolist()
    assert held.euler[:2] == pytest.approx(before[:2], abs=1e-14)  # through the quaternion and back
    assert np.degrees(held.euler[2]) == pytest.approx(60.0, abs=1e-12)


def test_the_touch_of_the_last_interval_stays_in_the_log():
    plant = moving()
    plant.state["touch"]["count"] = 2.0
    hold_state(plant, NumericalHold.here(plant, ["depth"]))
    assert plant.state["touch"]["count"] == 2.0


def test_bad_holds():
    plant = moving()
    with pytest.raises(ScenarioError, match="expected some of depth, heading, roll, pitch, place"):
        NumericalHold.here(plant, ["deep"])
    with pytest.raises(ScenarioError, match="expected a place"):
        NumericalHold(north_m=3.0)
    with pytest.raises(CommandError, match="hold pitch_deg is 95"):
        NumericalHold(pitch_deg=95.0)
