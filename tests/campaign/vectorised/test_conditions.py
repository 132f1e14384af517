"""Conditions on arrays agree with conditions of single runs, also for NaN and divisions by zero."""

import numpy as np
import pytest

from pelagos.campaign.vectorised.conditions import VectorCondition
from pelagos.errors import ScenarioError
from pelagos.sim.faults.conditions import Condition

TEXTS = (
    "depth_m > 2",
    "depth_m > 2 and speed_m_s < 1 or time_s >= 5",
    "not depth_m > 2",
    "0 < depth_m < 3 < time_s",
    "abs(depth_m - 2) + (speed_m_s > 1) * 3 > 2.5",
    "min(depth_m, speed_m_s) < 0.5 or max(depth_m, time_s, 1) > 6",
    "1 / depth_m > 0.4",
    "depth_m == 0 or 1 / depth_m > 0.4",
    "depth_m != 0 and time_s / depth_m > 2",
    "(depth_m and time_s) + 1 > 3",
    "-depth_m < -2",
)


@pytest.mark.parametrize("text", TEXTS)
def test_arrays_give_what_scalars_give(text):
    rng = np.random.default_rng(3)
    n = 60
    values = {name: rng.integers(-1, 9, n) * 1.0 for name in ("depth_m", "speed_m_s", "time_s")}
    values["depth_m"][:5] = np.nan
    values["depth_m"][5:9] = 0.0
    on_arrays, on_numbers = VectorCondition(text), Condition(text)
    alone = [on_numbers._holds({name: float(values[name][i]) for name in on_arrays.names}) for i in range(n)]
    assert on_arrays.hold(values, n).tolist() == alone
    assert 0 < sum(alone) < n


def test_wrong_conditions_are_refused():
    with pytest.raises(ScenarioError):
        VectorCondition("depth_m >")
