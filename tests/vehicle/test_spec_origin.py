"""Where numbers come from: facts, sources and checks hold what the file says of them."""

from pelagos.vehicle.load.vehicle import loads
from pelagos.vehicle.spec import Check, Fact, Source
from tests.vehicle.plain import PLAIN

SOURCED = 'mass_kg = { value = 100.0, source = "BOOK", confidence = "low", note = "p. 3" }'
MORE = """
[sources.BOOK]
cite = "A Book"
licence = "free"
[[check]]
id = "weight"
kind = "analytic"
what = "mass times gravity"
value = 980.665
unit = "N"
tolerance = 1e-6
source = "BOOK"
"""
TEXT = PLAIN.replace("mass_kg = 100.0", SOURCED) + MORE


def test_a_fact_is_the_number_as_written_with_its_provenance():
    vehicle = loads(TEXT)
    assert Fact("body.mass_kg", 100.0, "kg", "BOOK", "low", "p. 3") in vehicle.facts
    assert vehicle.sources == (Source("BOOK", "A Book", "free"),)


def test_a_check_is_only_documented_unless_it_names_a_procedure():
    (check,) = loads(TEXT).checks
    assert check == Check("weight", "analytic", "mass times gravity", 980.665, "N", 1e-6, "BOOK")
    assert (check.test, check.known, check.setup) == ("", "", {})
