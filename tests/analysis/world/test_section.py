"""The section has a panel for each profile that varies, and runs along its line."""

import numpy as np
import pytest

from pelagos.analysis.world.scene import scene
from pelagos.analysis.world.section import on_line, varying_profiles
from pelagos.world.load import load_world
from pelagos.world.spec import World


def test_only_what_changes_with_depth_gets_a_panel():
    assert varying_profiles(scene(World(depth_m=20.0))) == []
    assert len(varying_profiles(scene(load_world("open_ocean")))) == 2  # stratified and sheared


def test_the_line_runs_from_start_to_end():
    view = scene(load_world("royer_field"))
    start, end = view.reach
    north, east = on_line(view, np.array([start, 0.0, end]))
    assert (north[1], east[1]) == pytest.approx(tuple(view.middle[:2]))
    length = np.hypot(north[2] - north[0], east[2] - east[0])
    assert length == pytest.approx(end - start)
    for n, e in ((north[0], east[0]), (north[2], east[2])):  # both ends on the edge of the plan
        gaps = np.abs([n - view.low[0], n - view.high[0], e - view.low[1], e - view.high[1]])
        assert gaps.min() < 1e-9
