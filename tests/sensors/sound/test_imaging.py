"""Imaging sonar: positions and brightness of targets in closed form, shadows, speckle, scanning, refused settings."""

import math

import numpy as np
import pytest

from pelagos import Structure, World
from pelagos.errors import ScenarioError
from pelagos.sensors.sound.imaging import ImagingSonar, absorption_db_m, decibels, draw_image
from tests.sensors.sounding import at_work, instant, named

QUIET = {"speckle": False, "noise_db": -200.0}


def ball(range_m, bearing_deg, down_m=10.0, radius=1.0):
    b = math.radians(bearing_deg)
    return Structure(kind="sphere", center_m=(range_m * math.cos(b), range_m * math.sin(b), down_m), radius_m=radius)


def wall(north):
    return World(structures=(Structure(kind="plane", point_m=(north, 0.0, 0.0), normal=(-1.0, 0.0, 0.0)),))


def brightest(sonar):
    row, column = np.unravel_index(sonar.image.argmax(), sonar.image.shape)
    return sonar.ranges_m[row], sonar.bearings_deg[column]


@pytest.mark.parametrize(("range_m", "bearing"), [(8.0, 0.0), (15.0, 31.0), (24.0, -47.0)])
def test_a_sphere_is_the_brightest_cell(range_m, bearing):
    sensor = ImagingSonar(**QUIET)
    sonar = at_work(sensor)
    values = named(sensor, sonar.measure_single(instant(), World(structures=(ball(range_m, bearing),))))
    peak = brightest(sonar)
    cell, step = 30.0 / 256, 120.0 / 128
    assert peak[0] == pytest.approx(range_m - 1.0, abs=1.5 * cell)  # its near side, a pulse long
    # its skin at the bearing b off the middle is R (R - a) b^2 / (2 a) farther: within half a cell it is as bright
    flat = math.degrees(math.sqrt(cell / (range_m * (range_m - 1.0))))
    assert peak[1] == pytest.approx(bearing, abs=0.5 * step + flat)
    assert (values["brightest_m"], values["brightest_bearing_deg"]) == peak
    # no ray of a fan need meet the very nearest point: rays are 0.4 by 0.9 deg apart
    assert values["nearest_m"] == pytest.approx(range_m - 1.0, abs=0.02)
    assert values["nearest_bearing_deg"] == pytest.approx(bearing, abs=step)


def test_bearings_turn_with_the_vehicle_and_the_mounting():
    sensor = ImagingSonar(orientation_deg=(0.0, 0.0, 90.0), **QUIET)  # looks to starboard
    sonar = at_work(sensor)
    sonar.measure_single(instant(euler_deg=(0.0, 0.0, 40.0)), World(structures=(ball(12.0, 150.0),)))
    assert brightest(sonar)[1] == pytest.approx(150.0 - 40.0 - 90.0, abs=120.0 / 128)


def test_two_cylinders_and_the_shadow_behind():
    near = Structure(kind="cylinder", from_m=(10.0, 0.0, 0.0), to_m=(10.0, 0.0, 20.0), radius_m=0.5)
    far = Structure(kind="box", center_m=(20.0, 0.0, 10.0), size_m=(1.0, 20.0, 20.0))
    sensor = ImagingSonar(beam_width_deg=0.0, **QUIET)
    sonar = at_work(sensor)
    sonar.measure_single(instant(), World(structures=(near, far)))
    lit = sonar.image > 1e-6 * sonar.image.max()
    bearing = np.abs(sonar.bearings_deg)
    hidden, visible = bearing < 2.0, (bearing > 4.0) & (bearing < 20.0)  # the pillar covers asin(0.5 / 10) = 2.9 deg
    assert not lit[sonar.ranges_m > 12.0][:, hidden].any()
    assert lit[(sonar.ranges_m > 19.0) & (sonar.ranges_m < 22.0)][:, visible].any(axis=0).all()


