"""The cloud of section III.B: it converges as it must, and one that does not would be caught."""

from dataclasses import replace

import pytest

from evidence.tests.checked import check_part, joined
from pelagos_evidence.claim import ClaimVerdict
from pelagos_evidence.hunt import cloud, convergence


@pytest.fixture(scope="module")
def done():
    kept = []

    def keep(of, tell):
        kept.append(convergence.converge(of, tell))
        return kept[0]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cloud, "converge", keep)
        return cloud.run(lambda share: None), kept[0]


def failed(numbers):
    return {
        claim.key for claim in joined(cloud, cloud.convergence_values(numbers)) if claim.verdict is ClaimVerdict.FAILED
    }


def test_rows_hold(done):
    claims = done[0].claims
    check_part("hunt", "cloud", done[0])
    assert {"figure 2", "figure 3", "section III.B"} <= {claim.place for claim in claims}
    geometric = next(claim for claim in claims if claim.key == "geometric-mean")
    assert geometric.verdict is ClaimVerdict.REFUTED
    cost = next(claim for claim in claims if claim.key == "cost")
    assert cost.verdict is (ClaimVerdict.REFUTED if cost.numbers["off"] > 0.0 else ClaimVerdict.REPRODUCED)


def test_figures(done):
    assert [drawing.name for drawing in done[0].drawings] == ["hunt-cloud", "hunt-convergence"]
    assert all(len(drawing.png) < 150_000 for drawing in done[0].drawings)


def test_a_biased_cloud_is_caught(done):
    numbers = done[1]
    assert "wet-share-rate" in failed(replace(numbers, rms=numbers.rms + 0.01))
    assert "wet-share-error" in failed(replace(numbers, rms=1.5 * numbers.rms))
    assert "rest-depth-of-clouds" in failed(replace(numbers, rest_m=numbers.rest_m + 0.02))
    assert "quadrature-beside-it" in failed(replace(numbers, sections=numbers.sections + 0.01))
