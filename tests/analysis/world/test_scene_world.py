"""What is in view: extent, section line and labels of a world."""

import numpy as np
import pytest

from pelagos.analysis.world.scene import labels, scene
from pelagos.world.load import load_world
from pelagos.world.spec import World
from pelagos.world.structure import Structure


def column(name, north, east):
    return Structure(kind="cylinder", name=name, from_m=(north, east, 0.0), to_m=(north, east, 20.0), radius_m=0.5)


def test_every_structure_is_in_view():
    """All corners of royer_field's structures lie inside the extent of its scene."""
    world = load_world("royer_field")
    view = scene(world)
    assert len(view.shapes) == len(world.structures)
    for item in world.structures:
        corners = item.triangles().reshape(-1, 3)[:, :2]
        assert (corners >= view.low - 1e-9).all() and (corners <= view.high + 1e-9).all()


def test_the_section_runs_where_it_is_told():
    world = World(depth_m=20.0, structures=(column("a", 0.0, 0.0), column("b", 10.0, 0.0)))
    view = scene(world, section_to_deg=90.0)
    assert view.along == pytest.approx(np.array([0.0, 1.0, 0.0]), abs=1e-12)  # due east
    assert view.to_deg == pytest.approx(90.0)
    start, end = view.reach
    assert (start, end) == pytest.approx((view.low[1] - view.middle[1], view.high[1] - view.middle[1]))
    assert scene(world).to_deg % 180.0 == pytest.approx(0.0, abs=1e-9)  # else along the row of columns


def test_a_family_shares_one_label():
    """Six columns are named one by one, seven by their family's name once."""
    for count in (6, 7):
        world = World(depth_m=20.0, structures=tuple(column(f"column_{i}", 5.0 * i, 0.0) for i in range(count)))
        said = [text for text in labels(list(scene(world).shapes)).values() if text]
        assert len(said) == (6 if count == 6 else 1)
