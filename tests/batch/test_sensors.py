"""The sensor suite of a batch: clocks, latency, drop-outs, resets, independence of other vehicles, refused settings."""

import numpy as np
import pytest

from pelagos.batch.batch import Batch
from pelagos.batch.sensors import VectorSensorSuite
from pelagos.errors import CommandError
from pelagos.messages import VehicleStates
from pelagos.sensors.battery import Battery
from pelagos.sensors.compass import Compass
from pelagos.sensors.depth import Depth
from pelagos.sensors.gps import Gps
from pelagos.sensors.imu import Imu
from pelagos.sensors.kinds import KINDS
from pelagos.sensors.leak import LeakDetector
from pelagos.sensors.propulsion import PlanePosition, Tachometer
from pelagos.sensors.sound.dvl import Dvl
from pelagos.sensors.suite import SensorSuite
from pelagos.sensors.water_speed import WaterSpeed
from pelagos.sim.simulation import Simulation
from pelagos.world.spec import World
from pelagos.world.waves import Waves
from tests.sensors.instruments import (
    test_acoustic_position,
    test_battery,
    test_dvl,
    test_imaging,
    test_imu,
    test_motion,
    test_sounders,
)
from tests.sensors.instruments.flown import FIT, VEHICLE, WORLD, N, instant_at, many, track

NOISY = [
    *test_motion.NOISY, *test_imu.NOISY, *test_sounders.NOISY, *test_dvl.NOISY, *test_acoustic_position.NOISY,
    *test_battery.SENSORS, *test_imaging.SENSORS,
]  # fmt: skip


def test_every_kind_is_compared_alone_and_among_others():
    assert {sensor.kind for sensor in NOISY} == set(KINDS)


def test_readings_do_not_depend_on_other_vehicles():
    rows = track(N, 6)
    choice = [3, 1]
    whole = VectorSensorSuite(VEHICLE, N, seed=5, only=NOISY, world=WORLD)
    part = VectorSensorSuite(VEHICLE, 2, seed=5, only=NOISY[:9], world=WORLD, indices=choice)
    for t, *arrays in rows:
        whole.sample(many((t, *arrays)))
        part.sample(many((t, *(x[choice] for x in arrays))))
    everything = whole.readings()
    for name, values in part.readings().items():
        np.testing.assert_array_equal(values, everything[name][choice], err_msg=name)


def test_a_reset_restarts_only_the_selected_vehicles():
    rows = track(N, 6)
    sensors = [Depth(noise_m=1.0, bias_m=1.0, latency_s=0.1), Imu(accel_bias_ug=1e5)]
    kept, reset = (VectorSensorSuite(VEHICLE, N, seed=2, only=sensors, world=WORLD) for _ in range(2))
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
    again = VectorSensorSuite(VEHICLE, N, seed=2, only=sensors, world=WORLD)  # another history, the same second episode
    again.reset([4])
    for row in rows[3:]:
        again.sample(many(row))
    for name, values in again.readings().items():
        assert values[4] == b[name][4], name


def test_a_vehicle_may_take_the_number_of_another():
    rows = track(N, 3)
    taking, first = (VectorSensorSuite(VEHICLE, N, seed=2, only=NOISY[:2], world=WORLD) for _ in range(2))
    taking.reset([1])
    taking.reset([1], indices=[3])
    for row in rows:
        instants = many(row)
        instants.motion[1] = instants.motion[3]
        taking.sample(instants)
        first.sample(instants)
    for name, values in taking.readings().items():
        assert values[1] == first.readings()[name][3], name
    with pytest.raises(CommandError, match=r"number of indices is 2; expected one for each of 1 vehicles"):
        taking.reset([1], indices=[3, 4])


def test_readings_drop_out_with_the_given_share():
    n, ticks, share = 500, 20, 0.3
    instruments = VectorSensorSuite(VEHICLE, n, only=[Depth(dropout=share, rate_hz=20.0)])
    came = 0
    for t, *arrays in track(1, ticks):
        instruments.sample(many((t, *(np.repeat(x, n, axis=0) for x in arrays))))
        came += int(instruments.fresh("depth").sum())
    # 5 standard deviations of a count of independent draws
    assert abs(came / (n * ticks) - (1.0 - share)) < 5.0 * np.sqrt(share * (1.0 - share) / (n * ticks))


def test_the_first_vehicle_reads_what_a_single_one_reads_with_the_same_seed():
    together, alone = VectorSensorSuite(VEHICLE, N, seed=5, only=NOISY, world=WORLD), SensorSuite(NOISY, FIT, seed=5)
    for row in track(N, 6):
        together.sample(many(row))
        alone.sample([instant_at(row, 0)], WORLD)
    readings = together.readings()
    for name, reading in alone.latest.items():
        mine = [readings[f"{name}_{column}"][0] for column in alone.sensors[name].columns_on(FIT)]
        np.testing.assert_array_equal(mine, reading.values, err_msg=name)
    assert len(alone.latest) > 15


