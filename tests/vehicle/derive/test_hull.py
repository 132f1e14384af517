"""Lamb's factors against the published table and limits; station tables against closed forms."""

import math
from itertools import pairwise

import numpy as np
import pytest

from pelagos.errors import PelagosError
from pelagos.vehicle.derive.hull import (
    cylinder_stations,
    hull_form,
    lamb_factors,
    spheroid_volume,
    torpedo_stations,
)
from tests.vehicle.spheroid import spheroid_area, spheroid_stations

# a/b, k1, k2, k': Lamb 1932 art. 115, computed to five digits.
LAMB = [
    (1.5, 0.30375, 0.62208, 0.09512), (2.0, 0.21002, 0.70421, 0.23942), (2.99, 0.12253, 0.80317, 0.46389),
    (3.99, 0.08185, 0.85933, 0.60681), (4.99, 0.05929, 0.89398, 0.6991), (6.01, 0.04507, 0.91731, 0.76283),
    (6.97, 0.03608, 0.93269, 0.80556), (8.01, 0.0292, 0.94483, 0.83968), (9.02, 0.02431, 0.95363, 0.86465),
    (9.97, 0.0208, 0.96006, 0.88302),
]  # fmt: skip
# DARPA SUBOFF bare hull (Groves, Huang & Chang 1989): station of 0.70 ft, radius over 0.254 m.
SUBOFF_OFFSETS = [
    (0, 0.0), (0.1, 0.29058), (0.2, 0.39396), (0.3, 0.466), (0.4, 0.52147), (0.5, 0.56627), (0.6, 0.60352),
    (0.7, 0.63514), (1, 0.70744), (2, 0.84713), (3, 0.94066), (4, 0.99282), (7.7143, 1.0), (10, 1.0), (15.1429, 1.0),
    (16, 0.97598), (17, 0.8191), (18, 0.55025), (19, 0.26835), (20, 0.11724), (20.1, 0.11243), (20.2, 0.10074),
    (20.3, 0.0792), (20.4, 0.03178), (20.4167, 0.0),
]  # fmt: skip


def suboff_stations(origin_from_nose_m=2.013):
    """Stations in body axes about the moment centre of Roddy 1990."""
    rows = [(origin_from_nose_m - 0.7 * 0.3048 * s, 0.508 * r, 0.508 * r) for s, r in SUBOFF_OFFSETS]
    return rows


@pytest.mark.parametrize(("ratio", "k1", "k2", "k_prime"), LAMB)
def test_lamb_table(ratio, k1, k2, k_prime):
    assert lamb_factors(ratio, 1.0) == pytest.approx((k1, k2, k_prime), abs=6e-6)  # half a digit of five decimals


def test_lamb_as_printed():
    assert lamb_factors(2.99, 1.0) == pytest.approx((0.122, 0.803, 0.465), abs=2e-3)  # Lamb's own hand-made digits
    assert lamb_factors(6.01, 1.0) == pytest.approx((0.045, 0.918, 0.764), abs=2e-3)


def test_factors_of_the_remus_spheroid():
    assert lamb_factors(0.8, 0.095) == pytest.approx((0.027036, 0.948702, 0.850647), abs=1e-6)  # six decimals given
    assert 1026.0 * spheroid_volume(0.8, 0.095) == pytest.approx(31.0294, rel=1e-5)


def test_sphere_and_its_neighbourhood():
    assert lamb_factors(1.0, 1.0) == pytest.approx((0.5, 0.5, 0.0), abs=1e-15)
    for eps in (1e-12, 1e-8, 1e-5, 1e-3):
        s = 1.0 - 1.0 / (1.0 + eps) ** 2
        k1, k2, k_prime = lamb_factors(1.0 + eps, 1.0)
        # Series about the sphere: alpha0 = 2/3 - 4 s/15 and g = 2/5 + O(s), so k' = s^2/6 + O(s^3);
        # dk1/ds = -(4/15) 2/(2 - 2/3)^2 = -0.3, dk2/ds = (2/15) 2/(4/3)^2 = 0.15. Next order below s^2.
        assert k1 == pytest.approx(0.5 - 0.3 * s, abs=s * s + 1e-15)
        assert k2 == pytest.approx(0.5 + 0.15 * s, abs=s * s + 1e-15)
        assert k_prime == pytest.approx(s * s / 6.0, rel=2.0 * s + 1e-9)


@pytest.mark.parametrize("s", [0.25, -0.25])
def test_series_meets_closed_form(s):
    below = lamb_factors(1.0, math.sqrt(1.0 - s * (1.0 - 1e-13)))
    above = lamb_factors(1.0, math.sqrt(1.0 - s * (1.0 + 1e-13)))
    assert below == pytest.approx(above, rel=1e-12, abs=1e-13)  # the two formulas change by 1e-13 between the points


