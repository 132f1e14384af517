"""Gridded currents: the kernel against xarray's interpolation, positions on the ellipsoid, variables and axes."""

import re
import sys

import numpy as np
import pytest

pytest.importorskip("xarray")
pytest.importorskip("h5netcdf")

from pelagos.errors import MissingExtraError, ScenarioError
from pelagos.files import netcdf
from pelagos.world.current.field import CurrentField, metres_per_degree, read_field, read_here, velocities
from pelagos.world.current.kinds import check_cover, velocity_at
from tests.world.ocean_model import DEPTHS, LATS, LONS, TIMES, XS, YS, ocean, save

HOUR = 3600.0


def test_the_length_of_a_degree():
    """Tables of WGS84: 110574 and 111320 m at the equator, 111412 and 55800 m at 60 deg, 111694 m at the pole."""
    for lat, (north, east) in {
        0.0: (110574.3, 111319.5),
        60.0: (111412.3, 55800.0),
        89.999999: (111693.9, 0.0),
    }.items():
        assert metres_per_degree(lat) == pytest.approx((north, east), abs=0.1)


def random_places(rng, count, norths, easts, depths=DEPTHS):
    low, high = (np.array([axis[i] for axis in (norths, easts, depths)]) for i in (0, -1))
    return low + (high - low) * rng.random((count, 3))


def test_the_kernel_equals_xarrays_interpolation(tmp_path):
    """On latitude and longitude, at random places and times; 1e-12 for 16 products of velocities below 4."""
    data = ocean()
    field = CurrentField(file=save(data, tmp_path), origin_lat_deg=60.0, origin_lon_deg=5.0)
    per_north, per_east = metres_per_degree(60.0)
    rng = np.random.default_rng(1)
    places = random_places(rng, 60, per_north * (LATS - 60.0), per_east * (LONS - 5.0))
    times = 3.0 * HOUR * rng.random(60)
    velocities = velocity_at([field], places, times)
    numeric = data.assign_coords(time=(TIMES - TIMES[0]) / np.timedelta64(1, "s"))
    lat, lon = 60.0 + places[:, 0] / per_north, 5.0 + places[:, 1] / per_east
    at = {"time": times, "depth": places[:, 2], "lat": lat, "lon": lon}
    there = numeric.interp({name: ("point", values) for name, values in at.items()})
    np.testing.assert_allclose(velocities, np.column_stack([there.vo, there.uo, -there.wo]), atol=1e-12)


def test_a_field_in_metres(tmp_path):
    """x in m, y in km; the origin of the world is at x = 100 m, y = 200 m of the file."""
    data = ocean(metres=True, vertical=False)
    field = CurrentField(file=save(data, tmp_path), origin_x_m=100.0, origin_y_m=200.0)
    rng = np.random.default_rng(2)
    places = random_places(rng, 30, 1000.0 * YS - 200.0, XS - 100.0)
    velocities = velocity_at([field], places, 1800.0)
    halfway = data.isel(time=slice(0, 2)).mean("time")
    at = {"x": places[:, 1] + 100.0, "y": (places[:, 0] + 200.0) / 1000.0, "depth": places[:, 2]}
    there = halfway.interp({name: ("point", values) for name, values in at.items()})
    np.testing.assert_allclose(velocities, np.column_stack([there.vo, there.uo, np.zeros(30)]), atol=1e-12)


@pytest.mark.slow
def test_axes_may_run_the_other_way_and_in_another_order(tmp_path):
    """South to north and north to south, depth up or down, any order of dimensions: the same water."""
    data = ocean()
    given = {"origin_lat_deg": 60.0, "origin_lon_deg": 5.0}
    turned = data.isel(lat=slice(None, None, -1), lon=slice(None, None, -1)).transpose("lon", "depth", "lat", "time")
    turned = turned.assign_coords(depth=("depth", -DEPTHS, {"units": "m", "positive": "up"}))
    original, rearranged = (
        read_field(CurrentField(file=save(d, tmp_path, name), **given))
        for d, name in ((data, "a.nc"), (turned, "b.nc"))
    )
    for first, second in zip(original, rearranged, strict=True):
        np.testing.assert_array_equal(first, second)