def test_what_cannot_be_sampled_is_refused():
    with pytest.raises(CommandError, match=r"there is no sensor 'deph'; expected one of .*; did you mean .depth"):
        VectorSensorSuite(VEHICLE, 2, only=["deph"])
    with pytest.raises(CommandError, match=r"torpedo has no \[\[sensor\]\] in its file; expected descriptions"):
        VectorSensorSuite("torpedo", 2)
    with pytest.raises(CommandError, match="n is 0; expected a whole number, 1 or above"):
        VectorSensorSuite(VEHICLE, 0)
    with pytest.raises(CommandError, match=r"where is .* expected a mask of 2, or indices from 0 to 1"):
        VectorSensorSuite(VEHICLE, 2).reset([2])
    with pytest.raises(CommandError, match=r"where is \[\[0\], \[0, 1\]\]; expected a mask of 2"):
        VectorSensorSuite(VEHICLE, 2).reset([[0], [0, 1]])
    with pytest.raises(CommandError, match=r"indices is \[\[0\], \[0, 1\]\]; expected whole numbers"):
        VectorSensorSuite(VEHICLE, 2).reset(indices=[[0], [0, 1]])
    with pytest.raises(CommandError, match="only is 3; expected names"):
        VectorSensorSuite(VEHICLE, 2, only=3)  # pyright: ignore[reportArgumentType]
    with pytest.raises(CommandError, match="two instruments have the name 'depth'; expected different names"):
        VectorSensorSuite(VEHICLE, 2, only=[Depth(), Depth()])


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
    batch.actuators.set(thrusters=[150.0], surfaces=[0.1, 0.05])
    instruments = VectorSensorSuite.of(batch, only=sensors)
    sim.make_ready(10.0)
    instruments.sample(batch.view)
    for _ in range(12):
        sim.tick()
        batch.advance()
        readings = instruments.sample(batch.view)
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
    assert set(instruments.names) == {"battery", "imu", "depth", "compass", "gps", "rpm", "planes", "dvl", "leak"}
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
    with pytest.raises(CommandError, match="now is None; expected the view of a Batch, VehicleStates or an Instant"):
        instruments.sample(None)  # pyright: ignore[reportArgumentType]


def test_waves_act_on_sensors_of_states_as_of_a_batch():
    world = World(depth_m=30.0, waves=Waves(kind="regular", height_m=1.0, period_s=6.0))
    batch = Batch(VEHICLE, 3, world)
    batch.place(depth_m=[2.0, 3.0, 4.0], north_m=[0.0, 5.0, 9.0])
    by_batch, by_states = (VectorSensorSuite.of(batch, only=[Depth()]) for _ in range(2))
    for _ in range(3):
        batch.advance()
        mine, theirs = by_batch.sample(batch.view), by_states.sample(batch.view.states())
        # the same waves; angles in place of a quaternion
        np.testing.assert_allclose(mine["depth_depth_m"], theirs["depth_depth_m"], rtol=0.0, atol=1e-9)
    felt = by_batch.readings()["depth_depth_m"]
    assert np.abs(felt - batch.view.position_n[:, 2]).max() > 1e-3


def test_a_battery_of_a_batch_feeds_the_thrusters_of_each_vehicle():
    sensors = [Battery(rate_hz=10.0, voltage_full_V=30.0, voltage_empty_V=30.0, hotel_W=5.0)]
    sim, batch = Simulation(VEHICLE, WORLD, sensors=sensors), Batch(VEHICLE, 3, WORLD)
    sim.place(depth_m=9.0, surge_m_s=1.0)
    batch.place(depth_m=9.0, surge_m_s=1.0)
    sim.thrust([150.0])
    batch.actuators.set(thrusters=[[0.0], [150.0], [100.0]])
    instruments = VectorSensorSuite.of(batch, only=sensors)
    sim.make_ready(10.0)
    instruments.sample(batch.view)
    for _ in range(8):
        sim.tick()
        batch.advance()
        instruments.sample(batch.view)
    readings = instruments.readings()
    alone = sim.sensing.suite.latest["battery"].values
    # the lanes and the scalar kernel differ by rounding
    mine = [readings[f"battery_{column}"][1] for column in sensors[0].columns]
    np.testing.assert_allclose(mine, alone, rtol=1e-9)
    assert readings["battery_current_A"][0] == pytest.approx(5.0 / 30.0)  # the hotel load alone
    assert readings["battery_current_A"][0] < readings["battery_current_A"][2] < readings["battery_current_A"][1]


def test_values_are_the_readings_since_the_last_call_as_in_the_log_of_a_simulation():
    sensors = [Depth(rate_hz=20.0, latency_s=0.1), Compass(rate_hz=7.0), LeakDetector(rate_hz=20.0)]
    together = VectorSensorSuite(VEHICLE, N, only=sensors, world=WORLD)
    alone = SensorSuite(sensors, FIT)
    for k, row in enumerate(track(N, 9)):
        together.sample(many(row))
        alone.sample([instant_at(row, 0)], WORLD)
        if k in (0, 1, 4, 8):
            np.testing.assert_array_equal(together.values()[0], alone.values())
    assert np.isnan(together.values()).all() and together.values().shape == (N, len(together.columns))


def test_water_of_a_leak_is_given_to_the_sensors_of_a_batch():
    batch = Batch(VEHICLE, 2, WORLD)
    instruments = VectorSensorSuite.of(batch, only=[LeakDetector(threshold_kg=0.1)])
    assert instruments.sample(batch.view, flooded_kg=[0.05, 0.2])["leak_wet"].tolist() == [0.0, 1.0]
    instruments.reset()
    assert instruments.sample(batch.view.states(), flooded_kg=0.2)["leak_wet"].tolist() == [1.0, 1.0]
