"""PipelineFollowing: distance along the pipe, distance from it, and success at its end."""

import numpy as np
import pytest

from pelagos.learn.tasks.pipeline import PIECE_M, TURNS_DEG, PipeRoute
from tests.learn.tasks.helpers import envs_of, judged


def test_distance_along_a_pipe_is_measured_over_its_pieces():
    route = PipeRoute()
    piece, made, cross, off = route.nearest(np.array([[5.0, 1.0], [-3.0, 0.0], [5.0, -2.0]]))
    assert piece.tolist() == [0, 0, 0]
    assert made == pytest.approx([5.0, 0.0, 5.0]) and cross == pytest.approx([1.0, 0.0, -2.0])
    assert off == pytest.approx([1.0, 3.0, 2.0])
    middles = route.at((np.arange(len(TURNS_DEG)) + 0.5) * PIECE_M)
    nearest = route.nearest(middles[1])
    assert nearest[0].tolist() == middles[0].tolist() == list(range(len(TURNS_DEG)))
    assert nearest[2] == pytest.approx(np.zeros(len(TURNS_DEG)), abs=1e-12)
    assert np.diff(nearest[1]) == pytest.approx(np.full(len(TURNS_DEG) - 1, PIECE_M))


def test_the_end_of_the_pipe_is_a_success():
    envs, zero = envs_of("PipelineFollowing")
    route = envs.task.route
    last = route.corners[-1] - 0.02 * route.along[-1]
    envs.batch.set_motion([0], position_n=[*last, 18.5], euler=[0.0, 0.0, route.course[-1]], nu=[0.5, 0, 0, 0, 0, 0])
    reward, terminated, infos = judged(envs, zero)
    assert terminated.tolist() == [True, False] and infos["is_success"].tolist() == [True, False]
    assert reward[0] > envs.max_episode_steps - 2


def test_distance_from_the_pipe_counts_before_its_beginning_and_outside_a_corner():
    envs, zero = envs_of("PipelineFollowing", n=3)
    corner, out = np.array([10.0, 0.0]), np.radians(12.5 - 90.0)  # the first bend turns by 25 deg to starboard
    outside = corner + 3.0 * np.array([np.cos(out), np.sin(out)])
    places = [[-3.0, 0.0, 18.5], [-25.0, 0.0, 18.5], [*outside, 18.5]]
    envs.batch.set_motion(position_n=places, euler=np.zeros((3, 3)), nu=np.zeros((3, 6)))
    reward, terminated, _ = judged(envs, zero)
    assert terminated.tolist() == [False, True, False]
    # 0.4 / (1 + (3 / 0.5)^2) = 0.0108; altitude right 0.2; along the pipe 0.2; no speed to speak of
    assert reward[0] == pytest.approx(0.4108, abs=2e-3)
    assert envs.task.route.nearest(outside[None])[3] == pytest.approx([3.0])
