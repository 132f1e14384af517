"""Base of instruments: walks and Gauss-Markov processes have the size of their closed forms; instants of batches."""

import numpy as np
import pytest

from pelagos.batch.batch import Batch
from pelagos.batch.instruments.base import Draw, VectorErrors, stepped, walk_steps
from pelagos.batch.instruments.suite import VectorSensorSuite
from pelagos.sensors.random import Noise
from pelagos.errors import CommandError
from pelagos.messages import VehicleStates
from pelagos.sensors.base import walk_step
from pelagos.sensors.compass import Compass
from pelagos.sensors.depth import Depth
from pelagos.sensors.gps import Gps
from pelagos.sensors.imu import Imu
from pelagos.sensors.propulsion import PlanePosition, Tachometer
from pelagos.sensors.sound.dvl import Dvl
from pelagos.sensors.water_speed import WaterSpeed
from pelagos.sim.simulation import Simulation
from pelagos.world.spec import World
from pelagos.world.waves import Waves
from tests.batch.flown import VEHICLE, WORLD, N, many, moment_at, track

MANY = 4000
ALL = slice(None)
SPREAD = 5.0 / np.sqrt(2.0 * MANY)  # 5 standard deviations of a standard deviation over so many, relative


def errors(**figures):
    draw = Draw(Noise(1, np.arange(MANY)), "tested")
    made = VectorErrors(draw, 0, MANY, **figures)
    draw.begin(ALL)
    made.begin(ALL)
    return made, draw


def readings(made, draw, times):
    rows = []
    for t in times:
        draw.next(ALL)
        rows.append(made.at(ALL, np.full((MANY, 1), 10.0), np.full(MANY, t))[:, 0])
    return np.array(rows)


def test_constants_are_drawn_once_and_noise_each_time():
    made, draw = errors(bias=0.3, scale=0.02, noise=0.1)
    first, second = readings(made, draw, (0.0, 1.0))
    assert first.std() == pytest.approx(np.sqrt(0.3**2 + 0.2**2 + 0.1**2), rel=SPREAD)
    assert (first - second).std() == pytest.approx(0.1 * np.sqrt(2.0), rel=SPREAD)


def test_a_walk_grows_with_the_root_of_time_and_begins_at_nothing():
    made, draw = errors(walk=0.5)
    values = readings(made, draw, (2.0, 3.0, 6.0))
    assert values[0].std() == 0.0
    assert values[1].std() == pytest.approx(0.5, rel=SPREAD)
    assert values[2].std() == pytest.approx(0.5 * 2.0, rel=SPREAD)


def test_a_gauss_markov_process_stays_in_its_steady_state_and_forgets():
    made, draw = errors(walk=0.5, memory_s=8.0)
    first, later = readings(made, draw, (0.0, 4.0))
    for one_of_both in (first, later):
        assert one_of_both.std() == pytest.approx(0.5 * np.sqrt(0.5 * 8.0), rel=SPREAD)
    # the correlation of n pairs is known to (1 - r^2) / sqrt(n)
    r = np.exp(-4.0 / 8.0)
    assert np.corrcoef(first, later)[0, 1] == pytest.approx(r, abs=5.0 * (1.0 - r * r) / np.sqrt(MANY))


@pytest.mark.parametrize("memory_s", [np.inf, 7.0])
def test_walk_steps_are_those_of_one_vehicle(memory_s):
    dt = np.array([0.0, 0.1, 3.0])
    keep, spread = walk_steps(memory_s, dt)
    for i, t in enumerate(dt):
        assert (keep[i], 0.3 * spread[i]) == pytest.approx(walk_step(0.3, memory_s, t), rel=1e-14)


def test_one_speed_of_sound_for_all_channels():
    draw = Draw(Noise(1, np.arange(MANY)), "tested")
    made = VectorErrors(draw, 0, MANY, 3, scale=0.1, common=True)
    draw.begin(ALL)
    made.begin(ALL)
    draw.next(ALL)
    values = made.at(ALL, np.full((MANY, 3), 10.0), np.zeros(MANY))
    assert (values[:, 0] == values[:, 1]).all() and (values[:, 0] == values[:, 2]).all() and np.ptp(values[:, 0]) > 1.0


def test_instruments_of_other_names_draw_other_numbers():
    noise = Noise(1, np.arange(MANY))
    a, b = (Draw(noise, name).normal(0, 1)[:, 0] for name in ("depth", "spare"))
    assert abs(np.corrcoef(a, b)[0, 1]) < 5.0 / np.sqrt(MANY)


def test_steps_of_each_column():
    rounded = stepped(np.array([[1.26, 1.26]]), np.array([0.5, 0.0]))
    assert rounded.tolist() == [[1.5, 1.26]]


def test_moments_are_those_of_each_vehicle():
    row, point = track(N, 3)[2], (0.3, -0.2, 0.1)
    instants = many(row)
    part = instants.some(np.array([3, 1]))
    for i in range(N):
        single = moment_at(row, i)
        # a rotation from angles and one from a quaternion differ by roundings of numbers up to 30
        np.testing.assert_allclose(instants.place_n(point)[i], single.place_n(point), rtol=1e-13, atol=1e-13)
        np.testing.assert_allclose(instants.velocity_b(point)[i], single.velocity_b(point), rtol=1e-13, atol=1e-13)
        assert instants.depth_of(point)[i] == pytest.approx(single.depth_of(point), abs=1e-13)
        assert instants.in_air(point)[i] == (single.wet_share < 1.0 and single.depth_of(point) < 0.0)
    np.testing.assert_array_equal(part.place_n(point), instants.place_n(point)[[3, 1]])


