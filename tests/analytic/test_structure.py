"""A: structure of the equations. Numbers in slug and ft are a hand calculation, quoted to the digits shown."""

from dataclasses import replace
from math import pi

import numpy as np
import pytest

from pelagos import frames
from pelagos.errors import VehicleFileError
from pelagos.vehicle.pack.records import mass_matrix, pack, rigid_body_matrix
from pelagos.vehicle.plant import Plant
from tests.analytic.units import FT, MASS_SLUG, SLUG
from tests.engine.probe import LIBRARY, plant_of, put, still, vehicle, velocities
from tests.reference import kinematics as kin

PHOENIX = vehicle("phoenix")


def slugs(of):
    """Mass matrix in slug, slug ft, slug ft^2."""
    return mass_matrix(of) / MASS_SLUG


@pytest.mark.parametrize("key", LIBRARY)
def test_A1_mass_matrix_is_symmetric_positive_definite(key):
    matrix = mass_matrix(vehicle(key))
    scale = np.sqrt(np.outer(np.diag(matrix), np.diag(matrix)))
    assert np.abs(matrix - matrix.T).max() <= 1e-9 * scale.max()
    assert np.linalg.cholesky(matrix).shape == (6, 6)


def test_A1_eigenvalues():
    expected = [7.45435, 14.5757, 25.66892, 48.40348, 55.34867, 168.26007]
    np.testing.assert_allclose(np.linalg.eigvalsh(slugs(PHOENIX)), expected, atol=6e-6)
    npsauv = np.linalg.eigvalsh(mass_matrix(vehicle("npsauv")))
    assert npsauv[0] == pytest.approx(4154.7, abs=0.05)
    assert npsauv[-1] == pytest.approx(50310.0, abs=1.0)
    assert np.linalg.eigvalsh(mass_matrix(vehicle("lauv")))[0] == pytest.approx(0.039, abs=5e-4)
    assert np.linalg.eigvalsh(mass_matrix(vehicle("seagrant1")))[0] == pytest.approx(41.56, abs=5e-3)


def test_A2_phoenix_mass_matrix_entries():
    m = slugs(PHOENIX)
    np.testing.assert_allclose(np.diag(m)[:3], [14.58526, 26.4743, 48.79458], rtol=1e-6)
    np.testing.assert_allclose(np.diag(m)[3:], [7.5330, 167.85941, 54.46463], rtol=1e-5)
    pairs = {(0, 4): 1.20555, (1, 3): -1.20555, (1, 5): 5.04968, (2, 4): 6.83634}
    for (i, j), value in pairs.items():
        assert m[i, j] == m[j, i] == pytest.approx(value, abs=1e-5)
    assert slugs(vehicle("phoenix_printed"))[2, 2] == pytest.approx(49.134, rel=5e-4)  # Z_wdot -9.43e-2, L 7.302
    half_rho = 0.5 * PHOENIX.water.density_kg_m3 / (SLUG / FT**3)
    powers = [half_rho * (PHOENIX.length_m / FT) ** k for k in (2, 3, 4, 5)]
    np.testing.assert_allclose(powers, [51.72081, 377.66965, 2757.77528, 20137.50489], atol=5e-6)
    assert PHOENIX.body.mass_kg / SLUG == pytest.approx(13.520234, abs=5e-7)


def test_A3_printed_Y_rdot_is_refused():
    """Errata B16: -1.78e-1 against N_vdot -1.78e-3; the sway-yaw block has the determinant -1037.6."""
    added = PHOENIX.added_mass.copy()
    added[1, 5] *= 100.0
    printed = replace(PHOENIX, added_mass=added)
    m = slugs(printed)
    assert m[1, 5] == pytest.approx(491.0, abs=0.05)
    assert m[1, 1] * m[5, 5] - m[1, 5] * m[5, 1] == pytest.approx(-1037.6, abs=0.1)
    with pytest.raises(VehicleFileError, match="Y_rdot"):
        pack(printed)
    added[5, 1] = added[1, 5]  # made symmetric it is still no mass
    with pytest.raises(VehicleFileError, match="eigenvalue of body plus added mass = -"):
        pack(replace(printed, added_mass=added))


def test_A3_gavia_matrix_of_the_notes_is_refused():
    """Errata G2: the LAUV's diagonal with Gavia's m z_G = 4.627 off it."""
    gavia = vehicle("gavia")
    body = gavia.body
    rigid = rigid_body_matrix(body.mass_kg, body.cg_b, body.inertia_o)
    total = np.diag([19.0, 34.0, 34.0, 0.04, 2.1, 2.1])
    with pytest.raises(VehicleFileError, match=r"eigenvalue of body plus added mass = -0\.579"):
        pack(replace(gavia, added_mass=total - np.diag(np.diag(rigid))))


