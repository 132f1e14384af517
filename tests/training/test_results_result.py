"""Results: the formula of the score, and JSON there and back."""

import json
import math

import pytest

from pelagos.errors import CommandError
from pelagos.training.conditions import Conditions
from pelagos.training.results import Criterion, Result, score


def measures(**more):
    return {"progress": 1.0, "collisions": 0.0, "time_s": 60.0, **more}


def a_result(**more):
    given = {
        "task": "hover", "title": "Hover", "vehicle": "seagrant1", "world": "royer_field", "seed": 3, "pilot": "Ann",
        "date": "2026-08-01T10:00:00", "conditions": Conditions(current_m_s=0.5), "ended": "completed", "score": 71.25,
        "shares": {"distance_rms_m": 0.5}, "measures": measures(distance_rms_m=0.7, x=math.nan),
        "curve": {"time_s": [0.2, 0.4], "distance_m": [1.0, math.nan]},
    }  # fmt: skip
    return Result(**(given | more))


def test_half_the_marks_at_half():
    one = Criterion(measure="distance_rms_m", half=0.7)
    assert one.share({"distance_rms_m": 0.0}) == 1.0
    assert one.share({"distance_rms_m": 0.7}) == 0.5
    assert one.share({"distance_rms_m": 1.4}) == pytest.approx(0.2)  # 1 / (1 + 2^2)
    assert one.share({"distance_rms_m": math.nan}) == 0.0
    assert one.share({}) == 0.0


def test_the_score_weighs_its_criteria_and_takes_off_collisions():
    criteria = [Criterion(measure="a", half=1.0, weight=30.0), Criterion(measure="b", half=2.0, weight=10.0)]
    # a at its half: 0.5; b at twice its half: 0.2 -> (30 x 0.5 + 10 x 0.2) / 40 = 0.425
    assert score(measures(a=1.0, b=4.0), criteria, 10.0) == pytest.approx(42.5)
    assert score(measures(a=1.0, b=4.0, progress=0.5), criteria, 10.0) == pytest.approx(21.25)
    assert score(measures(a=1.0, b=4.0, collisions=2.0), criteria, 10.0) == pytest.approx(22.5)
    assert score(measures(a=1.0, b=4.0, collisions=9.0), criteria, 10.0) == 0.0
    assert score(measures(), [], 10.0) == 100.0


def test_json_there_and_back():
    result = a_result()
    text = json.dumps(result.described(), allow_nan=False)
    back = Result.of(json.loads(text))
    assert back.described() == result.described()
    assert back.conditions == result.conditions and back.score == result.score
    assert math.isnan(back.measures["x"]) and math.isnan(back.curve["distance_m"][1])
    assert back.completed and back.time_s == 60.0 and back.collisions == 0


@pytest.mark.parametrize(
    "change",
    [
        {"ended": "gave up"}, {"version": 2}, {"measures": None}, {"conditions": {"current": 1}}, {"seed": "one"},
        {"curve": {"time_s": ["x"]}},
    ],
)  # fmt: skip
def test_what_is_no_result_is_refused(change):
    with pytest.raises(CommandError) as caught:
        Result.of(a_result().described() | change)
    assert "\n" not in str(caught.value)


def test_a_criterion_needs_a_size():
    with pytest.raises(CommandError, match="half"):
        Criterion(measure="a", half=0.0)
