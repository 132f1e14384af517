"""The drawn world is the kernel's: bottoms at nodes, corners of structures, waves within what was left out."""

import math

import numpy as np
import pytest

from pelagos.analysis.world.scene import solids
from pelagos.console.scene import world as scene_world
from pelagos.console.scene.world import MOST_NODES, MOST_WAVES
from pelagos.geometry.mesh import enclosed_volume
from pelagos.world.load import load_world
from pelagos.world.seabed.seabed import Seabed, seabed_from_array
from pelagos.world.spec import World
from pelagos.world.structure import Structure
from pelagos.world.waves import Waves
from tests.console.scene.decoded import mesh_of, unpacked


def bottom(world, near_m=(0.0, 0.0)):
    sea = world.packed()
    return scene_world.seabed(world, sea, scene_world.extent(world, sea), near_m)


def nodes(grid):
    north = grid["north0_m"] + grid["step_north_m"] * np.arange(grid["rows"])
    east = grid["east0_m"] + grid["step_east_m"] * np.arange(grid["columns"])
    depths = unpacked(grid["depths"], "<f4").reshape(grid["rows"], grid["columns"])
    return north[:, None], east[None, :], depths


@pytest.mark.parametrize("name", ["harbour", "wreck_slope", "gavia_bottom"])
def test_depths_at_the_nodes_are_those_of_the_world(name):
    world = load_world(name)
    north, east, depths = nodes(bottom(world))
    assert depths == pytest.approx(world.bottom_m(north, east), rel=1e-6)  # float32 has 24 bits
    assert np.ptp(depths) > 1.0


@pytest.mark.parametrize("name", ["harbour", "gavia_bottom"])
def test_between_the_nodes_the_bottom_is_bilinear(name):
    world = load_world(name)
    north, east, depths = nodes(bottom(world))
    middle = 0.25 * (depths[:-1, :-1] + depths[1:, :-1] + depths[:-1, 1:] + depths[1:, 1:])
    true = world.bottom_m(0.5 * (north[:-1] + north[1:]), 0.5 * (east[:, :-1] + east[:, 1:]))
    assert middle == pytest.approx(true, rel=1e-6)


def test_a_level_bottom_is_one_number_and_no_bottom_is_none():
    assert bottom(load_world("royer_field")) == {"kind": "flat", "depth_m": 100.0}
    assert bottom(World(depth_m=12.0)) == {"kind": "flat", "depth_m": 12.0}
    assert bottom(World()) is None


def test_a_profile_reaches_far_to_both_sides_of_its_track():
    north, east, _ = nodes(bottom(load_world("gavia_bottom")))
    assert float(np.ptp(north)) > 1000.0
    assert (float(east[0, 0]), float(east[0, -1])) == (-50.0, 249.0)


@pytest.mark.slow
def test_a_small_map_keeps_its_own_nodes_and_a_large_one_is_thinned():
    rng = np.random.default_rng(3)
    small = rng.uniform(5.0, 9.0, (40, 60))
    grid = bottom(World(seabed=seabed_from_array(small, spacing_m=2.0, origin_m=(-30.0, -50.0))))
    assert (grid["rows"], grid["columns"], grid["step_north_m"], grid["north0_m"]) == (40, 60, 2.0, -30.0)
    assert nodes(grid)[2] == pytest.approx(small, rel=1e-6)
    large = World(seabed=seabed_from_array(rng.uniform(5.0, 9.0, (500, 800)), spacing_m=2.0, origin_m=(-500, -800)))
    grid = bottom(large)
    assert grid["rows"] * grid["columns"] <= MOST_NODES
    north, east, depths = nodes(grid)
    assert depths == pytest.approx(large.bottom_m(north, east), rel=1e-5)  # nodes are rebuilt from a rounded step
    assert float(north[-1, 0]) == pytest.approx(498.0, abs=1e-6)


def test_of_a_vast_map_the_part_near_the_start_is_drawn():
    depths = 50.0 + 0.01 * np.arange(400.0)[:, None] + np.zeros((400, 300))
    world = World(seabed=seabed_from_array(depths, spacing_m=100.0, origin_m=(0.0, 0.0)))
    grid = bottom(world, near_m=(30000.0, 10000.0))
    north, east, drawn = nodes(grid)
    assert north.min() <= 28000.0 <= 32000.0 <= north.max()
    assert (north.max() - north.min(), east.max() - east.min()) <= (4300.0, 4300.0)
    assert drawn == pytest.approx(world.bottom_m(north, east), rel=1e-6)


def corners(entry):
    """Corners of a box, or of the ends of a cylinder at its own y and z axes, NED."""
    axes = np.array(entry["axes_n"]).reshape(3, 3)
    local = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * entry["half_m"]
    return local @ axes.T + entry["center_n"]


