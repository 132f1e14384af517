"""The worlds of the library: each loads, packs and names the sources of its numbers."""

import runpy
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from pelagos.errors import ScenarioError
from pelagos.files.library import WORLDS, list_worlds
from pelagos.world.load import load_world

ROOT = Path(__file__).parents[2]
KEYS = ["gavia_bottom", "harbour", "open_ocean", "royer_field", "test_tank", "wreck_slope"]


def named(world, stem):
    return [item for item in world.structures if item.name.startswith(stem)]


def test_the_list_is_whole():
    entries = list_worlds()
    assert [entry.key for entry in entries] == WORLDS.names() == KEYS
    assert all(entry.summary and entry.name for entry in entries)


def test_listing_does_not_wait_for_the_compiled_engine():
    code = "import sys; import pelagos; pelagos.list_worlds(); print('numba' in sys.modules)"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT)
    assert ran.stdout.strip() == "False", ran.stderr


@pytest.mark.parametrize("key", KEYS)
def test_every_world_loads_packs_and_says_its_sources(key):
    world = load_world(key)
    assert world.sources
    assert any("assumed" in text or "picture" in text for text in world.sources)
    assert np.isfinite(world.packed(until_s=10.0)).all()
    # a vehicle that starts at the origin on the surface is in the water and in nothing else
    assert not any(item.contains((0.0, 0.0, 0.0)) for item in world.structures)
    assert world.bottom_m(0.0, 0.0) > 2.0


def test_royers_field_is_as_he_describes_it():
    """4.2.c: four columns linked by four bars, a cube, a pipeline; 7.1.a: 100 m, a current from the south."""
    world = load_world("royer_field")
    assert [len(named(world, stem)) for stem in ("column", "bar", "wellhead", "pipeline")] == [4, 4, 1, 1]
    assert len(world.structures) == 10
    assert world.depth_m == 100.0
    assert world.water_velocity([0.0, 0.0, 50.0])[0] == pytest.approx([0.75, 0.0, 0.0])
    cube = named(world, "wellhead")[0]
    assert len(set(cube.size_m)) == 1
    assert cube.center_m[2] + cube.size_m[2] / 2 == world.depth_m  # it stands on the bottom
    (pipe,) = named(world, "pipeline")  # 7.7: from the structure to the north-east corner
    ends = pipe.triangles().reshape(-1, 3)
    assert pipe.heading_deg == 45.0
    assert np.abs(ends[:, :2].min(axis=0) - 10.75).max() < 1.0  # m: at the edge of the north-east column
    assert np.abs(ends[:, :2].max(axis=0) - 61.0).max() < 1.0
    for bar in named(world, "bar"):  # each ends at two columns
        ends = bar.triangles().reshape(-1, 3)
        touched = [
            column.name
            for column in named(world, "column")
            if np.abs(ends - np.array(column.center_m))[:, :2].max(axis=1).min() <= 0.75 + 1e-9
        ]
        assert {name[-1] for name in touched} == set(bar.name[-3::2])


def test_the_tank_is_closed():
    """Rays in all horizontal directions from the middle end at a wall: 5 m north and south, 2.5 m east and west."""
    world = load_world("test_tank")
    hits = world.cast(np.full((4, 3), [0.0, 0.0, 1.0]), [[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0]])
    assert hits.range_m == pytest.approx([5.0, 5.0, 2.5, 2.5])
    assert [world.named(int(number)) for number in hits.obstacle] == [
        "north wall",
        "south wall",
        "east wall",
        "west wall",
    ]
    assert world.water is not None
    assert world.water.surface_density_kg_m3 < 1000.0


def test_the_drawn_bottom_is_read_back_from_its_picture():
    """The line is one pixel thick and a pixel a metre: within half a pixel of the curve, and as much for JPEG noise."""
    world = load_world("gavia_bottom")
    drawn = runpy.run_path(str(ROOT / "scripts/world_assets.py"))["bottom_rows"]()
    depths = world.bottom_m(np.zeros(300), np.arange(300.0) - 50.0)
    assert np.abs(depths - drawn).max() < 1.0
    assert depths.min() == pytest.approx(27.0, abs=1.0)  # the mound


def test_the_harbour_has_a_tide_along_its_quay_and_a_bottom_that_falls_away():
    world = load_world("harbour")
    assert len(named(world, "pile")) == 8
    assert world.bottom_m(0.0, 20.0) > world.bottom_m(0.0, -20.0)
    tide = world.currents[0]
    quarter_s = tide.period_h * 3600.0 / 4.0
    only_tide = type(world)(currents=(tide,))
    assert only_tide.water_velocity([0, 0, 3], 0.0)[0] == pytest.approx([0.35, 0.0, 0.0])
    assert only_tide.water_velocity([0, 0, 3], quarter_s)[0] == pytest.approx([0.0, 0.0, 0.0], abs=1e-6)
    for pile in named(world, "pile"):  # driven into the bottom
        assert pile.to_m[2] > float(world.bottom_m(*pile.to_m[:2]))


def test_the_ocean_is_deep_stratified_and_sheared():
    world = load_world("open_ocean")
    assert world.water is not None
    densities = world.water.density(np.array([0.0, 100.0, 1000.0, 3000.0]))
    assert (np.diff(densities) > 0.0).all()
    # UNESCO tables: about 1025.5 to 1026.5 at the surface, 1041 to 1042 at 3000 dbar for such water
    assert densities[0] == pytest.approx(1026.0, abs=0.5)
    assert densities[-1] == pytest.approx(1041.6, abs=0.5)
    flow = world.water_velocity([[0, 0, 0.0], [0, 0, 3000.0]])
    assert np.linalg.norm(flow[1]) < 0.1 * 0.45  # waves do not reach down, the current has faded
    assert world.waves is not None
    assert world.waves.kind == "jonswap"


def test_the_wreck_lies_on_the_slope_and_is_closed():
    world = load_world("wreck_slope")
    (wreck,) = world.structures
    corners = wreck.triangles()
    over = world.bottom_m(corners[..., 0], corners[..., 1]) - corners[..., 2]
    assert over.min() < 0.0 < over.max()  # partly in the sand
    assert -2.5 < over.min()  # but not buried
    assert wreck.contains(wreck.center_m)
    a, b, c = (corners[:, k] - np.array(wreck.center_m) for k in range(3))
    volume = np.einsum("ij,ij->", a, np.cross(b, c)) / 6.0
    assert 800.0 < volume < 40.0 * 8.3 * 8.2  # outward; less than the box around it
    assert Path(wreck.file).stat().st_size < 100_000


def test_the_wreck_is_what_the_script_makes(tmp_path):
    made = runpy.run_path(str(ROOT / "scripts/world_assets.py"))
    made["write_obj"](tmp_path / "wreck.obj")
    assert (tmp_path / "wreck.obj").read_text() == (WORLDS.folder / "wreck.obj").read_text()


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("harbor", 'no world of this name in the library; did you mean "harbour"'),
        ("gone.toml", "gone.toml: no such file"),
        (".", "is a folder"),
    ],
)
def test_a_world_that_is_not_there_is_one_sentence(name, message):
    with pytest.raises(ScenarioError, match=message):
        load_world(name)


def test_a_file_that_is_no_text_is_one_sentence(tmp_path):
    (tmp_path / "noise.toml").write_bytes(b"\xff\xfe\x00\x01")
    with pytest.raises(ScenarioError, match="not a text file"):
        load_world(tmp_path / "noise.toml")