def test_on_a_batch_they_read_what_a_simulation_logs():
    """Once a control tick, from rest into a turning dive; the motions agree to rounding."""
    sensors = [Depth(), Compass(tilt=True), Dvl(rate_hz=10.0), Imu(rate_hz=10.0), Tachometer(), PlanePosition(),
               WaterSpeed(rate_hz=10.0), Gps(rate_hz=10.0, cep_m=0.0, position_m=(0.0, 0.0, -0.5))]  # fmt: skip
    sim = Simulation(VEHICLE, WORLD, sensors=sensors)
    batch = Batch(VEHICLE, 2, WORLD)
    sim.place(depth_m=0.2, heading_deg=30.0, surge_m_s=1.0)
    batch.place(depth_m=[0.2, 9.0], heading_deg=30.0, surge_m_s=1.0)
    sim.thrust([150.0])
    sim.deflect([0.1, 0.05])
    batch.set_actuators(thrusters=[150.0], surfaces=[0.1, 0.05])
    instruments = VectorSensorSuite.of(batch, only=sensors)
    sim.make_ready(10.0)
    instruments.sample(batch)
    for _ in range(12):
        sim.tick()
        batch.advance()
        readings = instruments.sample(batch)
        assert sim.sensing is not None
        latest = [reading.values for reading in (sim.sensing.suite.latest.get(n) for n in instruments.names) if reading]
        theirs = np.concatenate(latest)
        mine = np.array([values[0] for values in readings.values()])
        # the lanes and the scalar kernel differ by rounding, which the IMU divides by a tenth of a second
        np.testing.assert_allclose(mine[np.isfinite(mine)], theirs[np.isfinite(theirs)], rtol=1e-9, atol=1e-9)
    readings = instruments.readings()
    assert np.isfinite(readings["gps_north_m"]).tolist() == [True, False]
    assert (readings["dvl_n_beams"] == 4.0).all()


def test_sensors_of_a_vehicles_file_measure_states():
    """Columns as in the log of a run; from `VehicleStates`, the depth under the surface and the air above it."""
    instruments = VectorSensorSuite("remus100", 3, world=WORLD)
    assert instruments.left_out == ("battery",)
    assert set(instruments.names) == {"imu", "depth", "compass", "gps", "rpm", "planes", "dvl", "leak"}
    zeros, depth = np.zeros(3), np.array([5.0, 12.0, -0.5])
    states = VehicleStates(zeros, np.stack([zeros, zeros, depth], axis=1), zeros, zeros, zeros, np.zeros((3, 6)),
                    np.zeros((3, 6)), 30.0 - depth)  # fmt: skip
    k, s = len(VEHICLE.thrusters), len(VEHICLE.surfaces)
    instruments.sample(states, thrusters=np.zeros((3, k)), surfaces=np.zeros((3, s)))
    later = states._replace(time_s=zeros + 0.9)  # the log takes a while to answer
    readings = instruments.sample(later, thrusters=np.zeros((3, k)), surfaces=np.zeros((3, s)))
    assert readings["dvl_n_beams"].tolist() == [4.0, 4.0, 0.0]
    readings = instruments.readings()
    assert np.isfinite(readings["gps_north_m"]).tolist() == [False, False, True]
    bound = 6.0 * 0.1 + 0.3  # strain_depth is good to 0.1 % of full scale: 0.3 m of 300 m, with some room
    assert np.abs(readings["depth_depth_m"] - np.maximum(depth, 0.0)).max() < bound
    with pytest.raises(
        CommandError, match="thrusters in the states is 0; expected the 1 that rpm measures: pass a Bat"
    ):
        VectorSensorSuite("remus100", 3, only=["rpm"]).sample(states)
    for wrong, says in (
        ({"thrusters": np.zeros((2, k))}, r"shape of thrusters is \(2, 1\); expected a row for each of 3 vehicles"),
        ({"surfaces": "hard over"}, "surfaces is 'hard over'; expected numbers"),
    ):
        with pytest.raises(CommandError, match=says):
            instruments.sample(states, **wrong)
    with pytest.raises(CommandError, match="now is None; expected a Batch, VehicleStates or VectorInstant"):
        instruments.sample(None)  # pyright: ignore[reportArgumentType]


def test_waves_act_on_sensors_of_states_as_of_a_batch():
    world = World(depth_m=30.0, waves=Waves(kind="regular", height_m=1.0, period_s=6.0))
    batch = Batch(VEHICLE, 3, world)
    batch.place(depth_m=[2.0, 3.0, 4.0], north_m=[0.0, 5.0, 9.0])
    by_batch, by_states = (VectorSensorSuite.of(batch, only=[Depth()]) for _ in range(2))
    for _ in range(3):
        batch.advance()
        mine, theirs = by_batch.sample(batch), by_states.sample(batch.state())
        # the same waves; angles in place of a quaternion
        np.testing.assert_allclose(mine["depth_depth_m"], theirs["depth_depth_m"], rtol=0.0, atol=1e-9)
    felt = by_batch.readings()["depth_depth_m"]
    assert np.abs(felt - batch.position_n[:, 2]).max() > 1e-3
