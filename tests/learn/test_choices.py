"""What callers get wrong gets one sentence."""

import numpy as np
import pytest

from pelagos.errors import CommandError
from pelagos.learn.vector import VectorEnvironment

ZERO = np.zeros((3, 8), np.float32)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"task": "StationKeepin"}, "did you mean StationKeeping"),
        ({"num_envs": 0}, "num_envs is 0; expected a whole number above 0"),
        ({"observe": "sonar"}, "observe is 'sonar'; expected 'truth' or 'sensors'"),
        ({"action": "forces"}, "action is 'forces'; expected one of actuators, wrench"),
        ({"assist": "lqr"}, "assist is 'lqr'; expected 'pid' or None"),
        ({"render_mode": "ansi"}, "render_mode is 'ansi'; expected one of rgb_array, human, or None"),
        ({"autoreset_mode": "Never"}, "expected one of NextStep, SameStep, Disabled"),
        ({"randomise": {"mass": (2.0, 1.0)}}, "randomise mass is .2, 1.; expected 0 <= low <= high"),
        ({"randomise": {"mass": "heavy"}}, "expected a range .low, high. or one number"),
        ({"task": "Trackline", "action": "wrench"}, "remus100 command surge alone; expected action='actuators'"),
    ],
)
def test_what_is_asked_wrongly_gets_one_sentence(options, sentence):
    with pytest.raises(CommandError, match=sentence):
        VectorEnvironment(**({"task": "StationKeeping", "num_envs": 1} | options))


def test_wrong_calls_get_one_sentence():
    envs = VectorEnvironment("StationKeeping", 3, randomise={"Y_nothing": 1.0})
    with pytest.raises(CommandError, match="have not begun"):
        envs.step(ZERO)
    with pytest.raises(CommandError, match="has no such parameter"):
        envs.reset(seed=0)
    envs = VectorEnvironment("StationKeeping", 3)
    envs.reset(seed=1)
    with pytest.raises(CommandError, match=r"actions have shape \(3, 7\); expected \(3, 8\)"):
        envs.step(ZERO[:, :7])
    with pytest.raises(CommandError, match="not a finite number"):
        envs.step(ZERO * np.nan)
    with pytest.raises(CommandError, match="expected an array of 3 booleans"):
        envs.reset(options={"reset_mask": [True, False, False]})
    with pytest.raises(CommandError, match="there are 2 seeds; expected one, or 3"):
        envs.reset(seed=[1, 2])
    with pytest.raises(CommandError, match="render_mode is None"):
        envs.render()
