"""Equations 1 to 7: the rows hold, and a vehicle that differs from the document's fails."""

from dataclasses import replace

import numpy as np
import pytest

from evidence.tests.checked import check_part, joined
from pelagos.vehicle.load.vehicle import load_vehicle
from pelagos.vehicle.pack.records import mass_matrix
from pelagos_evidence.claim import ClaimVerdict
from pelagos_evidence.hunt import equations, printed

IVER3 = load_vehicle("iver3")


@pytest.fixture(scope="module")
def findings():
    return equations.run(lambda done: None)


def failed(of):
    return {
        claim.key for claim in joined(equations, equations.equation_values(of)) if claim.verdict is ClaimVerdict.FAILED
    }


@pytest.mark.slow
def test_every_equation_has_a_row_and_holds(findings):
    check_part("hunt", "equations", findings)
    places = " ".join(claim.place for claim in findings.claims)
    for number in range(1, 8):
        assert f" {number}" in f" {places}".replace(",", " "), number


def test_the_transcription_is_that_of_the_table():
    np.testing.assert_allclose(np.diag(printed.MASS), np.diag(mass_matrix(IVER3)), rtol=1e-12)


@pytest.mark.slow
def test_wrong_vehicles_are_caught():
    flipped = replace(IVER3, body=replace(IVER3.body, cb_b=(0.0, 0.0, -IVER3.body.cb_b[2])))
    assert {"submerged-restoring", "restoring-signs", "equation-of-motion"} <= failed(flipped)
    heavier = replace(IVER3, added_mass=1.01 * IVER3.added_mass)
    assert failed(heavier) == {"equation-of-motion"}
    rounded = replace(IVER3, body=replace(IVER3.body, cb_b=(0.0, 0.0, -0.0390326)))  # 1e-5 of the righting moment
    assert failed(rounded) == {"submerged-restoring", "equation-of-motion"}
    without_munk = replace(IVER3, coriolis="none")
    assert failed(without_munk) >= {"equation-of-motion"}


def test_the_wet_part_of_the_print_by_hand():
    points = np.array([[0.0, 0.0, -1.0], [0.0, 0.0, 1.0], [2.0, 0.0, 1.0]])
    share, mean = printed.wet_part(points, np.full(3, 1.0 / 3.0), 0.5, np.zeros(3))
    assert share == pytest.approx(2.0 / 3.0)
    np.testing.assert_allclose(mean, [1.0, 0.0, 1.0])
    share, mean = printed.wet_part(points, np.full(3, 1.0 / 3.0), -5.0, np.zeros(3))
    assert share == 0.0 and not mean.any()
