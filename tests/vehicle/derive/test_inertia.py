"""Weighted components, Steiner, and the triangle rule, against integrals with a known answer."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pelagos.errors import PelagosError
from pelagos.vehicle.derive.inertia import (
    Component,
    about_cg,
    combine,
    inertia_of_box,
    inertia_of_cylinder,
    inertia_of_spheroid,
    rigid_body_deficit,
    steiner,
)

number = st.floats(-3.0, 3.0)
point = st.tuples(number, number, number)


def test_two_points_give_the_integrals_of_6_55_to_6_60():
    parts = [Component("a", 2.0, (1.0, 2.0, 3.0)), Component("b", 4.0, (-1.0, 0.5, 0.0))]
    mass, cg, inertia = combine(parts)
    assert mass == 6.0
    assert cg == pytest.approx((-1.0 / 3.0, 1.0, 1.0))
    # Sums by hand: I_x = sum m (y^2 + z^2) and so on; products enter a tensor with a minus.
    assert inertia[0, 0] == pytest.approx(2 * (4 + 9) + 4 * 0.25)
    assert inertia[1, 1] == pytest.approx(2 * (1 + 9) + 4 * 1)
    assert inertia[2, 2] == pytest.approx(2 * (1 + 4) + 4 * (1 + 0.25))
    assert inertia[0, 1] == pytest.approx(-(2 * 2 + 4 * -0.5))
    assert inertia[0, 2] == pytest.approx(-(2 * 3))
    assert inertia[1, 2] == pytest.approx(-(2 * 6))


def test_a_box_is_the_sum_of_its_eight_octants():
    size = (2.0, 1.0, 0.4)
    octants = [
        Component("octant", 1.5, (sx * 0.5, sy * 0.25, sz * 0.1), inertia_of_box(1.5, (1.0, 0.5, 0.2)))
        for sx in (-1, 1)
        for sy in (-1, 1)
        for sz in (-1, 1)
    ]
    mass, cg, inertia = combine(octants)
    assert mass == pytest.approx(12.0)
    assert cg == pytest.approx((0.0, 0.0, 0.0))
    np.testing.assert_allclose(inertia, inertia_of_box(12.0, size), atol=1e-14)  # exact identity: rounding only


@settings(max_examples=50)
@given(st.lists(st.tuples(st.floats(0.1, 50.0), point), min_size=1, max_size=6), point)
def test_moving_the_origin_is_steiner(parts, shift):
    _, cg, inertia = combine([Component("c", m, p) for m, p in parts])
    moved_parts = [Component("c", m, (p[0] + shift[0], p[1] + shift[1], p[2] + shift[2])) for m, p in parts]
    mass, moved_cg, moved = combine(moved_parts)
    at_cg = about_cg(inertia, mass, cg)
    # Both ways of summing see the same squares; 1e-9 of the largest moment covers cancellation about a far origin.
    scale = 1e-9 * max(1.0, float(np.max(np.abs(moved))))
    np.testing.assert_allclose(about_cg(moved, mass, moved_cg), at_cg, atol=scale)
    np.testing.assert_allclose(steiner(at_cg, mass, moved_cg), moved, atol=scale)
    if np.trace(at_cg) > 1e-6:
        assert rigid_body_deficit(at_cg) < 1e-6  # any mass distribution obeys the triangle rule


def test_generic_cylinder_of_document_002():
    inertia = inertia_of_cylinder(64.4, 0.1, 2.0)
    assert inertia[0, 0] == pytest.approx(0.322, abs=5e-4)  # printed with three decimals
    assert inertia[1, 1] == pytest.approx(21.628, abs=5e-4)
    assert inertia[2, 2] == inertia[1, 1]


def test_sphere_is_two_fifths_m_r_squared():
    np.testing.assert_allclose(inertia_of_spheroid(3.0, 0.5, 1.0), np.eye(3) * 0.4 * 3.0 * 0.25, rtol=1e-15)


def test_published_inertias_that_no_body_can_have_are_found():
    assert rigid_body_deficit(np.diag([2.7, 42.0, 45.0])) == pytest.approx(0.3 / 45.0)  # Phoenix, errata B28
    royer = about_cg(np.diag([30.0, 100.0, 100.0]), 400.0, (0.0, 0.0, 0.2))  # errata R22: 14, 84, 100
    np.testing.assert_allclose(np.diag(royer), [14.0, 84.0, 100.0])
    assert rigid_body_deficit(royer) == pytest.approx(0.02)


def test_bad_components_are_refused_in_one_sentence():
    with pytest.raises(PelagosError, match="list is empty"):
        combine([])
    with pytest.raises(PelagosError, match=r"sum of mass_kg = -1\.0: expected a number above 0"):
        combine([Component("hole", -1.0, (0.0, 0.0, 0.0))])
    with pytest.raises(PelagosError, match=r"component 'foam': inertia: has shape \(2, 2\)"):
        combine([Component("foam", 1.0, (0.0, 0.0, 0.0), np.eye(2))])
