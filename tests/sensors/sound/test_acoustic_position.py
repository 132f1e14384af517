"""USBL and LBL: positions and ranges, their errors, arrival times, hidden transponders, refused settings."""

import math

import numpy as np
import pytest

from pelagos import Structure, World
from pelagos.errors import ScenarioError
from pelagos.frames import rotation_from_euler
from pelagos.sensors.base import VehicleContext
from pelagos.sensors.instruments.acoustic_position import places_from_ranges
from pelagos.sensors.sound.acoustic_position import Lbl, Usbl
from pelagos.sensors.suite import SensorSuite
from tests.sensors.sounding import at_work, instant, named, reading

SEA = World(depth_m=100.0)
CORNERS = ((0.0, 0.0, 100.0), (200.0, 0.0, 100.0), (0.0, 200.0, 100.0), (200.0, 200.0, 100.0))


def test_usbl_sees_the_transponder_from_the_ship():
    # 3-4-12-13: 30 north, 40 east of the ship and 120 below it would be 130 away; the transponder sits on a lever arm
    sensor = Usbl(ship_m=(70.0, -20.0, 2.0), position_m=(1.0, 0.2, -0.3))
    euler = (5.0, 12.0, 60.0)
    arm = rotation_from_euler(*np.radians(euler)) @ sensor.position_m
    place = np.array([100.0, 20.0, 122.0])
    values = reading(sensor, instant(place - arm, euler), World())
    assert values["range_m"] == pytest.approx(130.0, rel=1e-12)
    assert values["bearing_deg"] == pytest.approx(math.degrees(math.atan2(4.0, 3.0)), rel=1e-12)
    assert values["elevation_deg"] == pytest.approx(math.degrees(math.asin(12.0 / 13.0)), rel=1e-12)
    assert [values["north_m"], values["east_m"], values["depth_m"]] == pytest.approx(place, rel=1e-12)


def test_usbl_errors_across_grow_with_range():
    sensor = Usbl(ship_m=(0.0, 0.0, 10.0), noise_m=0.05, noise_per_range=1e-3, angle_noise_deg=0.3)
    system = at_work(sensor)
    now = instant((400.0, 0.0, 10.0))  # straight north, level
    rows = np.array([system.measure_single(now, SEA) for _ in range(2000)])
    tolerance = 4.0 / math.sqrt(4000)  # 4 sigma of an estimated standard deviation
    assert rows[:, 3].std() == pytest.approx(0.05 + 0.4, rel=tolerance)  # along: the range
    # across: r sigma; 0.3 deg is small
    assert rows[:, 4:].std(axis=0) == pytest.approx([400.0 * math.radians(0.3)] * 2, rel=tolerance)


@pytest.mark.slow
def test_a_moving_ship_and_constant_errors():
    sensor = Usbl(ship_m=(0.0, 0.0, 5.0), ship_velocity_m_s=(1.0, 2.0, 0.0))
    values = reading(sensor, instant((100.0, 250.0, 5.0), time_s=100.0), SEA)  # the ship is at (100, 200)
    assert (values["range_m"], values["bearing_deg"]) == pytest.approx((50.0, 90.0), rel=1e-12)
    turned = [
        reading(Usbl(ship_m=(0.0, 0.0, 10.0), angle_bias_deg=1.0), instant((100.0, 0.0, 10.0)), SEA, seed=k)["east_m"]
        for k in range(1500)
    ]
    # 100 sin(1 deg) within the rest of the sine series; 4 sigma of the estimate
    assert np.std(turned) == pytest.approx(100.0 * math.radians(1.0), rel=4.0 / math.sqrt(3000))


def test_a_wrong_speed_of_sound_scales_the_range():
    sensor = Usbl(ship_m=(0.0, 0.0, 10.0), assumed_sound_speed_m_s=1530.0)
    values = named(
        sensor,
        at_work(sensor, fit=VehicleContext(sound_speed_m_s=1500.0)).measure_single(instant((300.0, 0.0, 10.0)), SEA),
    )
    assert values["range_m"] == pytest.approx(306.0, rel=1e-12)
    assert values["north_m"] == pytest.approx(306.0, rel=1e-12)


