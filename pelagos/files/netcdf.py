"""Read NetCDF files in a child process with a time limit, because a damaged file can make the HDF5 library loop."""

from __future__ import annotations

import os
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

from pelagos.errors import MissingExtraError, PelagosError, foreign_text
from pelagos.files.child import in_child
from pelagos.files.source import why_not

SECONDS, BYTES_PER_SECOND = 60.0, 1e7  # time limit: a minute, plus the time of a slow disk for a large file
READERS = {b"CDF": ("scipy", "netCDF4"), b"\x89HD": ("h5netcdf", "netCDF4")}  # by the first bytes: NetCDF 3, NetCDF 4
Refuse = Callable[..., PelagosError]  # called with message and expected of the error


def read_netcdf(file: str, feature: str, refuse: Refuse, function: Callable[..., Any], *arguments: object) -> Any:
    """Return the result of `function(*arguments)`, a module-level function that opens the file, called in a child.

    Args:
        file: the NetCDF file.
        feature: the feature that needs it, for the error about a missing package.
        refuse: makes the error from a description of the fault.
        function: called in the child process.
        arguments: of the function.
    """
    engine_of(file, feature, refuse)  # before the child starts: a missing package is an error of this process
    try:
        return in_child(SECONDS + os.path.getsize(file) / BYTES_PER_SECOND, refuse, function, *arguments)
    except PelagosError:
        raise
    except Exception as error:  # the libraries raise many kinds of exceptions for a damaged file
        raise refuse(f"cannot be read: {foreign_text(error)}") from None


def engine_of(file: str, feature: str, refuse: Refuse) -> str:
    """Return the installed xarray engine for a file."""
    if not find_spec("xarray"):
        raise MissingExtraError("xarray", feature, "world")
    why = why_not(file)
    if why:
        raise refuse(**why)
    with open(file, "rb") as stream:
        start = stream.read(3)
    if start not in READERS:
        raise refuse("is not a NetCDF file")
    reader = next((name for name in READERS[start] if find_spec(name)), None)
    if reader is None:
        raise MissingExtraError(READERS[start][0], feature, "world")
    return reader.lower()  # xarray's engine of the package netCDF4 is "netcdf4"


def open_netcdf(file: str, feature: str, refuse: Refuse, **decode: Any) -> Any:
    """Open the file as an xarray dataset."""
    import xarray

    engine: Any = engine_of(file, feature, refuse)
    try:
        return xarray.open_dataset(file, engine=engine, **decode)
    except Exception as error:  # the libraries raise many kinds of exceptions for a damaged file
        raise refuse(f"cannot be read: {foreign_text(error)}") from None
