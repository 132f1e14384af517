"""The scene of a world has the solids, profiles and waves of the packed world, a section line and labels."""

import math

import numpy as np
import pytest

from pelagos.analysis.world.scene import (
    Solid,
    bottom_extent,
    convex_hull,
    current_profile,
    density_profile,
    header,
    labels,
    scene,
    solids,
    wave_summary,
)
from pelagos.engine.water.sea import BOX, CYLINDER, DENSITY, GRID_BOTTOM, HALF_SPACE, SOLID, SPHERE
from pelagos.world.current.kinds import KINDS
from pelagos.world.load import load_world
from pelagos.world.spec import World
from pelagos.world.structure import Structure
from pelagos.world.waves import Waves, pack_waves
from pelagos.world.writer import SeaWriter

NORTH, EAST, DOWN = np.eye(3)
TILT = np.array([[0.8, -0.6, 0.0], [0.6, 0.8, 0.0], [0.0, 0.0, 1.0]])  # about the vertical, 3-4-5


def area(polygon):
    x, y = polygon[:, 0], polygon[:, 1]
    return 0.5 * float(x @ np.roll(y, -1) - y @ np.roll(x, -1))


def test_the_hull_of_points_is_the_smallest_convex_polygon():
    rng = np.random.default_rng(1)
    inside = rng.uniform(-1.0, 1.0, (200, 2))
    square = np.array([[-2.0, -2.0], [2.0, -2.0], [2.0, 2.0], [-2.0, 2.0]])
    hull = convex_hull(np.vstack([inside, square]))
    assert {tuple(point) for point in hull} == {tuple(point) for point in square}
    assert area(hull) == pytest.approx(16.0)  # counter-clockwise, so positive


def test_outlines_have_the_size_of_their_solids():
    box = Solid(BOX, np.array([1.0, 2.0, 3.0]), TILT, np.array([3.0, 2.0, 1.0]))
    assert area(box.outline(NORTH, EAST)) == pytest.approx(6.0 * 4.0)
    # a box turned about the vertical is wider seen from the east: 2 (3 |0.6| + 2 |0.8|) by its height
    assert area(box.outline(EAST, DOWN)) == pytest.approx(2 * (3 * 0.6 + 2 * 0.8) * 2.0)
    pipe = Solid(CYLINDER, np.zeros(3), np.eye(3), np.array([5.0, 0.5, 0.0]))
    assert area(pipe.outline(NORTH, EAST)) == pytest.approx(10.0 * 1.0)
    # 48 corners: the polygon is sin(x)/x of the circle, x = 2 pi/48
    shrink = math.sin(math.pi / 24) / (math.pi / 24)
    assert area(pipe.outline(EAST, DOWN)) == pytest.approx(math.pi * 0.25 * shrink)
    ball = Solid(SPHERE, np.array([0.0, 7.0, 2.0]), np.eye(3), np.array([2.0, 0.0, 0.0]))
    assert area(ball.outline(NORTH, EAST)) == pytest.approx(math.pi * 4.0 * shrink)
    assert ball.outline(EAST, DOWN).mean(axis=0) == pytest.approx([7.0, 2.0])


def test_a_half_space_is_solid_where_its_own_z_is_positive():
    wall = Solid(HALF_SPACE, np.array([5.0, 1.0, 9.0]), np.column_stack([DOWN, EAST, NORTH]), np.zeros(3))
    assert wall.is_endless
    assert wall.clearance(np.array([[4.0, 0.0, 0.0], [7.0, 3.0, 2.0]])) == pytest.approx([1.0, -2.0])
    assert wall.crossings() == pytest.approx(np.array([[5.0, 0.0]]))
    floor = Solid(HALF_SPACE, np.array([0.0, 0.0, 9.0]), np.eye(3), np.zeros(3))
    assert floor.crossings().shape == (0, 2)


def test_records_come_back_as_they_were_written():
    writer = SeaWriter()
    rows = [{"kind": BOX, "center": (1, 2, 3), "axes": TILT.ravel(), "half": (4, 5, 6)}, {"kind": SPHERE}]
    writer.header["solids_at"], writer.header["n_solids"] = writer.append_records(SOLID, rows), 2
    writer.header["bottom"], writer.header["grid_origin"] = GRID_BOTTOM, (10.0, 20.0)
    writer.header["grid_step"], writer.header["grid_count"] = (2.0, 3.0), (6, 5)
    knots = [{"depth": 0.0, "value": 0.0, "slope": 0.1}, {"depth": 10.0, "value": 1.0, "slope": 0.0}]
    writer.header["density_at"], writer.header["n_density"] = writer.append_records(DENSITY, knots), 2
    sea = writer.finish()
    box, ball = solids(sea)
    assert (box.kind, ball.kind) == (BOX, SPHERE)
    assert (box.axes == TILT).all()
    assert box.center.tolist() == [1, 2, 3]
    low, high = bottom_extent(sea) or (None, None)
    assert np.array([low, high]) == pytest.approx(np.array([[10.0, 20.0], [20.0, 32.0]]))
    assert density_profile(sea, np.array([0.0, 5.0, 99.0])) == pytest.approx([0.0, 0.5, 1.0])
    assert header(sea)["n_solids"] == 2


def test_a_regular_wave_has_its_height_and_length():
    writer = SeaWriter()
    pack_waves(Waves(kind="regular", height_m=2.0, period_s=8.0, to_deg=90.0), writer, depth_m=1e9, gravity_m_s2=9.81)
    sea = writer.finish()
    length = 9.81 * 8.0**2 / (2 * math.pi)  # deep water
    height, to, wavelength = wave_summary(sea) or (0, 0, 0)
    assert height == pytest.approx(2.0 * math.sqrt(2.0))  # four deviations of a cosine of amplitude 1
    assert math.degrees(to) == pytest.approx(90.0)
    assert wavelength == pytest.approx(length)
    assert wave_summary(SeaWriter().finish()) is None


def test_a_profile_is_the_sum_of_its_currents():
    """Tide and profile by hand: the vector of each row, straight between rows, plus the ellipse of the tide."""
    rows = ((0.0, 0.5, 30.0), (10.0, 0.3, 60.0), (40.0, 0.1, 90.0))
    currents = (KINDS["profile"](rows=rows), KINDS["tidal"](speed_m_s=0.4, to_deg=0.0, period_h=1.0))
    world = World(currents=currents)
    depths = np.array([0.0, 3.0, 10.0, 25.0, 80.0])
    vectors = np.array([[v * math.cos(math.radians(to)), v * math.sin(math.radians(to))] for _, v, to in rows])
    sheared = np.column_stack([np.interp(depths, (0.0, 10.0, 40.0), vectors[:, k]) for k in range(2)])
    for time_s in (0.0, 600.0, 900.0):
        profile = current_profile(world, depths, time_s=time_s)
        assert profile[:, 0] == pytest.approx(sheared[:, 0] + 0.4 * math.cos(2 * math.pi * time_s / 3600.0), abs=1e-12)
        assert profile[:, 1] == pytest.approx(sheared[:, 1], abs=1e-12)
    assert not current_profile(World(), depths).any()


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


def test_the_section_runs_along_its_line():
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
        texts = [text for text in labels(list(scene(world).shapes)).values() if text]
        assert len(texts) == (6 if count == 6 else 1)
