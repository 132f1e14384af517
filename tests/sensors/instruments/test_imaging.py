"""Imaging sonar: equal images alone and among others, speckle of the declared distribution, limit of memory."""

import math

import numpy as np
import pytest

from pelagos import Structure, World
from pelagos.errors import CommandError
from pelagos.sensors.base import VehicleContext
from pelagos.sensors.instruments.instant import Instant
from pelagos.sensors.random import Noise
from pelagos.sensors.sound.imaging import ImagingSonar
from tests.sensors.instruments.flown import TURNED, same_alone_and_among_others
from tests.sensors.sounding import at_work, instant

SMALL = {"rate_hz": 10.0, "n_ranges": 32, "n_bearings": 9, "n_rays": 12, "vertical_aperture_deg": 60.0}
SENSORS = [
    ImagingSonar(name="still", speckle=False, **SMALL, **TURNED),
    ImagingSonar(name="scanning", beams_per_ping=4, sector_deg=360.0, gain="none", **SMALL),
    ImagingSonar(name="noisy", noise_db=-40.0, bias_m=0.3, walk_m_sqrt_h=6.0, scale=0.02, **SMALL),
]


@pytest.mark.parametrize("sensor", SENSORS, ids=lambda sensor: sensor.name)
def test_a_vehicle_reads_alone_what_it_reads_among_others(sensor):
    assert same_alone_and_among_others(sensor).max() > 1


def test_speckle_is_exponential_of_mean_1():
    wall = World(structures=(Structure(kind="box", center_m=(21.0, 0.0, 10.0), size_m=(2.0, 80.0, 40.0)),))
    plain, speckled = (at_work(ImagingSonar(speckle=speckle, n_bearings=400)) for speckle in (False, True))
    for sonar in (plain, speckled):
        sonar.measure_single(instant(), wall)
    bright = plain.image > 0.1 * plain.image.max()
    ratio = (speckled.image / np.where(bright, plain.image, 1.0))[bright]
    # mean and deviation of an exponential distribution are 1; those of n draws are known to 1 and sqrt(2) / sqrt(n)
    n = len(ratio)
    assert n > 400
    assert ratio.mean() == pytest.approx(1.0, abs=4.0 / math.sqrt(n))
    assert ratio.std() == pytest.approx(1.0, abs=4.0 * math.sqrt(2.0 / n))


def test_each_vehicle_has_an_image_and_a_reset_clears_it():
    sonar = ImagingSonar(**SMALL).make(VehicleContext(), Noise(1, np.arange(3)))
    depths = np.array([[0.0, 0.0, 22.0], [0.0, 0.0, 24.0], [0.0, 0.0, 26.0]])
    now = Instant(np.zeros(3), depths, np.array([1.0, 0.0, 0.0, 0.0]), np.zeros(6))
    sonar.measure(now, World(depth_m=30.0))
    assert (sonar.images.max(axis=(1, 2)) > 0.0).all()
    sonar.begin(np.array([1]))
    assert [image.any() for image in sonar.images] == [True, False, True]


def test_more_images_than_fit_are_refused():
    with pytest.raises(
        CommandError, match=r"GB of images of 10000 vehicles by imaging_sonar is 2.62; expected at most 2: fewer"
    ):
        ImagingSonar().make(VehicleContext(), Noise(1, np.arange(10000)))
