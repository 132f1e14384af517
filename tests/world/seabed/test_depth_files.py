"""Bathymetry files: GeoTIFF, written here tag by tag from the standard, and NetCDF as GEBCO, GMT and others do."""

import math

import numpy as np
import pytest
import tifffile
import xarray

from pelagos.errors import ScenarioError
from pelagos.world.current.field import metres_per_degree
from pelagos.world.seabed.seabed import Seabed, with_origin

ELEVATION = -np.array([[10.0, 11.0, 12.0, 13.0], [20.0, 21.0, 22.0, 23.0], [30.0, 31.0, 32.0, 34.0]])  # north on top


def write_tiff(path, values=ELEVATION, scale=(2.0, 5.0), corner=(500000.0, 6600000.0), model=1, point=False, **more):
    """One band; `corner` is easting and northing (or lon, lat) of the north-west corner or node."""
    keys = [(1024, 0, 1, model), (1025, 0, 1, 2 if point else 1), *more.get("keys", [])]
    directory = [1, 1, 0, len(keys)] + [number for key in keys for number in key]
    tags = [
        (33550, "d", 3, (*scale, 0.0), False),
        (33922, "d", 6, (0.0, 0.0, 0.0, *corner, 0.0), False),
        (34735, "H", len(directory), tuple(directory), False),
    ]
    if "nodata" in more:
        tags.append((42113, "s", 0, more["nodata"], False))
    if more.get("bare"):
        tags = []
    layout = {"photometric": "minisblack", "planarconfig": "contig"} if values.ndim == 3 else {}
    tifffile.imwrite(path, values.astype(np.float32), extratags=tags, **layout)
    return str(path)


def test_projected_metres_about_a_given_origin(tmp_path):
    file = write_tiff(tmp_path / "map.tif")
    bottom = Seabed(kind="grid", file=file, origin_x_m=500000.0, origin_y_m=6599985.0)
    np.testing.assert_array_equal(bottom.map.z_m, -ELEVATION[::-1])  # rows from south to north, depth down
    assert bottom.map.step_m == (5.0, 2.0)
    assert bottom.map.origin_m == (2.5, 1.0)  # centre of the south-west pixel
    assert bottom.z(12.5, 7.0) == 13.0
    point = Seabed(
        kind="grid", file=write_tiff(tmp_path / "p.tif", point=True), origin_x_m=500000.0, origin_y_m=6599990.0
    )
    assert point.map.origin_m == (0.0, 0.0)  # values at nodes


def test_without_an_origin_the_middle_of_the_map_is_it(tmp_path):
    grid = Seabed(kind="grid", file=write_tiff(tmp_path / "map.tif")).map
    assert grid.origin_m == (-5.0, -3.0)


def test_degrees_become_metres_of_the_ellipsoid(tmp_path):
    file = write_tiff(tmp_path / "map.tif", scale=(0.001, 0.001), corner=(5.0, 60.01), model=2, point=True)
    bottom = Seabed(kind="grid", file=file, origin_lat_deg=60.008, origin_lon_deg=5.0)
    # tables of WGS84 give 111.412 km for a degree of latitude at 60 N, 55.800 km for one of longitude
    assert bottom.map.step_m[0] == pytest.approx(111.412, rel=1e-4)
    assert bottom.map.step_m[1] == pytest.approx(55.800 * math.cos(math.radians(60.008)) / 0.5, rel=1e-4)
    assert bottom.map.origin_m == pytest.approx((0.0, 0.0), abs=1e-3)
    assert with_origin(Seabed(kind="grid", file=file), 60.008, 5.0) == bottom
    assert with_origin(bottom, 0.0, 0.0) is bottom
    around = Seabed(kind="grid", file=file, origin_lat_deg=60.008, origin_lon_deg=365.0)
    assert around.map.origin_m == pytest.approx((0.0, 0.0), abs=1e-3)


