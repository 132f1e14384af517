"""USBL and LBL: equal readings alone and among others, and fixes of many vehicles."""

import numpy as np
import pytest

from pelagos.sensors.instruments.acoustic_position import places_from_ranges
from pelagos.sensors.sound.acoustic_position import Lbl, Usbl
from tests.sensors.instruments.flown import TURNED, same_alone_and_among_others

PLACES = ((0.0, 30.0, 29.0), (40.0, 0.0, 29.0), (0.0, -50.0, 29.0), (-30.0, 0.0, 20.0))
# without noise, and with everything else that the equations have
PLAIN = [
    Usbl(rate_hz=10.0, ship_m=(4.0, -30.0, 2.0), ship_velocity_m_s=(1.0, 0.0, 0.0), ways=3, min_range_m=20.0,
         assumed_sound_speed_m_s=1480.0, max_range_m=60.0, turnaround_s=0.05, **TURNED),
    Lbl(rate_hz=10.0, transponders_m=PLACES, min_range_m=20.0, turnaround_s=0.05, **TURNED),
]  # fmt: skip
# with every error there is
NOISY = [
    Usbl(rate_hz=10.0, noise_m=0.1, noise_per_range=0.01, bias_m=0.3, scale=0.01, angle_noise_deg=1.0,
         angle_bias_deg=1.0, walk_m_sqrt_h=6.0, angle_walk_deg_sqrt_h=20.0),
    Lbl(name="baseline", rate_hz=10.0, transponders_m=PLACES, noise_m=0.1, noise_per_range=0.01, bias_m=0.3, scale=0.01,
        walk_m_sqrt_h=6.0, resolution_m=0.01, dropout=0.2),
]  # fmt: skip


@pytest.mark.parametrize("sensor", [*PLAIN, *NOISY], ids=lambda sensor: sensor.name or sensor.kind)
def test_a_vehicle_reads_alone_what_it_reads_among_others(sensor):
    assert same_alone_and_among_others(sensor).max() > 1


def test_each_fix_is_where_its_ranges_meet():
    rng = np.random.default_rng(1)
    at = np.array([[0.0, 0.0, 100.0], [200.0, 0.0, 100.0], [0.0, 200.0, 100.0], [200.0, 200.0, 90.0]])
    true = rng.uniform((0.0, 0.0, 0.0), (200.0, 200.0, 80.0), (50, 3))
    ranges = np.linalg.norm(true[:, None] - at, axis=2)
    ranges[3, 0] = ranges[4, :2] = ranges[5] = np.nan  # three ranges are enough, two or none are not
    fixed = places_from_ranges(at, ranges)
    assert np.isnan(fixed[4:6]).all()
    known = np.r_[0:4, 6:50]
    np.testing.assert_allclose(fixed[known], true[known], atol=1e-6)  # steps end at 1e-9 of the range
