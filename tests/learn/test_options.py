"""Wrong options of an environment get one sentence."""

import gymnasium
import numpy as np
import pytest

from pelagos.errors import CommandError
from pelagos.learn.env import VectorEnvironment

ZERO = np.zeros((3, 8), np.float32)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"task": "StationKeepin"}, 'did you mean "StationKeeping'),
        ({"num_envs": 0}, "num_envs is 0; expected a whole number, 1 or above"),
        ({"task": ["StationKeeping"]}, "there is no task .'StationKeeping'.; expected one of StationKeeping, "),
        ({"num_envs": True}, "num_envs is True; expected a whole number, 1 or above"),
        ({"max_episode_steps": "long"}, "max_episode_steps is 'long'; expected a whole number, 1 or above"),
        ({"max_episode_steps": -5}, "max_episode_steps is -5; expected a whole number, 1 or above"),
        ({"max_episode_steps": 2.5}, "max_episode_steps is 2.5; expected a whole number, 1 or above"),
        ({"authority": "all"}, "authority is 'all'; expected a number from 0 to 1"),
        ({"authority": 5.0}, "authority is 5; expected a number from 0 to 1"),
        ({"observe": "sensor"}, "expected 'truth' or 'sensors'; did you mean \"sensors\""),
        ({"observe": "sonar"}, "observe is 'sonar'; expected 'truth' or 'sensors'"),
        ({"action": "forces"}, "action is 'forces'; expected one of actuators, wrench"),
        ({"action": ["wrench"]}, "action is .'wrench'.; expected one of actuators, wrench"),
        ({"action": "wrenches"}, 'expected one of actuators, wrench; did you mean "wrench"'),
        ({"assist": "PID"}, "assist is 'PID'; expected 'pid' or None; did you mean \"pid\""),
        ({"assist": "lqr"}, "assist is 'lqr'; expected 'pid' or None"),
        ({"render_mode": "ansi"}, "render_mode is 'ansi'; expected one of rgb_array, human, or None"),
        ({"render_mode": "rgb_aray"}, 'did you mean "rgb_array"'),
        ({"autoreset_mode": "NEXT_STEP"}, 'did you mean "NextStep"'),
        ({"autoreset_mode": "Never"}, "expected one of NextStep, SameStep, Disabled"),
        ({"randomise": ["mass"]}, "randomise is .'mass'.; expected names with ranges"),
        ({"randomise": {"curent_m_s": 0.2}}, 'bluerov2_heavy has no such parameter.*did you mean "current_m_s"'),
        ({"randomise": {"mas": 1.0}}, 'did you mean "mass"'),
        ({"randomise": {"mass": 0.0}}, r"randomise mass is \(0.0, 0.0\); expected 0 < low <= high"),
        ({"randomise": {"damping": (2.0, 1.0)}}, r"randomise damping is \(2.0, 1.0\); expected 0 <= low <= high"),
        ({"randomise": {"mass": "heavy"}}, "expected a range .low, high. or one number"),
        (
            {"task": "Trackline", "action": "wrench"},
            "action is 'wrench'; .* remus100 command only surge; expected 'actuators'",
        ),
    ],
)
def test_a_wrong_option_gets_one_sentence(options, sentence):
    with pytest.raises(CommandError, match=sentence):
        VectorEnvironment(**({"task": "StationKeeping", "num_envs": 1} | options))


def test_wrong_calls_get_one_sentence():
    envs = VectorEnvironment("StationKeeping", 3)
    with pytest.raises(CommandError, match="have not begun"):
        envs.step(ZERO)
    envs.reset(seed=1)
    with pytest.raises(CommandError, match=r"shape of actions is \(3, 7\); expected \(3, 8\)"):
        envs.step(ZERO[:, :7])
    with pytest.raises(CommandError, match="not a finite number"):
        envs.step(ZERO * np.nan)
    with pytest.raises(CommandError, match="expected an array of 3 booleans"):
        envs.reset(options={"reset_mask": [True, False, False]})
    with pytest.raises(CommandError, match="number of seeds is 2; expected 1 or 3"):
        envs.reset(seed=[1, 2])
    for wrong in (-1, [0, 1, -1], [1, "2", None], [0.5, 1.5, 2.5], 2**63 - 1, True):
        with pytest.raises(CommandError, match=r"a seed is|number of seeds is 1; expected 1 or 3"):
            envs.reset(seed=wrong)
    with pytest.raises(CommandError, match="reset has no key 'reset_mas'; expected one of reset_mask"):
        envs.reset(options={"reset_mas": np.ones(3, bool)})
    with pytest.raises(CommandError, match=r"options is .'reset_mask'.; expected a dictionary or None"):
        envs.reset(options=["reset_mask"])
    with pytest.raises(CommandError, match="render_mode is None; expected one of rgb_array, human, in gymnasium"):
        envs.render()


def test_one_environment_has_no_options_of_reset():
    env = gymnasium.make("pelagos/StationKeeping-v0")
    for option in ({"depth_m": 5.0}, {"reset_mask": np.ones(1, bool)}):
        with pytest.raises(CommandError, match=f"reset has no key '{next(iter(option))}'; expected none"):
            env.reset(options=option)


@pytest.mark.parametrize("option", [{"copy": False}, {"autoreset_mode": "SameStep"}, {"num_envs": 3}])
def test_options_of_vector_environments_are_refused_for_a_single_one(option):
    with pytest.raises(CommandError, match=rf"^{next(iter(option))} is .*; only gymnasium\.make_vec has this option$"):
        gymnasium.make("pelagos/StationKeeping-v0", **option)
