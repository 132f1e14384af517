"""Sensor messages against closed forms; echoes transformed to the world by the published frames."""

import math

import numpy as np
import pytest

from pelagos.frames import rotation_from_euler
from pelagos.links.ros import readings
from pelagos.links.ros.messages import encoder
from pelagos.links.ros.readings import KINDS, kind_of, stamp
from pelagos.links.ros.topics import messages_of, static_message, vehicle_tick
from pelagos.links.ros.vehicle import MountedSensor, ros_vehicles_of
from pelagos.messages import Reading
from pelagos.sensors.base import VehicleContext
from pelagos.sensors.battery import Battery
from pelagos.sensors.compass import Compass
from pelagos.sensors.depth import Depth
from pelagos.sensors.gps import Gps
from pelagos.sensors.imu import Imu
from pelagos.sensors.kinds import KINDS as SENSORS
from pelagos.sensors.leak import LeakDetector
from pelagos.sensors.sound.altimeter import Altimeter
from pelagos.sensors.sound.dvl import Dvl
from pelagos.sensors.sound.imaging import ImagingSonar
from pelagos.sensors.sound.multibeam import Multibeam
from pelagos.sensors.sound.navigation_sonar import NavigationSonar
from pelagos.sim.simulation import Simulation
from pelagos.world.load import loads_world

FIT = VehicleContext(thrusters=("a", "b"), thruster_units=(("rpm", 1.0), ("N", 1.0)), surfaces=("rudder",))


def message_values(sensor, *values, fit=FIT, picture=None):
    """Values of each topic, and all of them as bytes, which finds wrong names and types."""
    at = MountedSensor(sensor.kind, sensor, "/t", "f", sensor.columns_on(fit), fit)
    reading = Reading(sensor.kind, 1.25, 1.5, np.array(values, float))
    kind = kind_of(at)
    out = kind.fill(at, reading, readings.header(1.25, "f"), picture)
    for topic, filled in zip(kind.topics, out, strict=True):
        if filled is not None:
            assert len(encoder(topic.type)(filled)) > 4
    return out


def test_every_kind_of_instrument_has_its_messages():
    assert set(KINDS) == set(SENSORS)


def test_a_time_is_seconds_and_nanoseconds():
    assert stamp(12.345678901) == {"sec": 12, "nanosec": 345678901}
    assert stamp(0.9999999999) == {"sec": 1, "nanosec": 0}  # rounded, not cut


def test_an_imu_at_rest_feels_gravity_upwards():
    (imu,) = message_values(Imu(), 0.0, 0.0, -9.81, 1.0, 2.0, 3.0)
    assert imu["linear_acceleration"] == {"x": 0.0, "y": 0.0, "z": 9.81}  # REP 145
    turn = imu["angular_velocity"]
    assert [turn["x"], turn["y"], turn["z"]] == pytest.approx([math.radians(v) for v in (1.0, -2.0, -3.0)])
    assert imu["orientation_covariance"][0] == -1.0  # it has none


def test_the_noise_of_an_imu_is_its_density_times_the_rate():
    (imu,) = message_values(Imu(gyro_random_walk_deg_sqrt_h=0.6, rate_hz=100.0), *[0.0] * 6)
    expected = (math.radians(0.6) / 60.0) ** 2 * 100.0  # deg/sqrt(h) is deg/s/sqrt(Hz) over 60
    assert imu["angular_velocity_covariance"][0] == pytest.approx(expected)


def test_pressure_is_air_and_the_weight_of_the_water():
    (pressure,) = message_values(Depth(noise_m=0.1), 10.0, fit=VehicleContext(density_kg_m3=1000.0, gravity_m_s2=9.8))
    assert pressure["fluid_pressure"] == pytest.approx(101325.0 + 98000.0)
    assert pressure["variance"] == pytest.approx(980.0**2)


def test_a_gauge_that_believes_in_another_density_felt_the_true_pressure():
    """It reads rho / rho_assumed times the depth; back with rho_assumed the pressure is that of the true water."""
    (pressure,) = message_values(
        Depth(assumed_density_kg_m3=1025.0), 10.0 * 1000.0 / 1025.0, fit=VehicleContext(density_kg_m3=1000.0)
    )
    assert pressure["fluid_pressure"] == pytest.approx(101325.0 + 1000.0 * 9.80665 * 10.0)


def test_a_compass_says_an_attitude():
    (east,) = message_values(Compass(noise_deg=2.0), 90.0)
    assert east["orientation"]["w"] == pytest.approx(1.0)  # yaw 0 in ENU
    assert east["orientation_covariance"][8] == pytest.approx(math.radians(2.0) ** 2)
    assert east["orientation_covariance"][0] == readings.UNKNOWN
    assert east["angular_velocity_covariance"][0] == east["linear_acceleration_covariance"][0] == -1.0


def test_a_battery_that_is_drained_has_a_negative_current():
    (battery,) = message_values(Battery(capacity_Ah=20.0), 15.0, 4.0, 5.0, 15.0)
    assert (battery["voltage"], battery["current"], battery["charge"]) == (15.0, -4.0, 15.0)
    assert battery["percentage"] == 0.75 and battery["power_supply_status"] == 2


