"""Depth from pressure: place, waves, density, errors, range."""

import math

import numpy as np
import pytest

from pelagos.sensors.base import VehicleContext
from pelagos.sensors.depth import Depth
from tests.sensors.still import instant, instants, readings

FIT = VehicleContext(density_kg_m3=1025.0)


def reading(sensor, now, fit=FIT, seed=1):
    return float(readings(sensor, fit, seed, [now])[1][0, 0])


def test_it_reads_at_its_own_place():
    # nose up by 30 deg: a gauge 2 m ahead is 1 m higher
    assert reading(Depth(position_m=(2.0, 0.0, 0.0)), instant(euler_deg=(0.0, 30.0, 0.0))) == pytest.approx(9.0)


def test_a_wave_fades_with_depth_and_rules_at_the_surface():
    crest = 1.0  # the water stands 1 m higher
    for depth in (0.001, 5.0, 40.0):
        now = instant(position=(0.0, 0.0, depth), below_m=depth + crest)
        expected = depth + crest * math.exp(-(depth + crest) / 8.0)
        assert reading(Depth(), now) == pytest.approx(expected)
    assert reading(Depth(), instant(position=(0, 0, 0.5), below_m=-0.1)) == 0.0  # out of the water in a trough
    assert reading(Depth(), instant(position=(0, 0, 7.0))) == pytest.approx(7.0)  # no surface: as below still water


def test_a_wrong_density_scales():
    assert reading(Depth(assumed_density_kg_m3=1000.0), instant()) == pytest.approx(10.25)


def test_range_resolution_and_drift():
    assert reading(Depth(range_m=8.0), instant()) == 8.0
    assert reading(Depth(resolution_m=0.25), instant(position=(0, 0, 3.1))) == 3.0
    last = [readings(Depth(walk_m_sqrt_h=0.6), FIT, seed, instants(2, 3600.0))[1][-1, 0] for seed in range(500)]
    # one hour of a walk of 0.6 m/sqrt(h); the deviation of 500 is known to 3 %
    assert np.std(last) == pytest.approx(0.6, rel=0.13)


@pytest.mark.slow
def test_noise_bias_and_scale():
    first = np.array([readings(Depth(bias_m=0.2, scale=0.01), FIT, seed, [instant()])[1][0, 0] for seed in range(800)])
    # bias 0.2 m and 1 % of 10 m add in squares; 800 draws: 2.5 %
    assert first.std() == pytest.approx(math.hypot(0.2, 0.1), rel=0.1)
    assert first.mean() == pytest.approx(10.0, abs=4.0 * 0.224 / math.sqrt(800.0))
    noise = readings(Depth(noise_m=0.05), FIT, 1, instants(4000, 0.1))[1][:, 0]
    assert noise.std() == pytest.approx(0.05, rel=0.045)  # four times 1.1 %
