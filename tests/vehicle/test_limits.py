"""Limits of actuators apply in the plant to every command: beyond a limit acts as at the limit."""

import math

import numpy as np
import pytest

from pelagos.errors import CommandError
from pelagos.files.library import VEHICLES
from pelagos.vehicle.limits import ActuatorLimits
from pelagos.vehicle.load.vehicle import load_vehicle
from pelagos.vehicle.plant import Plant


def moved(vehicle, commands):
    plant = Plant(vehicle)
    if all(vehicle.free):
        plant.place(nu=[1.0, 0.1, 0.0, 0.0, 0.0, 0.0])
    plant.set_actuators(**commands)
    plant.advance(0.05, 20)
    return plant


@pytest.mark.parametrize("side", ["lowest", "highest"])
@pytest.mark.parametrize("key", VEHICLES.names())
def test_a_command_beyond_a_limit_is_the_limit(key, side):
    vehicle = load_vehicle(key)
    limits = getattr(ActuatorLimits(vehicle), side)
    far = {group: at + (10.0 if side == "highest" else -10.0) * (1.0 + np.abs(at)) for group, at in limits.items()}
    at_limit, beyond = moved(vehicle, limits), moved(vehicle, far)
    assert np.array_equal(beyond.rows[0], at_limit.rows[0])
    assert not any(counts.any() for counts in at_limit.clipped.values())
    assert all((counts == 1).all() for counts in beyond.clipped.values())


def test_the_command_is_kept_as_it_was_given():
    plant = moved(load_vehicle("remus100"), {"surfaces": [1.0, 0.0]})
    assert plant.command["actuators"]["surface"][0] == 1.0
    assert math.degrees(plant.state["actuators"]["surface"][0]) == pytest.approx(15.0, abs=1e-12)  # its limit_deg


def test_counts_come_back_with_the_state():
    plant = moved(load_vehicle("remus100"), {"surfaces": [1.0, 0.0]})
    saved = plant.save()
    plant.set_actuators(surfaces=[0.0, -1.0])
    assert plant.clipped["surfaces"].tolist() == [1, 1]
    plant.restore(saved)
    assert plant.clipped["surfaces"].tolist() == [1, 0]
    plant.reset()
    assert plant.clipped["surfaces"].tolist() == [0, 0]


@pytest.mark.parametrize(
    ("commands", "message"),
    [
        ({"thrusters": [math.nan]}, r"command to thrusters\[0\] is nan; expected a finite number"),
        ({"surfaces": [[0.1, 0.1]]}, r"command to surfaces is \[\[0\.1, 0\.1\]\]; expected a flat list"),
        ({"ballast": [1.0]}, "the command to ballast has 1 values; expected at most 0, the ballast of"),
    ],
)
def test_a_command_that_is_none_is_refused_and_changes_nothing(commands, message):
    plant = Plant(load_vehicle("remus100"))
    plant.set_actuators(thrusters=[50.0], surfaces=[0.1, 0.0])
    before = plant.save()["command"]
    with pytest.raises(CommandError, match=message):
        plant.set_actuators(**commands)
    assert np.array_equal(plant.save()["command"], before)