def test_depths_that_count_down(tmp_path):
    bottom = Seabed(kind="grid", file=write_tiff(tmp_path / "map.tif", values=-ELEVATION), positive="down")
    np.testing.assert_array_equal(bottom.map.z_m, -ELEVATION[::-1])


def test_no_data_is_a_hole(tmp_path):
    values = ELEVATION.copy()
    values[2, 1] = -9999.0
    file = write_tiff(tmp_path / "map.tif", values=values, nodata="-9999")
    with pytest.raises(ScenarioError, match=r"has 1 holes in 12 depths, the first at north -5 m, east -1 m"):
        Seabed(kind="grid", file=file)
    assert Seabed(kind="grid", file=file, fill="nearest").map.z_m[0, 1] == 30.0  # 2 m west; the next row is 5 m north


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"bare": True}, "has no GeoTIFF pixel scale and tie point"),
        ({"model": 3}, "does not say whether its coordinates are degrees or metres"),
        ({"keys": [(3076, 0, 1, 9003)]}, "in another unit than metres"),
        ({"nodata": "nothing"}, "has a nodata value 'nothing'; expected a number"),
        ({"values": np.zeros((3, 4, 2))}, "expected one band"),
    ],
)
def test_files_that_do_not_say_where_they_are(tmp_path, how, message):
    with pytest.raises(ScenarioError, match=message):
        Seabed(kind="grid", file=write_tiff(tmp_path / "map.tif", **how))


def test_a_spacing_beside_coordinates_is_refused(tmp_path):
    with pytest.raises(ScenarioError, match=r"seabed: spacing_m = 2.0: the file has its own coordinates"):
        Seabed(kind="grid", file=write_tiff(tmp_path / "map.tif"), spacing_m=2.0)


DEPTH = np.array([[10.0, 11.0, 12.0], [20.0, 21.0, 23.0]])  # south to north
LAT, LON = [60.0, 60.004], [5.0, 5.004, 5.008]
ENGINES = ["scipy", "netcdf4"]


def write_netcdf(
    path, values, name="elevation", dims=("lat", "lon"), axes=None, axis_units=None, engine="scipy", **attrs
):
    axes = axes or {"lat": LAT, "lon": LON}
    units = {"lat": "degrees_north", "lon": "degrees_east"} if axis_units is None else axis_units
    coords = {dim: (dim, axes[dim], {"units": units[dim]} if units.get(dim) else {}) for dim in axes}
    data = xarray.Dataset({name: (dims, values, attrs)}, coords)
    data.to_netcdf(path, engine=engine)
    return str(path)


@pytest.mark.slow
@pytest.mark.parametrize("engine", ENGINES)
def test_gebco(tmp_path, engine):
    values = (-DEPTH).astype(np.int16)
    attrs = {"standard_name": "height_above_mean_sea_level", "units": "m"}
    file = write_netcdf(tmp_path / "gebco.nc", values, engine=engine, **attrs)
    bottom = Seabed(kind="grid", file=file, origin_lat_deg=60.0, origin_lon_deg=5.0)
    np.testing.assert_array_equal(bottom.map.z_m, DEPTH)
    np.testing.assert_allclose(bottom.map.step_m, 0.004 * np.array(metres_per_degree(60.0)), rtol=1e-9)
    assert bottom.map.origin_m == pytest.approx((0.0, 0.0), abs=1e-6)
    middle = Seabed(kind="grid", file=file)
    assert middle.z(0.0, 0.0) == pytest.approx(16.0)  # without an origin, the middle of the map


@pytest.mark.parametrize(
    ("name", "sign", "attrs"),
    [
        ("z", -1.0, {}),
        ("Band1", -1.0, {}),
        ("depth", 1.0, {"units": "m"}),
        ("elevation", 1.0, {"positive": "down"}),
        ("depth", -1.0, {"positive": "up"}),
        ("seafloor", 1.0, {"standard_name": "sea_floor_depth_below_geoid"}),
        ("something", -1.0, {}),
        ("z", -0.001, {"units": "km"}),
    ],
)
def test_names_signs_and_units(tmp_path, name, sign, attrs):
    file = write_netcdf(tmp_path / "map.nc", DEPTH * sign, name, **attrs)
    np.testing.assert_allclose(Seabed(kind="grid", file=file).map.z_m, DEPTH, rtol=1e-12)


