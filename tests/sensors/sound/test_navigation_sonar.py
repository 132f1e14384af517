"""Navigation sonar of the Gavia notes: its fan, ranges in closed form, range limits, noise, refused settings."""

import math

import numpy as np
import pytest

from pelagos import Seabed, Structure, World, load_world
from pelagos.errors import ScenarioError
from pelagos.frames import rotation_from_euler
from pelagos.sensors.sound.navigation_sonar import NavigationSonar
from tests.sensors.sounding import at_work, instant, reading

FLAT = World(depth_m=30.0)
EXACT = 1e-12  # relative: the rays are exact but for rounding


def beams(sensor, values):
    return np.array([values[f"beam_{k:02d}_m"] for k in range(sensor.n_beams)])


def test_the_fan_of_the_document():
    assert NavigationSonar().elevations_deg == pytest.approx([-5.0, -5.0 / 3.0, 5.0 / 3.0, 5.0])
    assert NavigationSonar(n_beams=1, tilt_deg=20.0).elevations_deg == pytest.approx([20.0])
    assert NavigationSonar().columns == (*(f"beam_0{k}_m" for k in range(4)), "range_m", "ahead_m", "below_m")


@pytest.mark.parametrize("pitch", [0.0, -12.0, 8.0])
def test_over_a_level_bottom_each_beam_is_h_over_sine(pitch):
    sensor = NavigationSonar(n_beams=7, fan_deg=60.0, tilt_deg=40.0, max_range_m=1000.0, position_m=(0.9, 0.0, 0.1))
    values = reading(sensor, instant(euler_deg=(0.0, pitch, 250.0)), FLAT)
    a = math.radians(pitch)
    height = 20.0 + 0.9 * math.sin(a) - 0.1 * math.cos(a)  # of the nose
    down = np.radians(sensor.elevations_deg - pitch)  # below the horizon: nose up lifts them
    expected = height / np.sin(down)
    assert beams(sensor, values) == pytest.approx(expected, rel=EXACT)
    assert values["range_m"] == pytest.approx(expected[-1], rel=EXACT)  # the steepest is the nearest
    assert values["below_m"] == pytest.approx(height, rel=EXACT)
    assert values["ahead_m"] == pytest.approx(height / math.tan(down[-1]), rel=1e-9)  # a root of 1 - sin^2


def test_towards_a_slope_and_a_wall():
    # a bottom that rises to the north by 25 deg: z = 30 - x tan 25; level beam: x = 20 / tan 25
    slope = World(seabed=Seabed(kind="slope", depth_m=30.0, slope_deg=25.0, down_to_deg=180.0))
    sensor = NavigationSonar(n_beams=5, fan_deg=40.0, max_range_m=300.0)
    down = np.radians(sensor.elevations_deg)
    rise = math.tan(math.radians(25.0))
    values = reading(sensor, instant(), slope)
    assert beams(sensor, values) == pytest.approx(20.0 / (np.sin(down) + rise * np.cos(down)), rel=EXACT)
    wall = Structure(kind="box", center_m=(17.0, 0.0, 10.0), size_m=(4.0, 80.0, 60.0))
    values = reading(sensor, instant(), World(structures=(wall,)))
    assert beams(sensor, values) == pytest.approx(15.0 / np.cos(down), rel=EXACT)
    assert (values["range_m"], values["ahead_m"]) == pytest.approx((15.0, 15.0), rel=EXACT)
    assert values["below_m"] == pytest.approx(0.0, abs=1e-12)


def brute_force(world, origin, direction, max_range, step=0.01):
    """First of many points along the beam that is below the bottom; the step before is still above it."""
    along = np.arange(0.0, max_range, step)
    points = origin + along[:, None] * direction
    deep = points[:, 2] - world.bottom_m(points[:, 0], points[:, 1])
    under = np.flatnonzero(deep > 0.0)
    if not len(under):
        return math.inf
    k = int(under[0])
    return along[k - 1] + step * deep[k - 1] / (deep[k - 1] - deep[k])


