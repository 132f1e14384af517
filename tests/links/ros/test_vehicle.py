"""Names of topics and frames, and axes of sensors as ROS defines them."""

import math

import numpy as np
import pytest

from pelagos.links.ros.vehicle import MountedSensor, plain_names, ros_vehicle_of_log, ros_vehicles_of
from pelagos.sensors.base import VehicleContext
from pelagos.sensors.imu import Imu
from pelagos.sensors.sound.altimeter import Altimeter
from pelagos.sensors.sound.dvl import Dvl
from pelagos.sensors.sound.navigation_sonar import NavigationSonar
from pelagos.sim.log.log import LogError
from pelagos.sim.simulation import Simulation
from tests.links.ros.afloat import rov


def fitted(sensor):
    return MountedSensor(sensor.kind, sensor, "/t", "f", sensor.columns, VehicleContext())


def test_an_altimeter_looks_down_along_its_x():
    assert fitted(Altimeter()).rotation[:, 0] == pytest.approx([0.0, 0.0, -1.0])  # base_link: z up


def test_a_sonar_scans_from_above_to_below_about_port():
    R = fitted(NavigationSonar()).rotation
    assert R[:, 0] == pytest.approx([1.0, 0.0, 0.0])  # ahead
    assert R[:, 1] == pytest.approx([0.0, 0.0, -1.0])  # positive angles go down
    assert R[:, 2] == pytest.approx([0.0, 1.0, 0.0])  # to port


@pytest.mark.parametrize("sensor", [Altimeter(), NavigationSonar(), Imu(orientation_deg=(20.0, -30.0, 100.0))])
def test_frames_are_right_handed(sensor):
    R = fitted(sensor).rotation
    assert R @ R.T == pytest.approx(np.eye(3), abs=1e-12)
    assert np.linalg.det(R) == pytest.approx(1.0)


def test_an_imu_turned_to_starboard_looks_to_starboard():
    R = fitted(Imu(orientation_deg=(0.0, 0.0, 30.0))).rotation
    assert R[:, 0] == pytest.approx([math.cos(math.radians(30.0)), -0.5, 0.0])  # left is y
    assert R[:, 2] == pytest.approx([0.0, 0.0, 1.0])


def test_a_doppler_log_speaks_in_axes_of_the_vehicle():
    at = fitted(Dvl(position_m=(0.1, 0.2, 0.3), orientation_deg=(0.0, 0.0, 45.0)))
    assert at.rotation == pytest.approx(np.eye(3))
    assert at.transform()["translation"] == {"x": 0.1, "y": -0.2, "z": -0.3}


def test_names_become_those_that_topics_may_have():
    assert plain_names(["rov-1", "rov 1", "3d", "ok_2", "--"]) == ["rov_1", "rov_1_2", "v3d", "ok_2", "vehicle"]


def test_one_vehicle_has_plain_frames_and_several_carry_their_names():
    sim = Simulation("bluerov2_heavy", sensors=True)
    (vehicle,) = ros_vehicles_of([sim])
    assert vehicle.frame("base_link") == "base_link"
    assert vehicle.instruments["imu"].frame == "imu"
    assert vehicle.instruments["imu"].topic == "/pelagos/bluerov2_heavy/imu"
    first, second = ros_vehicles_of([sim, Simulation("bluerov2_heavy", name="other")])
    assert first.instruments["imu"].frame == "bluerov2_heavy/imu"
    assert (second.root, second.frame("odom")) == ("/pelagos/other", "other/odom")


def test_an_instrument_does_not_take_the_name_of_a_topic_that_is_there():
    sim = Simulation("bluerov2_heavy", sensors=[Imu(name="odom")])
    (vehicle,) = ros_vehicles_of([sim])
    assert vehicle.instruments["odom"].topic.endswith("/odom_sensor")


def test_a_log_describes_the_same_vehicle():
    sim = rov()
    (live,) = ros_vehicles_of([sim])
    log = sim.run(0.1)
    read = ros_vehicle_of_log(log.names, log.meta)
    assert read.thrusters == live.thrusters and len(read.thrusters) == 8
    assert read.surfaces == live.surfaces
    assert {name: at.sensor for name, at in read.instruments.items()} == {
        name: at.sensor for name, at in live.instruments.items()
    }


def test_a_description_from_elsewhere_is_refused_in_a_sentence():
    with pytest.raises(LogError, match="instrument imu"):
        ros_vehicle_of_log(["time_s"], {"sensors": {"imu": {"kind": "imu", "colour": "red"}}})
