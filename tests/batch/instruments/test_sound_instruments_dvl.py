"""The Doppler logs of many vehicles against that of one: equal without noise, as wrong with it."""

import pytest

from pelagos.sensors.sound.dvl import Dvl
from tests.batch.flown import TURNED, same_errors, same_readings

# without noise, and with everything else that the laws have
QUIET = [
    Dvl(rate_hz=10.0, max_speed_m_s=2.2, max_altitude_m=25.0, resolution_m_s=0.001, **TURNED),
    Dvl(name="layered", rate_hz=10.0, water_layer_m=6.0, beam_angle_deg=20.0),
]  # fmt: skip
# with every error there is
NOISY = [
    Dvl(rate_hz=10.0, noise_m_s=0.02, noise_per_speed=0.01, noise_per_range=0.001, bias_m_s=0.02, walk_m_s_sqrt_h=1.0,
        scale=0.02, misalignment_deg=1.0, range_noise_m=0.1, range_noise_per_range=0.01, max_altitude_m=60.0),
]  # fmt: skip


@pytest.mark.parametrize("sensor", QUIET, ids=lambda sensor: sensor.name or sensor.kind)
def test_without_noise_they_read_what_the_instrument_of_one_vehicle_reads(sensor):
    assert same_readings(sensor).max() > 1


@pytest.mark.parametrize("sensor", NOISY, ids=lambda sensor: sensor.kind)
def test_with_noise_their_errors_are_as_large_as_those_of_the_instrument_of_one_vehicle(sensor):
    assert same_errors(sensor)
