"""Trackline: sign of the cross-track error, and the end of an episode far from the line."""

import numpy as np
import pytest

from tests.learn.tasks.helpers import envs_of, judged


def test_trackline_counts_to_starboard():
    envs, zero = envs_of("Trackline")
    course = envs.task.course
    starboard = np.stack([-np.sin(course), np.cos(course), np.zeros(2)], axis=1)
    envs.batch.set_motion(position_n=7.0 * starboard + [0.0, 0.0, 12.0], euler=[[0.0, 0.0, c] for c in course])
    _, _, infos = judged(envs, zero)
    assert infos["cross_track_m"] == pytest.approx([7.0, 7.0], abs=0.02)
    envs.batch.set_motion([1], position_n=-70.0 * starboard[1] + [0.0, 0.0, 12.0])
    assert judged(envs, zero)[1].tolist() == [False, True]
