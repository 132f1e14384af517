"""What instruments see of a batch and of a truth: readings as in the log of a simulation."""

import numpy as np
import pytest

from pelagos.batch.batch import Batch
from pelagos.batch.instruments.suite import VectorSensorSuite
from pelagos.errors import CommandError
from pelagos.messages import VehicleStates
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
from tests.batch.flown import VEHICLE, WORLD


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


def test_those_of_a_vehicles_file_are_taken_from_its_truth():
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
    found = instruments.sample(later, thrusters=np.zeros((3, k)), surfaces=np.zeros((3, s)))
    assert found["dvl_n_beams"].tolist() == [4.0, 4.0, 0.0]
    found = instruments.readings()
    assert np.isfinite(found["gps_north_m"]).tolist() == [False, False, True]
    bound = 6.0 * 0.1 + 0.3  # strain_depth is good to 0.1 % of full scale: 0.3 m of 300 m, with some room
    assert np.abs(found["depth_depth_m"] - np.maximum(depth, 0.0)).max() < bound
    with pytest.raises(CommandError, match=r"rpm reads where 1 thrusters are, and those of 0 are given; expected"):
        VectorSensorSuite("remus100", 3, only=["rpm"]).sample(states)
    for wrong, says in (
        ({"thrusters": np.zeros((2, k))}, r"thrusters have shape \(2, 1\); expected a row for each of 3 vehicles"),
        ({"surfaces": "hard over"}, "surfaces is 'hard over'; expected numbers"),
    ):
        with pytest.raises(CommandError, match=says):
            instruments.sample(states, **wrong)
    with pytest.raises(CommandError, match="what shall be sampled is None; expected a batch"):
        instruments.sample(None)  # pyright: ignore[reportArgumentType]


def test_waves_are_felt_through_a_truth_as_through_a_batch():
    world = World(depth_m=30.0, waves=Waves(kind="regular", height_m=1.0, period_s=6.0))
    batch = Batch(VEHICLE, 3, world)
    batch.place(depth_m=[2.0, 3.0, 4.0], north_m=[0.0, 5.0, 9.0])
    by_batch, by_truth = (VectorSensorSuite.of(batch, only=[Depth()]) for _ in range(2))
    for _ in range(3):
        batch.advance()
        mine, told = by_batch.sample(batch), by_truth.sample(batch.state())
        # the same waves; angles in place of a quaternion
        np.testing.assert_allclose(mine["depth_depth_m"], told["depth_depth_m"], rtol=0.0, atol=1e-9)
    felt = by_batch.readings()["depth_depth_m"]
    assert np.abs(felt - batch.position_n[:, 2]).max() > 1e-3
