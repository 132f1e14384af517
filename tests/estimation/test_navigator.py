"""The navigator: alignment, delays, gates, failing instruments, refused input."""

import copy
import math
from dataclasses import replace

import numpy as np
import pytest

from pelagos.errors import ScenarioError
from pelagos.estimation.base import Navigation
from pelagos.estimation.navigator import COLUMNS, CURRENT_COLUMNS, Navigator
from pelagos.messages import Reading
from pelagos.sensors.gps import Gps
from pelagos.sensors.sound.acoustic_position import Lbl, Usbl
from pelagos.sensors.water_speed import WaterSpeed
from tests.estimation.trip import COMPASS, DEPTH, DVL, FOUR, IDLE, IMU, G, Trip


def error_of(trip):
    truth = trip.state(trip.time_s)
    return truth.pos_n - trip.last.pos_n


def test_gravity_levels_the_vehicle_as_far_as_the_accelerometers_allow():
    # at rest, with a DVL, a tilt cannot be told from an accelerometer bias: sigma -> bias / g
    trip = Trip([replace(IMU, accel_bias_ug=2000.0), DEPTH, COMPASS, DVL], pitch=0.1, tilt_sigma_deg=3.0)
    trip.run(60.0)
    best = 2000e-6  # rad: 2000 micro g over g
    assert trip.last.attitude_sigma_rad[:2] == pytest.approx([best, best], rel=0.1)  # 10 %: gyro noise keeps it open
    assert abs(trip.last.pitch - 0.1) < 3.0 * best  # three sigma
    assert abs(trip.last.roll) < 3.0 * best


@pytest.mark.slow
@pytest.mark.parametrize("r", [0.0, 0.1])
def test_a_line_and_a_circle_are_followed(r):
    trip = Trip(u=1.5, r=r, position_sigma_m=0.5)
    navigator = trip.run(80.0)
    truth = trip.state(80.0)
    assert navigator.consistency(truth) < 27.9  # chi-square of 9: 0.1 % are beyond
    assert np.all(np.abs(error_of(trip)) < 3.3 * trip.last.pos_sigma_m)  # 0.1 % are beyond 3.3 sigma
    assert trip.last.nu[:2] == pytest.approx(truth.nu[:2], abs=0.02)  # m/s: five times the noise of a fused velocity
    assert trip.last.nu[5] == pytest.approx(r, abs=0.003)  # rad/s: noise of one gyro sample, 0.15 deg/sqrt(h) at 50 Hz


@pytest.mark.slow
def test_the_start_has_the_errors_that_were_asked_for():
    computed = []
    for seed in range(200):
        trip = Trip(seed=seed, position_sigma_m=4.0, heading_sigma_deg=3.0)
        estimate = trip.navigator._last
        computed.append([*(estimate.pos_n - trip.state(0.0).pos_n), math.degrees(estimate.yaw)])
    # the standard deviation of 200 draws is known to 5 %; three of those
    assert np.std(computed, axis=0) == pytest.approx([4.0, 4.0, 0.1, 3.0], rel=0.15)


def test_late_readings_meet_the_state_of_their_own_instant():
    at_once, late = Trip(u=1.5, r=0.05), Trip([IMU, *(replace(s, latency_s=0.3) for s in FOUR[1:])], u=1.5, r=0.05)
    at_once.run(20.0)
    late.run(20.3)
    assert late.navigator.delay_s == 0.3
    # the same readings in the same order: the same numbers, to the rounding of times
    assert late.navigator._x == pytest.approx(at_once.navigator._x, abs=1e-9)
    # and the estimate is of now, not of 0.3 s ago (0.45 m)
    assert np.linalg.norm(error_of(late)[:2] - error_of(at_once)[:2]) < 0.05  # m: what 0.3 s more bring


def test_a_wild_reading_is_counted_and_left_out():
    trip = Trip()
    navigator = trip.run(10.0)
    before = float(trip.last.pos_n[2])
    navigator.update(10.05, [Reading("depth", 10.05, 10.05, np.array([70.0]))], IDLE)
    assert navigator.rejected["depth"] == 1
    assert navigator._last.pos_n[2] == pytest.approx(before, abs=0.01)
    assert navigator.innovations["depth"] > 1000.0
    assert sum(navigator.rejected.values()) == 1  # nothing else in 10 s


def test_without_the_dvl_dead_reckoning_goes_on_and_grows_unsure():
    trip = Trip(u=1.5)
    trip.run(30.0)
    sure = trip.last.pos_sigma_m[0]
    trip.suite.inject_fault("dvl", "loss")
    sigmas = []
    for _ in range(3):
        trip.run(10.0)
        sigmas.append(float(trip.last.pos_sigma_m[0]))
    assert sure < sigmas[0] < sigmas[1] < sigmas[2]
    assert trip.navigator.consistency(trip.state(trip.time_s)) < 27.9  # chi-square of 9: 0.1 % are beyond


@pytest.mark.parametrize("sensors", [FOUR, FOUR[1:]], ids=["imu lost", "no imu"])
def test_without_an_imu_compass_and_dvl_reckon(sensors):
    trip = Trip(sensors, u=1.5, r=0.02)
    trip.run(10.0)
    if len(sensors) == 4:
        trip.suite.inject_fault("imu", "loss")
    trip.run(60.0)
    # m: heading noise 0.5 deg / sqrt(10 Hz), smoothed, on 90 m: 1 m each way; and the start, 1 m
    assert np.linalg.norm(error_of(trip)[:2]) < 4.0
    assert trip.last.yaw == pytest.approx(math.remainder(1.4, 2 * math.pi), abs=math.radians(3.0))
    assert trip.last.nu[0] == pytest.approx(1.5, abs=0.1)
    assert trip.navigator.consistency(trip.state(trip.time_s)) < 27.9


