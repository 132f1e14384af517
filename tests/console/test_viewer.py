"""The console on a vehicle that another program moves; tests/learn/test_viewer.py serves it to a page."""

import json
import math

import numpy as np
import pytest

from pelagos.console.hello import hello_of
from pelagos.console.viewer import ViewedVehicle
from pelagos.errors import CommandError
from pelagos.messages import Actuation, VehicleState
from pelagos.vehicle.load.vehicle import load_vehicle
from pelagos.world.spec import World


@pytest.fixture
def source():
    vehicle = load_vehicle("bluerov2_heavy")
    return ViewedVehicle(vehicle, World(depth_m=30.0), name="mine", rate_hz=10.0, near_m=(0.0, 0.0))


def test_the_newest_state_is_shown_in_the_units_of_the_log(source):
    full = np.array([thruster.maximum for thruster in load_vehicle("bluerov2_heavy").thrusters])
    turn = math.pi / 2
    state = VehicleState(2.0, [1.0, 2.0, 3.0], 0.0, 0.0, turn, [0.5, 0, 0, 0, 0, 0.1], np.zeros(6), altitude_m=27.0)
    source.show(state, Actuation(0.0 * full), Actuation(full), (0.1, 0.0, 0.0))
    row = np.zeros(len(source.columns) + 1, np.float32)
    source.snapshot_into(row)
    shown = dict(zip(source.columns, row.tolist(), strict=False))
    assert source.time_s == 2.0
    assert [shown[name] for name in ("north_m", "east_m", "depth_m", "altitude_m")] == [1.0, 2.0, 3.0, 27.0]
    assert shown["heading_deg"] == pytest.approx(90.0) == shown["course_deg"]
    assert shown["cmd_thruster_front_port"] == 1.0 and shown["thruster_front_port"] == 0.0


def test_a_new_episode_changes_the_hello(source):
    source.changed = False
    source.begin([0.0, 0.0, 10.0], [[0.0, 0.0, 5.0], [9.0, 0.0, 5.0]], (0.0, 0.5, 0.0))
    assert source.changed and source.begun == 1
    hello = json.loads(json.dumps(hello_of(source), allow_nan=False))
    assert [mark["kind"] for mark in hello["marks"]] == ["line", "point"]
    assert hello["pilot_name"] == "mine"
    assert (hello["settings"]["current_m_s"], hello["settings"]["current_to_deg"]) == (0.5, 90.0)


def test_nobody_can_steer_it(source):
    with pytest.raises(CommandError, match="order is 'reset'; a policy controls this vehicle and accepts no orders"):
        source.order("reset", {})
