"""The vehicle with every coefficient: nothing of it is zero, and the engine takes it."""

import numpy as np

from pelagos.vehicle.pack.records import mass_matrix
from pelagos_evidence.brutzman.equations.general import TERMS, coefficients, vehicle


def test_every_coefficient_is_there_and_none_is_zero():
    table = coefficients()
    of = vehicle(table)
    named = {c.name: c for c in of.coefficients}
    assert set(TERMS) <= set(named)
    assert all(abs(named[name].published) >= 2e-3 for name in TERMS)
    assert len(TERMS) == len(set(TERMS)) == 79
    assert coefficients(1) != table == coefficients()


def test_nothing_is_symmetric():
    of = vehicle(coefficients())
    assert np.all(np.array(of.body.cg_b) != 0.0) and np.all(np.array(of.body.cb_b) != 0.0)
    assert np.all(of.body.inertia_o != 0.0) and np.all(of.added_mass != 0.0)
    matrix = mass_matrix(of)
    assert np.linalg.eigvalsh(matrix)[0] > 0.0
    assert of.body.mass_kg != of.body.volume_m3 * of.water.density_kg_m3


def test_u_is_signed_as_in_print():
    names = {c.name: c.factors for c in vehicle(coefficients()).coefficients}
    assert names["Y_uv"] == ("u", "v")
    assert names["K_|u|p"] == ("|u|", "p")
