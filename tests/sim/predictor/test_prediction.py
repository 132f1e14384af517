"""The result of a predictor: columns of the log, computed on demand, and states to continue from."""

import numpy as np
import pytest
from pytest import approx

from pelagos import frames
from pelagos.sim.columns import actuator_columns, columns
from pelagos.sim.predictor.predictor import Predictor
from pelagos.sim.simulation import Simulation
from pelagos.vehicle.load.vehicle import load_vehicle
from pelagos.world.spec import World

VEHICLES = ("phoenix", "bluerov2_heavy", "slocum", "seagrant1", "dsrv")


@pytest.mark.parametrize("vehicle", VEHICLES)
def test_every_column_has_the_name_it_has_in_the_log(vehicle):
    foreseen = Predictor(vehicle).predict({"depth_m": 5.0}, None, 0.2)
    assert set(foreseen.columns) < set(columns(load_vehicle(vehicle)))
    assert set(actuator_columns(load_vehicle(vehicle))) < set(foreseen.columns)
    assert all(foreseen[name].shape == (3,) for name in foreseen.columns)
    assert set(foreseen.at(0)) == set(foreseen.columns)


@pytest.mark.parametrize("kinematics", ["quaternion", "euler"])
def test_angles_and_quaternions_are_one_attitude_and_north_is_nought(kinematics):
    state = {"depth_m": 5.0, "roll_deg": 3.0, "pitch_deg": -4.0, "heading_deg": 350.0, "yaw_rate_deg_s": 20.0}
    foreseen = Predictor("phoenix", kinematics=kinematics).predict(state, {}, 2.0)
    euler = np.radians([foreseen[name] for name in ("roll_deg", "pitch_deg", "heading_deg")])
    quaternions = np.stack([foreseen[name] for name in ("q0", "q1", "q2", "q3")], axis=-1)
    turns = frames.rotation_from_euler(*euler)
    assert turns == approx(frames.rotation_from_quaternion(quaternions), abs=1e-12)
    heading = foreseen["heading_deg"]
    assert heading[0] == approx(350.0) and heading[-1] < 20.0  # through north
    assert ((heading >= 0.0) & (heading < 360.0)).all()
    assert Predictor("phoenix").predict({"depth_m": 5.0, "heading_deg": 360.0}, {}, 0.1)["heading_deg"][0] == 0.0


def test_the_altitude_is_that_of_the_log():
    world = World(depth_m=20.0)
    sim = Simulation("bluerov2_heavy", world)
    sim.place(depth_m=5.0)
    foreseen = Predictor("bluerov2_heavy", world).predict(sim.save(), None, 3.0)
    assert foreseen["altitude_m"] == approx(sim.run(3.0)["altitude_m"], abs=1e-9)
    assert np.isnan(Predictor("bluerov2_heavy").predict({"depth_m": 5.0}, None, 0.2)["altitude_m"]).all()


def test_repr_has_the_vehicle_and_the_end():
    foreseen = Predictor("remus100").predict({"depth_m": 5.0, "time_s": 100.0}, None, 1.05, every_s=0.25)
    assert foreseen.time_s == approx([100.0, 100.25, 100.5, 100.75, 101.0, 101.05])
    assert "remus100: 6 states from 100 to 101.05 s" in repr(foreseen)
    assert foreseen.instant(0).row is not foreseen.instant(0).row  # a copy: changing it leaves the prediction unchanged
    with pytest.raises(IndexError):
        foreseen.instant(6)
