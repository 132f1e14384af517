"""IMU: equal samples alone and among others, white noise of the declared density, and plain Python without the JIT."""

import numpy as np
import pytest

from pelagos.batch.sensors import VectorSensorSuite
from pelagos.sensors.imu import Imu
from tests.sensors.instruments.flown import TURNED, VEHICLE, many, same_alone_and_among_others, track

# without noise, and with everything else that the equations have
PLAIN = [
    Imu(accel_range_m_s2=9.9, gyro_resolution_deg_s=0.01, rate_hz=50.0, **TURNED),
]  # fmt: skip
# with every error there is
NOISY = [
    Imu(accel_random_walk_m_s_sqrt_h=1.0, gyro_random_walk_deg_sqrt_h=2.0, accel_bias_instability_ug=5e3,
        gyro_bias_instability_deg_h=30.0, accel_bias_memory_s=0.5, gyro_bias_memory_s=0.5, accel_walk_ug_sqrt_h=1e6,
        gyro_walk_deg_h_sqrt_h=1e4, accel_bias_ug=1e4, gyro_bias_deg_h=50.0, accel_scale_ppm=3e4, gyro_scale_ppm=3e4,
        accel_misalignment_mrad=20.0, gyro_misalignment_mrad=20.0),
]  # fmt: skip


@pytest.mark.parametrize("sensor", [*PLAIN, *NOISY], ids=lambda sensor: sensor.name or sensor.kind)
def test_a_vehicle_reads_alone_what_it_reads_among_others(sensor):
    assert same_alone_and_among_others(sensor).max() > 1


def test_white_noise_of_a_mean_is_the_density_over_the_root_of_its_length():
    """At rest and level, 0.1 s: the specific force is -g, its noise N / sqrt(0.1), the turn rate 0 within its own."""
    n = 4000
    sensor = Imu(rate_hz=10.0, accel_random_walk_m_s_sqrt_h=0.6, gyro_random_walk_deg_sqrt_h=1.2)
    instruments = VectorSensorSuite(VEHICLE, n, only=[sensor])
    (_, position, euler, nu, *others) = (np.repeat(x[:1], n, axis=0) if np.ndim(x) else x for x in track(1, 1)[0])
    for t in (0.0, 0.1):
        instruments.sample(many((t, position, 0.0 * euler, 0.0 * nu, *others)))
    readings = instruments.readings()
    up, turn = readings["imu_accel_z_m_s2"], readings["imu_gyro_y_deg_s"]
    # 5 standard deviations of the estimates over n vehicles
    assert up.std() == pytest.approx(0.01 / np.sqrt(0.1), rel=5.0 / np.sqrt(2.0 * n))
    assert turn.std() == pytest.approx(0.02 / np.sqrt(0.1), rel=5.0 / np.sqrt(2.0 * n))
    assert up.mean() == pytest.approx(-VEHICLE.water.gravity_m_s2, abs=5.0 * up.std() / np.sqrt(n))
