"""Instruments of many vehicles against those of one: the same motion, the same readings; errors of the same size."""

from typing import Any

import numpy as np
import pytest

from pelagos.batch.batch import Batch
from pelagos.batch.instruments import MANY, Instruments
from pelagos.batch.instruments_base import Moments
from pelagos.errors import CommandError
from pelagos.frames import quaternion_from_euler, rotation_from_euler
from pelagos.messages import Truths
from pelagos.sensors.acoustic_position import Usbl
from pelagos.sensors.altimeter import Altimeter
from pelagos.sensors.base import Moment
from pelagos.sensors.battery import Battery
from pelagos.sensors.compass import Compass
from pelagos.sensors.depth import Depth
from pelagos.sensors.dvl import Dvl
from pelagos.sensors.gps import Gps
from pelagos.sensors.imu import Imu
from pelagos.sensors.leak import Leak
from pelagos.sensors.multibeam import Multibeam
from pelagos.sensors.propulsion import PlanePosition, Tachometer
from pelagos.sensors.sonar import NavigationSonar
from pelagos.sensors.suite import SensorSuite
from pelagos.sensors.water_speed import WaterSpeed
from pelagos.sim.given import a_plant, a_vehicle
from pelagos.sim.sensing import fit_of
from pelagos.sim.simulation import Simulation
from pelagos.world.current import Profile
from pelagos.world.spec import World
from pelagos.world.structure import Structure

