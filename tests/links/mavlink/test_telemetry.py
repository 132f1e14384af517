"""Telemetry messages against the state of the flight, pymap3d and hydrostatics."""

import math

import pymap3d
import pymavlink.dialects.v20.ardupilotmega as mavlink
import pytest
from scipy.spatial.transform import Rotation

from pelagos.links.mavlink.modes import ALT_HOLD, AUTO, MANUAL
from pelagos.links.mavlink.telemetry import Telemetry
from pelagos.session.flight import Flight

START = {"north_m": 40.0, "east_m": -25.0, "depth_m": 12.0, "roll_deg": 10.0, "pitch_deg": -15.0, "heading_deg": 200.0,
         "surge_m_s": 0.8, "sway_m_s": -0.3, "heave_m_s": 0.2, "yaw_rate_deg_s": 12.0}  # fmt: skip


def sent(message):
    """As it arrives: single precision, whole numbers."""
    return mavlink.MAVLink(None).parse_char(bytes(message.pack(mavlink.MAVLink(None, 1, 1))))


@pytest.fixture(scope="module")
def moving():
    flight = Flight("bluerov2_heavy", {"depth_m": 30.0, "density_kg_m3": 1020.0}, start=START)
    telemetry = Telemetry(mavlink)
    telemetry.begin(flight)
    yield flight, telemetry
    flight.close()


def test_attitude_and_its_quaternion(moving):
    _, t = moving
    a, q = sent(t.attitude()), sent(t.attitude_quaternion())
    assert math.degrees(a.roll) == pytest.approx(10.0, abs=1e-4)  # single precision
    assert math.degrees(a.pitch) == pytest.approx(-15.0, abs=1e-4)
    assert math.degrees(a.yaw) == pytest.approx(-160.0, abs=1e-4)
    assert math.degrees(a.yawspeed) == pytest.approx(12.0, abs=1e-4)
    turn = Rotation.from_euler("ZYX", [200.0, -15.0, 10.0], degrees=True)
    assert (turn.inv() * Rotation.from_quat([q.q2, q.q3, q.q4, q.q1])).magnitude() == pytest.approx(0.0, abs=1e-6)


def test_place_and_velocity_are_the_same_in_both_messages(moving):
    _, t = moving
    here, there = sent(t.local_position_ned()), sent(t.global_position_int())
    assert (here.x, here.y, here.z) == (40.0, -25.0, 12.0)
    v = Rotation.from_euler("ZYX", [200.0, -15.0, 10.0], degrees=True).apply([0.8, -0.3, 0.2])
    assert (here.vx, here.vy, here.vz) == pytest.approx(v, abs=1e-6)
    assert (there.vx, there.vy, there.vz) == pytest.approx(100.0 * v, abs=0.51)  # cm/s, rounded
    lat, lon, _ = pymap3d.ned2geodetic(40.0, -25.0, 0.0, 36.8, -121.9, 0.0)  # the origin of a world without one
    assert (there.lat / 1e7, there.lon / 1e7) == pytest.approx((lat, lon), abs=1e-7)
    assert there.alt == there.relative_alt == -12000 and there.hdg == 20000
    hud = sent(t.vfr_hud())
    assert hud.heading == 200 and hud.alt == -12.0 and hud.climb == pytest.approx(-v[2], abs=1e-6)
    assert hud.groundspeed == pytest.approx(math.hypot(v[0], v[1]), abs=1e-6)
    assert hud.airspeed == pytest.approx(math.sqrt(0.8**2 + 0.3**2 + 0.2**2), abs=1e-6)  # still water


def test_pressure_is_that_of_the_water_above(moving):
    flight, t = moving
    p = sent(t.scaled_pressure2())
    g = flight.sim.water.gravity_m_s2
    assert p.press_abs == pytest.approx(1013.25 + 1020.0 * g * 12.0 / 100.0, abs=0.01)  # hPa
    assert sent(t.scaled_pressure()).press_abs == pytest.approx(1013.25)


def test_height_over_the_bottom(moving):
    _, t = moving
    d = sent(t.distance_sensor())
    assert d.current_distance == 1800 and d.orientation == 25  # cm: 30 less 12 m; down


def test_heartbeat_says_what_it_is(moving):
    flight, t = moving
    beat = sent(t.heartbeat(MANUAL, False))
    assert (beat.type, beat.autopilot, beat.custom_mode, beat.system_status) == (12, 3, 19, 4)
    assert beat.base_mode == 128 | 64 | 1
    flight.order("arm", {"on": False})
    assert sent(t.heartbeat(AUTO, False)).base_mode == 64 | 16 | 8 | 1
    assert sent(t.heartbeat(ALT_HOLD, False)).system_status == 3
    assert sent(t.heartbeat(ALT_HOLD, True)).system_status == 5
    flight.order("arm", {"on": True})


