"""Added mass of simple hulls: closed forms, limits, and the rules for moving it."""

import math

import numpy as np
import pytest

from pelagos.errors import PelagosError
from pelagos.vehicle.derive import added_mass
from pelagos.vehicle.derive.hull import lamb_factors, spheroid_stations

RHO = 1025.0


def test_generic_cylinder_of_document_002():
    matrix, how = added_mass.added_mass_from_hull(
        "cylinder", length_m=2.0, diameter_m=0.2, density_kg_m3=RHO, mass_kg=64.4
    )
    # Document 002 by hand: R 0.1, L 2, rho 1025, m 64.4; three decimals.
    assert np.diag(matrix) == pytest.approx([6.44, 64.403, 64.403, 0.0, 21.468, 21.468], abs=5e-4)
    assert np.count_nonzero(matrix - np.diag(np.diag(matrix))) == 0
    assert "document 002" in how


def test_spheroid_by_imlay():
    matrix, how = added_mass.added_mass_from_hull(
        "spheroid", length_m=1.6, diameter_m=0.19, density_kg_m3=1026.0, mass_kg=0.0, inertia_xx=0.2, roll_factor=0.3
    )
    k1, k2, k_prime = lamb_factors(0.8, 0.095)
    m = 1026.0 * 4.0 / 3.0 * math.pi * 0.8 * 0.095**2
    turning = k_prime * m * (0.8**2 + 0.095**2) / 5.0
    assert np.diag(matrix) == pytest.approx([k1 * m, k2 * m, k2 * m, 0.06, turning, turning], rel=1e-12)
    assert "Lamb" in how and "A44 = 0.3 I_x" in how
    heavier, _ = added_mass.spheroid_added_mass(1.6, 0.19, 1026.0, 2.0 * m)
    np.testing.assert_allclose(heavier[:3, :3], 2.0 * matrix[:3, :3], rtol=1e-12)


def test_strips_of_a_cylinder_are_the_cylinder():
    strips, _ = added_mass.added_mass_from_hull("strips", length_m=2.0, diameter_m=0.2, density_kg_m3=RHO, mass_kg=0.0)
    cylinder, _ = added_mass.cylinder_added_mass(2.0, 0.2, RHO)
    assert np.diag(strips)[1:] == pytest.approx(np.diag(cylinder)[1:], rel=1e-13)  # Gauss points are exact here


def test_strips_of_a_slender_spheroid_tend_to_lamb():
    for aspect, allowed in ((5.0, 0.13), (10.0, 0.05), (20.0, 0.02)):  # 1 - k2 is about (2 ln(2 L/D) - 1) (D/L)^2
        strips, _ = added_mass.strip_added_mass(spheroid_stations(aspect, 1.0, 161), RHO)
        exact, _ = added_mass.spheroid_added_mass(aspect, 1.0, RHO)
        assert strips[1, 1] == pytest.approx(exact[1, 1], rel=allowed)
        assert strips[1, 1] > exact[1, 1]  # strips let no water round the ends
        assert strips[0, 0] == pytest.approx(exact[0, 0], rel=1e-3)  # 160 chords of the same spheroid


def test_strips_of_an_offset_hull_obey_the_shift_rule():
    stations = [(-0.8, 0.1, 0.3), (0.0, 0.2, 0.4), (0.9, 0.15, 0.1)]
    about_o, _ = added_mass.strip_added_mass(stations, RHO)
    moved, _ = added_mass.strip_added_mass([(x + 0.6, h, b) for x, h, b in stations], RHO)
    np.testing.assert_allclose(moved, added_mass.shift_added_mass(about_o, (0.6, 0.0, 0.0)), rtol=1e-12, atol=1e-10)
    assert about_o[1, 5] == about_o[5, 1] != 0.0
    assert about_o[3, 3] > 0.0  # a flat ellipse does turn water
    assert np.all(np.linalg.eigvalsh(about_o) > 0.0)


def test_shift_keeps_energy():
    """1/2 nu^T A nu is the same energy whichever point nu is taken at."""
    matrix, _ = added_mass.spheroid_added_mass(2.0, 0.3, RHO)
    r = np.array([0.4, -0.2, 0.1])
    nu = np.array([1.0, -0.3, 0.2, 0.5, 0.7, -0.4])
    at_point = np.concatenate([nu[:3] + np.cross(nu[3:], r), nu[3:]])
    shifted = added_mass.shift_added_mass(matrix, (0.4, -0.2, 0.1))
    assert nu @ shifted @ nu == pytest.approx(at_point @ matrix @ at_point, rel=1e-13)


def test_bad_kind_and_size_are_refused():
    with pytest.raises(PelagosError, match='did you mean "spheroid"'):
        added_mass.added_mass_from_hull("sphroid", length_m=1.0, diameter_m=0.1, density_kg_m3=RHO)
    with pytest.raises(PelagosError, match="diameter_m = 0; expected"):
        added_mass.added_mass_from_hull("cylinder", length_m=1.0, diameter_m=0.0, density_kg_m3=RHO)
