"""Instruments in place of the truth: near it, not it, and the same for the same seed."""

import numpy as np
import pytest

from pelagos.errors import CommandError
from pelagos.learn.env import VectorEnvironment


@pytest.fixture(scope="module")
def flown():
    """A REMUS under its autopilot for 20 s, seen by its instruments."""
    envs = VectorEnvironment("DepthHeading", 4, observe="sensors", assist="pid")
    rows = [envs.reset(seed=7)[0]]
    zero = np.zeros(envs.action_space.shape, np.float32)
    rows += [envs.step(zero)[0] for _ in range(200)]
    return envs, np.array(rows)


def test_what_is_seen_is_near_the_truth(flown):
    envs, _ = flown
    seen, true = envs.sensed.motion, envs.motion
    assert seen is not true and not np.array_equal(seen.position_n, true.position_n)
    # depth gauge 0.1 m, compass some degrees, DVL 1 % of 1.5 m/s; 20 s at 1.5 m/s with a heading 3 deg wrong: 1.6 m
    assert seen.position_n[:, 2] == pytest.approx(true.position_n[:, 2], abs=0.3)
    assert np.abs(np.angle(np.exp(1j * (seen.euler[:, 2] - true.euler[:, 2])))).max() < np.radians(10.0)
    assert seen.nu[:, :3] == pytest.approx(true.nu[:, :3], abs=0.15)
    assert np.linalg.norm((seen.position_n - true.position_n)[:, :2], axis=1).max() < 4.0


def test_the_same_seed_sees_the_same(flown):
    envs, rows = flown
    again = VectorEnvironment("DepthHeading", 2, observe="sensors", assist="pid")
    zero = np.zeros((2, 3), np.float32)
    assert np.array_equal(again.reset(seed=8)[0], rows[0, 1:3])
    for k in range(1, 15):
        assert np.array_equal(again.step(zero)[0], rows[k, 1:3])
    zero = np.zeros((4, 3), np.float32)
    envs.reset(seed=[7, 8, 9, 10])  # and after other episodes
    assert np.array_equal(envs.step(zero)[0], rows[1])


def test_a_vehicle_without_instruments_is_refused():
    with pytest.raises(CommandError, match="has no dvl in its file; expected observe='truth'"):
        VectorEnvironment("DepthHeading", 1, vehicle="phoenix", observe="sensors")