def test_axes_in_any_order_and_metres(tmp_path):
    axes, units = {"x": [30.0, 20.0, 10.0], "y": [8.0, 4.0]}, {"x": "m", "y": "m"}
    file = write_netcdf(tmp_path / "map.nc", -DEPTH[::-1, ::-1].T, "z", ("x", "y"), axes, units)
    bottom = Seabed(kind="grid", file=file, origin_x_m=0.0, origin_y_m=0.0)
    np.testing.assert_array_equal(bottom.map.z_m, DEPTH)
    assert bottom.map.origin_m == (4.0, 10.0) and bottom.map.step_m == (4.0, 10.0)
    assert bottom.z(8.0, 30.0) == 23.0


def test_positive_in_the_world_file_overrules(tmp_path):
    file = write_netcdf(tmp_path / "map.nc", DEPTH)
    np.testing.assert_array_equal(Seabed(kind="grid", file=file, positive="down").map.z_m, DEPTH)


def test_several_variables_are_chosen_by_name(tmp_path):
    file = tmp_path / "map.nc"
    coords = {"lat": ("lat", LAT, {"units": "degrees_north"}), "lon": ("lon", LON, {"units": "degrees_east"})}
    both = {"first": (("lat", "lon"), -DEPTH), "second": (("lat", "lon"), -2.0 * DEPTH)}
    xarray.Dataset(both, coords).to_netcdf(file, engine="scipy")
    with pytest.raises(
        ScenarioError, match=r"variable: map.nc has no elevation or depth; expected one of first, second"
    ):
        Seabed(kind="grid", file=str(file))
    np.testing.assert_array_equal(Seabed(kind="grid", file=str(file), variable="second").map.z_m, 2.0 * DEPTH)
    with pytest.raises(ScenarioError, match=r'seabed: variable = "secnd": .*did you mean "second"'):
        Seabed(kind="grid", file=str(file), variable="secnd")


def test_fill_values_are_holes(tmp_path):
    values = -DEPTH
    values[1, 2] = np.nan
    file = write_netcdf(tmp_path / "map.nc", values)
    with pytest.raises(ScenarioError, match="has 1 holes in 6 depths, the first at north"):
        Seabed(kind="grid", file=file)
    assert Seabed(kind="grid", file=file, fill="nearest").map.z_m[1, 2] == 21.0


def test_axes_named_latitude_and_longitude_are_degrees(tmp_path):
    file = write_netcdf(tmp_path / "map.nc", -DEPTH, axis_units={})
    np.testing.assert_allclose(
        Seabed(kind="grid", file=file, origin_lat_deg=60.0).map.step_m, 0.004 * np.array(metres_per_degree(60.0))
    )


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"dims": ("y", "x"), "axes": {"y": [0, 1], "x": [0, 1, 2]}, "axis_units": {}}, "gives y no units; CF needs"),
        ({"dims": ("a", "b"), "axes": {"a": [0, 1], "b": [0, 1, 2]}}, "has a dimension a; expected one of latitude"),
        ({"dims": ("y", "x"), "axes": {"lat": LAT}}, "has no coordinate for the dimension y"),
        ({"axes": {"lat": LAT, "lon": [5.0, 5.004, 5.02]}}, "has nodes that are not evenly spaced along east"),
        ({"axis_units": {"lat": "degrees_north", "lon": "m"}}, "mixes degrees and metres"),
        ({"positive": "north"}, 'gives elevation a "positive" of "north"'),
        ({"units": "kg"}, 'gives elevation in "kg"; expected a length'),
    ],
)
def test_files_that_do_not_say_enough(tmp_path, how, message):
    with pytest.raises(ScenarioError, match=message):
        Seabed(kind="grid", file=write_netcdf(tmp_path / "map.nc", -DEPTH, **how))
