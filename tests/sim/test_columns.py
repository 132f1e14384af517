"""Columns of the log: one value per name, in the unit of the name."""

import math

import numpy as np
import pytest

from pelagos.files.library import VEHICLES
from pelagos.messages import Setpoint
from pelagos.sim.columns import Sampler, columns, compass
from pelagos.sim.true_state import true_state_of
from pelagos.vehicle.load.vehicle import load_vehicle
from pelagos.vehicle.plant import Plant


def sampled(plant, time_s, held):
    sampler = Sampler(plant, surface=True)
    row = np.full(sampler.width, 1e9)
    sampler.fill(row, true_state_of(plant, time_s), held)
    return row


@pytest.mark.parametrize("key", VEHICLES.names())
def test_names_are_unique_and_as_many_as_values(key):
    vehicle = load_vehicle(key)
    names = columns(vehicle)
    values = sampled(Plant(vehicle), 0.0, Setpoint())
    assert len(names) == len(set(names)) == values.size
    assert not (values == 1e9).any()  # every place was filled


def test_units_are_those_of_the_names():
    vehicle = load_vehicle("phoenix")
    plant = Plant(vehicle)
    plant.place(position_n=[1.0, 2.0, 3.0], euler=(0.1, -0.2, -math.pi / 2.0), nu=[1.0, 0.0, 0.0, 0.0, 0.0, 0.5])
    plant.set_actuators(thrusters=[20.0 * math.pi, 0.0], surfaces=[0.1, 0.0, 0.0, 0.0])
    values = sampled(plant, 7.5, Setpoint(depth_m=4.0))
    line = dict(zip(columns(vehicle), values.tolist(), strict=True))
    assert (line["time_s"], line["north_m"], line["east_m"], line["depth_m"]) == (7.5, 1.0, 2.0, 3.0)
    assert line["roll_deg"] == pytest.approx(math.degrees(0.1))
    assert line["heading_deg"] == pytest.approx(270.0)
    assert line["yaw_rate_deg_s"] == pytest.approx(math.degrees(0.5))
    assert line["cmd_depth_m"] == 4.0 and math.isnan(line["cmd_heading_deg"])
    assert line[f"cmd_thruster_{vehicle.thrusters[0].name}_rpm"] == pytest.approx(600.0)
    assert line[f"cmd_surface_{vehicle.surfaces[0].name}_deg"] == pytest.approx(math.degrees(0.1))


def test_the_pace_to_a_place_is_no_speed_to_hold():
    plant = Plant(load_vehicle("bluerov2_heavy"))
    names = columns(plant.vehicle)
    held = Setpoint(north_m=1.0, east_m=2.0, speed_m_s=0.3)
    line = dict(zip(names, sampled(plant, 0.0, held).tolist(), strict=True))
    assert math.isnan(line["cmd_speed_m_s"]) and (line["cmd_north_m"], line["cmd_east_m"]) == (1.0, 2.0)
    line = dict(zip(names, sampled(plant, 0.0, Setpoint(speed_m_s=0.3)).tolist(), strict=True))
    assert line["cmd_speed_m_s"] == 0.3


def test_north_does_not_flip_by_rounding():
    assert compass(-90.0) == 270.0
    assert compass(-1e-14) == 0.0 and compass(360.0) == 0.0
    assert compass(359.9) == pytest.approx(359.9)
    assert all(0.0 <= compass(float(yaw)) < 360.0 for yaw in np.linspace(-720.0, 720.0, 97))