def test_extreme_shapes():
    k1, k2, k_prime = lamb_factors(1e4, 1.0)
    assert 0.0 < k1 < 1e-6
    assert k2 == pytest.approx(1.0, abs=1e-6)  # a needle is a row of circles
    assert k_prime == pytest.approx(1.0, abs=1e-6)
    # A thin disc of radius b moved along its axis carries 8/3 rho b^3 (Lamb art. 108): k1 m = k1 4/3 pi rho a b^2.
    thin = 1e-5
    k1, _, k_prime = lamb_factors(thin, 1.0)
    assert k1 * 4.0 / 3.0 * math.pi * thin == pytest.approx(8.0 / 3.0, rel=1e-4)  # O(a/b) corrections
    # and turned about a diameter 16/45 rho b^5.
    assert k_prime * 4.0 / 3.0 * math.pi * thin / 5.0 == pytest.approx(16.0 / 45.0, rel=1e-4)


def test_cylinder_and_cone_are_exact():
    form = hull_form(cylinder_stations(2.0, 0.2, 0.3))
    assert form.volume_m3 == pytest.approx(math.pi * 0.01 * 2.0, rel=1e-14)
    assert form.centroid_x_m == pytest.approx(0.3, rel=1e-13)
    assert form.wetted_area_m2 == pytest.approx(2 * math.pi * 0.1 * 2.0 + 2 * math.pi * 0.01, rel=1e-14)
    assert (form.side_area_m2, form.side_moment_m3) == pytest.approx((0.4, 0.12), rel=1e-13)
    cone = hull_form([(0.0, 1.0, 1.0), (3.0, 0.0, 0.0)])
    assert cone.volume_m3 == pytest.approx(math.pi * 0.25, rel=1e-14)  # 1/3 pi r^2 h
    assert cone.centroid_x_m == pytest.approx(0.75, rel=1e-14)  # a quarter of the height
    assert cone.wetted_area_m2 == pytest.approx(math.pi * 0.5 * math.hypot(3.0, 0.5) + math.pi * 0.25, rel=1e-14)


def test_spheroid_stations_converge_at_second_order():
    a, b = 1.0, 0.2
    errors = []
    for n in (21, 41, 81):
        form = hull_form(spheroid_stations(2 * a, 2 * b, n))
        errors.append((1 - form.volume_m3 / spheroid_volume(a, b), 1 - form.wetted_area_m2 / spheroid_area(a, b)))
    for coarse, fine in pairwise(errors):
        assert coarse[0] / fine[0] == pytest.approx(4.0, rel=0.05)  # chords of a smooth curve: h^2
        assert coarse[1] / fine[1] == pytest.approx(4.0, rel=0.05)
    assert spheroid_area(0.5, 0.5) == pytest.approx(math.pi, rel=1e-14)


def test_torpedo_volume_fractions():
    form = hull_form(torpedo_stations(3.0, 0.2, 0.4, 0.9, n=401))
    filled = 3.0 - 0.4 / 3.0 - 0.9 * 7.0 / 15.0
    assert form.volume_m3 == pytest.approx(math.pi * 0.01 * filled, rel=1e-5)  # 400 chords each: 1e-6 or so
    assert torpedo_stations(1.0, 0.2, 0.0, 0.0) == [(-0.5, 0.2, 0.2), (0.5, 0.2, 0.2)]


def test_suboff_hull_form():
    form = hull_form(suboff_stations())
    assert form.length_m == pytest.approx(4.3561, abs=1e-3)
    assert form.volume_m3 == pytest.approx(0.706, rel=0.02)  # chords between 25 stations cut 1.5 % off the curve
    assert form.wetted_area_m2 / (math.pi * 0.508 * 4.3561) == pytest.approx(0.861, abs=0.01)


def test_bad_tables_are_refused_in_one_sentence():
    with pytest.raises(PelagosError, match="at least two rows"):
        hull_form([(0.0, 1.0, 1.0)])
    with pytest.raises(PelagosError, match="share one x"):
        hull_form([(0.0, 1.0, 1.0), (0.0, 1.0, 1.0)])
    with pytest.raises(PelagosError, match="negative"):
        hull_form([(0.0, 1.0, 1.0), (1.0, -1.0, 1.0)])
    with pytest.raises(PelagosError, match="no volume"):
        hull_form([(0.0, 0.0, 1.0), (1.0, 0.0, 1.0)])
    with pytest.raises(PelagosError, match=r"torpedo: nose_m \+ tail_m = 1\.2: expected at most the length, 1 m"):
        torpedo_stations(1.0, 0.2, 0.6, 0.6)
    with pytest.raises(PelagosError, match=r"spheroid: semi_length = 0\.0: expected a number above 0"):
        lamb_factors(0.0, 1.0)


def test_station_order_does_not_matter():
    rows = suboff_stations()
    assert np.array_equal(
        [*vars(hull_form(rows)).values()], [*vars(hull_form(rows[::-1])).values()]
    )  # sorted first: bitwise equal
