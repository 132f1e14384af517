"""The ledger of a vehicle: every number with its path, unit and source, or with how it was derived."""

from pathlib import Path

import pytest

from pelagos.errors import VehicleFileError
from pelagos.files.reader import Place, read_table
from pelagos.vehicle.load.keys import VEHICLE
from pelagos.vehicle.load.ledger import Ledger


def table(**raw):
    return read_table({"name": "x", "class": "y", **raw}, VEHICLE, Place("a.toml", Path(), error=VehicleFileError))


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