def test_a_fix_at_the_surface_takes_away_what_dead_reckoning_gathered():
    gps = Gps(position_m=(0.0, 0.0, -0.5), cep_m=1.0, refix_s=0.0)
    trip = Trip([*FOUR, gps], u=1.0, depth_m=0.2, position_sigma_m=30.0)
    trip.run(30.0)
    assert trip.navigator.accepted["gps"] >= 30
    # most of a fix is an error that lasts: CEP / sqrt(2 ln 2), and no average takes it away
    assert trip.last.pos_sigma_m[:2] == pytest.approx([1.0 / math.sqrt(2.0 * math.log(2.0))] * 2, rel=0.1)
    assert np.all(np.abs(error_of(trip)[:2]) < 3.3 * trip.last.pos_sigma_m[:2])


BEACONS = ((0.0, 0.0, 39.0), (80.0, 0.0, 39.0), (40.0, 80.0, 39.0))


@pytest.mark.slow
@pytest.mark.parametrize(
    "sensor",
    [
        Usbl(rate_hz=1.0, noise_m=0.1, angle_noise_deg=0.3, max_range_m=300.0, ways=3),
        Lbl(rate_hz=1.0, noise_m=0.2, transponders_m=BEACONS, max_range_m=300.0),
    ],
    ids=["usbl", "lbl"],
)
def test_sound_finds_a_vehicle_that_does_not_know_where_it_is(sensor):
    trip = Trip([*FOUR, sensor], u=0.5, r=0.03, position_sigma_m=20.0)
    trip.run(60.0)
    name = sensor.kind
    assert trip.navigator.accepted[name] > 40 and trip.navigator.rejected[name] <= 1
    assert trip.last.pos_sigma_m[:2].max() < 0.3  # m: 60 fixes of better than 0.5 m
    assert trip.navigator.consistency(trip.state(trip.time_s)) < 27.9


def test_water_track_and_a_speed_log_find_the_current():
    sensors = [IMU, DEPTH, COMPASS, replace(DVL, water_track=True), WaterSpeed(rate_hz=5.0, noise_m_s=0.02)]
    trip = Trip(sensors, u=1.2, r=0.03, current_n=(0.3, -0.2, 0.0))
    navigator = trip.run(60.0)
    assert navigator.current_n == pytest.approx([0.3, -0.2], abs=0.02)  # m/s: three sigma of 300 pings of 12 mm/s
    assert trip.last.nu_r[:2] == pytest.approx([1.2, 0.0], abs=0.03)
    assert navigator.columns == COLUMNS + CURRENT_COLUMNS
    assert len(navigator.values()) == len(navigator.columns)


def test_the_log_and_the_estimate_say_the_same():
    trip = Trip(u=1.0, r=-0.05)
    trip.run(5.0)
    navigator = trip.navigator
    navigator.consistency(trip.state(5.0))
    row = dict(zip(navigator.columns, navigator.values(), strict=True))
    assert row["est_north_m"] == trip.last.pos_n[0]
    assert row["est_heading_deg"] == pytest.approx(math.degrees(trip.last.yaw) % 360.0)
    assert 340.0 < row["est_heading_deg"] < 350.0  # 0.25 rad to port
    assert row["nees"] > 0.0
    assert trip.last.altitude_m == pytest.approx(20.0, abs=0.3)  # m: 40 - 20; the log measures it without noise


def test_a_copy_goes_on_alike_and_apart():
    trip = Trip(u=1.0)
    trip.run(3.0)
    twin = copy.deepcopy(trip)
    trip.run(2.0)
    twin.run(2.0)
    assert np.array_equal(trip.navigator._x, twin.navigator._x)
    twin.run(1.0)
    assert trip.navigator._x[0] != twin.navigator._x[0]


def test_the_same_seed_gives_the_same_numbers():
    a, b = Trip(u=1.0, seed=5), Trip(u=1.0, seed=5)
    assert a.run(3.0).values()[:-1] == b.run(3.0).values()[:-1]


@pytest.mark.parametrize(
    ("sensors", "sentence"),
    [
        (
            [IMU, DEPTH, COMPASS],
            r'instruments = \["depth", "compass"\]: expected also dvl, gps, usbl, lbl or water_speed',
        ),
        ([DEPTH, DVL], "expected also imu or compass"),
        ([COMPASS, Gps()], "expected also imu, or dvl"),
        ([], r"instruments = \[\]"),
    ],
)
def test_too_few_instruments_are_refused_by_name(sensors, sentence):
    with pytest.raises(ScenarioError, match=sentence):
        Navigation().make(sensors)


def test_a_mode_without_its_vehicle_is_refused():
    named = {sensor.kind: sensor for sensor in FOUR}
    with pytest.raises(ScenarioError, match="expected a vehicle whose dynamics are known"):
        Navigator(named, mode="model", gravity_m_s2=G)
    with pytest.raises(ScenarioError, match="expected one of dvl, model"):
        Navigator(named, mode="magic", gravity_m_s2=G)
