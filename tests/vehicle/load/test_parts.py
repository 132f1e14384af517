"""Parts: thrusters and cables in one folder, told apart; bad files get one sentence."""

import pytest

from pelagos.errors import VehicleFileError
from pelagos.files.library import PARTS
from pelagos.vehicle.load.parts import parse, part_names, read_part
from pelagos.vehicle.load.vehicle import loads
from tests.vehicle.plain import PLAIN

SCREW = "[[thrusters]]\nposition_m = [0, 0, 0]\ndirection = [1, 0, 0]\n"


def test_every_part_is_a_thruster_a_cable_or_an_instrument():
    thrusters, cables, sensors = part_names("thruster"), part_names("cable"), part_names("sensor")
    assert {"t200", "delphin_tunnel"} <= set(thrusters)
    assert set(cables) >= {"neutral_35mm", "fathom_7_6mm", "work_umbilical"}
    assert set(sensors) >= {"bar30", "kvh_1750", "gps_m8"}
    assert sorted([*thrusters, *cables, *sensors]) == sorted(path.stem for path in PARTS.folder.glob("*.toml"))


@pytest.mark.parametrize("name", ["t200", "fathom_7_6mm"])
def test_a_part_is_read_as_its_own_kind_only(name):
    path = PARTS.folder / f"{name}.toml"
    kind, other = ("thruster", "cable") if name == "t200" else ("cable", "thruster")
    assert read_part(path, kind, path.name) is not None
    assert read_part(path, other, path.name) is None


def test_a_thruster_takes_its_part_and_a_cable_is_none():
    vehicle = loads(PLAIN + SCREW + 'part = "t200"', "body.toml")
    assert vehicle.thrusters[0].name == "t200_1"
    assert vehicle.thrusters[0].table[-1] == (1.0, 51.436)  # the maker's full thrust at 16 V
    assert "T200" in {source.key for source in vehicle.sources}
    with pytest.raises(VehicleFileError) as caught:
        loads(PLAIN + SCREW + 'part = "fathom_7_6mm"', "body.toml")
    sentence = str(caught.value)
    assert sentence.startswith(
        'body.toml: thrusters[0].part = "fathom_7_6mm": no such part; expected one of delphin_tunnel, t200'
    )
    assert "umbilical" not in sentence


def test_files_that_are_not_toml(tmp_path):
    with pytest.raises(VehicleFileError, match=r"a\.toml: not valid TOML"):
        loads("a = ", "a.toml")
    (tmp_path / "b.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(VehicleFileError, match=r"b\.toml: not a text file in UTF-8"):
        parse(tmp_path / "b.toml")
    with pytest.raises(VehicleFileError, match="no such file"):
        parse(tmp_path / "none.toml")
