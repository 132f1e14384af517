"""Panel method against closed forms: sphere, prolate spheroid, long cylinder; and its order of convergence."""

import math
import sys

import numpy as np
import pytest

from pelagos.errors import MissingExtraError, VehicleFileError
from pelagos.vehicle.derive import added_mass
from pelagos.vehicle.derive.added_mass import cylinder_added_mass, shift_added_mass, spheroid_added_mass
from pelagos.vehicle.derive.hull import spheroid_stations
from pelagos.vehicle.derive.mesh import Mesh, revolve

RHO = 1025.0
needs_capytaine = pytest.mark.skipif(
    not added_mass.available(), reason="capytaine is not installed: pip install '.[bem]'"
)
pytestmark = pytest.mark.filterwarnings("default")  # warnings inside capytaine and what it imports are not ours


def added(stations, around):
    return added_mass.added_mass_of_mesh(revolve(stations, around), RHO)


@needs_capytaine
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


@needs_capytaine
def test_prolate_spheroid_is_lamb():
    exact, _ = spheroid_added_mass(2.0, 0.5, RHO)
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


@needs_capytaine
def test_long_cylinder_is_strips_less_the_ends():
    lost = []
    for aspect in (5.0, 10.0, 20.0):
        x = np.linspace(-aspect / 2.0, aspect / 2.0, 33)
        matrix, _ = added([(float(xi), 1.0, 1.0) for xi in x], 16)
        strips, _ = cylinder_added_mass(aspect, 1.0, RHO)
        lost.append(1.0 - matrix[1, 1] / strips[1, 1])
        if aspect == 20.0:
            assert matrix[5, 5] == pytest.approx(strips[5, 5], rel=0.10)  # ends count with x^2: 9 % here
    # Water slips round the ends: a loss of about 0.65 D/L. With 16 corners the polygon itself is 2.5 % small.
    assert lost == pytest.approx([0.13 + 0.01, 0.065 + 0.01, 0.032 + 0.01], abs=0.02)
    # DNV-RP-C205 appendix A gives 0.90 of the strip value at L/D 5; 0.05 for its rounding and our panels.
    assert 1.0 - lost[0] == pytest.approx(0.90, abs=0.05)


@needs_capytaine
def test_hull_away_from_the_origin_follows_the_shift_rule():
    rows = [(x + 0.7, h, b) for x, h, b in spheroid_stations(2.0, 0.5, 13)]
    moved, _ = added(rows, 16)
    centred, _ = added(spheroid_stations(2.0, 0.5, 13), 16)
    want = shift_added_mass(centred, (0.7, 0.0, 0.0))
    # The same panels about another point: only the collocation's asymmetry (1 %) differs.
    np.testing.assert_allclose(moved, want, atol=0.01 * want[5, 5])


@needs_capytaine
def test_too_many_triangles_are_refused():
    mesh = revolve(spheroid_stations(2.0, 0.5, 101), 60)
    with pytest.raises(VehicleFileError, match=r"triangles = 11880: expected at most 8000"):
        added_mass.added_mass_of_mesh(mesh, RHO)


def test_without_capytaine_one_sentence(monkeypatch):
    monkeypatch.setitem(sys.modules, "capytaine", None)  # Python's own way to say: not importable
    with pytest.raises(MissingExtraError, match=r"added mass of a mesh needs the package capytaine.*\.\[bem\]"):
        added_mass.added_mass_of_mesh(Mesh(np.zeros((0, 3)), np.zeros((0, 3), dtype=np.int64)), RHO)