@pytest.mark.slow
def test_longitudes_from_0_to_360(tmp_path):
    """A grid around Greenwich as 359.8, 359.9, 0.1, 0.4 is the grid -0.2, -0.1, 0.1, 0.4."""
    data = ocean()
    east = data.assign_coords(lon=("lon", np.array([-0.2, -0.1, 0.1, 0.4]), data.lon.attrs))
    around = data.assign_coords(lon=("lon", np.array([359.8, 359.9, 0.1, 0.4]), data.lon.attrs))
    rolled = around.roll(lon=2, roll_coords=True)  # 0.1, 0.4, 359.8, 359.9, as global files have it
    given = {"origin_lat_deg": 60.0, "origin_lon_deg": 0.0}
    grids = [
        read_field(CurrentField(file=save(d, tmp_path, f"{i}.nc"), **given))
        for i, d in enumerate((east, around, rolled))
    ]
    for grid in grids[1:]:
        np.testing.assert_allclose(grid.easts, grids[0].easts, atol=1e-6)  # 360 has three digits less than 0.1
        np.testing.assert_array_equal(grid.values, grids[0].values)


@pytest.mark.slow
def test_only_what_is_near_is_read(tmp_path):
    """Within 10 km of the origin: one node beyond on each side, and the same velocities there."""
    path = save(ocean(), tmp_path)
    whole, near = (
        read_field(CurrentField(file=path, origin_lat_deg=60.05, origin_lon_deg=5.05, radius_m=r))
        for r in (None, 2000.0)
    )
    assert (len(near.norths), len(near.easts)) == (2, 2)
    np.testing.assert_array_equal(near.values, whole.values[:, :, 1:3, 1:3])
    with pytest.raises(ScenarioError, match=r"radius_m = 2000\.0: expected a circle that reaches .* km north"):
        read_field(CurrentField(file=path, origin_lat_deg=10.0, origin_lon_deg=5.05, radius_m=2000.0))


def test_a_run_may_start_later_and_needs_only_its_times(tmp_path):
    path, start_time = save(ocean(), tmp_path), "2024-05-01T01:30Z"
    field = CurrentField(file=path, origin_lat_deg=60.0, origin_lon_deg=5.0, start_time=start_time)
    assert field.cover.time_s == (-1.5 * HOUR, 1.5 * HOUR)
    np.testing.assert_array_equal(field.grid(60.0).times, [-0.5 * HOUR, 1.5 * HOUR])
    later = velocity_at([field], (0.0, 0.0, 5.0), 60.0)
    start = CurrentField(file=field.file, origin_lat_deg=60.0, origin_lon_deg=5.0)
    np.testing.assert_allclose(later, velocity_at([start], (0.0, 0.0, 5.0), 1.5 * HOUR + 60.0), atol=1e-13)


def test_a_field_without_time_is_steady(tmp_path):
    data = ocean().isel(time=1, drop=True)
    field = CurrentField(file=save(data, tmp_path), origin_lat_deg=60.0, origin_lon_deg=5.0)
    check_cover(field, 1e9)
    velocities = velocity_at([field], (0.0, 0.0, 5.0), [0.0, 1e6])
    expected = [float(data[name].sel(lat=60.0, lon=5.0, depth=5.0)) for name in ("vo", "uo", "wo")]
    np.testing.assert_allclose(velocities, [np.array(expected) * (1, 1, -1)] * 2, atol=1e-14)


def test_packed_integers_and_centimetres(tmp_path):
    """Models pack to 16 bits with a scale factor; half a step of 1e-4 m/s is what that costs."""
    data = ocean(vertical=False) * 100.0
    for name in data:
        data[name].attrs["units"] = "cm s-1"
    path = tmp_path / "packed.nc"
    packing = {"dtype": "int16", "scale_factor": 0.02, "_FillValue": -32768}
    data.to_netcdf(path, engine="h5netcdf", encoding={name: packing for name in data})
    grid = read_field(CurrentField(file=str(path), origin_lat_deg=60.0, origin_lon_deg=5.0))
    np.testing.assert_allclose(grid.values[..., 1], data.uo.values / 100.0, atol=1.01e-4)