@pytest.mark.parametrize("absorption", [0.0, 0.2])
def test_a_wall_dims_by_the_law(absorption):
    # square on: the whole fan of one bearing meets it; its sum is mu <cos i / r^2> 10^(-2 a r / 10). A narrow aperture
    # makes r and i one number: cos(1 deg) = 0.9998
    sensor = ImagingSonar(
        vertical_aperture_deg=2.0, sector_deg=3.0, n_bearings=3, beam_width_deg=0.0, gain="none", n_ranges=512,
        absorption_db_m=absorption, structure_strength_db=-10.0, **QUIET,
    )  # fmt: skip
    for north in (5.0, 11.0, 27.0):
        sonar = at_work(sensor)
        sonar.measure_single(instant(), wall(north))
        expected = 0.1 / north**2 * 10.0 ** (-0.2 * absorption * north)
        assert sonar.image[:, 1].sum() == pytest.approx(expected, rel=1e-3)


def test_lambert_dims_an_oblique_wall_by_the_cosine():
    sensor = ImagingSonar(
        vertical_aperture_deg=1.0, sector_deg=90.0, n_bearings=91, beam_width_deg=0.0, gain="none",
        absorption_db_m=0.0, n_ranges=512, max_range_m=60.0, **QUIET,
    )  # fmt: skip
    sonar = at_work(sensor)
    sonar.measure_single(instant(), wall(20.0))
    b = np.radians(sonar.bearings_deg)
    expected = 0.1 * np.cos(b) / (20.0 / np.cos(b)) ** 2
    assert sonar.image.sum(axis=0) == pytest.approx(expected, rel=1e-3)  # aperture of 1 deg: 4e-5


def test_gain_makes_a_wall_as_bright_at_any_range():
    sensor = ImagingSonar(
        vertical_aperture_deg=2.0, sector_deg=3.0, n_bearings=3, beam_width_deg=0.0, n_ranges=512, **QUIET
    )
    sums = []
    for north in (5.0, 11.0, 27.0):
        sonar = at_work(sensor)
        sonar.measure_single(instant(), wall(north))
        sums.append(sonar.image[:, 1].sum())
    # the gain is that of the cell's middle, up to a cell of 6 cm off: 2 x 6 cm / 5 m in 1 / r^2
    assert sums == pytest.approx([0.1] * 3, rel=0.025)


def test_a_level_bottom_has_no_gaps_and_the_right_sum():
    # 6 m over the bottom, tilted down by 20 deg, aperture 30: echoes from 6 / sin 35 to beyond the range
    sensor = ImagingSonar(
        orientation_deg=(0.0, -20.0, 0.0), vertical_aperture_deg=30.0, gain="none", n_rays=64, absorption_db_m=0.0,
        sector_deg=2.0, n_bearings=1, beam_width_deg=0.0, max_range_m=60.0, n_ranges=600, **QUIET,
    )  # fmt: skip
    sonar = at_work(sensor)
    sonar.measure_single(instant((0.0, 0.0, 24.0)), World(depth_m=30.0))
    profile = sonar.image[:, 0]
    inside = (sonar.ranges_m > 6.0 / math.sin(math.radians(35.0)) + 0.2) & (sonar.ranges_m < 50.0)
    assert (profile[inside] > 0.0).all()
    # an integral over the elevation e: mu sin e W(e) / r^2, r = 6 / sin e, W the pattern as in the docstring
    e = np.linspace(-15.0, 15.0, 20001)
    pattern = 2.0 ** (-2.0 * (e / 15.0) ** 2)
    below = np.radians(20.0 + e)
    ranges = 6.0 / np.sin(below)
    echo = 0.01 * np.sin(below) * pattern / pattern.sum() / ranges**2
    for low, high in ((12.0, 14.0), (20.0, 25.0)):
        cells = (sonar.ranges_m > low) & (sonar.ranges_m < high)
        expected = echo[(ranges > low) & (ranges < high)].sum()
        assert profile[cells].sum() == pytest.approx(expected, rel=0.03)  # 64 rays: some three to nine in the interval


def test_speckle_is_rayleigh_and_noise_has_its_level():
    sensor = ImagingSonar(gain="none", noise_db=-80.0, min_range_m=0.0)
    sonar = at_work(sensor)
    sonar.measure_single(instant(), World())
    cells = sonar.image.ravel()  # nothing but noise: exponential intensities of mean 1e-8
    tolerance = 4.0 / math.sqrt(cells.size)  # 4 sigma of a mean whose spread is the mean
    assert cells.mean() == pytest.approx(1e-8, rel=tolerance)
    amplitude = np.sqrt(cells)
    # Rayleigh: standard deviation over mean = sqrt(4 / pi - 1); its estimate is as good as the mean's
    assert amplitude.std() / amplitude.mean() == pytest.approx(math.sqrt(4.0 / math.pi - 1.0), rel=2.0 * tolerance)