@pytest.mark.parametrize("ways", [1, 2, 3])
def test_readings_come_after_the_sound(ways):
    sensor = Usbl(ship_m=(0.0, 0.0, 10.0), ways=ways, turnaround_s=0.05, latency_s=0.1, rate_hz=0.1)
    suite = SensorSuite([sensor], VehicleContext(sound_speed_m_s=1500.0))
    delay = ways * 600.0 / 1500.0 + 0.05 + 0.1
    came = {}
    for tick in range(40):
        now = instant((600.0, 0.0, 10.0), time_s=0.05 * tick)
        for arrival in suite.sample([now], SEA).values():
            came[now.time_s] = arrival
    ((arrived, reading_),) = came.items()
    assert reading_.time_s == 0.0
    assert reading_.arrived_s == pytest.approx(delay, rel=1e-12)
    assert arrived == pytest.approx(math.ceil(delay / 0.05 - 1e-9) * 0.05, abs=1e-9)  # the next tick


def test_no_reading_out_of_sight_range_or_water():
    wall = Structure(kind="box", center_m=(100.0, 0.0, 10.0), size_m=(2.0, 50.0, 30.0))
    walled = World(depth_m=100.0, structures=(wall,))
    usbl = at_work(Usbl(ship_m=(0.0, 0.0, 5.0), max_range_m=500.0))
    behind = instant((200.0, 0.0, 10.0))
    assert usbl.measure_single(behind, SEA) is not None
    assert usbl.measure_single(behind, walled) is None
    assert usbl.measure_single(instant((200.0, 0.0, 60.0)), walled) is not None  # passes below it
    assert usbl.measure_single(instant((600.0, 0.0, 10.0)), SEA) is None
    assert usbl.measure_single(instant((50.0, 0.0, -1.0), wet_share=0.0, below_m=-1.0), SEA) is None
    assert usbl.measure_single(instant((200.0, 0.0, 130.0)), SEA) is None  # the seabed is between


def test_lbl_ranges_and_place():
    sensor = Lbl(transponders_m=CORNERS, position_m=(0.5, 0.0, 0.0))
    place = np.array([70.0, 40.0, 55.0])
    values = reading(sensor, instant(place - (0.5, 0.0, 0.0)), SEA)
    expected = [math.dist(place, corner) for corner in CORNERS]
    assert [values[f"range_{k}_m"] for k in range(1, 5)] == pytest.approx(expected, rel=1e-12)
    # Gauss-Newton stops at steps of 1e-9 of the range
    assert [values["north_m"], values["east_m"], values["depth_m"]] == pytest.approx(place, abs=1e-6)


def test_lbl_with_a_transponder_in_the_shadow():
    # a pillar close to the vehicle on the way to the first transponder
    pillar = Structure(kind="cylinder", from_m=(60.0, 35.0, 0.0), to_m=(60.0, 35.0, 100.0), radius_m=2.0)
    world = World(depth_m=100.0, structures=(pillar,))
    sensor = Lbl(transponders_m=CORNERS)
    values = reading(sensor, instant((70.0, 41.0, 55.0)), world)
    assert math.isnan(values["range_1_m"])
    assert [values["north_m"], values["east_m"], values["depth_m"]] == pytest.approx((70.0, 41.0, 55.0), abs=1e-6)
    pair = Lbl(transponders_m=CORNERS[:2])
    assert math.isnan(reading(pair, instant((70.0, 41.0, 55.0)), SEA)["north_m"])  # two ranges make no place
    assert at_work(Lbl(transponders_m=CORNERS[:1])).measure_single(instant((70.0, 41.0, 55.0)), world) is None


def test_lbl_waits_for_the_farthest():
    sensor = Lbl(transponders_m=CORNERS)
    system = at_work(sensor, fit=VehicleContext(sound_speed_m_s=1480.0))
    place = (70.0, 40.0, 55.0)
    system.measure_single(instant(place), SEA)
    assert system.delay_s == pytest.approx(2.0 * max(math.dist(place, c) for c in CORNERS) / 1480.0, rel=1e-12)