TURNED: dict[str, Any] = {"position_m": (0.3, -0.2, 0.1), "orientation_deg": (5.0, -8.0, 20.0)}
# without noise, and with everything else that the laws have
QUIET = [
    Depth(assumed_density_kg_m3=1000.0, resolution_m=0.05, range_m=12.0, **TURNED),
    Depth(name="deep", rate_hz=3.0, latency_s=0.13),
    Compass(tilt=True, declination_deg=3.0, **TURNED),
    Compass(name="coarse", resolution_deg=0.5, rate_hz=7.0),
    WaterSpeed(rate_hz=10.0, threshold_m_s=0.2, range_m_s=1.1, **TURNED),
    WaterSpeed(name="tube", rate_hz=10.0, both_ways=False),
    Tachometer(resolution_rpm=1.0, range_rpm=900.0),
    PlanePosition(resolution_deg=0.1, range_deg=12.0),
    Gps(rate_hz=10.0, cep_m=0.0, first_fix_s=0.1, refix_s=0.2, position_m=(0.0, 0.0, -0.3)),
    Leak(rate_hz=5.0),
    Imu(accel_range_m_s2=9.9, gyro_resolution_deg_s=0.01, rate_hz=50.0, **TURNED),
    Dvl(rate_hz=10.0, max_speed_m_s=2.2, max_altitude_m=25.0, resolution_m_s=0.001, **TURNED),
    Dvl(name="layered", rate_hz=10.0, water_layer_m=6.0, beam_angle_deg=20.0),
    Altimeter(rate_hz=10.0, beam_width_deg=20.0, max_range_m=28.0, resolution_m=0.01, **TURNED),
    Multibeam(rate_hz=10.0, n_beams=7, swath_deg=140.0, spacing="equidistant", max_range_m=60.0, **TURNED),
    NavigationSonar(rate_hz=10.0, n_beams=5, fan_deg=60.0, tilt_deg=10.0, **TURNED),
    NavigationSonar(name="gavia", rate_hz=10.0, reading="horizontal", fan_deg=60.0, tilt_deg=20.0, no_echo="nan"),
    Usbl(rate_hz=10.0, ship_m=(4.0, -30.0, 2.0), ship_velocity_m_s=(1.0, 0.0, 0.0), ways=3, min_range_m=20.0,
         assumed_sound_speed_m_s=1480.0, max_range_m=60.0, turnaround_s=0.05, **TURNED),
]  # fmt: skip
# the same kinds with every error there is
NOISY = [
    Depth(noise_m=0.1, bias_m=0.2, scale=0.01, walk_m_sqrt_h=3.0),
    Compass(tilt=True, noise_deg=1.0, bias_deg=2.0, hard_iron_deg=1.0, soft_iron_deg=0.5, tilt_noise_deg=0.3,
            tilt_bias_deg=0.2, tilt_scale=0.1, walk_deg_sqrt_h=20.0, memory_s=2.0, tilt_walk_deg_sqrt_h=10.0),
    WaterSpeed(rate_hz=10.0, noise_m_s=0.1, bias_m_s=0.05, scale=0.1, walk_m_s_sqrt_h=3.0),
    Tachometer(noise_rpm=3.0, bias_rpm=5.0, scale=0.01, walk_rpm_sqrt_h=60.0),
    PlanePosition(noise_deg=0.2, bias_deg=0.3, scale=0.1, walk_deg_sqrt_h=6.0),
    Gps(rate_hz=10.0, bias_m=1.0, memory_s=1.0, position_m=(0.0, 0.0, -2.0)),
    Leak(rate_hz=10.0, false_alarm=0.3),
    Imu(accel_random_walk_m_s_sqrt_h=1.0, gyro_random_walk_deg_sqrt_h=2.0, accel_bias_instability_ug=5e3,
        gyro_bias_instability_deg_h=30.0, accel_bias_memory_s=0.5, gyro_bias_memory_s=0.5, accel_walk_ug_sqrt_h=1e6,
        gyro_walk_deg_h_sqrt_h=1e4, accel_bias_ug=1e4, gyro_bias_deg_h=50.0, accel_scale_ppm=3e4, gyro_scale_ppm=3e4,
        accel_misalignment_mrad=20.0, gyro_misalignment_mrad=20.0),
    Dvl(rate_hz=10.0, noise_m_s=0.02, noise_per_speed=0.01, noise_per_range=0.001, bias_m_s=0.02, walk_m_s_sqrt_h=1.0,
        scale=0.02, misalignment_deg=1.0, range_noise_m=0.1, range_noise_per_range=0.01, max_altitude_m=60.0),
    Altimeter(rate_hz=10.0, noise_m=0.05, noise_per_range=0.01, bias_m=0.1, walk_m_sqrt_h=3.0, scale=0.01),
    Multibeam(rate_hz=10.0, n_beams=3, swath_deg=60.0, noise_m=0.2, bias_m=0.1, scale=0.01),
    NavigationSonar(rate_hz=10.0, n_beams=2, fan_deg=20.0, tilt_deg=60.0, noise_m=0.2, bias_m=0.2, scale=0.01),
    Usbl(rate_hz=10.0, noise_m=0.1, noise_per_range=0.01, bias_m=0.3, scale=0.01, angle_noise_deg=1.0,
         angle_bias_deg=1.0, walk_m_sqrt_h=6.0, angle_walk_deg_sqrt_h=20.0),
]  # fmt: skip
N, TICKS, DT = 5, 18, 0.05


@pytest.fixture(scope="module")
def world():
    pillar = Structure(kind="cylinder", from_m=(8.0, 3.0, 0.0), to_m=(9.0, 4.0, 30.0), radius_m=2.0)
    shear = Profile(rows=((0.0, 0.4, 0.0), (30.0, 0.3, 270.0)))
    return World(depth_m=30.0, surface=True, structures=(pillar,), currents=(shear,), origin_lat_deg=60.0,
                 origin_lon_deg=179.9999)  # fmt: skip


@pytest.fixture(scope="module")
def vehicle():
    return a_vehicle("remus100")


@pytest.fixture(scope="module")
def fit(vehicle, world):
    return fit_of(a_plant(vehicle, world, None, None), world)


