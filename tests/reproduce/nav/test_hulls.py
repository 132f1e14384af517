"""The two vehicles, and the row of an estimate."""

import pytest

from pelagos.reproduce.claim import Proof, Verdict
from pelagos.reproduce.nav.hulls import HULLS, LAUV, REMUS, estimate


def test_three_numbers_are_those_of_the_published_vehicles():
    for hull in HULLS:
        assert hull.mass_kg == pytest.approx(hull.vehicle.body.mass_kg, rel=1e-9)
        assert hull.length_m == hull.vehicle.length_m
        assert hull.density == hull.vehicle.water.density_kg_m3
        assert hull.derived().body.mass_kg == pytest.approx(hull.mass_kg, rel=1e-5)  # six digits in the file


@pytest.mark.parametrize(
    ("ours", "verdict"),
    [(1.9, Verdict.REPRODUCED), (0.51, Verdict.REPRODUCED), (2.1, Verdict.FAILED), (0.4, Verdict.FAILED),
     (-1.0, Verdict.FAILED), (float("nan"), Verdict.FAILED)],
)  # fmt: skip
def test_a_factor_of_two_either_way(ours, verdict):
    assert estimate("a", "b", "c", REMUS, 1.0, ours, "kg", proof=Proof()).verdict is verdict
    assert estimate("a", "b", "c", LAUV, 1.0, ours, "kg", proof=Proof(), off="x").verdict is Verdict.NOT_REPRODUCIBLE