def test_a_gps_fix_has_the_variance_of_each_axis():
    gps = Gps(cep_m=2.5)
    (fix,) = message_values(gps, 1.0, 2.0, 36.8, -121.9, math.sqrt(2.0) * gps.sigma_m)
    assert (fix["latitude"], fix["longitude"]) == (36.8, -121.9)
    assert fix["position_covariance"][0] == fix["position_covariance"][4] == pytest.approx(gps.sigma_m**2)


def test_a_doppler_log_without_lock_says_nothing_of_the_ground():
    nan = math.nan
    ground, water, height = message_values(Dvl(), nan, nan, nan, nan, nan, nan, nan, nan, 1.0, 2.0, 3.0, 0.0)
    assert ground is None and height is None
    assert water["twist"]["twist"]["linear"] == {"x": 1.0, "y": -2.0, "z": -3.0}


def test_an_echo_that_did_not_come_is_infinite():
    (none,) = message_values(Altimeter(max_range_m=50.0, beam_width_deg=6.0), math.nan)
    assert none["range"] == math.inf and none["max_range"] == 50.0
    assert none["field_of_view"] == pytest.approx(math.radians(6.0))


def test_a_scan_goes_by_the_angles_of_the_beams():
    scan, nearest = message_values(
        NavigationSonar(n_beams=3, fan_deg=20.0, tilt_deg=5.0), 50.0, 12.0, 11.0, 11.0, 10.0, 4.0
    )
    assert scan["angle_min"] == pytest.approx(math.radians(-5.0))
    assert scan["angle_max"] == pytest.approx(math.radians(15.0))
    assert scan["angle_increment"] == pytest.approx(math.radians(10.0))
    assert scan["ranges"] == [math.inf, 12.0, 11.0] and nearest["range"] == 11.0


def test_a_sonar_that_reads_horizontally_has_no_scan():
    scan, nearest = message_values(NavigationSonar(n_beams=1, reading="horizontal"), 9.0, 9.0, 9.0, 0.0)
    assert scan is None and nearest["range"] == 9.0


def test_actuators_by_their_units():
    (shafts,) = message_values(SENSORS["rpm"](), 60.0, -5.0)
    assert shafts["name"] == ["a", "b"]
    assert shafts["velocity"][0] == pytest.approx(2.0 * math.pi) and math.isnan(shafts["velocity"][1])
    assert shafts["effort"][1] == -5.0
    (planes,) = message_values(SENSORS["planes"](), 10.0)
    assert planes["position"] == [pytest.approx(math.radians(10.0))]


def test_a_leak_is_true():
    assert message_values(LeakDetector(), 1.0) == [{"data": True}] and message_values(LeakDetector(), 0.0) == [
        {"data": False}
    ]


def test_a_picture_has_white_at_its_brightest_and_black_at_60_db_below():
    picture = np.array([[1.0, 1e-3], [1e-6, 0.0]])
    image, echoes = message_values(ImagingSonar(n_ranges=4), 2.0, 90.0, 3.0, 0.0, picture=picture)
    assert list(image["data"]) == [255, 128, 0, 0]  # 0, -30, -60 dB and nothing; 127.5 rounds to even
    assert echoes["width"] == 2  # both bearings have something in them


def test_without_a_picture_an_imaging_sonar_tells_of_two_echoes():
    image, echoes = message_values(ImagingSonar(), 2.0, 90.0, 3.0, 0.0)
    points = np.frombuffer(echoes["data"], "<f4").reshape(2, 4)
    assert image is None
    assert points[:, :3] == pytest.approx(np.array([[0.0, -2.0, 0.0], [3.0, 0.0, 0.0]]), abs=1e-6)  # starboard is -y


def test_each_bearing_of_a_picture_has_its_brightest_echo_with_its_level():
    """Cells of 2 m and 30 deg: their middles are at 1, 3, 5, 7 m and 45, 15 deg to port, then to starboard."""
    sonar = ImagingSonar(max_range_m=8.0, n_ranges=4, sector_deg=120.0, n_bearings=4)
    picture = np.zeros((4, 4))
    picture[1, 0], picture[2, 0], picture[3, 2] = 1.0, 0.5, 1e-2
    _, echoes = message_values(sonar, 2.0, 0.0, 3.0, 0.0, picture=picture)
    points = np.frombuffer(echoes["data"], "<f4").reshape(-1, 4)
    port, starboard = math.radians(45.0), math.radians(15.0)
    expected = [
        [3.0 * math.cos(port), 3.0 * math.sin(port), 0.0, 0.0],
        [7.0 * math.cos(starboard), -7.0 * math.sin(starboard), 0.0, -20.0],
    ]
    assert points == pytest.approx(np.array(expected), abs=1e-5)  # float32
    assert [field["name"] for field in echoes["fields"]] == ["x", "y", "z", "intensity"]


