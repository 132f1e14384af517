"""The two vehicles, and the notes on estimated numbers."""

import numpy as np
import pytest

from pelagos_evidence.claim import ClaimVerdict, Row
from pelagos_evidence.nav.hulls import HULLS, LAUV, REMUS, estimate, inertia_at_cg


def test_three_numbers_are_those_of_the_published_vehicles():
    for hull in HULLS:
        assert hull.mass_kg == pytest.approx(hull.vehicle.body.mass_kg, rel=1e-9)
        assert hull.length_m == hull.vehicle.length_m
        assert hull.density == hull.vehicle.water.density_kg_m3
        for derived in (hull.derived(), hull.by_formula()):
            assert derived.body.mass_kg == pytest.approx(hull.mass_kg, rel=1e-5)  # six digits in the file


def test_linear_and_quadratic_damping_count():
    assert LAUV.damping(0, 1.43) == pytest.approx(-2.4 * 1.43 - 2.4 * 1.43**2, rel=1e-12)
    assert LAUV.damping(1, -0.3) == pytest.approx(23.0 * 0.3 + 80.0 * 0.09, rel=1e-12)
    assert REMUS.damping(4, 0.2) == pytest.approx(-188.0 * 0.04, rel=1e-12)


def test_inertia_at_the_centre_of_gravity():
    derived = LAUV.by_formula()
    np.testing.assert_allclose(np.diag(inertia_at_cg(derived))[[0, 1]], [18.0 * 0.075**2 / 2.0, 1.7749], rtol=1e-4)


def test_an_estimate_is_judged_by_the_formula_alone():
    for ours, verdict in ((1.0, ClaimVerdict.REPRODUCED), (1.1, ClaimVerdict.FAILED)):
        claim = estimate(
            Row("a", "b", "c"), 1.0, ours, "kg", hull=REMUS, vehicle=10.0, relative=0.01, why="d",
            notes={"remus100": "e"},
        )  # fmt: skip
        assert claim.verdict is verdict
        assert claim.numbers["ratio"] == pytest.approx(ours / 10.0)
        assert "Prestero 2001" in claim.ours and claim.ours.endswith("times that (e)")
