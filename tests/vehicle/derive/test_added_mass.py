"""Added mass: closed forms of simple hulls, the rule for moving it, and the panel method against closed forms."""

import math
import sys

import numpy as np
import pytest

from pelagos.errors import MissingExtraError, PelagosError, VehicleFileError
from pelagos.vehicle.derive import added_mass
from pelagos.vehicle.derive.hull import lamb_factors
from pelagos.vehicle.derive.mesh import Mesh, revolve
from tests.vehicle.spheroid import spheroid_stations

RHO = 1025.0
needs_capytaine = pytest.mark.skipif(
    not added_mass.available(), reason="capytaine is not installed: pip install '.[bem]'"
)
# Warnings inside capytaine and its imports are not ours; the mark is on single tests, so that ours stay errors.
foreign_warnings = pytest.mark.filterwarnings("default")


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
    with pytest.raises(PelagosError, match=r"diameter_m = 0\.0: expected a number above 0"):
        added_mass.added_mass_from_hull("cylinder", length_m=1.0, diameter_m=0.0, density_kg_m3=RHO)


def added(stations, around):
    return added_mass.added_mass_of_mesh(revolve(stations, around), RHO)


@pytest.mark.slow
@needs_capytaine
@foreign_warnings
def test_sphere_carries_half_its_water():
    exact = 0.5 * RHO * 4.0 / 3.0 * math.pi
    errors = []
    for n, around in ((9, 12), (17, 24), (25, 36)):
        matrix, how = added(spheroid_stations(2.0, 2.0, n), around)
        errors.append(abs(1.0 - matrix[1, 1] / exact))
    assert "capytaine" in how and "1656 triangles" in how
    # Errors 3.14 %, 0.77 %, 0.30 % as panels shrink by 2 and by 1.5: second order or better.
    assert math.log(errors[0] / errors[1], 2.0) > 1.95
    assert math.log(errors[1] / errors[2], 1.5) > 1.95
    assert np.diag(matrix)[:3] == pytest.approx([exact] * 3, rel=0.01)
    # A sphere turns no water; facets turn a little, 1e-3 of rho r^5 and less.
    assert np.all(np.abs(np.diag(matrix)[3:]) < 1e-3 * RHO)


@pytest.mark.slow
@needs_capytaine
@foreign_warnings
def test_prolate_spheroid_is_lamb():
    exact, _ = added_mass.spheroid_added_mass(2.0, 0.5, RHO)
    coarse, _ = added(spheroid_stations(2.0, 0.5, 17), 24)
    fine, _ = added(spheroid_stations(2.0, 0.5, 25), 36)
    for i in (0, 1, 2, 4, 5):
        e_coarse, e_fine = (1.0 - m[i, i] / exact[i, i] for m in (coarse, fine))
        # 1 % in sway, 1 % in surge and pitch with 1656 triangles; h^2 extrapolation from the two gets within 0.5 %.
        assert abs(e_fine) < 0.012
        extrapolated = fine[i, i] + (fine[i, i] - coarse[i, i]) / (1.5**2 - 1.0)
        assert extrapolated == pytest.approx(exact[i, i], rel=0.005)
        assert abs(e_fine) < abs(e_coarse)
    off = fine - np.diag(np.diag(fine))
    assert np.max(np.abs(off)) < 2e-3 * fine[1, 1]  # symmetric hull: no coupling but for the triangles' slant


@pytest.mark.slow
@needs_capytaine
@foreign_warnings
def test_long_cylinder_is_strips_less_the_ends():
    lost = []
    for aspect in (5.0, 10.0, 20.0):
        x = np.linspace(-aspect / 2.0, aspect / 2.0, 33)
        matrix, _ = added([(float(xi), 1.0, 1.0) for xi in x], 16)
        strips, _ = added_mass.cylinder_added_mass(aspect, 1.0, RHO)
        lost.append(1.0 - matrix[1, 1] / strips[1, 1])
        if aspect == 20.0:
            assert matrix[5, 5] == pytest.approx(strips[5, 5], rel=0.10)  # ends count with x^2: 9 % here
    # Water slips round the ends: a loss of about 0.65 D/L. With 16 corners the polygon itself is 2.5 % small.
    assert lost == pytest.approx([0.13 + 0.01, 0.065 + 0.01, 0.032 + 0.01], abs=0.02)
    # DNV-RP-C205 appendix A gives 0.90 of the strip value at L/D 5; 0.05 for its rounding and our panels.
    assert 1.0 - lost[0] == pytest.approx(0.90, abs=0.05)


@pytest.mark.slow
@needs_capytaine
@foreign_warnings
def test_hull_away_from_the_origin_follows_the_shift_rule():
    rows = [(x + 0.7, h, b) for x, h, b in spheroid_stations(2.0, 0.5, 13)]
    moved, _ = added(rows, 16)
    centred, _ = added(spheroid_stations(2.0, 0.5, 13), 16)
    want = added_mass.shift_added_mass(centred, (0.7, 0.0, 0.0))
    # The same panels about another point: only the collocation's asymmetry (1 %) differs.
    np.testing.assert_allclose(moved, want, atol=0.01 * want[5, 5])


@needs_capytaine
@foreign_warnings
def test_too_many_triangles_are_refused():
    mesh = revolve(spheroid_stations(2.0, 0.5, 101), 60)
    with pytest.raises(VehicleFileError, match=r"triangles = 11880: expected at most 8000"):
        added_mass.added_mass_of_mesh(mesh, RHO)


def test_without_capytaine_one_sentence(monkeypatch):
    monkeypatch.setitem(sys.modules, "capytaine", None)  # marks a module as not importable
    with pytest.raises(MissingExtraError, match=r"added mass of a mesh needs the package capytaine.*\.\[bem\]"):
        added_mass.added_mass_of_mesh(Mesh(np.zeros((0, 3)), np.zeros((0, 3), dtype=np.int64)), RHO)
