"""World files: reading, error messages with the name of the file, and the JSON Schema."""

import tomllib

import jsonschema
import numpy as np
import pytest

from pelagos.errors import ScenarioError
from pelagos.files.library import WORLDS
from pelagos.files.reader import Place
from pelagos.world.current.kinds import KINDS
from pelagos.world.load import WORLD, load_world, loads_world, world_from, world_schema
from pelagos.world.seabed.seabed import Seabed
from pelagos.world.spec import World
from pelagos.world.structure import Structure
from pelagos.world.water import Water
from pelagos.world.waves import Waves

BAY = """
name = "Bay"
summary = "a bay"
depth_ft = 100
origin_lat_deg = 54.0
origin_lon_deg = 8.0
source = "a chart"

[water]
preset = "brackish"

[waves]
kind = "regular"
height_cm = 40
period_s = 5
to_deg = 90

[[current]]
kind = "uniform"
speed_kn = 1.0
to_deg = 45

[[current]]
kind = "tidal"
speed_m_s = 0.2
to_deg = 0
note = "guessed"

[seabed]
kind = "slope"
depth_m = 30
slope_deg = 2.0
down_to_deg = 180

[[structure]]
name = "block"
kind = "box"
center_m = [10, 0, 30]
size_ft = [10, 10, 10]

[[structure]]
name = "buoy"
kind = "sphere"
center_m = [0, 10, 0]
radius_m = 0.5
"""
FOOT, KNOT = 0.3048, 1852.0 / 3600.0  # exact by definition
CUBE = (
    "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n"
    "f 1 3 2\nf 1 4 3\nf 5 6 7\nf 5 7 8\nf 1 2 6\nf 1 6 5\nf 2 3 7\nf 2 7 6\nf 3 4 8\nf 3 8 7\nf 4 1 5\nf 4 5 8\n"
)


def complaint(text, folder="."):
    with pytest.raises(ScenarioError) as caught:
        loads_world(text, "bay.toml", folder).packed()
    message = str(caught.value)
    assert "\n" not in message
    return message


def test_a_file_is_the_world_it_describes():
    world = loads_world(BAY, "bay.toml")
    assert world == World(
        name="Bay",
        summary="a bay",
        depth_m=100 * FOOT,
        origin_lat_deg=54.0,
        origin_lon_deg=8.0,
        water=Water(preset="brackish"),
        waves=Waves(kind="regular", height_m=0.4, period_s=5.0, to_deg=90.0),
        currents=(
            KINDS["uniform"](speed_m_s=KNOT, to_deg=45.0),
            KINDS["tidal"](speed_m_s=0.2, to_deg=0.0),
        ),
        seabed=Seabed(kind="slope", depth_m=30.0, slope_deg=2.0, down_to_deg=180.0),
        structures=(
            Structure(kind="box", name="block", center_m=(10.0, 0.0, 30.0), size_m=(10 * FOOT,) * 3),
            Structure(kind="sphere", name="buoy", center_m=(0.0, 10.0, 0.0), radius_m=0.5),
        ),
        sources=("a chart", "current[1]: note: guessed"),
    )
    assert len(world.packed()) > 50


def test_an_empty_file_is_an_endless_sea():
    world = loads_world("", "sea.toml")
    assert world == World(name="sea.toml")


