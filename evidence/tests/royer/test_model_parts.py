"""Each part run once, as the report runs it: sound rows, every erratum cited, only the expected rows not met."""

import struct

import pytest

from evidence.tests.checked import check_part
from pelagos_evidence.claim import ClaimVerdict
from pelagos_evidence.royer import DOCUMENT

pytestmark = pytest.mark.slow  # whichever test comes first waits for the fixture

PARTS = DOCUMENT.parts[:5]
REFUTED = {
    "sets-added", "mass-pounds", "lag-yaw", "limit-speed", "newton-cost", "three-percent-general", "square-law",
    "clip-regions", "display-rate-own",
}  # fmt: skip


@pytest.fixture(scope="module")
def findings():
    shares = {part.key: [] for part in PARTS}
    return {part.key: part.run(shares[part.key].append) for part in PARTS}


@pytest.mark.parametrize("part", [part.key for part in PARTS])
def test_the_part_holds_and_is_on_the_page(findings, part):
    check_part("royer", part, findings[part])


def test_keys_are_unique_in_the_document_and_every_erratum_is_cited(findings):
    claims = [claim for part_findings in findings.values() for claim in part_findings.claims]
    assert len({claim.key for claim in claims}) == len(claims) > 90
    assert {key for claim in claims for key in claim.proof.errata} >= {f"R{i}" for i in range(1, 33)}


def test_what_is_not_reproduced_is_known(findings):
    claims = [claim for part_findings in findings.values() for claim in part_findings.claims]
    assert {claim.key for claim in claims if claim.verdict is ClaimVerdict.REFUTED} == REFUTED
    assert {claim.key for claim in claims if claim.verdict is ClaimVerdict.NOT_MET} == {"figure-6-4"}
    assert not any(claim.verdict is ClaimVerdict.NO_DATA for claim in claims)


def test_the_cable_turns_the_vehicle_and_the_shading_tells_faces_apart(findings):
    rows = {claim.key: claim for part_findings in findings.values() for claim in part_findings.claims}
    # the fairlead is 0.5 m behind the centre of rotation, and the pull some 300 N across it
    assert rows["pull-yaw"].verdict is ClaimVerdict.ASSUMED and rows["pull-yaw"].numbers["ours"] > 100.0
    assert rows["shading"].verdict is ClaimVerdict.ASSUMED


@pytest.mark.parametrize(
    ("part", "places"),
    [
        (
            "dynamics",
            ("2.2", "2.3", "2.4.a", "2.4.b", "2.4.c", "2.4.d", "2.4.e", "2.4.f", "2.5", "6.1.a", "6.1.b", "A.1", "A.2"),
        ),
        ("tether", ("3.2", "3.3", "3.4", "3.5", "3.6", *(f"figure 3.{i}" for i in (5, 6, 7, 8, 9)), "3.10", "3.11")),
        ("camera", ("4.2.a", "4.2.b", "4.2.c", "4.2.d", "4.2.e", "4.3", "abstract")),
        ("collision", ("5.1", "5.2", "abstract", "7.1.a")),
        ("console", ("6.1.b", "6.2", "6.3", "figure 6.4", "figure 6.6")),
    ],
)
def test_places_of_the_thesis_are_covered(findings, part, places):
    places_cited = " | ".join(claim.place for claim in findings[part].claims)
    assert [place for place in places if place not in places_cited] == []


def test_pictures_are_pictures(findings):
    drawings = [drawing for part_findings in findings.values() for drawing in part_findings.drawings]
    assert len(drawings) == 5
    for drawing in drawings:
        assert drawing.png[:8] == b"\x89PNG\r\n\x1a\n"
        assert struct.unpack(">II", drawing.png[16:24]) == (drawing.width_px, drawing.height_px)
        assert drawing.width_px > 900