def test_missing_values_are_counted_and_placed_or_filled(tmp_path):
    data = ocean()
    data.uo.values[1:, 3, 2, 0] = np.nan
    given = {"file": save(data, tmp_path), "origin_lat_deg": 60.0, "origin_lon_deg": 5.0}
    message = (
        r"has 2 of 144 velocities missing, the first at 3600 s, depth 60 m, 22282.5 m north, -11160 m east of the "
        r'origin; expected "zero", which takes them as water at rest'
    )
    with pytest.raises(ScenarioError, match=message):
        read_field(CurrentField(**given))
    filled = read_field(CurrentField(**given, fill="zero")).values
    np.testing.assert_array_equal(filled[1:, 3, 2, 0], 0.0)
    assert (filled == 0.0).sum() == 6


def test_the_cover_is_known_and_checked(tmp_path):
    field = CurrentField(file=save(ocean(metres=True), tmp_path))
    assert field.cover.north_m == (-2000.0, 3000.0)
    assert field.cover.east_m == (-500.0, 2000.0)
    assert field.cover.depth_m[1] == 60.0
    assert field.cover.holds(0.0, 0.0, 0.0)  # above the first depth, 0.5 m, the water moves as there
    assert not field.cover.holds(0.0, 2001.0, 10.0)
    check_cover(field, 3.0 * HOUR, [(0.0, 0.0, 10.0)])
    with pytest.raises(ScenarioError, match=r"model.nc.*: covers 0 to 10800 s of the run, which needs 0 to 10801 s"):
        check_cover(field, 3.0 * HOUR + 1.0)
    with pytest.raises(
        ScenarioError, match=r"ends at -2000 to 3000 m north.*60 m depth; the vehicle is at 0 north, 0 east, 61"
    ):
        check_cover(field, 60.0, [(0.0, 0.0, 10.0), (0.0, 0.0, 61.0)])


@pytest.mark.slow
def test_a_changed_file_is_read_again(tmp_path):
    import os

    path = save(ocean(), tmp_path)
    field = CurrentField(file=path, origin_lat_deg=60.0, origin_lon_deg=5.0)
    before = read_field(field)
    assert read_field(field) is before
    save(ocean(seed=12), tmp_path)
    os.utime(path, ns=(1, 1))
    assert read_field(field).values[0, 0, 0, 0, 0] != before.values[0, 0, 0, 0, 0]


def test_a_field_too_large_for_memory(tmp_path, monkeypatch):
    monkeypatch.setattr("pelagos.world.current.field.MOST_NUMBERS", 400)
    field = CurrentField(file=save(ocean(), tmp_path), origin_lat_deg=60.0, origin_lon_deg=5.0)
    with pytest.raises(ScenarioError, match=r"current: radius_m.*a smaller piece of model.nc"):
        read_here(field)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"file": ""}, "current: file = .*the name of a NetCDF file"),
        ({"u": 3}, "current: u = 3: expected text"),
        ({"origin_lat_deg": 95.0}, "current: origin_lat_deg = 95.0: expected a number above -90 and below 90"),
        ({"origin_lon_deg": 400.0}, "current: origin_lon_deg = 400.0: expected a number from -360 to 360"),
        ({"radius_m": 0.0}, "current: radius_m = 0.0: expected a number above 0"),
        ({"fill": "nearest"}, 'current: fill = "nearest": .*"zero"'),
    ],
)
def test_bad_keys_are_one_sentence(given, message):
    with pytest.raises(ScenarioError, match=message):
        CurrentField(**{"file": "a.nc", **given})


