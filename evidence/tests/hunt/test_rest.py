"""Afloat at rest: the rows hold, and another mast or a force that adds energy makes them fail."""

from dataclasses import replace

import pytest

from evidence.tests.checked import check_part, joined
from pelagos.vehicle.load.vehicle import load_vehicle
from pelagos_evidence.claim import ClaimVerdict
from pelagos_evidence.hunt import rest, surface_runs

IVER3 = load_vehicle("iver3")


@pytest.fixture(scope="module")
def findings():
    return rest.run(lambda done: None)


@pytest.mark.slow
def test_rows_hold(findings):
    check_part("hunt", "rest", findings)
    assert {claim.verdict for claim in findings.claims if claim.key.startswith("rest-depth")} == {ClaimVerdict.ASSUMED}


def test_a_hull_too_thin_or_too_thick_for_the_printed_depth_is_caught():
    """The row that knows nothing of the solved mast: hulls of 0.08 and 0.24 m would be out of the water."""
    hull, mast = IVER3.shapes
    for radius in (0.04, 0.12):
        resized = replace(IVER3, shapes=(replace(hull, size_m=(hull.size_m[0], radius)), mast))
        assert max(surface_runs.awash_depth(resized, length) for length in surface_runs.LENGTHS_M) > 0.135


@pytest.mark.slow
def test_a_thicker_mast_is_caught():
    """With 25 times the section it carries the difference within 7 mm of its length: the hull lies higher."""
    hull, mast = IVER3.shapes
    thick = replace(IVER3, shapes=(hull, replace(mast, size_m=(mast.size_m[0], 0.07))))
    failed = {claim.key for claim in joined(rest, rest.rest_values(thick)) if claim.verdict is ClaimVerdict.FAILED}
    assert {"rest-depth", "nose-touches"} & failed


def test_the_loop_passes_through_the_surface_and_closes():
    work, stored = rest.work_round_a_loop(IVER3)
    assert stored > 1.0 and abs(work) < 1e-5 * stored
