"""Gridded currents: the kernel against xarray's interpolation, positions on the ellipsoid, refused files."""

import numpy as np
import pytest

pytest.importorskip("xarray")
pytest.importorskip("h5netcdf")

from pelagos.errors import ScenarioError
from pelagos.world.current.field import CurrentField, metres_per_degree, read_field, read_here
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
    with pytest.raises(ScenarioError, match="km north of the origin, outside radius_m"):
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
        ({"origin_lat_deg": 95.0}, "current: origin_lat_deg = 95.0: expected a latitude between -90 and 90"),
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
