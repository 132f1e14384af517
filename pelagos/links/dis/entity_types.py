"""What an entity is: the DIS type of each class of vehicle of the library, and words and sizes for what others send.

The country of the types is 225, United States, for every vehicle: SISO-REF-010 gives out the subcategories AUV and ROV
there, and a type that others know is worth more to them than the right flag. An exercise may agree on others.
"""

from __future__ import annotations

from typing import NamedTuple

from pelagos.links.dis.wire.records import EntityType

USA = 225
UUV = 8  # category of subsurface platforms: unmanned underwater vehicle
AUV = EntityType(1, 4, USA, UUV, 1)
ROV = EntityType(1, 4, USA, UUV, 2)
RESCUE_SUBMERSIBLE = EntityType(1, 4, USA, 7, 3)
TYPES = {  # by the class in the vehicle's file
    "inspection ROV": ROV,
    "work-class ROV": ROV,
    "hovering AUV": AUV,
    "torpedo AUV": AUV,
    "long-range AUV": AUV,
    "large AUV": AUV,
    "glider": AUV,
    "manned submersible": RESCUE_SUBMERSIBLE,
    "submarine model": EntityType(1, 4, USA, UUV),
}


def type_of(vehicle_class: str) -> EntityType:
    """The type of a class of vehicle; one that is not in the table is an unmanned vehicle, ROV or AUV by its name."""
    if vehicle_class in TYPES:
        return TYPES[vehicle_class]
    words = vehicle_class.upper().split()
    return ROV if "ROV" in words else AUV if "AUV" in words else EntityType(1, 4, USA, UUV)


class EntitySize(NamedTuple):
    """A rough length, beam and height (m), for drawing and for echoes: DIS does not say how large an entity is."""

    length_m: float
    beam_m: float
    height_m: float


_KINDS = {
    0: "thing", 1: "platform", 2: "munition", 3: "life form", 4: "environment", 5: "cultural feature", 6: "supply",
    7: "radio", 8: "expendable", 9: "sensor",
}  # fmt: skip
_DOMAINS = {0: "", 1: "land vehicle", 2: "aircraft", 3: "ship", 4: "submarine", 5: "spacecraft"}
_SUBSURFACE = {7: "submersible", UUV: "underwater robot", 80: "civilian submarine", 81: "civilian submersible"}
_BULK = {
    "underwater robot": EntitySize(2.0, 0.5, 0.5),
    "AUV": EntitySize(2.0, 0.3, 0.3),
    "ROV": EntitySize(1.5, 1.0, 1.0),
    "submersible": EntitySize(15.0, 2.5, 2.5),
    "civilian submarine": EntitySize(20.0, 4.0, 4.0),
    "civilian submersible": EntitySize(8.0, 3.0, 3.0),
    "submarine": EntitySize(100.0, 10.0, 10.0),
    "ship": EntitySize(100.0, 15.0, 10.0),
    "aircraft": EntitySize(15.0, 12.0, 4.0),
    "land vehicle": EntitySize(6.0, 3.0, 2.5),
    "spacecraft": EntitySize(5.0, 5.0, 5.0),
    "munition": EntitySize(3.0, 0.3, 0.3),
    "diver": EntitySize(1.8, 0.6, 0.4),
    "life form": EntitySize(0.4, 0.6, 1.8),
}
SMALL = EntitySize(1.0, 1.0, 1.0)


def words(kind: EntityType) -> str:
    """What an entity is, in a word or two: "ROV", "ship", "submarine"."""
    if kind.kind == 1 and kind.domain == 4 and kind.category == UUV:
        return {1: "AUV", 2: "ROV"}.get(kind.subcategory, "underwater robot")
    if kind.kind == 1 and kind.domain == 4:
        return _SUBSURFACE.get(kind.category, "submarine")
    if kind.kind == 1:
        return _DOMAINS.get(kind.domain, "") or "platform"
    if kind.kind == 3:
        return "diver" if kind.domain == 4 else "life form"
    return _KINDS.get(kind.kind, "thing")


def bulk(kind: EntityType) -> EntitySize:
    """How large such an entity is, roughly."""
    return _BULK.get(words(kind), SMALL)