def track(n, ticks, vehicle):
    """Motions of n vehicles that dive, turn and roll; the last is at the surface and comes out of the water."""
    k, s = len(vehicle.thrusters), len(vehicle.surfaces)
    i = np.arange(n)
    moments = []
    for tick in range(ticks):
        t = DT * tick
        depth = np.where(i == n - 1, 0.4 * np.cos(7.0 * t), 4.0 + 3.0 * i + t)
        euler = np.stack([0.3 * np.sin(t + i), 0.4 * np.cos(2.0 * t + i), 2.0 * i + 0.5 * t], axis=1)
        nu = np.stack([np.sin(t + j * i) + i / 2 for j in range(6)], axis=1)
        place = np.stack([1.3 * i + t, 20.0 * np.sin(i), depth], axis=1)
        water = 0.2 * np.cos(i[:, None] + np.arange(3))
        wet = np.where(i == n - 1, 0.5, 1.0)
        thrusters = np.outer(1.0 + np.sin(t + i), 60.0 * np.ones(k))
        surfaces = np.outer(np.sin(3.0 * t + i), 0.3 * np.ones(s))
        moments.append((t, place, euler, nu, water, depth - 0.1 * np.sin(t), wet, thrusters, surfaces))
    return moments


def many(row):
    """One instant of a track as arrays."""
    t, position, euler, nu, water, below, wet, thrusters, surfaces = row
    return Moments(np.full(len(nu), t), position, rotation_from_euler(*euler.T), nu, water, below, wet, thrusters,
                   surfaces)  # fmt: skip


def one(row, i):
    """The same of one vehicle."""
    t, position, euler, nu, water, below, wet, thrusters, surfaces = row
    return Moment(t, position[i], quaternion_from_euler(*euler[i]), nu[i], water[i], float(below[i]),
                  wet_share=float(wet[i]), thrusters=thrusters[i], surfaces=surfaces[i])  # fmt: skip


@pytest.mark.parametrize("sensor", QUIET, ids=lambda sensor: sensor.name or sensor.kind)
def test_without_noise_they_read_what_the_instrument_of_one_vehicle_reads(sensor, vehicle, world, fit):
    rows = track(N, TICKS, vehicle)
    instruments = Instruments(vehicle, N, only=[sensor], world=world)
    suites = [SensorSuite([sensor], fit) for _ in range(N)]
    came = np.zeros(N, dtype=int)
    for row in rows:
        found = np.stack(list(instruments.sample(many(row)).values()), axis=1)
        for i, suite in enumerate(suites):
            arrived = suite.sample([one(row, i)], world)
            latest = suite.latest.get(sensor.name or sensor.kind)
            assert bool(arrived) == instruments.fresh(sensor.name or sensor.kind)[i]
            if latest is None:
                assert np.isnan(found[i]).all()
                continue
            came[i] += bool(arrived)
            # the same law in another order of a few sums of numbers up to 100: 1e-12 of them
            np.testing.assert_allclose(found[i], latest.values, rtol=1e-12, atol=1e-12)
            assert instruments.measured_s(sensor.name or sensor.kind)[i] == latest.time_s
    assert tuple(instruments.readings()) == suites[0].columns
    assert came.max() > 1  # there was something to compare


@pytest.mark.parametrize("sensor", NOISY, ids=lambda sensor: sensor.kind)
def test_with_noise_their_errors_are_as_large_as_those_of_the_instrument_of_one_vehicle(sensor, vehicle, world, fit):
    alone, together, last = 250, 2000, 4
    i = N - 1 if sensor.kind == "gps" else 1
    rows = track(N, last, vehicle)
    scalar = []
    for seed in range(alone):
        suite = SensorSuite([sensor], fit, seed)
        for row in rows:
            suite.sample([one(row, i)], world)
        scalar.append(suite.latest[sensor.kind].values)
    instruments = Instruments(vehicle, together, seed=3, only=[sensor], world=world)
    for t, *arrays in rows:
        instruments.sample(many((t, *(np.repeat(x[i : i + 1], together, axis=0) for x in arrays))))
    found, told = np.stack(list(instruments.readings().values()), axis=1), np.array(scalar)
    # 5 standard deviations of the ratio of two standard deviations, and of the difference of two means
    spread = 5.0 * np.sqrt(0.5 / alone + 0.5 / together)
    for name, mine, theirs in zip(instruments.columns, found.T, told.T, strict=True):
        if np.isnan(theirs).all():
            assert np.isnan(mine).all(), name
            continue
        if theirs.std() == 0.0:
            np.testing.assert_allclose(mine, theirs[0], rtol=1e-12, err_msg=name)
            continue
        assert abs(np.log(mine.std() / theirs.std())) < spread, name
        sure = theirs.std() * np.sqrt(1.0 / alone + 1.0 / together)
        assert abs(mine.mean() - theirs.mean()) < 5.0 * sure, name


