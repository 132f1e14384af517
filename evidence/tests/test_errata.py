"""The errata are complete, and a mistake in the file raises an error of one sentence."""

import re
from dataclasses import fields

import pytest

from pelagos.engine.core.integrate import METHODS
from pelagos.errors import FileError
from pelagos.files.library import VEHICLES
from pelagos.sensors.sound.navigation_sonar import NavigationSonar
from pelagos.tether.spec import Cable
from pelagos.vehicle.spec import Fin, ReferenceWater, Vehicle
from pelagos_evidence.documents import DOCUMENTS
from pelagos_evidence.errata import FILE, WEIGHTS, errata, parse, sources


def test_every_document_has_its_own_and_keys_follow():
    first = {"brutzman": "B", "hunt": "H", "nav": "N", "royer": "R", "gavia": "G"}
    for name in DOCUMENTS:
        keys = [key for key, entry in errata().items() if entry.document == name]
        assert len(keys) >= 15
        assert all(re.fullmatch(rf"{first[name]}\d+[a-z]?", key) for key in keys), keys
    assert all(key == entry.key for key, entry in errata().items())
    assert {entry.weight for entry in errata().values()} == set(WEIGHTS)


def test_known_ones_say_what_is_printed_and_what_is_right():
    yaw = errata()["B16"]
    assert (yaw.printed, yaw.right, yaw.weight) == ("-1.78E-1", "-1.78E-3", "physics")
    assert "B11" in errata()
    assert "6.64" in errata()["B11"].place


def test_each_can_be_read_beside_the_document():
    """Somebody who has only the document finds the place, what is printed there, how it is known and what is done."""
    for key, entry in errata().items():
        assert entry.reason.strip() and entry.used.strip(), key
        assert entry.place != entry.printed, key
        text = " ".join((entry.place, entry.printed, entry.right, entry.reason, entry.used))
        assert not re.search(r"\bm2c\b|\bOCR\b|\bRHS\b|see (above|below)|\.md\b", text), key
        for other in re.findall(r"\b[BHNRG]\d+\b", text):
            assert other in errata(), (key, other)


def test_files_steppers_and_settings_that_are_named_exist():
    settings = {field.name for kind in (Cable, NavigationSonar, ReferenceWater, Vehicle, Fin) for field in fields(kind)}
    known = {*VEHICLES.names(), *METHODS, *settings}
    for key, entry in errata().items():
        for words in re.findall(r"`([^`]+)`", entry.used):
            name = words.removeprefix("pelagos check ").split(" = ")[0]
            assert name in known, (key, words)


def test_reasons_cite_sources_that_are_listed():
    for entry in errata().values():
        for name in re.findall(r"\bS\d\b", f"{entry.reason} {entry.right} {entry.used} {entry.place}"):
            assert name in sources(), (entry.key, name)


GOOD = """[[erratum]]
key = "B1"
document = "hunt"
place = "p"
printed = "a"
right = "b"
reason = ""
used = ""
weight = "numbers"
"""


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('weight = "numbers"', 'weight = "number"', 'e.toml: B1.weight = "number": .*; did you mean "numbers"?'),
        ('document = "hunt"', 'document = "huns"', 'B1.document = "huns": expected one of .*; did you mean "hunt"?'),
        ('used = ""', 'usd = ""', 'B1.usd: no such key; did you mean "used"?'),
        ('right = "b"', 'right = ""', 'B1.right = "": expected some words'),
        ('right = "b"', "right = 3", "B1.right = 3: expected a text"),
        ('reason = ""\n', "", "B1.reason: expected a text"),
        ('key = "B1"', 'key = ""', "erratum 1: key = "),
        ("[[erratum]]", "[[errata]]", "errata: expected"),
        ("[[erratum]]", "[[erratum]", "not valid TOML"),
    ],
)
def test_a_mistake_is_one_sentence(old, new, message):
    assert parse(GOOD)[0]["B1"].right == "b"
    with pytest.raises(FileError, match=message) as caught:
        parse(GOOD.replace(old, new), "e.toml")
    assert "\n" not in str(caught.value)


def test_a_key_is_used_once():
    with pytest.raises(FileError, match='erratum 2: key = "B1": expected a key that no other has'):
        parse(GOOD + GOOD)
    assert parse(FILE.read_text(encoding="utf-8")) == (dict(errata()), dict(sources()))
