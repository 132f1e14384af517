"""The navigation sonar along the drawn bottom."""

import math
from dataclasses import replace

import numpy as np
import pytest

from evidence.tests.checked import check_part, joined
from pelagos_evidence.claim import ClaimVerdict
from pelagos_evidence.gavia import sonar


@pytest.fixture(scope="module")
def flown():
    return sonar.fly(sonar.drawn_world(), lambda done: None)


@pytest.mark.slow
def test_rows(flown):
    check_part(
        "gavia",
        "sonar",
        sonar.Findings(tuple(joined(sonar, sonar.values(flown))), (sonar.figure(flown, sonar.drawn_world()),)),
    )


def test_crossings_by_small_steps(flown):
    """A third way to the same range: 1 mm steps along the lowest beam."""
    bottom = sonar.bottom_line()
    down = math.radians(5.0)
    for x in (80.0, 95.5, 110.0):
        along = np.arange(0.0, sonar.REACH_M, 1e-3)
        deep = sonar.LEVEL_M + along * math.sin(down) - np.interp(x + along * math.cos(down), np.arange(300), bottom)
        hit = sonar.meets(bottom, x, sonar.LEVEL_M, down, sonar.REACH_M)
        assert hit is not None
        assert math.hypot(hit[0] - x, hit[1] - sonar.LEVEL_M) == pytest.approx(along[np.argmax(deep > 0.0)], abs=2e-3)


def test_the_mound_is_met_and_left(flown):
    reached = flown.x[flown.sensed < sonar.REACH_M]
    assert 70.0 < reached.min() < 80.0 and 115.0 < reached.max() < 125.0


def test_a_sonar_that_is_off_is_noticed(flown):
    rows = {
        claim.key: claim.verdict for claim in joined(sonar, sonar.values(replace(flown, sensed=flown.sensed + 1e-6)))
    }
    assert rows["sonar-run"] is ClaimVerdict.FAILED


def test_a_sonar_that_is_not_in_the_nose_is_noticed(flown, monkeypatch):
    right = sonar.reading_at

    def shifted(instrument, world, x, depth, pitch_deg=0.0):
        return right(replace(instrument, position_m=(0.5, 0.0, 0.0)), world, x, depth, pitch_deg)

    monkeypatch.setattr(sonar, "reading_at", shifted)
    rows = {claim.key: claim.verdict for claim in joined(sonar, sonar.values(flown))}
    assert rows["sonar-nose"] is rows["sonar-nearest"] is ClaimVerdict.FAILED
