"""The library of vehicles: every file loads, the list is fast and complete, an unknown name gets the nearest."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from pelagos import files
from pelagos.errors import VehicleFileError
from pelagos.files.library import VEHICLES
from pelagos.vehicle import library
from pelagos.vehicle.load.vehicle import load_vehicle
from tests.vehicle.plain import PLAIN


@pytest.mark.slow
def test_library_list_is_complete():
    entries = library.list_vehicles()
    assert [entry.key for entry in entries] == VEHICLES.names()
    assert not [entry.evidence for entry in entries if entry.evidence.startswith("does not load")]
    assert all(entry.mass_kg > 0.0 and entry.length_m > 0.0 and entry.actuators for entry in entries)


@pytest.mark.slow
def test_the_mass_listed_includes_ballast():
    """Published masses of whole vehicles: 147.6 kg with battery and drop weight, 70.10 kg with the moving mass."""
    mass = {entry.key: entry.mass_kg for entry in library.list_vehicles()}
    assert mass["lrauv_tethys"] == pytest.approx(147.57, abs=0.01)  # digits of the file
    assert mass["slocum"] == pytest.approx(70.10, abs=1e-9)
    assert mass["phoenix"] == load_vehicle("phoenix").body.mass_kg


@pytest.mark.slow
def test_listing_does_not_wait_for_the_compiled_engine():
    code = "import sys; from pelagos.vehicle import library; library.list_vehicles(); print('numba' in sys.modules)"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=Path(__file__).parents[2])
    assert ran.stdout.strip() == "False", ran.stderr


def test_a_broken_file_is_listed_with_its_fault(tmp_path, monkeypatch):
    (tmp_path / "broken.toml").write_text(PLAIN.replace("mass_kg", "mas_kg"))
    monkeypatch.setattr(files.library, "VEHICLES", replace(VEHICLES, folder=tmp_path))
    (entry,) = library.list_vehicles()
    assert entry.evidence.startswith("does not load: broken.toml: body.mas_kg: unknown key")


@pytest.mark.parametrize("key", VEHICLES.names())
def test_every_library_vehicle_loads(key):
    vehicle = load_vehicle(key)
    assert vehicle.body.mass_kg > 0.0
    assert (vehicle.added_mass == vehicle.added_mass.T).all()


def test_unknown_vehicle_gets_the_nearest_name(tmp_path, monkeypatch):
    (tmp_path / "bluerov2.toml").write_text(PLAIN)
    monkeypatch.setattr(files.library, "VEHICLES", replace(VEHICLES, folder=tmp_path))
    with pytest.raises(VehicleFileError, match=r'"blurov2": no vehicle of this name.* did you mean "bluerov2"'):
        load_vehicle("blurov2")
    assert load_vehicle("bluerov2").key == "bluerov2"