def test_files_that_cannot_be_used(tmp_path):
    with pytest.raises(ScenarioError, match="no such file"):
        read_field(CurrentField(file=str(tmp_path / "none.nc")))
    field = CurrentField(file=save(ocean(), tmp_path), origin_lat_deg=60.0)
    with pytest.raises(
        ScenarioError, match=r"origin_lon_deg: is missing; expected the origin of the world: model.nc is on latitude"
    ):
        read_field(field)


NODES = {"time": [0], "depth": [0, 1], "north": [0], "east": [0, 1, 2]}


def stripped(data, *names):
    """The dataset without the standard names of some variables."""
    for name in names:
        data[name].attrs.pop("standard_name")
    return data


def test_standard_names_come_first(tmp_path):
    """A variable named u that is the wind is not taken."""
    data = ocean()
    data["u"] = data.uo.dims, data.uo.values + 20.0, {"standard_name": "eastward_wind", "units": "m s-1"}
    recognised = velocities(save(data, tmp_path))
    assert recognised.variables == {"east": ("uo", 1.0), "north": ("vo", 1.0), "down": ("wo", -1.0)}


def test_common_names_and_keys(tmp_path):
    data = stripped(ocean(), "uo", "vo", "wo").rename(uo="water_u", vo="V", wo="lift")
    path = save(data, tmp_path)
    assert velocities(path).variables == {"east": ("water_u", 1.0), "north": ("V", 1.0)}
    assert velocities(path, w="lift").variables["down"] == ("lift", -1.0)
    assert velocities(path, u="V", v="water_u").variables["east"] == ("V", 1.0)


def test_a_downward_velocity_keeps_its_sign(tmp_path):
    data = ocean()
    data.wo.attrs["standard_name"] = "downward_sea_water_velocity"
    assert velocities(save(data, tmp_path)).variables["down"] == ("wo", 1.0)


def test_reading_some_nodes(tmp_path):
    data = ocean()
    east_m_s = velocities(save(data, tmp_path)).read("east", NODES)
    np.testing.assert_array_equal(east_m_s, data.uo.values[:1, :2, :1, :3])


def test_a_velocity_that_is_not_there_is_zero(tmp_path):
    down_m_s = velocities(save(ocean(vertical=False), tmp_path)).read("down", NODES)
    np.testing.assert_array_equal(down_m_s, np.zeros((1, 2, 1, 3)))


@pytest.mark.parametrize(
    ("units", "factor"), [("knots", 0.514444), ("cm s^-1", 0.01), ("meter second-1", 1.0), ("m.s-1", 1.0)]
)
def test_units_of_speed(tmp_path, units, factor):
    data = ocean()
    data.uo.attrs["units"] = units
    assert velocities(save(data, tmp_path)).variables["east"][1] == pytest.approx(factor, rel=1e-6)


def test_times_without_a_date(tmp_path):
    data = ocean().assign_coords(time=("time", [1.0, 2.0, 4.0], {"units": "hours"}))
    path = save(data, tmp_path)
    np.testing.assert_allclose(velocities(path).axes["time"], [0.0, 3600.0, 10800.0], atol=1e-9)
    np.testing.assert_allclose(velocities(path, start_time="2").axes["time"], [-3600.0, 0.0, 7200.0], atol=1e-9)
    with pytest.raises(ScenarioError, match=r'start_time = "noon": expected a number on the axis time of model.nc'):
        velocities(path, start_time="noon")


def test_the_old_format(tmp_path):
    """NetCDF 3, as many older files are."""
    path = tmp_path / "old.nc"
    ocean().to_netcdf(path, engine="scipy", format="NETCDF3_64BIT")
    np.testing.assert_array_equal(velocities(str(path)).axes["depth"], DEPTHS)


def depth_axis(values=DEPTHS, **attrs):
    return lambda d: d.assign_coords(depth=("depth", values, attrs))


def without(name, key):
    def change(data):
        data[name].attrs.pop(key)
        return data

    return change


def with_units(name, units):
    def change(data):
        data[name].attrs["units"] = units
        return data

    return change