def test_no_fence_is_broken_and_arming_is_allowed(moving):
    """A station takes a fence that is not healthy for one that was crossed, present or not."""
    _, t = moving
    status = sent(t.sys_status(MANUAL))
    fence, ready = mavlink.MAV_SYS_STATUS_GEOFENCE, mavlink.MAV_SYS_STATUS_PREARM_CHECK
    assert status.onboard_control_sensors_health & fence and not status.onboard_control_sensors_present & fence
    assert status.onboard_control_sensors_present & status.onboard_control_sensors_health & ready


def test_home_and_version(moving):
    _, t = moving
    home, origin = sent(t.home_position()), sent(t.gps_global_origin())
    assert (home.latitude, home.longitude, home.altitude) == (368000000, -1219000000, 0)
    assert (origin.latitude, origin.longitude) == (368000000, -1219000000)
    version = sent(t.autopilot_version())
    assert version.flight_sw_version >> 24 == 4 and bytes(version.flight_custom_version) == b"pelagos\0"
    for flag in (mavlink.MAV_PROTOCOL_CAPABILITY_MAVLINK2, mavlink.MAV_PROTOCOL_CAPABILITY_MISSION_INT):
        assert version.capabilities & flag


def test_thrusters_battery_and_names_after_a_while_under_way():
    flight = Flight("bluerov2_heavy", start={"depth_m": 5.0}, tether="static")
    try:
        t = Telemetry(mavlink)
        t.begin(flight)
        flight.input(type(flight.sticks)(surge=1.0, yaw=1.0))
        turned = 0.0
        for _ in range(250):
            flight.tick()
            t.update()
            turned += flight.sim.state().nu[5] * flight.sim.interval_s
        raw = sent(t.servo_output_raw())
        outputs = [getattr(raw, f"servo{i}_raw") for i in range(1, 17)]
        names = [f"thruster_{thruster.name}" for thruster in flight.sim.vehicle.thrusters]
        shares = dict(zip(flight.columns, flight.state(), strict=True))
        assert outputs[:8] == [round(1500 + 400 * shares[name]) for name in names]
        assert max(outputs) > 1510 and outputs[8:] == [0] * 8
        status, pack = sent(t.sys_status(MANUAL)), sent(t.battery_status())
        assert status.voltage_battery == pack.voltages[0] == round(1e3 * shares["battery_V"])
        assert status.current_battery == pytest.approx(100.0 * shares["power_W"] / shares["battery_V"], abs=1.0)
        assert pack.battery_remaining == status.battery_remaining == round(shares["battery_percent"])
        named = {value.name: value.value for value in map(sent, t.named_values())}
        assert named["TetherTrn"] == pytest.approx(
            turned / (2.0 * math.pi), rel=0.05
        )  # flat: the hull pitches a little
        assert named["Tension"] == pytest.approx(shares["tether_tension_N"], rel=1e-6)
        assert named["TetherLen"] == pytest.approx(shares["tether_length_m"], rel=1e-6)
        assert named["PilotGain"] == pytest.approx(shares["gain"]) and named["Lights1"] == 1.0
        before = t.boot_ms
        assert before == 5000
        flight.order("reset", {})
        t.begin(flight)
        assert t.boot_ms == before  # time does not go back
    finally:
        flight.close()


@pytest.mark.slow
def test_gps_has_a_fix_at_the_surface_only():
    fixes = {}
    for depth in (0.0, 4.0):
        flight = Flight("iver3", start={"north_m": 9.0, "depth_m": depth})
        t = Telemetry(mavlink)
        t.begin(flight)
        fixes[depth] = sent(t.gps_raw_int())
        flight.close()
    assert fixes[0.0].fix_type == 3 and fixes[4.0].fix_type == 1
    lat, _, _ = pymap3d.ned2geodetic(9.0, 0.0, 0.0, 36.8, -121.9, 0.0)
    assert fixes[0.0].lat / 1e7 == pytest.approx(lat, abs=1e-7)
    assert fixes[4.0].satellites_visible == 0 and fixes[4.0].lat == 0


def test_one_without_a_receiver_or_a_bottom_says_so():
    flight = Flight("bluerov2", start={"depth_m": 0.0})
    try:
        t = Telemetry(mavlink)
        t.begin(flight)
        assert sent(t.gps_raw_int()).fix_type == 0
        assert t.distance_sensor() is None
        assert not sent(t.sys_status(MANUAL)).onboard_control_sensors_present & 0x20
    finally:
        flight.close()
