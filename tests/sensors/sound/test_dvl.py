"""DVL: velocities and ranges in closed form, bottom lock, water track, noise of the data sheet, refused settings."""

import math

import numpy as np
import pytest

from pelagos import Profile, Seabed, Structure, World
from pelagos.errors import ScenarioError
from pelagos.frames import rotation_from_euler
from pelagos.sensors.sound.dvl import Dvl
from tests.sensors.sounding import at_work, instant, named, reading

FLAT = World(depth_m=30.0)
NU = (1.5, 0.2, -0.1, 0.05, -0.08, 0.2)
ARM = (0.7, -0.1, 0.2)
EXACT = 1e-12  # relative: least squares of exact numbers but for rounding


def true_velocity(nu=NU, arm=ARM):
    return np.array(nu[:3]) + np.cross(nu[3:], arm)


def velocity(values, what="velocity"):
    return np.array([values[f"{what}_{axis}_m_s"] for axis in "xyz"])


@pytest.mark.parametrize("euler", [(0, 0, 0), (10, -15, 200), (-25, 20, 77), (3, 30, -140)])
@pytest.mark.parametrize("turn", [(0, 0, 0), (0, 0, 45), (5, -8, 30)])
def test_the_velocity_of_its_point_is_exact_in_any_attitude(euler, turn):
    sensor = Dvl(position_m=ARM, orientation_deg=turn)
    values = reading(sensor, instant(euler_deg=euler, nu=NU), FLAT)
    assert values["n_beams"] == 4
    assert velocity(values) == pytest.approx(true_velocity(), rel=EXACT, abs=EXACT)


def test_ranges_and_altitude_over_a_level_bottom():
    # the beams lean 30 deg out: 20 / cos 30 each; pitched, d_z of each beam is in its range and the height stays
    level = reading(Dvl(), instant(), FLAT)
    assert [level[f"range_{k}_m"] for k in range(1, 5)] == pytest.approx([20.0 / math.cos(math.pi / 6)] * 4, rel=EXACT)
    tilted = reading(Dvl(first_azimuth_deg=0.0), instant(euler_deg=(0.0, 10.0, 0.0)), FLAT)
    # beams 1 and 3 are fore and aft: nose up by 10 deg makes them 40 and 20 deg off the vertical
    assert tilted["range_1_m"] == pytest.approx(20.0 / math.cos(math.radians(40.0)), rel=EXACT)
    assert tilted["range_3_m"] == pytest.approx(20.0 / math.cos(math.radians(20.0)), rel=EXACT)
    assert tilted["altitude_m"] == pytest.approx(20.0, rel=EXACT)


def test_ranges_over_a_slope():
    # bottom z = 30 + x tan 15; a beam (sin 30, 0, cos 30) from z = 10: r (cos 30 - tan 15 sin 30) = 20, aft the sum
    slope = World(seabed=Seabed(kind="slope", depth_m=30.0, slope_deg=15.0, down_to_deg=0.0))
    values = reading(Dvl(first_azimuth_deg=0.0), instant(), slope)
    s, c, t = 0.5, math.cos(math.pi / 6), math.tan(math.radians(15.0))
    assert values["range_1_m"] == pytest.approx(20.0 / (c - t * s), rel=EXACT)
    assert values["range_3_m"] == pytest.approx(20.0 / (c + t * s), rel=EXACT)


def test_three_beams_are_enough_and_two_are_not():
    # 40 m up and rolled to starboard by 35 deg; a beam reaches 60 / cos 30 = 69.3 m. With beams ahead, to starboard,
    # aft and to port, the one to port is 65 deg off the vertical, 40 / cos 65 = 95 m, and the others 56 m at most
    world, now = World(depth_m=60.0), instant((0.0, 0.0, 20.0), (35.0, 0.0, 0.0), NU)
    values = reading(Dvl(first_azimuth_deg=0.0, position_m=ARM, max_altitude_m=60.0), now, world)
    assert values["n_beams"] == 3
    assert math.isnan(values["range_4_m"])
    assert velocity(values) == pytest.approx(true_velocity(), rel=EXACT, abs=EXACT)
    # beams at 45 deg: both to port look 40 / (cos 30 cos 35 - sin 30 sin 45 sin 35) = 79 m far
    values = reading(Dvl(first_azimuth_deg=45.0, max_altitude_m=60.0), now, world)
    assert values["n_beams"] == 2
    assert np.isnan(velocity(values)).all()
    assert values["altitude_m"] == pytest.approx(40.0, rel=EXACT)


