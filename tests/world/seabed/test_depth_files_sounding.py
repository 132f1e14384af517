"""NetCDF bathymetry as GEBCO, GMT and others write it."""

import numpy as np
import pytest
import xarray

from pelagos.errors import ScenarioError
from pelagos.world.current.field import metres_per_degree
from pelagos.world.seabed.seabed import Seabed

DEPTH = np.array([[10.0, 11.0, 12.0], [20.0, 21.0, 23.0]])  # south to north
LAT, LON = [60.0, 60.004], [5.0, 5.004, 5.008]
ENGINES = ["scipy", "netcdf4"]


def write(path, values, name="elevation", dims=("lat", "lon"), axes=None, axis_units=None, engine="scipy", **attrs):
    axes = axes or {"lat": LAT, "lon": LON}
    said = {"lat": "degrees_north", "lon": "degrees_east"} if axis_units is None else axis_units
    coords = {dim: (dim, axes[dim], {"units": said[dim]} if said.get(dim) else {}) for dim in axes}
    data = xarray.Dataset({name: (dims, values, attrs)}, coords)
    data.to_netcdf(path, engine=engine)
    return str(path)


@pytest.mark.parametrize("engine", ENGINES)
def test_gebco(tmp_path, engine):
    values = (-DEPTH).astype(np.int16)
    attrs = {"standard_name": "height_above_mean_sea_level", "units": "m"}
    file = write(tmp_path / "gebco.nc", values, engine=engine, **attrs)
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
    file = write(tmp_path / "map.nc", DEPTH * sign, name, **attrs)
    np.testing.assert_allclose(Seabed(kind="grid", file=file).map.z_m, DEPTH, rtol=1e-12)


def test_axes_in_any_order_and_metres(tmp_path):
    axes, units = {"x": [30.0, 20.0, 10.0], "y": [8.0, 4.0]}, {"x": "m", "y": "m"}
    file = write(tmp_path / "map.nc", -DEPTH[::-1, ::-1].T, "z", ("x", "y"), axes, units)
    bottom = Seabed(kind="grid", file=file, origin_x_m=0.0, origin_y_m=0.0)
    np.testing.assert_array_equal(bottom.map.z_m, DEPTH)
    assert bottom.map.origin_m == (4.0, 10.0) and bottom.map.step_m == (4.0, 10.0)
    assert bottom.z(8.0, 30.0) == 23.0


def test_positive_in_the_world_file_overrules(tmp_path):
    file = write(tmp_path / "map.nc", DEPTH)
    np.testing.assert_array_equal(Seabed(kind="grid", file=file, positive="down").map.z_m, DEPTH)


def test_several_variables_are_chosen_by_name(tmp_path):
    file = tmp_path / "map.nc"
    coords = {"lat": ("lat", LAT, {"units": "degrees_north"}), "lon": ("lon", LON, {"units": "degrees_east"})}
    both = {"first": (("lat", "lon"), -DEPTH), "second": (("lat", "lon"), -2.0 * DEPTH)}
    xarray.Dataset(both, coords).to_netcdf(file, engine="scipy")
    with pytest.raises(ScenarioError, match="name the variable with variable, one of: first, second"):
        Seabed(kind="grid", file=str(file))
    np.testing.assert_array_equal(Seabed(kind="grid", file=str(file), variable="second").map.z_m, 2.0 * DEPTH)
    with pytest.raises(ScenarioError, match=r'seabed.variable = "secnd": .*did you mean "second"'):
        Seabed(kind="grid", file=str(file), variable="secnd")


def test_fill_values_are_holes(tmp_path):
    values = -DEPTH
    values[1, 2] = np.nan
    file = write(tmp_path / "map.nc", values)
    with pytest.raises(ScenarioError, match="has 1 holes in 6 depths, the first at north"):
        Seabed(kind="grid", file=file)
    assert Seabed(kind="grid", file=file, fill="nearest").map.z_m[1, 2] == 21.0


def test_axes_named_latitude_and_longitude_are_degrees(tmp_path):
    file = write(tmp_path / "map.nc", -DEPTH, axis_units={})
    np.testing.assert_allclose(
        Seabed(kind="grid", file=file, origin_lat_deg=60.0).map.step_m, 0.004 * np.array(metres_per_degree(60.0))
    )


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ({"dims": ("y", "x"), "axes": {"y": [0, 1], "x": [0, 1, 2]}, "axis_units": {}}, "gives y no units; CF needs"),
        ({"dims": ("a", "b"), "axes": {"a": [0, 1], "b": [0, 1, 2]}}, "has a dimension a that is none of"),
        ({"dims": ("y", "x"), "axes": {"lat": LAT}}, "has no coordinate for the dimension y"),
        ({"axes": {"lat": LAT, "lon": [5.0, 5.004, 5.02]}}, "has nodes that are not evenly spaced along east"),
        ({"axis_units": {"lat": "degrees_north", "lon": "m"}}, "mixes degrees and metres"),
        ({"positive": "north"}, 'gives elevation a "positive" of "north"'),
        ({"units": "kg"}, 'gives elevation in "kg"; expected a length'),
    ],
)
def test_files_that_do_not_say_enough(tmp_path, how, said):
    with pytest.raises(ScenarioError, match=said):
        Seabed(kind="grid", file=write(tmp_path / "map.nc", -DEPTH, **how))
