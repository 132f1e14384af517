"""Altimeter, multibeam and navigation sonar: echoes of single beams, and equal readings alone and among others."""

import math

import numpy as np
import pytest

from pelagos import World
from pelagos.sensors.base import VehicleContext
from pelagos.sensors.instruments.instant import Instant
from pelagos.sensors.instruments.sounders import cast_beams
from pelagos.sensors.random import Noise
from pelagos.sensors.sound.altimeter import Altimeter
from pelagos.sensors.sound.multibeam import Multibeam
from pelagos.sensors.sound.navigation_sonar import NavigationSonar
from tests.sensors.instruments.flown import TURNED, same_alone_and_among_others
from tests.sensors.sounding import at_work, instant

FLAT = World(depth_m=30.0)
LEVEL = np.array([1.0, 0.0, 0.0, 0.0])

# without noise, and with everything else that the equations have
PLAIN = [
    Altimeter(rate_hz=10.0, beam_width_deg=20.0, max_range_m=28.0, resolution_m=0.01, **TURNED),
    Multibeam(rate_hz=10.0, n_beams=7, swath_deg=140.0, spacing="equidistant", max_range_m=60.0, **TURNED),
    NavigationSonar(rate_hz=10.0, n_beams=5, fan_deg=60.0, tilt_deg=10.0, **TURNED),
    NavigationSonar(name="gavia", rate_hz=10.0, reading="horizontal", fan_deg=60.0, tilt_deg=20.0, no_echo="nan"),
]  # fmt: skip
# with every error there is
NOISY = [
    Altimeter(rate_hz=10.0, noise_m=0.05, noise_per_range=0.01, bias_m=0.1, walk_m_sqrt_h=3.0, scale=0.01),
    Multibeam(rate_hz=10.0, n_beams=3, swath_deg=60.0, noise_m=0.2, bias_m=0.1, scale=0.01),
    NavigationSonar(rate_hz=10.0, n_beams=2, fan_deg=20.0, tilt_deg=60.0, noise_m=0.2, bias_m=0.2, scale=0.01),
]  # fmt: skip


@pytest.mark.parametrize("sensor", [*PLAIN, *NOISY], ids=lambda sensor: sensor.name or sensor.kind)
def test_a_vehicle_reads_alone_what_it_reads_among_others(sensor):
    assert same_alone_and_among_others(sensor).max() > 1


def soundings(sensor, n, scene, where, seed=0):
    """Readings (n, columns) of n vehicles at one place."""
    now = Instant(np.zeros(n), np.array(where), LEVEL, np.zeros(6))
    return sensor.make(VehicleContext(), Noise(seed, np.arange(n))).measure(now, scene)[0]


def test_a_beam_turns_with_the_vehicle():
    # nose down by 30 deg, heading east, 20 m over the bottom: along x the bottom is 20 / sin 30 = 40 m away
    now = instant(euler_deg=(0.0, -30.0, 90.0))
    ahead, every = np.array([[[1.0, 0.0, 0.0]]]), np.zeros(1, np.intp)
    for point, expected in ((0.0, 40.0), (2.0, 38.0)):  # a lever arm of 2 m ahead is 1 m lower: 19 / sin 30
        ranges, along, wet = cast_beams(now, every, FLAT, np.array([point, 0.0, 0.0]), ahead, 100.0)
        assert ranges[0, 0] == pytest.approx(expected, rel=1e-12) and wet[0]
        assert along[0, 0] == pytest.approx([0.0, math.cos(math.pi / 6), 0.5], abs=1e-15)


def test_out_of_the_water_there_is_no_sound():
    up = {"position": (0.0, 0.0, -1.0), "wet_share": 0.0, "below_m": -1.0}
    for below, heard in ((0.5, False), (1.5, True)):
        sensor = Altimeter(position_m=(0.0, 0.0, below))
        assert np.isfinite(at_work(sensor).measure_single(instant(**up), FLAT)[0]) == heard


def test_noise_bias_and_scale_have_the_declared_sizes():
    sensor = Altimeter(
        beam_width_deg=0.0, noise_m=0.02, noise_per_range=0.01, bias_m=0.3, scale=0.02, max_range_m=200.0
    )
    n = 20000
    for away in (10.0, 100.0):
        values = soundings(sensor, n, World(depth_m=10.0 + away), (0.0, 0.0, 10.0))[:, 0]
        # independent errors add in squares; the deviation of n draws is known to 1 / sqrt(2 n): four of these
        expected = math.hypot(0.3, 0.02 * away, 0.02 + 0.01 * away)
        assert values.std() == pytest.approx(expected, rel=4.0 / math.sqrt(2.0 * n))
        assert values.mean() == pytest.approx(away, abs=4.0 * expected / math.sqrt(n))


def test_limits_and_resolution():
    sensor = Altimeter(beam_width_deg=0.0, min_range_m=1.0, max_range_m=20.0, resolution_m=0.25)
    away = [0.5, 1.1, 19.9, 20.5]
    values = [soundings(sensor, 1, FLAT, (0.0, 0.0, 30.0 - r))[0, 0] for r in away]
    assert values[1:3] == [1.0, 20.0]  # nearest multiples of 0.25, exact in binary
    assert np.isnan([values[0], values[3]]).all()


def test_single_beams_drop_out_at_the_declared_share():
    sensor = Multibeam(n_beams=5, swath_deg=60.0, beam_dropout=0.2)
    n = 2000
    lost = np.isnan(soundings(sensor, n, FLAT, (0.0, 0.0, 10.0))).mean()
    assert lost == pytest.approx(0.2, abs=4.0 * math.sqrt(0.2 * 0.8 / (5 * n)))  # 4 sigma of a binomial share
