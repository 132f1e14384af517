"""Common parts of acoustic beams: directions, range errors, limits, drop-outs, refused settings."""

import math

import numpy as np
import pytest

from pelagos import World
from pelagos.errors import ScenarioError
from pelagos.sensors.sound.altimeter import Altimeter
from pelagos.sensors.sound.beams import BeamInstrument, Sounder, Soundings, in_air, pointing, reached
from pelagos.sensors.sound.navigation_sonar import NavigationSonar
from tests.sensors.sounding import instant


def test_pointing_turns_to_starboard_and_down():
    beams = pointing([0.0, 90.0, 0.0, 180.0], [0.0, 0.0, 90.0, 30.0])
    expected = [[1, 0, 0], [0, 1, 0], [0, 0, 1], [-math.cos(math.pi / 6), 0, 0.5]]
    assert beams == pytest.approx(np.array(expected), abs=1e-15)


def test_a_ray_of_the_body_turns_with_it():
    # nose down by 30 deg, heading east, 20 m over the bottom: along x the bottom is 20 / sin 30 = 40 m away
    now = instant(euler_deg=(0.0, -30.0, 90.0))
    hits = reached(now, World(depth_m=30.0), np.array([0.0, 0.0, 0.0]), np.array([[1.0, 0.0, 0.0]]), 100.0)
    assert hits.range_m[0] == pytest.approx(40.0, rel=1e-12)
    # a lever arm of 2 m ahead is 1 m lower: 19 / sin 30
    hits = reached(now, World(depth_m=30.0), np.array([2.0, 0.0, 0.0]), np.array([[1.0, 0.0, 0.0]]), 100.0)
    assert hits.range_m[0] == pytest.approx(38.0, rel=1e-12)


def test_noise_grows_with_range_and_bias_and_scale_stay():
    sensor = Altimeter(noise_m=0.02, noise_per_range=0.01, bias_m=0.3, scale=0.01, max_range_m=200.0)
    n = 4000
    drawn = []
    for true in (10.0, 100.0):
        soundings = Soundings(sensor, np.random.default_rng(7), 1)
        ranges = np.array([true])
        values = np.array([soundings.apply(ranges, np.array([True]))[0] for _ in range(n)])
        # 4 sigma of an estimated standard deviation, 1 / sqrt(2 n) each
        assert values.std() == pytest.approx(0.02 + 0.01 * true, rel=4.0 / math.sqrt(2 * n))
        drawn.append(values.mean() - true)
    # the same seed: the same offset b and slope s; b + 10 s and b + 100 s. Both are nonzero and not large: 5 sigma
    slope = (drawn[1] - drawn[0]) / 90.0
    assert 1e-4 < abs(slope) < 5 * 0.01
    assert 1e-3 < abs(drawn[0] - 10.0 * slope) < 5 * 0.3


def test_bias_and_scale_have_their_size_over_many_instruments():
    sensor = Altimeter(bias_m=0.3, scale=0.02)
    ranges = np.array([50.0])
    values = [Soundings(sensor, np.random.default_rng(k), 1).apply(ranges, np.array([True]))[0] for k in range(2000)]
    # independent: variances add; 4 sigma of the estimate
    assert np.std(values) == pytest.approx(math.hypot(0.3, 0.02 * 50.0), rel=4.0 / math.sqrt(4000))


def test_limits_and_resolution():
    sensor = Altimeter(min_range_m=1.0, max_range_m=20.0, resolution_m=0.25)
    soundings = Soundings(sensor, np.random.default_rng(0), 5)
    ranges = np.array([0.5, 1.1, 19.9, 20.5, math.inf])
    good = soundings.heard(ranges)
    assert good.tolist() == [False, True, True, False, False]
    values = soundings.apply(ranges, good)
    assert values[1:3].tolist() == [1.0, 20.0]  # nearest multiples of 0.25, exact in binary
    assert np.isnan(values[[0, 3, 4]]).all()


def test_single_beams_drop_out_at_the_given_share():
    sensor = NavigationSonar(beam_dropout=0.2)
    soundings = Soundings(sensor, np.random.default_rng(0), 10000)
    share = 1.0 - soundings.heard(np.full(10000, 10.0)).mean()
    assert share == pytest.approx(0.2, abs=4.0 * math.sqrt(0.2 * 0.8 / 10000))  # 4 sigma of a binomial share


def test_out_of_the_water_there_is_no_sound():
    up = instant(position=(0.0, 0.0, -1.0), wet_share=0.0, below_m=-1.0)
    assert in_air(up, (0.0, 0.0, 0.5))
    assert not in_air(up, (0.0, 0.0, 1.5))
    beam = BeamInstrument(Altimeter(), np.random.default_rng(0), np.array([[0.0, 0.0, 1.0]]))
    assert np.isnan(beam.soundings(up, World(depth_m=30.0))).all()


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("min_range_m", -1.0),
        ("max_range_m", 0.2),
        ("noise_m", -0.1),
        ("scale", 2.0),
        ("resolution_m", math.nan),
        ("beam_dropout", 1.5),
    ],
)
def test_what_no_sounder_has_is_refused(key, value):
    with pytest.raises(ScenarioError, match=key):
        Sounder(**{key: value})