def test_the_place_of_noisy_ranges_is_as_uncertain_as_theory_says():
    sensor = Lbl(transponders_m=CORNERS, noise_m=0.2)
    system = at_work(sensor)
    place = np.array([70.0, 40.0, 40.0])
    fixes = np.array([system.measure_single(instant(place), SEA)[-3:] for _ in range(600)])
    slopes = (place - np.array(CORNERS)) / np.linalg.norm(place - np.array(CORNERS), axis=1)[:, None]
    sigma = 0.2 * np.sqrt(np.diag(np.linalg.inv(slopes.T @ slopes)))  # least squares
    assert fixes.std(axis=0) == pytest.approx(sigma, rel=4.0 / math.sqrt(1200))  # 4 sigma of the estimate
    assert fixes.mean(axis=0) == pytest.approx(place, abs=5.0 * sigma.max() / math.sqrt(600))


def test_transponders_in_a_line_or_too_few_make_no_place():
    in_line = np.array([[0.0, 0.0, 50.0], [100.0, 0.0, 50.0], [200.0, 0.0, 50.0]])
    place = np.array([80.0, 30.0, 20.0])  # any point of a circle round the line has the same distances
    assert np.isnan(places_from_ranges(in_line, np.linalg.norm(in_line - place, axis=1)[None])).all()
    bent = in_line + np.array([[0.0, 0.0, 0.0], [0.0, 90.0, 0.0], [0.0, 0.0, 0.0]])
    ranges = np.linalg.norm(bent - place, axis=1)[None]
    assert places_from_ranges(bent, ranges)[0] == pytest.approx(place, abs=1e-6)  # steps end at 1e-9 of the range
    ranges[0, 1] = math.nan
    assert np.isnan(places_from_ranges(bent, ranges)).all()


def test_same_seed_same_readings():
    sensor = Usbl(ship_m=(0.0, 0.0, 5.0), noise_m=0.1, angle_noise_deg=1.0, angle_bias_deg=1.0)
    first, other = at_work(sensor, 9), at_work(sensor, 9)
    for _ in range(10):
        assert np.array_equal(
            first.measure_single(instant((90.0, 10.0, 20.0)), SEA),
            other.measure_single(instant((90.0, 10.0, 20.0)), SEA),
        )


def test_faults_shift_the_fix_or_the_ranges():
    usbl = at_work(Usbl(ship_m=(0.0, 0.0, 5.0)))
    values = usbl.measure_single(instant((90.0, 10.0, 20.0)), SEA)
    assert usbl.biased(values, 7.0) - values == pytest.approx([0, 0, 0, 7.0, 0, 0])
    lbl = at_work(Lbl(transponders_m=CORNERS))
    values = lbl.measure_single(instant((100.0, 100.0, 40.0)), SEA)
    shifted = lbl.biased(values, 5.0)
    assert shifted[:4] - values[:4] == pytest.approx([5.0] * 4)
    assert shifted[4:6] == pytest.approx([100.0, 100.0], abs=1e-6)  # in the middle: by symmetry only the height moves
    assert shifted[6] < values[6]


@pytest.mark.parametrize(
    ("make", "key"),
    [
        (lambda: Usbl(ship_m=(0.0, 0.0, -1.0)), "ship_m"),
        (lambda: Usbl(ways=4), "ways"),
        (lambda: Usbl(assumed_sound_speed_m_s=330.0), "assumed_sound_speed_m_s"),
        (lambda: Usbl(angle_noise_deg=-1.0), "angle_noise_deg"),
        (lambda: at_work(Lbl()), "transponders_m"),
        (lambda: Lbl(transponders_m=((0.0, 0.0, 9.0),) * 33), "transponders_m"),
        (lambda: Lbl(scale=2.0), "scale"),
        (lambda: Lbl(transponders_m=((0.0, 0.0, math.inf),)), "transponders_m"),
    ],
)
def test_what_no_system_has_is_refused(make, key):
    with pytest.raises(ScenarioError, match=key):
        make()