def test_a_picture_made_step_by_step_is_no_cloud_for_its_bearings_are_of_different_times():
    sonar = ImagingSonar(n_ranges=4, n_bearings=4, beams_per_ping=1)
    _, echoes = message_values(sonar, 2.0, 0.0, 3.0, 0.0, picture=np.ones((4, 4)))
    assert echoes["width"] == 2


def test_an_instrument_of_ones_own_gives_its_numbers_by_name():
    class Odd(LeakDetector):
        kind = "odd"
        columns = property(lambda self: ("a_m", "b_m"))

    (values,) = message_values(Odd(), 1.0, 2.0)
    assert values["data"] == [1.0, 2.0] and values["layout"]["dim"][0]["label"] == "a_m,b_m"


@pytest.fixture(scope="module")
def echoes():
    """Messages of three beam instruments on a tilted vehicle above a level bottom."""
    sensors = [
        Altimeter(beam_width_deg=0.0, position_m=(0.2, 0.1, 0.3), orientation_deg=(10.0, 5.0, 0.0), rate_hz=10.0),
        NavigationSonar(
            n_beams=5, fan_deg=30.0, tilt_deg=60.0, max_range_m=200.0, position_m=(0.5, -0.2, 0.1), rate_hz=10.0,
            orientation_deg=(0.0, 0.0, 25.0),
        ),
        Multibeam(n_beams=9, swath_deg=60.0, max_range_m=200.0, position_m=(0.1, 0.4, 0.2), rate_hz=10.0),
        ImagingSonar(
            max_range_m=80.0, n_ranges=800, sector_deg=60.0, n_bearings=121, vertical_aperture_deg=0.5, speckle=False,
            beam_width_deg=0.0, noise_db=-300.0, rate_hz=10.0, position_m=(0.3, 0.0, 0.2),
            orientation_deg=(0.0, -70.0, 20.0),
        ),
    ]  # fmt: skip
    sim = Simulation("bluerov2_heavy", loads_world("[seabed]\ndepth_m = 100.0\n"), sensors=sensors)
    sim.place(north_m=3.0, east_m=-4.0, depth_m=70.0, roll_deg=8.0, pitch_deg=-12.0, heading_deg=200.0)
    (vehicle,) = ros_vehicles_of([sim])
    sim.tick()
    values_by_topic = {
        message.topic.rpartition("/")[2]: message.values for message in messages_of(vehicle, vehicle_tick(sim))
    }
    values_by_topic["static"] = static_message([vehicle]).values
    return values_by_topic


def in_map(values_by_topic, frame, points):
    """Points of an instrument in the map, by the published transforms alone."""
    static = {stamped["child_frame_id"]: stamped["transform"] for stamped in values_by_topic["static"]["transforms"]}
    body = values_by_topic["tf"]["transforms"][0]["transform"]
    for transform in (static[frame], body, static["odom"]):
        x, y, z, w = transform["rotation"].values()
        R = rotation_from_euler(
            math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y)), math.asin(2 * (w * y - z * x)),
            math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)),
        )  # fmt: skip
        points = points @ R.T + np.array(list(transform["translation"].values()))
    return points


def test_the_echo_of_an_altimeter_lies_on_the_bottom(echoes):
    hit = in_map(echoes, "altimeter", np.array([[echoes["altimeter"]["range"], 0.0, 0.0]]))
    assert hit[0, 2] == pytest.approx(-100.0, abs=1e-6)


def test_the_echoes_of_a_sonar_lie_on_the_bottom(echoes):
    scan = echoes["navigation_sonar"]
    angles = scan["angle_min"] + scan["angle_increment"] * np.arange(5)
    flat = np.column_stack([np.cos(angles), np.sin(angles), np.zeros(5)])
    hits = in_map(echoes, "navigation_sonar", np.array(scan["ranges"])[:, None] * flat)
    assert hits[:, 2] == pytest.approx(np.full(5, -100.0), abs=1e-6)


def test_the_soundings_of_a_multibeam_lie_on_the_bottom(echoes):
    points = np.frombuffer(echoes["multibeam"]["data"], "<f4").reshape(-1, 3).astype(float)
    hits = in_map(echoes, "multibeam", points)
    assert hits[:, 2] == pytest.approx(np.full(9, -100.0), abs=1e-4)  # m: float32 of tens of metres
    assert np.ptp(hits[:, :2], axis=0).max() > 20.0  # a swath, not a point


def test_the_echoes_of_an_imaging_sonar_lie_on_the_bottom(echoes):
    """A patch of 0.5 by 0.5 deg, 36 m off and 45 deg askew, spans 36 x 2 x 0.0087 = 0.6 m: 0.3 m either way."""
    points = np.frombuffer(echoes["echoes"]["data"], "<f4").reshape(-1, 4)[:, :3].astype(float)
    hits = in_map(echoes, "imaging_sonar", points)
    assert len(hits) == 121
    assert hits[:, 2] == pytest.approx(np.full(121, -100.0), abs=0.3)
    assert np.ptp(hits[:, :2], axis=0).max() > 20.0