@pytest.mark.parametrize(("depth", "beams"), [(29.4, 4), (29.6, 0), (25.0, 4)])
def test_too_near_there_is_no_lock(depth, beams):
    # min_altitude 0.5 m: at 0.6 m there is lock, at 0.4 m there is none
    assert reading(Dvl(min_altitude_m=0.5), instant((0, 0, depth), nu=NU), FLAT)["n_beams"] == beams


def test_lock_ends_at_the_greatest_altitude_and_speed():
    sensor = Dvl(max_altitude_m=20.0)
    assert reading(sensor, instant((0, 0, 10.001), nu=NU), FLAT)["n_beams"] == 4
    lost = reading(sensor, instant((0, 0, 9.999), nu=NU), FLAT)
    assert lost["n_beams"] == 0
    assert np.isnan(velocity(lost)).all() and math.isnan(lost["altitude_m"])
    assert np.isfinite(velocity(lost, "water")).all()  # the water is still there
    assert reading(Dvl(max_speed_m_s=1.0), instant(nu=NU), FLAT)["n_beams"] == 0


def test_bottom_track_is_over_ground_and_water_track_through_the_water():
    current = np.array([0.3, -0.5, 0.0])
    now = instant(euler_deg=(5.0, -10.0, 130.0), nu=NU, water_n=current)
    values = reading(Dvl(position_m=ARM), now, FLAT)
    R_nb = rotation_from_euler(*np.radians([5.0, -10.0, 130.0]))
    assert velocity(values) == pytest.approx(true_velocity(), rel=EXACT, abs=EXACT)
    assert velocity(values, "water") == pytest.approx(true_velocity() - R_nb.T @ current, rel=EXACT, abs=EXACT)


def test_the_water_track_looks_at_its_layer():
    # a current that grows linearly from the surface to the bottom: at 10 + 8 m it is 18 / 30 of 0.6 m/s
    sheared = World(depth_m=30.0, currents=(Profile(rows=((0.0, 0.0, 0.0), (30.0, 0.6, 0.0))),))
    values = reading(Dvl(water_layer_m=8.0), instant(nu=NU), sheared)
    assert velocity(values, "water") == pytest.approx(np.array(NU[:3]) - (0.36, 0.0, 0.0), abs=1e-12)
    # 6 m over the bottom the layer at 8 m is gone; at 9 m it is too near to it (80 %): none
    for depth in (24.0, 21.0):
        assert np.isnan(velocity(reading(Dvl(water_layer_m=8.0), instant((0, 0, depth)), sheared), "water")).all()


def test_structures_are_bottom_too():
    deck = Structure(kind="box", center_m=(0.0, 0.0, 21.0), size_m=(60.0, 60.0, 2.0))
    values = reading(Dvl(), instant(nu=NU), World(depth_m=60.0, structures=(deck,)))
    assert values["altitude_m"] == pytest.approx(10.0, rel=EXACT)


def test_noise_comes_out_as_the_data_sheet_says():
    sensor = Dvl(noise_m_s=0.002, noise_per_speed=0.004, noise_per_range=1e-4, beam_angle_deg=25.0)
    log = at_work(sensor)
    now = instant(nu=(1.5, 0, 0, 0, 0, 0))
    rows = np.array([velocity(named(sensor, log.measure_single(now, FLAT))) for _ in range(3000)])
    sigma = 0.002 + 0.004 * 1.5 + 1e-4 * 20.0 / math.cos(math.radians(25.0))
    up = sigma * math.tan(math.radians(25.0)) / math.sqrt(2.0)
    # four equations, three unknowns: variances (D^T D)^-1; 4 sigma of an estimated standard deviation
    assert rows.std(axis=0) == pytest.approx([sigma, sigma, up], rel=4.0 / math.sqrt(6000))
    assert rows.mean(axis=0) == pytest.approx([1.5, 0.0, 0.0], abs=4.0 * sigma / math.sqrt(3000))


