"""Raw tables to checked ones: units, provenance, merging, and what is missing."""

import pytest

from pelagos.errors import VehicleFileError
from pelagos.vehicle.load.keys import VEHICLE
from pelagos.vehicle.load.tables import merge, place, read_table, require

BODY = VEHICLE.tables["body"]


def body(file="a.toml", **raw):
    return read_table(raw, BODY, file, "body")


def test_numbers_come_out_in_si_and_keep_what_was_written():
    table = body(weight_lbf=100, cg_in=[1, 0, 2])
    assert table.get("weight") == pytest.approx(444.8221615260, rel=1e-12)  # 100 x 0.45359237 x 9.80665
    assert table.get("cg") == pytest.approx((0.0254, 0.0, 0.0508), rel=1e-15)
    assert table.values["weight"].raw == 100
    assert table.key("weight") == "body.weight_lbf"
    assert table.get("volume", "none") == "none" and "volume" not in table


def test_an_entry_overrides_the_provenance_of_its_table():
    table = body(source="A", confidence="high", mass_kg={"value": 1.0, "confidence": "low"}, volume_m3=1.0)
    mass, volume = table.values["mass"], table.values["volume"]
    assert (mass.source, mass.confidence) == ("A", "low")
    assert (volume.source, volume.confidence) == ("A", "high")


def test_merging_replaces_the_rivals_of_a_quantity_and_keeps_files_apart():
    merged = merge(body("a.toml", mass_kg=1.0, volume_m3=2.0), body("b.toml", weight_N=5.0))
    assert "mass" not in merged  # mass and weight say the same
    assert merged.values["weight"].file == "b.toml" and merged.values["volume"].file == "a.toml"
    with pytest.raises(VehicleFileError, match=r"^a\.toml: body\.volume_m3 = 2\.0: wrong$"):
        merged.fail("volume", "wrong")


def test_lists_are_replaced_and_tables_merged():
    base = read_table({"flag": [{"text": "a"}, {"text": "b"}], "water": {"density_kg_m3": 1000.0}}, VEHICLE, "a.toml")
    over = read_table({"flag": [{"text": "c"}], "water": {"gravity_m_s2": 9.8}}, VEHICLE, "b.toml")
    merged = merge(base, over)
    assert [row.get("text") for row in merged.lists["flag"]] == ["c"]
    assert set(merged.table("water").values) == {"density", "gravity"}


def test_a_table_can_be_placed_elsewhere_with_what_is_inside():
    part = read_table({"propeller": {"diameter_m": 0.1, "kt0": 0.4}}, VEHICLE.tables["thrusters"], "p.toml")
    moved = place(part, "thrusters[2]")
    assert moved.tables["propeller"].key("kt0") == "thrusters[2].propeller.kt0"


def test_what_is_missing_is_named_with_its_path():
    root = read_table({"name": "x", "class": "y", "supplies": [{"name": "pump"}]}, VEHICLE, "a.toml")
    with pytest.raises(VehicleFileError, match=r"^a\.toml: supplies\[0\]\.limit_N: is missing$"):
        require(root)


@pytest.mark.parametrize("number", [1e21, -1e21, float("inf"), float("nan")])
def test_no_number_is_beyond_all_proportion(number):
    with pytest.raises(VehicleFileError, match=r"expected sizes|finite"):
        body(net_buoyancy_N=number)


def test_a_count_that_sets_the_size_of_work_has_a_most():
    with pytest.raises(
        VehicleFileError, match=r"free_surface.points = 10000000000: expected a number of at most 1e\+06"
    ):
        read_table({"free_surface": {"points": 10**10}}, VEHICLE, "a.toml")