def test_a_file_on_disk_gives_name_path_and_folder(tmp_path):
    (tmp_path / "cube.obj").write_text(CUBE)
    (tmp_path / "yard.toml").write_text('depth_m = 9\n[[structure]]\nkind = "mesh"\nfile = "cube.obj"\n')
    world = load_world(tmp_path / "yard.toml")
    assert (world.name, world.path) == ("yard", str(tmp_path / "yard.toml"))
    assert world.structures[0].file == str((tmp_path / "cube.obj").resolve())
    assert world.structures[0].triangles().max() == 1.0  # the cube is found and read


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("depth_m = -5", "bay.toml: depth_m = -5: expected a number above 0"),
        ("depth_m = 0", "bay.toml: depth_m = 0: expected a number above 0"),
        ("dept_m = 5", 'bay.toml: dept_m: unknown key; did you mean "depth_m"?'),
        ("[wave]\nheight_m = 1", 'bay.toml: wave: unknown key; did you mean "waves"?'),
        ('path = "x"', "bay.toml: path: unknown key"),
        ("depth_m = ", "bay.toml: not valid TOML"),
        ("[current]\nspeed_m_s = 1", "expected a list of tables, written [[current]]"),
        ("structure = 3", "bay.toml: structure = 3: expected a list of tables, written [[structure]]"),
        ("waves = 3", "bay.toml: waves = 3: expected a table, written [waves]"),
        ('[[current]]\nkind = "tidel"\nspeed_m_s = 1', 'current[0].kind = "tidel": expected one of uniform,'),
        ("[[current]]\nspeed_m_s = 1", "bay.toml: current[0].kind: is missing; expected one of uniform,"),
        ('[[current]]\nkind = "tidal"\nto_deg = 1', "bay.toml: current[0].speed_m_s: is missing"),
        ('[waves]\nkind = "regular"\nheight_m = -1\nperiod_s = 3', "bay.toml: waves.height_m = -1: "),
        ('[waves]\nkind = "regular"\nheight_ft = -1\nperiod_s = 3', "bay.toml: waves.height_ft = -1: "),
        ('[water]\npreset = "salty"', 'bay.toml: water.preset = "salty": expected one of sea, brackish, fresh'),
        ('[seabed]\nkind = "flat"\ndepth_m = -2', "bay.toml: seabed.depth_m = -2: expected a number above 0"),
        (
            'surface = false\n[waves]\nkind = "regular"\nheight_m = 1\nperiod_s = 9',
            "bay.toml: surface = false: expected true where",
        ),
    ],
)
def test_a_mistake_is_one_sentence_with_the_name_of_the_file(text, message):
    assert message in complaint(text)


def test_a_bad_structure_is_named_by_its_place():
    good = '[[structure]]\nkind = "sphere"\ncenter_m = [0, 0, 5]\nradius_m = 1\n'
    bad = good.replace("radius_m = 1", "radius_m = -1").replace("kind", 'name = "ball"\nkind', 1)
    assert complaint(good + bad).startswith("bay.toml: structure[1].radius_m = -1: expected a finite number above 0")
    twins = good.replace("kind", 'name = "a"\nkind', 1) * 2
    assert "a name of its own for each structure" in complaint(twins)


def test_an_open_or_inside_out_mesh_is_refused(tmp_path):
    text = '[[structure]]\nname = "crate"\nkind = "mesh"\nfile = "crate.obj"\n'
    (tmp_path / "crate.obj").write_text(CUBE.removesuffix("f 4 5 8\n"))
    assert complaint(text, tmp_path).startswith("bay.toml: structure[0]")
    (tmp_path / "crate.obj").write_text(CUBE)
    assert loads_world(text, "bay.toml", tmp_path).structures[0].contains((0.5, 0.5, 0.5))
    turned = "\n".join(
        " ".join([w[0], *w[:0:-1]]) if (w := line.split())[0] == "f" else line for line in CUBE.splitlines()
    )
    (tmp_path / "crate.obj").write_text(turned + "\n")
    assert "bay.toml: structure[0]" in complaint(text, tmp_path)
    message = complaint(text.replace("crate.obj", "gone.obj"), tmp_path)
    assert message.startswith('bay.toml: structure[0].file = "gone.obj": gone.obj: no such file')


def test_a_height_map_with_holes_is_refused(tmp_path):
    depths = np.full((5, 6), 12.0)
    depths[2, 3] = np.nan
    np.save(tmp_path / "bottom.npy", depths)
    text = '[seabed]\nkind = "grid"\nfile = "bottom.npy"\nspacing_m = 2.0\n'
    assert complaint(text, tmp_path).startswith("bay.toml: seabed")
    world = loads_world(text + 'fill = "nearest"\n', "bay.toml", tmp_path)
    assert world.bottom_m(4.0, 6.0) == pytest.approx(12.0)


@pytest.mark.slow
def test_a_netcdf_current_without_units_is_refused(tmp_path):
    xarray = pytest.importorskip("xarray")
    flow = np.full((2, 2), 0.3)
    axes = {"y": ("y", [0.0, 100.0], {"units": "m"}), "x": ("x", [0.0, 100.0], {"units": "m"})}
    bare = {"u": (("y", "x"), flow), "v": (("y", "x"), flow)}
    xarray.Dataset(bare, axes).to_netcdf(tmp_path / "bare.nc")
    text = '[[current]]\nkind = "field"\nfile = "bare.nc"\n'
    message = complaint(text, tmp_path)
    assert message.startswith("bay.toml: current[0].file")
    assert "units" in message
    assert complaint(text.replace("bare.nc", "gone.nc"), tmp_path).startswith("bay.toml: current[0].file")