def test_water_and_range_noise():
    sensor = Dvl(noise_m_s=0.002, water_noise_factor=5.0, range_noise_m=0.1)
    log = at_work(sensor)
    rows = [named(sensor, log.measure_single(instant(), FLAT)) for _ in range(2000)]
    tolerance = 4.0 / math.sqrt(4000)
    assert np.std([row["water_x_m_s"] for row in rows]) == pytest.approx(0.01, rel=tolerance)
    assert np.std([row["range_2_m"] for row in rows]) == pytest.approx(0.1, rel=tolerance)
    # the mean of four independent heights r cos 30
    assert np.std([row["altitude_m"] for row in rows]) == pytest.approx(0.05 * math.cos(math.pi / 6), rel=tolerance)


@pytest.mark.slow
def test_constant_errors_have_their_size_over_many_logs():
    now = instant(nu=(2.0, 0, 0, 0, 0, 0))
    count, tolerance = 600, 4.0 / math.sqrt(1200)  # 4 sigma of the estimate
    scaled = [reading(Dvl(scale=0.003), now, FLAT, seed=k)["velocity_x_m_s"] for k in range(count)]
    assert np.std(scaled) == pytest.approx(0.003 * 2.0, rel=tolerance)
    biased = [reading(Dvl(bias_m_s=0.002), now, FLAT, seed=k)["velocity_y_m_s"] for k in range(count)]
    assert np.std(biased) == pytest.approx(0.002, rel=tolerance)
    # a yaw of the log by a turns 2 m/s ahead into -2 sin a to starboard
    turned = [reading(Dvl(misalignment_deg=0.5), now, FLAT, seed=k)["velocity_y_m_s"] for k in range(count)]
    assert np.std(turned) == pytest.approx(2.0 * math.radians(0.5), rel=tolerance)


def test_resolution_dropout_and_determinism():
    steps = reading(Dvl(resolution_m_s=0.01), instant(nu=(1.234, 0, 0, 0, 0, 0)), FLAT)
    assert steps["velocity_x_m_s"] == pytest.approx(1.23, abs=1e-12)
    sensor = Dvl(beam_dropout=0.3, noise_m_s=0.01)
    first, other = at_work(sensor, 5), at_work(sensor, 5)
    rows = [first.measure_single(instant(nu=NU), FLAT) for _ in range(2000)]
    assert all(np.array_equal(other.measure_single(instant(nu=NU), FLAT), row, equal_nan=True) for row in rows[:50])
    locked = np.array([row[11] for row in rows])
    assert locked.mean() == pytest.approx(2.8, abs=4.0 * math.sqrt(4 * 0.3 * 0.7 / 2000))  # binomial of 4 beams
    assert all(np.isnan(row[0]) == (row[11] < 3) for row in rows)


def test_in_air_it_hears_nothing_and_a_fault_shifts_the_speed_only():
    up = instant((0.0, 0.0, -1.0), wet_share=0.0, below_m=-1.0)
    values = reading(Dvl(), up, FLAT)
    assert values["n_beams"] == 0
    assert np.isnan(velocity(values, "water")).all()
    log = at_work(Dvl())
    values = log.measure_single(instant(nu=NU), FLAT)
    shift = log.biased(values, 0.5) - values
    assert shift == pytest.approx([0.5, 0, 0, 0, 0, 0, 0, 0, 0.5, 0, 0, 0], abs=1e-15)


@pytest.mark.parametrize(
    ("key", "value"),
    [("beam_angle_deg", 0.0), ("max_altitude_m", 0.1), ("noise_m_s", -1.0), ("scale", 3.0), ("misalignment_deg", 90.0)],
)
def test_what_no_log_has_is_refused(key, value):
    with pytest.raises(ScenarioError, match=key):
        Dvl(**{key: value})