def test_a_vehicle_reads_the_same_in_any_company(vehicle, world):
    rows = track(N, 6, vehicle)
    choice = [3, 1]
    whole = Instruments(vehicle, N, seed=5, only=NOISY, world=world)
    part = Instruments(vehicle, 2, seed=5, only=NOISY[:9], world=world, indices=choice)
    for t, *arrays in rows:
        whole.sample(many((t, *arrays)))
        part.sample(many((t, *(x[choice] for x in arrays))))
    everything = whole.readings()
    for name, values in part.readings().items():
        np.testing.assert_array_equal(values, everything[name][choice], err_msg=name)


def test_a_reset_begins_anew_for_those_it_is_for(vehicle, world):
    rows = track(N, 6, vehicle)
    sensors = [Depth(noise_m=1.0, bias_m=1.0, latency_s=0.1), Imu(accel_bias_ug=1e5)]
    kept, reset = (Instruments(vehicle, N, seed=2, only=sensors, world=world) for _ in range(2))
    for row in rows[:3]:
        kept.sample(many(row))
        reset.sample(many(row))
    before = reset.readings()["depth_depth_m"]
    assert np.isfinite(before).all()
    mask = np.array([False, True, False, False, True])
    reset.reset(mask)
    assert np.isnan(reset.readings()["depth_depth_m"][mask]).all()
    for row in rows[3:]:
        kept.sample(many(row))
        reset.sample(many(row))
    a, b = kept.readings(), reset.readings()
    for name in a:
        np.testing.assert_array_equal(a[name][~mask], b[name][~mask], err_msg=name)
        assert (a[name][mask] != b[name][mask]).all() or name.startswith("imu_gyro"), name
    again = Instruments(vehicle, N, seed=2, only=sensors, world=world)  # another history, the same second episode
    again.reset([4])
    for row in rows[3:]:
        again.sample(many(row))
    for name, values in again.readings().items():
        assert values[4] == b[name][4], name


def test_a_vehicle_may_take_the_number_of_another(vehicle, world):
    rows = track(N, 3, vehicle)
    taking, first = (Instruments(vehicle, N, seed=2, only=NOISY[:2], world=world) for _ in range(2))
    taking.reset([1])
    taking.reset([1], indices=[3])
    for row in rows:
        moments = many(row)
        moments.position_n[1], moments.R_nb[1], moments.below_m[1] = (
            x[3] for x in (moments.position_n, moments.R_nb, moments.below_m)
        )
        taking.sample(moments)
        first.sample(moments)
    for name, values in taking.readings().items():
        assert values[1] == first.readings()[name][3], name
    with pytest.raises(CommandError, match=r"indices has 2 numbers; expected one for each of 1 vehicles\."):
        taking.reset([1], indices=[3, 4])


def test_on_a_batch_they_read_what_a_simulation_logs(vehicle, world):
    """Once a control tick, from rest into a turning dive; the motions agree to rounding."""
    sensors = [Depth(), Compass(tilt=True), Dvl(rate_hz=10.0), Imu(rate_hz=10.0), Tachometer(), PlanePosition(),
               WaterSpeed(rate_hz=10.0), Gps(rate_hz=10.0, cep_m=0.0, position_m=(0.0, 0.0, -0.5))]  # fmt: skip
    sim = Simulation(vehicle, world, sensors=sensors)
    batch = Batch(vehicle, 2, world)
    sim.place(depth_m=0.2, heading_deg=30.0, surge_m_s=1.0)
    batch.place(depth_m=[0.2, 9.0], heading_deg=30.0, surge_m_s=1.0)
    sim.thrust([150.0])
    sim.deflect([0.1, 0.05])
    batch.set_actuators(thrusters=[150.0], surfaces=[0.1, 0.05])
    instruments = Instruments.of(batch, only=sensors)
    sim.make_ready(10.0)
    instruments.sample(batch)
    for _ in range(12):
        sim.tick()
        batch.advance()
        found = instruments.sample(batch)
        assert sim.sensing is not None
        latest = [reading.values for reading in (sim.sensing.suite.latest.get(n) for n in instruments.names) if reading]
        theirs = np.concatenate(latest)
        mine = np.array([values[0] for values in found.values()])
        # the lanes and the scalar kernel differ by rounding, which the IMU divides by a tenth of a second
        np.testing.assert_allclose(mine[np.isfinite(mine)], theirs[np.isfinite(theirs)], rtol=1e-9, atol=1e-9)
    found = instruments.readings()
    assert np.isfinite(found["gps_north_m"]).tolist() == [True, False]
    assert (found["dvl_n_beams"] == 4.0).all()