@pytest.mark.parametrize("name", ["rigid_body", "added_mass"])
def test_A4_coriolis_forces_do_no_work(name):
    of, plant = vehicle("everything"), plant_of("everything")
    for nu in np.random.default_rng(4).normal(size=(200, 6)):
        powers = nu * put(plant, still(of, nu=nu)).forces()[name]
        assert abs(powers.sum()) < 1e-12 * np.abs(powers).sum()


def test_A5_the_published_signs_of_npsauv_fail():
    """Negative: heave's rigid-body part and (Iz - Ix) p r with the wrong sign give 2.9e4 W rms at unit velocities."""
    of, plant = vehicle("npsauv"), plant_of("npsauv")
    inertia = of.body.inertia_o
    right, wrong = [], []
    for nu in np.random.default_rng(5).normal(size=(2000, 6)):
        force = put(plant, still(of, nu=nu)).forces()["rigid_body"]
        right.append(nu @ force)
        force[2] = -force[2]
        force[4] -= 2.0 * (inertia[2, 2] - inertia[0, 0]) * nu[3] * nu[5]
        wrong.append(nu @ force)
    assert np.sqrt(np.mean(np.square(right))) < 1e-10
    assert np.sqrt(np.mean(np.square(wrong))) == pytest.approx(2.9e4, rel=0.1)  # 2000 samples: about 5 %


# The moments of a hull in flow axes (gliders) hold the Munk moment and may do work
@pytest.mark.parametrize("ahead", [1, -1])
@pytest.mark.parametrize(
    "key", [k for k in LIBRARY if k not in ("phoenix_author", "phoenix_printed", "seawing", "slocum")]
)
def test_A6_damping_never_gives_energy(key, ahead):
    """All that resists together, undeflected, both signs of u."""
    of, plant = vehicle(key), plant_of(key)
    for nu in velocities(of, 200, 7, ahead):
        forces = put(plant, still(of, nu=nu)).forces()
        assert nu @ sum(forces[name] for name in ("coefficients", "crossflow", "lift_drag", "fins")) < 0.0


@pytest.mark.parametrize("key", ["phoenix_author", "phoenix_printed"])
def test_A6_fails_with_signed_u(key):
    of, plant = vehicle(key), plant_of(key)
    driven = 0
    for nu in velocities(of, 200, 7, -1):
        forces = put(plant, still(of, nu=nu)).forces()
        driven += nu @ (forces["coefficients"] + forces["crossflow"]) > 0.0
    assert driven > 20  # a tenth of the motions at least


def test_A7_rotations_and_rates():
    for phi, theta, psi in np.random.default_rng(7).uniform(-1.0, 1.0, (50, 3)) * [3, 1.4, 3]:
        r = frames.rotation_from_euler(phi, theta, psi)
        np.testing.assert_allclose(r.T @ r, np.eye(3), atol=1e-15)
        assert np.linalg.det(r) == pytest.approx(1.0, abs=1e-15)
        # T grows to 1/cos(1.4) = 6
        np.testing.assert_allclose(kin.euler_rates(phi, theta) @ kin.body_rates(phi, theta), np.eye(3), atol=6e-15)
        assert np.linalg.norm(frames.quaternion_from_euler(phi, theta, psi)) == pytest.approx(1.0, abs=1e-15)


def test_A7_quaternion_stays_of_length_one():
    plant = Plant(PHOENIX)
    plant.place(nu=[0.5, 0.2, 0.1, 0.4, 0.2, -0.3])
    plant.advance(0.01, 2000)
    assert np.linalg.norm(plant.quaternion) == pytest.approx(1.0, abs=1e-15)


def test_A8_hamilton_product():
    identity, i, j, k = np.eye(4)
    np.testing.assert_array_equal(frames.quaternion_product(identity, j), j)
    np.testing.assert_array_equal(frames.quaternion_product(i, j), k)
    for a, b in np.random.default_rng(8).normal(size=(50, 2, 4)):
        a, b = a / np.linalg.norm(a), b / np.linalg.norm(b)
        product = frames.rotation_from_quaternion(frames.quaternion_product(a, b))
        each = frames.rotation_from_quaternion(a) @ frames.rotation_from_quaternion(b)
        np.testing.assert_allclose(product, each, atol=2e-15)  # a few roundings of unit size


def test_A9_angles_where_they_are_hard():
    euler = frames.euler_from_quaternion
    assert abs(euler(frames.quaternion_from_euler(0, 0, pi))[2]) == pytest.approx(pi, abs=1e-15)
    assert abs(euler(frames.quaternion_from_euler(pi, 0, 0))[0]) == pytest.approx(pi, abs=1e-15)
    phi, psi = 0.3, 1.1
    up, down = (euler(frames.quaternion_from_euler(phi, s * pi / 2, psi)) for s in (1, -1))
    assert up[0] - up[2] == pytest.approx(phi - psi, abs=1e-15)
    assert down[0] + down[2] == pytest.approx(phi + psi, abs=1e-15)
