"""Which variables and axes of a NetCDF file are used, and the error messages for unusable ones."""

import sys

import numpy as np
import pytest

pytest.importorskip("xarray")
pytest.importorskip("h5netcdf")

from pelagos.errors import MissingExtraError, ScenarioError
from pelagos.files import netcdf
from pelagos.world.current.field import velocities
from tests.world.ocean_model import DEPTHS, ocean, save

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
    assert str(error.value).startswith("current: ") and "model.nc" in str(error.value)
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
