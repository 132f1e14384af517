"""Acoustic instruments of a batch against those of one vehicle: equal without noise, errors of equal size with it."""

import pytest

from pelagos.sensors.sound.acoustic_position import Usbl
from pelagos.sensors.sound.altimeter import Altimeter
from pelagos.sensors.sound.dvl import Dvl
from pelagos.sensors.sound.multibeam import Multibeam
from pelagos.sensors.sound.navigation_sonar import NavigationSonar
from tests.batch.flown import TURNED, same_errors, same_readings

# without noise, and with everything else that the laws have
QUIET = [
    Dvl(rate_hz=10.0, max_speed_m_s=2.2, max_altitude_m=25.0, resolution_m_s=0.001, **TURNED),
    Dvl(name="layered", rate_hz=10.0, water_layer_m=6.0, beam_angle_deg=20.0),
    Altimeter(rate_hz=10.0, beam_width_deg=20.0, max_range_m=28.0, resolution_m=0.01, **TURNED),
    Multibeam(rate_hz=10.0, n_beams=7, swath_deg=140.0, spacing="equidistant", max_range_m=60.0, **TURNED),
    NavigationSonar(rate_hz=10.0, n_beams=5, fan_deg=60.0, tilt_deg=10.0, **TURNED),
    NavigationSonar(name="gavia", rate_hz=10.0, reading="horizontal", fan_deg=60.0, tilt_deg=20.0, no_echo="nan"),
    Usbl(rate_hz=10.0, ship_m=(4.0, -30.0, 2.0), ship_velocity_m_s=(1.0, 0.0, 0.0), ways=3, min_range_m=20.0,
         assumed_sound_speed_m_s=1480.0, max_range_m=60.0, turnaround_s=0.05, **TURNED),
]  # fmt: skip
# with every error there is
NOISY = [
    Dvl(rate_hz=10.0, noise_m_s=0.02, noise_per_speed=0.01, noise_per_range=0.001, bias_m_s=0.02, walk_m_s_sqrt_h=1.0,
        scale=0.02, misalignment_deg=1.0, range_noise_m=0.1, range_noise_per_range=0.01, max_altitude_m=60.0),
    Altimeter(rate_hz=10.0, noise_m=0.05, noise_per_range=0.01, bias_m=0.1, walk_m_sqrt_h=3.0, scale=0.01),
    Multibeam(rate_hz=10.0, n_beams=3, swath_deg=60.0, noise_m=0.2, bias_m=0.1, scale=0.01),
    NavigationSonar(rate_hz=10.0, n_beams=2, fan_deg=20.0, tilt_deg=60.0, noise_m=0.2, bias_m=0.2, scale=0.01),
    Usbl(rate_hz=10.0, noise_m=0.1, noise_per_range=0.01, bias_m=0.3, scale=0.01, angle_noise_deg=1.0,
         angle_bias_deg=1.0, walk_m_sqrt_h=6.0, angle_walk_deg_sqrt_h=20.0),
]  # fmt: skip


@pytest.mark.parametrize("sensor", QUIET, ids=lambda sensor: sensor.name or sensor.kind)
def test_without_noise_they_read_what_the_instrument_of_one_vehicle_reads(sensor):
    assert same_readings(sensor).max() > 1


@pytest.mark.slow
@pytest.mark.parametrize("sensor", NOISY, ids=lambda sensor: sensor.kind)
def test_with_noise_their_errors_are_as_large_as_those_of_the_instrument_of_one_vehicle(sensor):
    assert same_errors(sensor)