def test_over_the_drawn_bottom_as_by_sampling_it():
    world = load_world("gavia_bottom")
    sensor = NavigationSonar(n_beams=9, fan_deg=80.0, tilt_deg=45.0, max_range_m=60.0, position_m=(0.97, 0.0, 0.0))
    sonar = at_work(sensor)
    met = 0
    for east in np.linspace(-45.0, 235.0, 15):
        euler = (4.0, 7.0 * math.sin(east), 85.0)
        now = instant((3.0, east, float(world.bottom_m(3.0, east)) - 12.0), euler)
        values = sonar.measure_single(now, world)
        R_nb = rotation_from_euler(*np.radians(euler))
        origin = now.motion[0, 1:4] + R_nb @ (0.97, 0.0, 0.0)
        for k, elevation in enumerate(np.radians(sensor.elevations_deg)):
            direction = R_nb @ (math.cos(elevation), 0.0, math.sin(elevation))
            expected = brute_force(world, origin, direction, 60.0)
            if math.isinf(expected):
                assert values[k] == 60.0
            else:
                # the bottom is bilinear in cells of 1 m: straight within a step of 1 cm but for a corner; 2 mm
                assert values[k] == pytest.approx(expected, abs=2e-3)
                met += 1
        assert values[9] == values[:9].min()
    assert met > 60


def test_nothing_in_reach_is_the_greatest_range_or_nan():
    up = instant((0.0, 0.0, 2.0))
    values = reading(NavigationSonar(), up, World(depth_m=300.0))
    assert beams(NavigationSonar(), values).tolist() == [50.0] * 4
    assert values["range_m"] == 50.0
    assert math.isnan(values["below_m"])
    silent = reading(NavigationSonar(no_echo="nan"), up, World(depth_m=300.0))
    assert all(math.isnan(value) for value in silent.values())


def test_the_reading_of_the_old_program():
    # pitch and nose are left out; horizontal distance of a beam a below the horizon is h / tan a
    sensor = NavigationSonar(
        n_beams=3, fan_deg=20.0, tilt_deg=50.0, reading="horizontal", position_m=(5.0, 0.0, 0.0), max_range_m=100.0
    )
    values = reading(sensor, instant(euler_deg=(10.0, -20.0, 33.0)), FLAT)
    expected = 20.0 / np.tan(np.radians([40.0, 50.0, 60.0]))
    assert beams(sensor, values) == pytest.approx(expected, rel=EXACT)
    assert (values["range_m"], values["ahead_m"]) == pytest.approx((expected[2], expected[2]), rel=EXACT)
    assert values["below_m"] == pytest.approx(20.0, rel=EXACT)


def test_noise_and_determinism():
    sensor = NavigationSonar(n_beams=2, fan_deg=10.0, tilt_deg=60.0, noise_per_range=0.01)
    first, other = at_work(sensor, 2), at_work(sensor, 2)
    rows = np.array([first.measure_single(instant(), FLAT) for _ in range(2000)])
    assert all(np.array_equal(other.measure_single(instant(), FLAT), row) for row in rows[:20])
    true = 20.0 / np.sin(np.radians([55.0, 65.0]))
    assert rows[:, :2].std(axis=0) == pytest.approx(0.01 * true, rel=4.0 / math.sqrt(4000))  # 4 sigma
    assert first.biased(rows[0], 2.0) - rows[0] == pytest.approx([2.0, 2.0, 2.0, 0.0, 0.0])


@pytest.mark.parametrize(
    ("key", "value"), [("n_beams", 0), ("n_beams", 2.5), ("fan_deg", -1.0), ("reading", "slanted"), ("no_echo", "inf")]
)
def test_what_no_sonar_has_is_refused(key, value):
    with pytest.raises(ScenarioError, match=key):
        NavigationSonar(**{key: value})
