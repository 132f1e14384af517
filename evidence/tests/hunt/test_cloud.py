"""The cloud of section III.B converges, one that does not is caught, and its figures depend on its numbers alone."""

from dataclasses import replace

import numpy as np
import pytest

from evidence.tests.checked import check_part, joined
from pelagos.vehicle.load.vehicle import load_vehicle
from pelagos_evidence.claim import ClaimVerdict
from pelagos_evidence.hunt import cloud, convergence
from pelagos_evidence.hunt.cloud import cloud_drawing, convergence_drawing
from pelagos_evidence.hunt.convergence import COUNTS, SECTIONS, Convergence


@pytest.fixture(scope="module")
def done():
    kept = []

    def keep(of, progress):
        kept.append(convergence.converge(of, progress))
        return kept[0]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cloud, "converge", keep)
        return cloud.run(lambda share: None), kept[0]


def failed(numbers):
    return {
        claim.key for claim in joined(cloud, cloud.convergence_values(numbers)) if claim.verdict is ClaimVerdict.FAILED
    }


@pytest.mark.slow
def test_rows_hold(done):
    claims = done[0].claims
    check_part("hunt", "cloud", done[0])
    assert {"figure 2", "figure 3", "section III.B"} <= {claim.place for claim in claims}
    geometric = next(claim for claim in claims if claim.key == "geometric-mean")
    assert geometric.verdict is ClaimVerdict.REFUTED
    cost = next(claim for claim in claims if claim.key == "cost")
    assert cost.verdict is (ClaimVerdict.REFUTED if cost.numbers["off"] > 0.0 else ClaimVerdict.REPRODUCED)


@pytest.mark.slow
def test_figures(done):
    assert [drawing.name for drawing in done[0].drawings] == ["hunt-cloud", "hunt-convergence"]
    assert all(len(drawing.png) < 150_000 for drawing in done[0].drawings)


@pytest.mark.slow
def test_a_biased_cloud_is_caught(done):
    numbers = done[1]
    assert "wet-share-rate" in failed(replace(numbers, rms=numbers.rms + 0.01))
    assert "wet-share-error" in failed(replace(numbers, rms=1.5 * numbers.rms))
    assert "rest-depth-of-clouds" in failed(replace(numbers, rest_m=numbers.rest_m + 0.02))
    assert "quadrature-beside-it" in failed(replace(numbers, sections=numbers.sections + 0.01))


@pytest.mark.slow
def test_both_figures():
    n = np.array(COUNTS, float)
    rest = 0.129 + np.outer(1.0 / np.sqrt(n), np.linspace(-1.0, 1.0, 3))
    numbers = Convergence(0.4 / np.sqrt(n), 0.4 / np.sqrt(n), 1.0 / np.array(SECTIONS, float), rest, 0.129, 1.0 / n)
    drawing = convergence_drawing(numbers)
    assert drawing.name == "hunt-convergence" and drawing.png.startswith(b"\x89PNG")
    assert convergence_drawing(numbers).png == drawing.png
    assert cloud_drawing(load_vehicle("iver3")).name == "hunt-cloud"
