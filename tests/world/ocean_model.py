"""A small ocean model's output, written as NetCDF the way such models write it."""

from __future__ import annotations

import numpy as np
import xarray

UNITS = {
    "time": {},
    "depth": {"units": "m", "positive": "down", "standard_name": "depth"},
    "lat": {"units": "degrees_north", "standard_name": "latitude"},
    "lon": {"units": "degrees_east", "standard_name": "longitude"},
    "y": {"units": "km", "standard_name": "projection_y_coordinate"},
    "x": {"units": "m", "standard_name": "projection_x_coordinate"},
}
SPEED = {"units": "m s-1"}
NAMES = {"uo": "eastward_sea_water_velocity", "vo": "northward_sea_water_velocity", "wo": "upward_sea_water_velocity"}
TIMES = np.array(["2024-05-01T00:00", "2024-05-01T01:00", "2024-05-01T03:00"], "datetime64[ns]")
DEPTHS = np.array([0.5, 5.0, 20.0, 60.0])
LATS, LONS = np.array([59.9, 60.0, 60.2]), np.array([4.8, 5.0, 5.1, 5.3])
YS, XS = np.array([-2.0, 0.0, 3.0]), np.array([-500.0, 0.0, 700.0, 2000.0])


def ocean(metres=False, vertical=True, seed=11):
    """A dataset of random velocities on uneven axes."""
    coords = {"time": TIMES, "depth": DEPTHS}
    coords |= {"y": YS, "x": XS} if metres else {"lat": LATS, "lon": LONS}
    rng, shape = np.random.default_rng(seed), tuple(len(axis) for axis in coords.values())
    names = list(NAMES)[: 3 if vertical else 2]
    data = {name: (tuple(coords), rng.normal(size=shape), {**SPEED, "standard_name": NAMES[name]}) for name in names}
    return xarray.Dataset(data, {name: (name, axis, UNITS[name]) for name, axis in coords.items()})


def save(dataset, folder, name="model.nc"):
    """The dataset as a NetCDF-4 file."""
    path = folder / name
    dataset.to_netcdf(path, engine="h5netcdf")
    return str(path)
