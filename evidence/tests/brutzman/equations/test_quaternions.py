"""Equations 6.61-6.68: rows hold; the printed product, put in place of ours, does not."""

import numpy as np
import pytest

from evidence.tests.checked import check_part, joined
from pelagos_evidence.brutzman import printed
from pelagos_evidence.brutzman.equations import quaternions


@pytest.fixture(scope="module")
def findings():
    return quaternions.run(lambda done: None)


def test_rows(findings):
    check_part("brutzman", "quaternions", findings)


def test_the_printed_product_is_found(monkeypatch):
    def wrong(a, b):
        return np.array([printed.product(x, y, mended=False) for x, y in zip(a, b, strict=True)])

    monkeypatch.setattr(quaternions.frames, "quaternion_product", wrong)
    claims = {claim.key: claim.holds for claim in joined(quaternions, quaternions._product())}
    assert claims["eq-quaternion-product"] is False
    assert claims["quaternion-successive"] is False


def test_a_quaternion_from_world_to_body_is_found(monkeypatch):
    right = printed.rates
    monkeypatch.setattr(printed, "rates", lambda a, b, c, d, p, q, r: right(a, -b, -c, -d, p, q, r))
    assert joined(quaternions, quaternions._rates())[0].holds is False


def test_the_printed_yaw_at_half_a_turn(findings):
    row = next(claim for claim in findings.claims if claim.key == "eq-heading-south-printed")
    assert row.numbers == {"published": 180.0, "ours": 0.0, "off": 180.0, "limit": 1e-6}
