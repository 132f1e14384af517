"""Every library world can be drawn, with its structures in place."""

import math

import numpy as np
import pytest
from matplotlib.collections import PolyCollection

from pelagos.analysis.world.scene import labels, scene
from pelagos.analysis.world.view import draw_world
from pelagos.errors import CommandError
from pelagos.files.library import WORLDS
from pelagos.world.load import load_world
from pelagos.world.spec import World
from pelagos.world.structure import Structure


def panel(figure, title):
    (ax,) = [ax for ax in figure.axes if ax.get_title(loc="left").startswith(title)]
    return ax


def polygons(ax):
    """Corners of all structures of a panel, one array each."""
    items = [item for item in ax.collections if type(item) is PolyCollection]
    return [path.vertices for item in items for path in item.get_paths()]


@pytest.mark.slow
@pytest.mark.parametrize("key", WORLDS.names())
def test_every_world_can_be_drawn(key, tmp_path):
    world = load_world(key)
    figure = draw_world(world, tmp_path / "world.png")
    assert (tmp_path / "world.png").stat().st_size > 30_000
    plan, section = panel(figure, "plan"), panel(figure, "section")
    assert (plan.get_xlabel(), plan.get_ylabel()) == ("east [m]", "north [m]")
    top, bottom = section.get_ylim()[::-1]
    assert top < 0.0 < bottom  # down is down
    # the origin and every structure that ends somewhere are on the plan
    spots = [
        np.zeros((1, 2)),
        *[i.triangles()[..., [1, 0]].reshape(-1, 2) for i in world.structures if i.kind != "plane"],
    ]
    for spot in spots:
        assert spot[:, 0].min() > plan.get_xlim()[0]
        assert spot[:, 0].max() < plan.get_xlim()[1]
        assert spot[:, 1].min() > plan.get_ylim()[0]
        assert spot[:, 1].max() < plan.get_ylim()[1]


@pytest.mark.slow
def test_a_box_is_drawn_where_it_stands(tmp_path):
    world = World(
        depth_m=20.0, structures=(Structure(kind="box", name="b", center_m=(5.0, -3.0, 18.0), size_m=(2.0, 6.0, 4.0)),)
    )
    figure = draw_world(world, tmp_path / "box.svg", section_to_deg=0.0)
    (outline,) = polygons(panel(figure, "plan"))
    assert outline.min(axis=0) == pytest.approx([-6.0, 4.0])  # east, north
    assert outline.max(axis=0) == pytest.approx([0.0, 6.0])
    (cut,) = polygons(panel(figure, "section to 0"))
    assert [cut[:, 1].min(), cut[:, 1].max()] == pytest.approx([16.0, 20.0])
    assert np.ptp(cut[:, 0]) == pytest.approx(2.0)  # its length along north


def test_the_section_runs_where_it_cuts_most():
    view = scene(load_world("harbour"))
    assert view.to_deg == pytest.approx(90.0)  # across the quay, down the slope
    assert {shape.name for shape in view.finite if view.is_cut(shape)} >= {"quay", "barge", "jetty"}
    view = scene(load_world("harbour"), 30.0)
    assert view.along[:2] == pytest.approx([math.cos(math.pi / 6), math.sin(math.pi / 6)])


@pytest.mark.slow
def test_a_section_is_true_to_scale_where_it_says_so(tmp_path):
    figure = draw_world(load_world("wreck_slope"), tmp_path / "a.png")
    ax = panel(figure, "section")
    assert "true scale" in ax.get_title(loc="left")
    figure.draw_without_rendering()
    box = ax.get_window_extent()
    # a pixel of the frame: 1 part in 300
    assert np.ptp(ax.get_xlim()) / box.width == pytest.approx(float(np.ptp(ax.get_ylim())) / box.height, rel=0.01)


@pytest.mark.slow
def test_profiles_are_drawn_only_where_something_changes(tmp_path):
    assert panel(draw_world(load_world("open_ocean"), tmp_path / "a.png"), "density")
    still = draw_world(load_world("test_tank"), tmp_path / "b.png")
    assert not [ax for ax in still.axes if ax.get_title(loc="left").startswith(("density", "current"))]


def test_many_of_a_kind_share_a_label():
    texts = labels(scene(load_world("harbour")).finite)
    assert texts["pile 1"] == "pile ×8"
    assert "pile 2" not in texts
    assert labels(scene(load_world("royer_field")).finite)["column 2"] == "column 2"


@pytest.mark.slow
def test_a_world_without_anything_can_be_drawn(tmp_path):
    draw_world(World(), tmp_path / "empty.png")
    draw_world(World(surface=False, depth_m=50.0), tmp_path / "closed.png")
    assert (tmp_path / "empty.png").exists()


@pytest.mark.slow
def test_a_gentle_plane_can_be_drawn(tmp_path):
    """A beach without end, 20 degrees from level, that rises through the bottom towards the north."""
    tilt = math.radians(20.0)
    beach = Structure(kind="plane", point_m=(10.0, 0.0, 20.0), normal=(-math.sin(tilt), 0.0, -math.cos(tilt)))
    figure = draw_world(World(depth_m=20.0, structures=(beach,)), tmp_path / "beach.png", section_to_deg=0.0)
    north, down = panel(figure, "section to 0").collections[-1].get_paths()[0].vertices.T  # its edge, drawn last
    assert np.ptp(north) > 50.0
    assert down == pytest.approx(20.0 - math.tan(tilt) * (north - 10.0), abs=1e-6)


@pytest.mark.slow
def test_the_same_world_gives_the_same_bytes(tmp_path):
    for name in "ab":
        draw_world(load_world("test_tank"), tmp_path / f"{name}.png")
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()


@pytest.mark.slow
def test_a_figure_that_cannot_be_written_is_one_sentence(tmp_path):
    with pytest.raises(CommandError, match="the figure cannot be written"):
        draw_world(World(depth_m=5.0), tmp_path / "nowhere" / "a.png")
    with pytest.raises(CommandError, match="the figure cannot be written"):
        draw_world(World(depth_m=5.0), tmp_path / "a.nonsense")