def staggered(data):
    return data.assign(vo=data.vo.rename(lat="latv").assign_coords(latv=data.lat.values))


def twice(data):
    return data.assign(uo2=data.uo)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "message"),
    [
        (without("uo", "units"), "gives uo no units; expected a speed such as m s-1"),
        (with_units("vo", "kg"), 'gives vo in "kg"; expected a speed'),
        (without("lat", "units"), "gives lat no units; expected degrees_north"),
        (depth_axis(positive="down"), "gives depth no units; expected a length such as m"),
        (depth_axis(positive="down", units="dbar"), 'gives depth in "dbar"; expected a length'),
        (lambda d: depth_axis(units="m")(d).rename(depth="z"), "gives z no attribute positive"),
        (
            depth_axis([0.0, 5.0, 2.0, 9.0], units="m", positive="down"),
            "an axis depth; expected one that rises or falls",
        ),
        (lambda d: d.assign_coords(time=("time", [0.0, 1.0, 2.0])), "gives time no units; expected units such as"),
        (lambda d: d.drop_vars("lat"), "has no coordinate for the dimension lat"),
        (
            lambda d: d.rename(lat="s_rho").assign_coords(s_rho=[0, 1, 2]),
            "a dimension s_rho; expected one of time, depth",
        ),
        (staggered, "has uo, vo, wo on different axes"),
        (twice, r"u: model.nc has several variables eastward_sea_water_velocity; expected one of uo, uo2"),
        (lambda d: d.drop_vars("uo"), "u: model.nc has no eastward_sea_water_velocity; expected one of vo, wo"),
        (
            lambda d: d.rename(lat="y").assign_coords(y=("y", [0.0, 1.0, 2.0], {"units": "m"})),
            "has degrees and metres on its axes",
        ),
    ],
)
def test_what_a_file_lacks_is_one_sentence(tmp_path, change, message):
    path = save(change(ocean()), tmp_path)
    with pytest.raises(ScenarioError, match=message) as error:
        velocities(path)
    assert re.match(r'current: (file = "model\.nc": |u: model\.nc )', str(error.value))
    assert "\n" not in str(error.value)


def test_two_axes_of_one_kind(tmp_path):
    data = ocean().rename(depth="lev", lat="level")
    data = data.assign_coords(
        lev=("lev", DEPTHS, {"units": "m", "positive": "down"}),
        level=("level", [0.0, 1.0, 2.0], {"units": "m", "positive": "down"}),
    )
    with pytest.raises(ScenarioError, match="has two axes of depth, lev and level"):
        velocities(save(data, tmp_path))


def test_a_key_that_names_no_variable(tmp_path):
    with pytest.raises(
        ScenarioError, match=r'current: u = "uoo": expected a variable of model.nc: uo, vo, wo; did you mean "uo"'
    ):
        velocities(save(ocean(), tmp_path), u="uoo")


def test_a_start_time_that_is_no_date(tmp_path):
    with pytest.raises(ScenarioError, match=r'current: start_time = "May": expected a date and time such as'):
        velocities(save(ocean(), tmp_path), start_time="May")


def test_a_file_that_is_no_netcdf(tmp_path):
    path = tmp_path / "model.nc"
    path.write_text("north east down")
    with pytest.raises(ScenarioError, match="is not a NetCDF file"):
        velocities(str(path))
    path.write_bytes(b"\x89HDF\r\n\x1a\n" + bytes(100))
    with pytest.raises(ScenarioError, match="cannot be read: "):
        velocities(str(path))


def test_missing_packages_are_named(tmp_path, monkeypatch):
    path = save(ocean(), tmp_path)
    monkeypatch.setattr(netcdf, "find_spec", lambda name: None if name in ("h5netcdf", "netCDF4") else sys)
    with pytest.raises(MissingExtraError, match=r"needs the package h5netcdf; .*\.\[world\]"):
        velocities(path)
    monkeypatch.setattr(netcdf, "find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match="a current from a NetCDF file needs the package xarray"):
        velocities(path)