def test_a_scanning_sonar_turns_step_by_step():
    sensor = ImagingSonar(sector_deg=360.0, n_bearings=36, beams_per_ping=1, n_rays=24, **QUIET)
    sonar = at_work(sensor)
    world = World(structures=(ball(10.0, 95.0, radius=2.0),))
    rows = [named(sensor, sonar.measure_single(instant(), world)) for _ in range(36)]
    hit = [k for k, row in enumerate(rows) if math.isfinite(row["nearest_m"])]
    # bearings -175, -165, ...: 85, 95 and 105 are 26, 27, 28; the ball covers 95 +- 11.5 deg
    assert hit == [26, 27, 28]
    assert brightest(sonar)[1] == pytest.approx(95.0)
    assert not np.isfinite(sonar.measure_single(instant(), world)).any()  # round again, from the first bearing


def test_same_seed_same_image():
    world = World(depth_m=14.0, structures=(ball(15.0, 5.0),))
    images = []
    for seed in (1, 1, 2):
        sonar = at_work(ImagingSonar(n_bearings=32, n_ranges=64), seed)
        sonar.measure_single(instant(), world)
        images.append(sonar.image)
    assert np.array_equal(images[0], images[1])
    assert not np.array_equal(images[0], images[2])


def francois_garrison(f, t=10.0, s=35.0, ph=8.0, depth=0.0):
    """Absorption in dB/km, J. Acoust. Soc. Am. 72 (1982), p. 1879, up to 20 C; f in kHz."""
    c = 1412.0 + 3.21 * t + 1.19 * s + 0.0167 * depth
    boric = 8.86 / c * 10.0 ** (0.78 * ph - 5.0)
    f1 = 2.8 * math.sqrt(s / 35.0) * 10.0 ** (4.0 - 1245.0 / (t + 273.0))
    sulphate = 21.44 * s / c * (1.0 + 0.025 * t) * (1.0 - 1.37e-4 * depth + 6.2e-9 * depth**2)
    f2 = 8.17 * 10.0 ** (8.0 - 1990.0 / (t + 273.0)) / (1.0 + 0.0018 * (s - 35.0))
    water = 4.937e-4 - 2.59e-5 * t + 9.11e-7 * t**2 - 1.50e-8 * t**3
    water *= 1.0 - 3.83e-5 * depth + 4.9e-10 * depth**2
    return boric * f1 * f**2 / (f1**2 + f**2) + sulphate * f2 * f**2 / (f2**2 + f**2) + water * f**2


@pytest.mark.parametrize("frequency", [10.0, 100.0, 500.0, 750.0, 1200.0])
@pytest.mark.parametrize("temperature", [4.0, 10.0, 18.0])
def test_absorption_is_near_the_formula_it_abridges(frequency, temperature):
    # Ainslie and McColm: within 10 % of Francois and Garrison for the oceans
    expected = 1e-3 * francois_garrison(frequency, temperature)
    assert absorption_db_m(frequency, temperature) == pytest.approx(expected, rel=0.1)


def test_the_picture_is_drawn(tmp_path):
    plt = pytest.importorskip("matplotlib.pyplot")
    sonar = at_work(ImagingSonar(n_bearings=24, n_ranges=40))
    sonar.measure_single(instant(), World(depth_m=14.0))
    figure, axes = plt.subplots()
    assert draw_image(sonar, axes) is axes
    assert axes.get_xlabel() == "to starboard, m"
    mesh = axes.collections[0]
    assert mesh.get_array().size == 24 * 40
    plt.close(figure)
    assert decibels(np.array([1.0, 0.1, 0.0]), -30.0) == pytest.approx([0.0, -10.0, -30.0])


@pytest.mark.parametrize(
    ("key", "value"),
    [("n_ranges", 1), ("beams_per_ping", 0), ("sector_deg", 400.0), ("gain", "agc"), ("max_range_m", 0.1)],
)
def test_what_no_sonar_has_is_refused(key, value):
    with pytest.raises(ScenarioError, match=key):
        ImagingSonar(**{key: value})
