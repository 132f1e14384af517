"""Entity types of vehicles, and names and sizes of received entity types."""

import pytest

from pelagos.links.dis.entity_types import SMALL, TYPES, type_name, type_of, typical_size
from pelagos.links.dis.wire.records import EntityType
from pelagos.vehicle.library import list_vehicles


def test_every_vehicle_of_the_library_has_a_type_of_its_class():
    for vehicle in list_vehicles():
        assert vehicle.vehicle_class in TYPES, vehicle.key
        entity_type = type_of(vehicle.vehicle_class)
        assert (entity_type.kind, entity_type.domain) == (1, 4), vehicle.key  # a platform, below the surface


@pytest.mark.parametrize(
    ("vehicle_class", "text"),
    [
        ("inspection ROV", "1:4:225:8:2:0:0"),
        ("torpedo AUV", "1:4:225:8:1:0:0"),
        ("glider", "1:4:225:8:1:0:0"),
        ("manned submersible", "1:4:225:7:3:0:0"),
        ("my own ROV", "1:4:225:8:2:0:0"),
        ("my own AUV", "1:4:225:8:1:0:0"),
        ("bathysphere", "1:4:225:8:0:0:0"),
    ],
)
def test_types_of_classes(vehicle_class, text):
    assert str(type_of(vehicle_class)) == text


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("1:4:225:8:1", "AUV"),
        ("1:4:45:8:2", "ROV"),
        ("1:4:225:8:77", "underwater robot"),
        ("1:4:225:3:1", "submarine"),
        ("1:4:225:81", "civilian submersible"),
        ("1:3:225:6", "ship"),
        ("1:2:225:1", "aircraft"),
        ("1:0:0:0", "platform"),
        ("1:99:0:0", "platform"),
        ("2:7:225:1", "munition"),
        ("3:4:0:0", "diver"),
        ("3:1:0:0", "life form"),
        ("0:0:0:0", "thing"),
        ("200:0:0:0", "thing"),
    ],
)
def test_words_for_types(text, word):
    assert type_name(EntityType.of(text)) == word


def test_sizes_are_in_the_order_of_what_they_are():
    robot, submarine, ship = (typical_size(EntityType.of(text)) for text in ("1:4:225:8:2", "1:4:225:3", "1:3:225:6"))
    assert max(robot) < 5.0 < min(submarine) and ship.length_m > 20.0
    assert typical_size(EntityType()) == SMALL
    assert all(0.1 < side < 1000.0 for kind in range(12) for side in typical_size(EntityType(kind, 4)))
