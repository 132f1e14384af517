"""Compass: heading, tilt, mounting, deviation by iron, errors."""

import math

import numpy as np
import pytest

from pelagos.sensors.base import VehicleContext
from pelagos.sensors.compass import Compass
from pelagos.vehicle.load.sensors import load_sensor
from tests.sensors.still import instant, instants, readings

FIT = VehicleContext()


def reading(sensor, seed=1, **where):
    return readings(sensor, FIT, seed, [instant(**where)])[1][0]


def test_heading_runs_from_0_to_360_and_tilt_follows():
    assert reading(Compass(), euler_deg=(0.0, 0.0, -90.0)) == pytest.approx([270.0])
    assert reading(Compass(tilt=True), euler_deg=(10.0, -20.0, 350.0)) == pytest.approx([350.0, 10.0, -20.0])
    assert Compass(tilt=True).columns == ("heading_deg", "roll_deg", "pitch_deg")


def test_an_uncorrected_declination_to_the_east_reads_low():
    assert reading(Compass(declination_deg=15.0), euler_deg=(0, 0, 10.0)) == pytest.approx([355.0])


def test_mounting():
    turned = Compass(orientation_deg=(0.0, 0.0, 90.0), tilt=True)
    # its x axis looks to starboard and its starboard side aft, which goes down when the vehicle's nose goes up
    assert reading(turned, euler_deg=(0.0, 10.0, 0.0)) == pytest.approx([90.0, 10.0, 0.0], abs=1e-9)


def deviation(sensor, seed, headings):
    track = [instant(i * 0.1, euler_deg=(0.0, 0.0, h)) for i, h in enumerate(headings)]
    read = readings(sensor, FIT, seed, track)[1][:, 0]
    return (read - headings + 180.0) % 360.0 - 180.0


def test_hard_iron_has_one_cycle_and_soft_iron_two():
    headings = np.arange(0.0, 360.0, 5.0)
    for sensor, cycles in ((Compass(hard_iron_deg=2.0), 1), (Compass(soft_iron_deg=2.0), 2)):
        spectrum = np.abs(np.fft.rfft(deviation(sensor, 3, headings)))
        rest = np.delete(spectrum, cycles)
        assert spectrum[cycles] > 1.0 and rest.max() < 1e-9 * spectrum[cycles]


def test_size_of_the_deviation_over_many_vehicles():
    headings = np.arange(0.0, 360.0, 45.0)
    deviations = np.array(
        [deviation(Compass(hard_iron_deg=2.0, soft_iron_deg=1.0), seed, headings) for seed in range(600)]
    )
    # B sin + C cos has the deviation of B and C at every heading; 600 draws: 3 %, eight headings are not independent
    assert np.sqrt((deviations**2).mean()) == pytest.approx(math.hypot(2.0, 1.0), rel=0.12)


@pytest.mark.slow
def test_noise_bias_and_wander():
    noise = readings(Compass(noise_deg=0.5), FIT, 1, instants(4000, 0.1, euler_deg=(0, 0, 180.0)))[1][:, 0]
    assert noise.std() == pytest.approx(0.5, rel=0.045)  # four times 1.1 %
    biases = [reading(Compass(bias_deg=3.0), seed, euler_deg=(0, 0, 180.0))[0] for seed in range(800)]
    assert np.std(biases) == pytest.approx(3.0, rel=0.1)  # four times 2.5 %
    # 60 deg/sqrt(h) is 1 deg/sqrt(s): with a memory of 8 s a deviation of sqrt(8 / 2)
    drift = Compass(walk_deg_sqrt_h=60.0, memory_s=8.0)
    ends = [readings(drift, FIT, seed, instants(2, 30.0, euler_deg=(0, 0, 180.0)))[1][-1, 0] for seed in range(800)]
    assert np.std(ends) == pytest.approx(2.0, rel=0.1)


def test_steps_of_the_resolution():
    assert reading(Compass(resolution_deg=0.5), euler_deg=(0, 0, 33.3))[0] == 33.5
    both = Compass(resolution_deg=0.5, tilt=True)
    assert reading(both, euler_deg=(1.3, 0, 33.3)).tolist() == [33.5, 1.5, 0.0]  # as the heading, if it says no other
    fine = Compass(resolution_deg=0.5, tilt=True, tilt_resolution_deg=0.1)
    assert reading(fine, euler_deg=(1.34, 0, 33.3)) == pytest.approx([33.5, 1.3, 0.0], abs=1e-12)


def test_the_tcm_tells_tenths_of_heading_and_hundredths_of_tilt():
    rows = readings(load_sensor("tcm_compass"), FIT, 1, instants(200, 0.1, euler_deg=(1.234, 2.345, 33.333)))[1]
    for column, steps in ((0, 10.0), (1, 100.0), (2, 100.0)):
        counts = steps * rows[:, column]
        assert counts == pytest.approx(np.round(counts), abs=1e-9)
        assert not np.allclose(counts / 10.0, np.round(counts / 10.0))  # and no coarser
