"""Damaged NetCDF files give one sentence, whatever error the reader raises."""

from pathlib import Path

import pytest

pytest.importorskip("xarray")
pytest.importorskip("h5netcdf")

from pelagos.errors import MissingExtraError, ScenarioError
from pelagos.files import netcdf
from pelagos.world.seabed.depth_files import read_soundings
from tests.world.ocean_model import ocean, save


@pytest.mark.slow
def test_one_changed_byte_makes_hdf5_loop_for_ever_and_its_reader_is_ended(monkeypatch):
    monkeypatch.setattr(netcdf, "SECONDS", 3.0)
    with pytest.raises(ScenarioError, match=r"hdf5_loops.nc.*cannot be read: its reader took more than 3 s"):
        read_soundings(str(Path(__file__).parents[1] / "data" / "hdf5_loops.nc"))


def test_files_cut_short_or_of_another_kind(tmp_path):
    whole = (tmp_path / "model.nc", save(ocean(), tmp_path))[0].read_bytes()
    for name, data in (("cut.nc", whole[: len(whole) // 2]), ("none.nc", b""), ("text.nc", b"CDF\x01 and no more")):
        (tmp_path / name).write_bytes(data)
        with pytest.raises(ScenarioError, match=f"{name}.*(cannot be read|is not a NetCDF file)"):
            read_soundings(str(tmp_path / name))


def test_a_reader_that_is_not_installed(tmp_path, monkeypatch):
    monkeypatch.setattr(netcdf, "find_spec", lambda name: name == "xarray")
    with pytest.raises(MissingExtraError, match="a bottom from a NetCDF file needs the package h5netcdf"):
        read_soundings(save(ocean(), tmp_path))
