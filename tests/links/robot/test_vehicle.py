"""The state of a vehicle in messages of the robot link, compared with its log and its actuators."""

import math

import numpy as np
import pytest
from pytest import approx

from pelagos.frames import rotation_from_quaternion
from pelagos.links.robot.vehicle import STATE, RobotVehicle, description, finite_or_null, rounded_limit
from pelagos.sim.commands import DirectControl
from pelagos.sim.simulation import Simulation
from pelagos.vehicle.library import list_vehicles
from pelagos.world.spec import World


def moving(rate_hz=10.0, **options):
    world = World(depth_m=20.0, current_m_s=0.3, current_to_deg=90.0)
    sim = Simulation("phoenix", world, control_rate_hz=rate_hz, **options)
    sim.place(depth_m=5.0, heading_deg=120.0, pitch_deg=10.0, roll_deg=-5.0, surge_m_s=0.4, yaw_rate_deg_s=3.0)
    sim.thrust(port_screw_rpm=600, bow_lateral_V=12)
    sim.deflect(bow_rudders_deg=10)
    return sim


def test_the_state_is_that_of_the_log_by_the_same_names():
    sim = moving()
    sim.tick()
    state = RobotVehicle(sim).message()["state"]
    row, _ = sim.sample()
    logged = dict(zip(sim.columns(), row.tolist(), strict=True))
    shared = [name for name in STATE if name in logged]
    assert len(shared) == 24
    for name in shared:
        assert state[name] == logged[name] or (state[name] is None and math.isnan(logged[name])), name


def test_velocities_over_ground_and_through_water_differ_by_the_current():
    sim = moving()
    sim.tick()
    state = RobotVehicle(sim).message()["state"]
    R = rotation_from_quaternion(np.array([state[f"q{k}"] for k in range(4)]))
    ground_b = np.array([state[name] for name in ("surge_m_s", "sway_m_s", "heave_m_s")])
    water_b = np.array([state[name] for name in ("surge_water_m_s", "sway_water_m_s", "heave_water_m_s")])
    ground_n = np.array([state[name] for name in ("north_m_s", "east_m_s", "down_m_s")])
    # rounding of a few products
    assert ground_n == approx(R @ ground_b, abs=1e-14)
    assert R @ (ground_b - water_b) == approx([0.0, 0.3, 0.0], abs=1e-14)


def test_accelerations_are_the_rates_of_the_velocities():
    sim = moving(rate_hz=1000.0)
    sim.tick()
    names = ("surge", "sway", "heave", "roll", "pitch", "yaw")
    vehicle = RobotVehicle(sim)
    speed = [f"{name}_m_s" for name in names[:3]] + [f"{name}_rate_deg_s" for name in names[3:]]
    accel = [f"{name}_accel_m_s2" for name in names[:3]] + [f"{name}_accel_deg_s2" for name in names[3:]]
    before = vehicle.message()["state"]
    sim.tick()
    after = vehicle.message()["state"]
    for velocity, rate in zip(speed, accel, strict=True):
        mean = 0.5 * (before[rate] + after[rate])  # the trapezoidal rule over 1 ms; its error is of the order of 1e-6
        assert (after[velocity] - before[velocity]) / 0.001 == approx(mean, abs=1e-4 * max(1.0, abs(mean))), rate
    assert any(abs(after[rate]) > 0.01 for rate in accel)


def test_actuators_are_told_where_they_are_and_as_ordered():
    sim = moving()
    sim.tick()
    message = RobotVehicle(sim).message()
    assert message["ordered"]["thrusters"]["port_screw_rpm"] == approx(600.0)
    assert message["ordered"]["surfaces"]["bow_rudders_deg"] == approx(10.0)
    assert message["actuators"]["thrusters"]["bow_lateral_V"] == 12.0  # no lag in this file
    assert message["setpoint"] == {}
    sim.command(depth_m=6.0, heading_deg=10.0)
    assert RobotVehicle(sim).message()["setpoint"] == {"depth_m": 6.0, "heading_deg": 10.0}


@pytest.mark.parametrize("key", [entry.key for entry in list_vehicles()])
def test_every_actuator_of_the_library_takes_the_orders_that_the_hello_names(key):
    sim = Simulation(key)
    hello = description(sim)
    direct = DirectControl(sim.vehicle)
    message = RobotVehicle(sim).message()
    for group in ("thrusters", "surfaces", "ballast"):
        for actuator in hello["actuators"][group]:
            for limit in ("minimum", "maximum"):
                if actuator[limit] is not None:
                    direct.command(group, None, {actuator["order"]: actuator[limit]})  # refused beyond its limits
            assert actuator["order"] in message["ordered"][group]
            assert actuator["state"] in message["actuators"][group]
    assert len(hello["actuators"]["thrusters"]) == len(sim.vehicle.thrusters)


def test_forces_are_told_when_asked_for():
    sim = moving()
    sim.tick()
    vehicle = RobotVehicle(sim)
    assert "forces" not in vehicle.message()
    forces = vehicle.message(forces=True)["forces"]
    assert {name: wrench.tolist() for name, wrench in sim.plant.forces().items()} == forces


def test_readings_are_kept_until_told_and_asking_changes_nothing():
    linked, alone = moving(sensors=True), moving(sensors=True)
    linked.make_ready(10.0)
    vehicle = RobotVehicle(linked)
    readings = []
    for _ in range(30):
        linked.tick()
        alone.tick()
        vehicle.collect_readings()
        message = vehicle.message(forces=True)
        vehicle.message()
        readings.append(message["sensors"])
        vehicle.clear_readings()
        assert vehicle.message()["sensors"] == {}
        row, other = linked.sample()[0], alone.sample()[0]
        assert np.array_equal(row, other, equal_nan=True)
        logged = dict(zip(linked.columns(), row.tolist(), strict=True))
        for name, reading in message["sensors"].items():
            columns = description(linked)["sensors"][name]["columns"]
            assert reading["values"] == finite_or_null([logged[f"{name}_{column}"] for column in columns])
            assert reading["time_s"] <= reading["arrived_s"] <= linked.time_s + 1e-9
    assert all("imu" in row for row in readings[1:])  # 10 Hz
    assert sum("gps" in row for row in readings) <= 5  # 1 Hz


def test_what_is_not_known_is_null():
    assert finite_or_null([1.0, math.nan, math.inf, -math.inf, 0.0]) == [1.0, None, None, None, 0.0]
    assert rounded_limit(700.0000000000001) == 700.0
    assert rounded_limit(math.inf) is None and rounded_limit(None) is None
    endless = Simulation("phoenix", World())
    assert RobotVehicle(endless).message()["state"]["altitude_m"] is None
