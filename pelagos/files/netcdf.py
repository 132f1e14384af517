"""NetCDF files, read in a process of their own with a time limit: one changed byte can make the HDF5 library loop."""

from __future__ import annotations

import os
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

from pelagos.errors import MissingExtraError, PelagosError, foreign_text
from pelagos.files.child import in_child
from pelagos.files.source import why_not

SECONDS, BYTES_PER_SECOND = 60.0, 1e7  # the time a file may take: a minute, and more for a large one
READERS = {b"CDF": ("scipy", "netCDF4"), b"\x89HD": ("h5netcdf", "netCDF4")}  # by the first bytes: of NetCDF 3 and 4
Refuse = Callable[[str], PelagosError]


def read_netcdf(file: str, feature: str, refuse: Refuse, function: Callable[..., Any], *arguments: object) -> Any:
    """What `function(*arguments)`, which opens the file, returns; it must be a function of a module.

    Args:
        file: the NetCDF file.
        feature: what needs it, for the sentence that a package is missing.
        refuse: makes the error from what is wrong with the file.
        function: called in the other process.
        arguments: of the function.
    """
    engine_of(file, feature, refuse)  # here: the sentence about a missing package is about this process
    try:
        return in_child(SECONDS + os.path.getsize(file) / BYTES_PER_SECOND, refuse, function, *arguments)
    except PelagosError:
        raise
    except Exception as error:  # its readers raise whatever they stumble over
        raise refuse(f"cannot be read: {foreign_text(error)}") from None


def engine_of(file: str, feature: str, refuse: Refuse) -> str:
    """The installed reader for a file."""
    if not find_spec("xarray"):
        raise MissingExtraError("xarray", feature, "world")
    why = why_not(file)
    if why:
        raise refuse(why)
    with open(file, "rb") as stream:
        start = stream.read(3)
    if start not in READERS:
        raise refuse("is not a NetCDF file")
    reader = next((name for name in READERS[start] if find_spec(name)), None)
    if reader is None:
        raise MissingExtraError(READERS[start][0], feature, "world")
    return reader.lower()


def open_netcdf(file: str, feature: str, refuse: Refuse, **decode: Any) -> Any:
    """The file as an xarray dataset."""
    import xarray

    engine: Any = engine_of(file, feature, refuse)
    try:
        return xarray.open_dataset(file, engine=engine, **decode)
    except Exception as error:  # its readers raise whatever they stumble over
        raise refuse(f"cannot be read: {foreign_text(error)}") from None
