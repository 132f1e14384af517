"""The way along the pieces of a pipe, and its end."""

import numpy as np
import pytest

from pelagos.learn.tasks.pipeline import PIECE_M, TURNS_DEG, Way
from tests.learn.tasks.helpers import envs_of, judged


def test_the_way_of_a_pipe_is_measured_along_its_pieces():
    way = Way()
    piece, made, cross = way.nearest(np.array([[5.0, 1.0], [-3.0, 0.0], [5.0, -2.0]]))
    assert piece.tolist() == [0, 0, 0]
    assert made == pytest.approx([5.0, 0.0, 5.0]) and cross == pytest.approx([1.0, 0.0, -2.0])
    middles = way.at((np.arange(len(TURNS_DEG)) + 0.5) * PIECE_M)
    found = way.nearest(middles[1])
    assert found[0].tolist() == middles[0].tolist() == list(range(len(TURNS_DEG)))
    assert found[2] == pytest.approx(np.zeros(len(TURNS_DEG)), abs=1e-12)
    assert np.diff(found[1]) == pytest.approx(np.full(len(TURNS_DEG) - 1, PIECE_M))


def test_the_end_of_the_pipe_is_a_success():
    envs, zero = envs_of("PipelineFollowing")
    way = envs.task.way
    last = way.corners[-1] - 0.02 * way.along[-1]
    envs.batch.set_motion([0], position_n=[*last, 18.5], euler=[0.0, 0.0, way.course[-1]], nu=[0.5, 0, 0, 0, 0, 0])
    reward, terminated, infos = judged(envs, zero)
    assert terminated.tolist() == [True, False] and infos["is_success"].tolist() == [True, False]
    assert reward[0] > envs.max_episode_steps - 2
