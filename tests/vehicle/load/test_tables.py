"""Raw tables to checked ones: units, merging, missing keys, errors passed on, and the record of provenance."""

import pytest

from pelagos.errors import PelagosError, VehicleFileError
from pelagos.vehicle.load.keys import VEHICLE
from pelagos.vehicle.load.tables import Ledger, merge, place, read_table, require

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
    assert "mass" not in merged  # mass and weight define the same
    assert merged.values["weight"].file == "b.toml" and merged.values["volume"].file == "a.toml"
    with pytest.raises(VehicleFileError, match=r"^a\.toml: body\.volume_m3 = 2\.0: wrong$"):
        merged.fail("volume", "wrong")


@pytest.mark.parametrize(
    ("problem", "sentence"),
    [
        (PelagosError("no such file", file="hull.stl"), "a.toml: body.volume_L = 5: no such file"),
        (PelagosError(key="radius_m", value=0, expected="more"), "a.toml: body.volume_L: radius_m = 0: expected more"),
        (PelagosError(key="volume_L", value=5.0, expected="more"), "a.toml: body.volume_L = 5: expected more"),
    ],
)
def test_a_caught_error_keeps_its_fields_and_gets_file_and_key(problem, sentence):
    with pytest.raises(VehicleFileError) as caught:
        body(volume_L=5).fail_because("volume", problem)
    assert str(caught.value) == sentence
    assert (caught.value.message, caught.value.expected) == (problem.message, problem.expected)


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


def table(**raw):
    return read_table({"name": "x", "class": "y", **raw}, VEHICLE, "a.toml")


def facts(ledger):
    return {fact.path: fact for fact in ledger.facts}


def test_numbers_are_taken_up_with_path_unit_and_source():
    ledger = Ledger()
    ledger.read(table(body={"mass_slug": {"value": 2.0, "source": "scales", "confidence": "high"}, "neutral": True}))
    fact = facts(ledger)["body.mass_slug"]
    assert (fact.value, fact.unit, fact.source, fact.confidence) == (2.0, "slug", "scales", "high")
    assert set(facts(ledger)) == {"body.mass_slug"}  # flags and names are no numbers


def test_coefficients_have_the_unit_of_their_monomial():
    ledger = Ledger()
    ledger.read(table(hydro={"coefficients": {"Y_uv": -1.0, "N_r": -1.0}}))
    assert facts(ledger)["hydro.coefficients.Y_uv"].unit == "kg/m"
    prime = Ledger()
    prime.read(table(hydro={"nondimensional": "prime", "coefficients": {"Y_uv": -1.0}}))
    assert facts(prime)["hydro.coefficients.Y_uv"].unit == "prime"


def test_a_default_is_noted_only_where_it_is_used():
    ledger, root = Ledger(), table(water={"density_kg_m3": 1000.0})
    assert ledger.default(root.table("water"), "density", 1025.0, "kg/m3") == 1000.0
    assert ledger.default(root.table("water"), "gravity", 9.8, "m/s2") == 9.8
    (fact,) = ledger.facts
    assert (fact.path, fact.value, fact.how) == ("water.gravity_m_s2", 9.8, "default")


def test_derived_numbers_say_how():
    ledger = Ledger()
    ledger.derived("body.volume_m3", 0.1, "m3", "mass / density")
    assert (ledger.facts[0].confidence, ledger.facts[0].how) == ("derived", "mass / density")


def test_a_source_that_is_nearly_a_key_is_a_slip_and_plain_words_are_not():
    sources = {"HEALEY": {"cite": "a paper"}}
    Ledger().read(table(sources=sources, body={"mass_kg": {"value": 1.0, "source": "our own scales"}}))
    with pytest.raises(VehicleFileError, match='"HEALY" is not in \\[sources\\]; did you mean "HEALEY"'):
        Ledger().read(table(sources=sources, body={"mass_kg": {"value": 1.0, "source": "HEALY"}}))