def test_readings_drop_out_as_often_as_said(vehicle):
    n, ticks, share = 500, 20, 0.3
    instruments = Instruments(vehicle, n, only=[Depth(dropout=share, rate_hz=20.0)])
    came = 0
    for t, *arrays in track(1, ticks, vehicle):
        instruments.sample(many((t, *(np.repeat(x, n, axis=0) for x in arrays))))
        came += int(instruments.fresh("depth").sum())
    # 5 standard deviations of a count of independent draws
    assert abs(came / (n * ticks) - (1.0 - share)) < 5.0 * np.sqrt(share * (1.0 - share) / (n * ticks))


def test_those_of_a_vehicles_file_are_taken_from_its_truth(vehicle, world):
    """Columns as in the log of a run; from `Truths`, the depth under the surface and the air above it."""
    instruments = Instruments("remus100", 3, world=world)
    assert instruments.left_out == ("battery",)
    assert set(instruments.names) == {"imu", "depth", "compass", "gps", "rpm", "planes", "dvl", "leak"}
    zeros, depth = np.zeros(3), np.array([5.0, 12.0, -0.5])
    truths = Truths(zeros, np.stack([zeros, zeros, depth], axis=1), zeros, zeros, zeros, np.zeros((3, 6)),
                    np.zeros((3, 6)), 30.0 - depth)  # fmt: skip
    k, s = len(vehicle.thrusters), len(vehicle.surfaces)
    instruments.sample(truths, thrusters=np.zeros((3, k)), surfaces=np.zeros((3, s)))
    later = truths._replace(time_s=zeros + 0.9)  # the log takes a while to answer
    found = instruments.sample(later, thrusters=np.zeros((3, k)), surfaces=np.zeros((3, s)))
    assert found["dvl_n_beams"].tolist() == [4.0, 4.0, 0.0]
    found = instruments.readings()
    assert np.isfinite(found["gps_north_m"]).tolist() == [False, False, True]
    bound = 6.0 * 0.1 + 0.3  # strain_depth is good to 0.1 % of full scale: 0.3 m of 300 m, with some room
    assert np.abs(found["depth_depth_m"] - np.maximum(depth, 0.0)).max() < bound
    with pytest.raises(CommandError, match=r"rpm reads where 1 thrusters are, and those of 0 are given; expected"):
        Instruments("remus100", 3, only=["rpm"]).sample(truths)


def test_what_a_batch_cannot_have_is_refused_with_the_names_of_what_it_can(vehicle):
    kinds = ", ".join(MANY)
    with pytest.raises(CommandError, match=f"^a batch has no instruments of kind battery; expected .* {kinds}\\.$"):
        Instruments(vehicle, 2, only=["battery"])
    with pytest.raises(CommandError, match="kind battery"):
        Instruments(vehicle, 2, only=[Battery()])
    with pytest.raises(CommandError, match=r"there is no sensor 'deph'; fitted are .*; did you mean .depth"):
        Instruments(vehicle, 2, only=["deph"])
    with pytest.raises(CommandError, match="torpedo has none of the instruments of a batch"):
        Instruments("torpedo", 2)
    with pytest.raises(CommandError, match="n is 0; expected how many"):
        Instruments(vehicle, 0)
    with pytest.raises(CommandError, match=r"where is .* expected a mask of 2, or indices from 0 to 1"):
        Instruments(vehicle, 2).reset([2])
    with pytest.raises(CommandError, match="two instruments are named depth"):
        Instruments(vehicle, 2, only=[Depth(), Depth()])
