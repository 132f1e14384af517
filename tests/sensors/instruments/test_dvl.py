"""DVL: equal readings alone and among others, and noise of the declared size over many vehicles."""

import math

import numpy as np
import pytest

from pelagos import World
from pelagos.sensors.base import VehicleContext
from pelagos.sensors.instruments.instant import Instant
from pelagos.sensors.random import Noise
from pelagos.sensors.sound.dvl import Dvl
from tests.sensors.instruments.flown import TURNED, same_alone_and_among_others

# without noise, and with everything else that the equations have
PLAIN = [
    Dvl(rate_hz=10.0, max_speed_m_s=2.2, max_altitude_m=25.0, resolution_m_s=0.001, **TURNED),
    Dvl(name="layered", rate_hz=10.0, water_layer_m=6.0, beam_angle_deg=20.0),
]  # fmt: skip
# with every error there is
NOISY = [
    Dvl(rate_hz=10.0, noise_m_s=0.02, noise_per_speed=0.01, noise_per_range=0.001, bias_m_s=0.02, walk_m_s_sqrt_h=1.0,
        scale=0.02, misalignment_deg=1.0, range_noise_m=0.1, range_noise_per_range=0.01, max_altitude_m=60.0),
    Dvl(name="losing", rate_hz=10.0, beam_dropout=0.3, noise_m_s=0.1, water_track=False),
]  # fmt: skip


@pytest.mark.parametrize("sensor", [*PLAIN, *NOISY], ids=lambda sensor: sensor.name or sensor.kind)
def test_a_vehicle_reads_alone_what_it_reads_among_others(sensor):
    assert same_alone_and_among_others(sensor).max() > 1


def test_noise_bias_and_scale_of_the_forward_velocity_have_the_declared_sizes():
    n, speed = 20000, 1.5
    sensor = Dvl(noise_m_s=0.01, noise_per_speed=0.004, bias_m_s=0.02, scale=0.01)
    now = Instant(
        np.zeros(n), np.array([0.0, 0.0, 10.0]), np.array([1.0, 0.0, 0.0, 0.0]), np.array([speed, 0, 0, 0, 0, 0])
    )
    values, _ = sensor.make(VehicleContext(), Noise(2, np.arange(n))).measure(now, World(depth_m=30.0))
    # independent errors add in squares; the deviation of n draws is known to 1 / sqrt(2 n): four of these
    expected = math.hypot(0.01 + 0.004 * speed, 0.02, 0.01 * speed)
    assert values[:, 0].std() == pytest.approx(expected, rel=4.0 / math.sqrt(2.0 * n))
    assert values[:, 0].mean() == pytest.approx(speed, abs=4.0 * expected / math.sqrt(n))
    # through the water there is no bias, and three times the noise
    through = math.hypot(3.0 * (0.01 + 0.004 * speed), 0.01 * speed)
    assert values[:, 8].std() == pytest.approx(through, rel=4.0 / math.sqrt(2.0 * n))
