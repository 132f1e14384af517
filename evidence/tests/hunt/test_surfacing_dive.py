"""Section IV.B: the rows hold, and exchanged models or signs are caught."""

from dataclasses import replace

import pytest

from evidence.tests.checked import check_part, joined
from pelagos_evidence.claim import ClaimVerdict
from pelagos_evidence.hunt import surfacing_dive, surfacing_flights

pytestmark = pytest.mark.slow  # whichever test comes first waits for the fixture


@pytest.fixture(scope="module")
def done():
    kept = []

    def keep(progress):
        kept.append(surfacing_flights.fly_all(progress))
        return kept[0]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(surfacing_dive, "fly_all", keep)
        return surfacing_dive.run(lambda share: None), kept[0]


def failed(claims):
    return {claim.key for claim in claims if claim.verdict is ClaimVerdict.FAILED}


def test_rows_hold(done):
    claims = done[0].claims
    check_part("hunt", "surfacing-dive", done[0])
    verdicts = {claim.key: claim.verdict for claim in claims}
    assert verdicts["minus-two-decimetres"] is ClaimVerdict.NOT_MET
    silent = ("measured-depth", "measured-pitch", "measured-roll", "same-waypoints")
    assert {verdicts[key] for key in silent} == {ClaimVerdict.NO_DATA}


def test_figures(done):
    assert [drawing.name for drawing in done[0].drawings] == [
        "hunt-surfacing-dive",
        "hunt-surfacing-laws",
        "hunt-surface-runs",
    ]
    assert all(len(drawing.png) < 150_000 for drawing in done[0].drawings)


def test_exchanged_models_are_caught(done):
    flights = done[1]
    wrong = replace(flights, hybrid=flights.submerged, submerged=flights.hybrid)
    assert {"surface-depth", "never-above"} <= failed(joined(surfacing_dive, surfacing_dive.depth_values(wrong)))
    assert {"pitch-hybrid", "pitch-submerged"} <= failed(joined(surfacing_dive, surfacing_dive.pitch_values(wrong)))
    plain = replace(flights, submerged_plain=flights.hybrid_plain)
    assert "submerged-model-flies" in failed(joined(surfacing_dive, surfacing_dive.depth_values(plain)))


def test_rows_say_which_law_does_not_meet_the_statement(done):
    """Of three laws one comes to 0.13 m, one rests above the surface with the submerged model, two are nose up."""
    row = {claim.key: claim for claim in done[0].claims}
    assert "swinging" in row["surface-depth"].what and "proportional law 0.12" in row["surface-depth"].what
    assert "not with the two others" in row["submerged-model-flies"].ours
    assert "not with an autopilot unaware of the surface" in row["pitch-hybrid"].ours
    assert all("Depends on the controller" in row[key].assumption for key in ("surface-depth", "pitch-hybrid"))


def test_a_swinging_depth_is_not_a_steady_one(done):
    flights = done[1]
    wrong = replace(flights, submerged_plain=flights.submerged)
    assert "submerged-model-flies" in failed(joined(surfacing_dive, surfacing_dive.depth_values(wrong)))


def test_a_dive_that_does_not_surface_is_caught(done):
    flights = done[1]
    deep = replace(flights, hybrid=flights.hybrid_plain)
    claims = joined(surfacing_dive, surfacing_dive.depth_values(deep))
    assert "surface-depth" in failed(claims)  # 0.123 m under the proportional law, not 0.13 m


def test_the_proportional_law_rests_above_by_trim_over_gain(done):
    """Independent of the run: level flight needs -2.04 deg, so 10 deg per m leaves -0.204 m."""
    depths = surfacing_flights.in_turns(done[1].submerged_plain, "depth_m")
    pitches = surfacing_flights.in_turns(done[1].submerged_plain, "pitch_deg")
    for depth, pitch in zip(depths, pitches, strict=True):
        assert depth == pytest.approx(pitch / surfacing_flights.GAIN_DEG_M, abs=0.015)  # it still creeps