@pytest.mark.slow
def test_latitude_and_longitude_of_the_world_reach_its_currents(tmp_path):
    """One degree of latitude is 111.2 km at 50 degrees north: a field that ends there covers that much and no more."""
    xarray = pytest.importorskip("xarray")
    axes = {
        "lat": ("lat", [50.0, 51.0], {"units": "degrees_north", "standard_name": "latitude"}),
        "lon": ("lon", [8.0, 9.0], {"units": "degrees_east", "standard_name": "longitude"}),
    }
    flow = (("lat", "lon"), np.full((2, 2), 0.3), {"units": "m s-1"})
    xarray.Dataset({"u": flow, "v": flow}, axes).to_netcdf(tmp_path / "flow.nc")
    text = 'origin_lat_deg = 50\norigin_lon_deg = 8\n[[current]]\nkind = "field"\nfile = "flow.nc"\n'
    (current,) = loads_world(text, "bay.toml", tmp_path).currents
    assert (current.origin_lat_deg, current.origin_lon_deg) == (50.0, 8.0)
    assert current.cover.north_m == pytest.approx((0.0, 111_229.0), abs=30.0)  # WGS84, Bowring's series


def test_every_table_is_one_of_worlds_fields():
    assert set(WORLD.tables) == {"water", "waves", "current", "seabed", "structure"}
    assert {"name", "depth_m", "surface", "sources"} <= set(WORLD.all_spellings())
    assert "path" not in WORLD.all_spellings()


SCHEMA = jsonschema.Draft202012Validator(world_schema())


@pytest.mark.slow
def test_it_is_a_schema():
    jsonschema.Draft202012Validator.check_schema(world_schema())
    assert {"depth_m", "depth_ft", "water", "waves", "current", "seabed", "structure"} <= set(
        world_schema()["properties"]
    )


@pytest.mark.parametrize("key", WORLDS.names())
def test_library_worlds_fit(key):
    raw = tomllib.loads((WORLDS.folder / f"{key}.toml").read_text())
    assert [error.message for error in SCHEMA.iter_errors(raw)] == []


@pytest.mark.parametrize(
    "text",
    [
        "dept_m = 3",
        'depth_m = "deep"',
        "[[current]]\nspeed_m_s = 1.0",
        '[[current]]\nkind = "tidal"\nto_deg = 1.0',
        '[[current]]\nkind = "uniform"\nspeed_m = 1.0',
        "[[structure]]\ncenter_m = [0.0, 0.0, 0.0]",
        '[[structure]]\nkind = "sphere"\ncenter_m = ["a", 0.0, 0.0]\nradius_m = 1.0',
        "[waves]\ncomponents = 2.5",
        "surface = 1",
        '[waves]\nkind = "regular"\nheight_m = { valu = 1.0 }\nperiod_s = 9.0',
    ],
)
def test_both_refuse(text):
    assert list(SCHEMA.iter_errors(tomllib.loads(text)))
    with pytest.raises(ScenarioError):
        loads_world(text)


def test_both_accept_other_units_and_sources():
    text = '[[current]]\nkind = "uniform"\nspeed_kn = { value = 1.0, source = "chart" }\nto_deg = 5\nnote = "x"'
    assert not list(SCHEMA.iter_errors(tomllib.loads(text)))
    assert loads_world(text).currents[0].speed_m_s == pytest.approx(1852.0 / 3600.0)


def test_a_world_in_a_larger_file_overrides_the_one_that_it_uses(tmp_path):
    (tmp_path / "bay.toml").write_text(
        'density_kg_m3 = 1000\nsource = "a chart"\n[waves]\nheight_m = 1\nperiod_s = 5\nsource = "a buoy"\n'
    )
    place = Place("dive.toml", tmp_path, "world")
    raw = {"use": "bay.toml", "density_g_cm3": 1.02, "waves": {"period_s": 6, "source": "guessed"}}
    world = world_from(raw, place)
    assert world.density_kg_m3 == pytest.approx(1020.0)  # in another unit than the key that it replaces
    assert (world.waves.height_m, world.waves.period_s) == (1.0, 6.0)
    assert world.sources == ("world: a chart", "world.waves: guessed")
    with pytest.raises(ScenarioError, match=r"^dive\.toml: world\.waves\.period_s = -6: expected"):
        world_from(raw | {"waves": {"period_s": -6}}, place)
    (tmp_path / "bay.toml").write_text("densty_kg_m3 = 1000\n")
    with pytest.raises(ScenarioError, match=r'^bay\.toml: densty_kg_m3: unknown key; did you mean "density_kg_m3"'):
        world_from(raw, place)
