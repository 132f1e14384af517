"""Depth, compass, water speed, GPS, actuator and leak sensors: equal readings alone and among others."""

import pytest

from pelagos.sensors.compass import Compass
from pelagos.sensors.depth import Depth
from pelagos.sensors.gps import Gps
from pelagos.sensors.leak import LeakDetector
from pelagos.sensors.propulsion import PlanePosition, Tachometer
from pelagos.sensors.water_speed import WaterSpeed
from tests.sensors.instruments.flown import TURNED, same_alone_and_among_others

# without noise, and with everything else that the equations have
PLAIN = [
    Depth(assumed_density_kg_m3=1000.0, resolution_m=0.05, range_m=12.0, **TURNED),
    Depth(name="deep", rate_hz=3.0, latency_s=0.13),
    Compass(tilt=True, declination_deg=3.0, **TURNED),
    Compass(name="coarse", resolution_deg=0.5, rate_hz=7.0),
    WaterSpeed(rate_hz=10.0, threshold_m_s=0.2, range_m_s=1.1, **TURNED),
    WaterSpeed(name="tube", rate_hz=10.0, both_ways=False),
    Tachometer(resolution_rpm=1.0, range_rpm=900.0),
    PlanePosition(resolution_deg=0.1, range_deg=12.0),
    Gps(rate_hz=10.0, cep_m=0.0, first_fix_s=0.1, refix_s=0.2, position_m=(0.0, 0.0, -0.3)),
    LeakDetector(rate_hz=5.0),
]  # fmt: skip
# with every error there is
NOISY = [
    Depth(noise_m=0.1, bias_m=0.2, scale=0.01, walk_m_sqrt_h=3.0),
    Compass(tilt=True, noise_deg=1.0, bias_deg=2.0, hard_iron_deg=1.0, soft_iron_deg=0.5, tilt_noise_deg=0.3,
            tilt_bias_deg=0.2, tilt_scale=0.1, walk_deg_sqrt_h=20.0, memory_s=2.0, tilt_walk_deg_sqrt_h=10.0),
    WaterSpeed(rate_hz=10.0, noise_m_s=0.1, bias_m_s=0.05, scale=0.1, walk_m_s_sqrt_h=3.0),
    Tachometer(noise_rpm=3.0, bias_rpm=5.0, scale=0.01, walk_rpm_sqrt_h=60.0),
    PlanePosition(noise_deg=0.2, bias_deg=0.3, scale=0.1, walk_deg_sqrt_h=6.0),
    Gps(rate_hz=10.0, bias_m=1.0, memory_s=1.0, position_m=(0.0, 0.0, -2.0)),
    LeakDetector(rate_hz=10.0, false_alarm=0.3),
]  # fmt: skip


@pytest.mark.parametrize("sensor", [*PLAIN, *NOISY], ids=lambda sensor: sensor.name or sensor.kind)
def test_a_vehicle_reads_alone_what_it_reads_among_others(sensor):
    assert same_alone_and_among_others(sensor).max() > 1