def test_boxes_have_the_corners_that_the_figures_draw():
    world = load_world("royer_field")
    sea = world.packed()
    entries, notes = scene_world.structures(world, sea)
    assert notes == []
    assert [entry["name"] for entry in entries] == [item.name for item in world.structures]
    for entry, solid in zip(entries, solids(sea), strict=True):
        ours, theirs = corners(entry), solid.corners()
        assert np.abs(ours - theirs).max() == 0.0
    wellhead = next(entry for entry in entries if entry["name"] == "wellhead")
    assert corners(wellhead).min(axis=0) == pytest.approx((27.5, -17.5, 95.0))  # the file: 5 m about (30, -15, 97.5)


def test_a_pile_is_a_cylinder_along_its_own_x():
    world = load_world("harbour")
    entries, _ = scene_world.structures(world, world.packed())
    pile = next(entry for entry in entries if entry["name"] == "pile 3")
    axis = np.array(pile["axes_n"]).reshape(3, 3)[:, 0]
    ends = [np.array(pile["center_n"]) + sign * pile["half_m"][0] * axis for sign in (-1, 1)]
    assert sorted(end[2] for end in ends) == pytest.approx([-1.5, 12.0])
    assert pile["half_m"][1] == 0.4


def test_a_plane_has_its_water_on_the_side_of_minus_z():
    world = load_world("test_tank")
    entries, _ = scene_world.structures(world, world.packed())
    wall = entries[0]
    z = np.array(wall["axes_n"]).reshape(3, 3)[:, 2]
    assert z == pytest.approx((1.0, 0.0, 0.0), abs=1e-15)  # the north wall: solid further north
    assert wall["center_n"] == [5.0, 0.0, 0.0]


def test_a_mesh_is_whole_and_lies_where_the_world_has_it():
    world = load_world("wreck_slope")
    (entry,), notes = scene_world.structures(world, world.packed())
    mesh = mesh_of(entry["mesh"])
    (item,) = world.structures
    assert notes == []
    assert enclosed_volume(mesh) == pytest.approx(enclosed_volume(item.mesh()), rel=1e-4)  # float32 positions
    axes = np.array(entry["axes_n"]).reshape(3, 3)
    placed = mesh.vertices @ axes.T + entry["center_n"]
    assert placed[mesh.faces] == pytest.approx(item.triangles(), abs=1e-5)
    assert np.all(np.abs(mesh.vertices) <= np.array(entry["half_m"]) * (1 + 1e-6))


def test_a_mesh_beyond_the_limit_becomes_a_box_and_says_so(monkeypatch):
    monkeypatch.setattr(scene_world, "MOST_TRIANGLES", 10)
    world = load_world("wreck_slope")
    (entry,), (note,) = scene_world.structures(world, world.packed())
    assert entry["kind"] == "box" and "mesh" not in entry
    assert "wreck" in note


def elevation(waves, north, east, time):
    level = np.zeros(np.broadcast(north, east).shape)
    for w in waves:
        along = north * math.cos(w["to_rad"]) + east * math.sin(w["to_rad"])
        level += w["amplitude_m"] * np.cos(w["wave_number_1_m"] * along - w["frequency_rad_s"] * time + w["phase_rad"])
    return level


@pytest.mark.parametrize(
    "world",
    [
        load_world("open_ocean"),
        World(depth_m=8.0, waves=Waves(kind="regular", height_m=0.6, period_s=5.0, to_deg=200.0, phase_deg=30.0)),
        World(waves=Waves(height_m=1.0, period_s=6.0, components=MOST_WAVES, spreading=4.0)),
    ],
)
def test_the_waves_are_the_kernels_up_to_those_left_out(world):
    every = scene_world.waves(world.packed())
    assert len(every) <= MOST_WAVES
    rng = np.random.default_rng(1)
    north, east = rng.uniform(-100, 100, (2, 50))
    split = world.waves.split(depth_m=world.still_depth_m)
    amplitudes = np.sort(split.amplitude_m)[::-1]
    for time in (0.0, 3.7, 61.0):
        off = np.abs(elevation(every, north, east, time) + world.surface_m(north, east, time))  # z is down
        assert off.max() <= amplitudes[MOST_WAVES:].sum() + 1e-9
    kept = sum(w["amplitude_m"] ** 2 for w in every) / np.sum(amplitudes**2)
    assert kept > 0.5  # of the energy in at least 24 of 64 waves, the strongest of them


def test_gravity_makes_other_waves():
    world = World(waves=Waves(kind="regular", height_m=0.5, period_s=5.0))
    (here,) = scene_world.waves(world.packed(gravity_m_s2=9.82))
    assert here["wave_number_1_m"] == pytest.approx((math.tau / 5.0) ** 2 / 9.82, rel=1e-12)


def test_the_extent_holds_what_is_there():
    world = load_world("royer_field")
    extent = scene_world.extent(world, world.packed())
    assert extent > math.hypot(61.0, 61.0)  # the far end of the pipeline
    ball = World(structures=(Structure(kind="sphere", center_m=(300.0, 0.0, 9.0), radius_m=5.0),))
    assert 305.0 < scene_world.extent(ball, ball.packed()) < 400.0
    slope = World(seabed=Seabed(kind="slope", depth_m=10.0, slope_deg=5.0))
    assert scene_world.extent(slope, slope.packed()) == scene_world.OPEN_SEA_M
