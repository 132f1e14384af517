"""Columns of the log: one value per name, in the unit of the name."""

import math

import numpy as np
import pytest

from pelagos.files.library import VEHICLES
from pelagos.messages import Setpoint
from pelagos.sim.columns import SETPOINT_NAMES, LoggedMotion, Sampler, columns, compass
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
    yaws = np.linspace(-720.0, 720.0, 97)
    assert all(0.0 <= compass(float(yaw)) < 360.0 for yaw in yaws)
    assert compass(yaws).tolist() == [compass(float(yaw)) for yaw in yaws]
    assert math.isnan(compass(math.nan))


def test_rows_of_many_are_rows_of_single_vehicles():
    """With contact or without, with a place, another setpoint or none."""
    vehicle = load_vehicle("bluerov2_heavy")
    setpoints = [Setpoint(), Setpoint(depth_m=3.0, speed_m_s=0.2), Setpoint(north_m=1.0, east_m=2.0, speed_m_s=0.3)]
    plants = [Plant(vehicle) for _ in setpoints]
    for k, plant in enumerate(plants):
        plant.place(position_n=[1.0 * k, 2.0, 3.0], euler=(0.1, -0.2, -1.0 - k), nu=np.arange(6.0) + k)
        plant.set_actuators(thrusters=0.1 * np.arange(8.0), at_once=True)
        plant.state["touch"]["wrench"], plant.state["touch"]["count"] = [3.0, k, 4.0, 9.0, 9.0, 9.0], k
    single = np.array([sampled(plant, 2.5, held) for plant, held in zip(plants, setpoints, strict=True)])
    states = [true_state_of(plant, 2.5) for plant in plants]
    touch = [plant.state["touch"] for plant in plants]
    motion = LoggedMotion(
        2.5, np.array([s.position_n for s in states]).T, np.array([s.euler for s in states]).T,
        np.array([s.quaternion for s in states]).T, np.array([s.nu for s in states]).T,
        np.array([s.local_water.velocity_n for s in states]).T, np.array([s.local_water.below_m for s in states]),
        np.array([s.altitude_m for s in states]), np.array([s.local_water.wet_share for s in states]),
        np.array([t["wrench"] for t in touch]).T, np.array([math.nan, *(t["obstacle"] for t in touch[1:])]),
    )  # fmt: skip
    held = np.array(
        [[math.nan if v is None else v for v in (getattr(s, n) for n in SETPOINT_NAMES)] for s in setpoints]
    )
    actuators = [
        np.array([record["actuators"][name][:count] for record in records])
        for records in ([plant.state for plant in plants], [plant.command for plant in plants])
        for name, count in (("thruster", 8), ("surface", 0), ("ballast", 0))
    ]
    rows = np.full_like(single, 1e9)
    Sampler(plants[0], surface=True).fill_rows(rows, motion, held, actuators)
    assert rows.tobytes() == single.tobytes()
