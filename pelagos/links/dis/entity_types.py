"""DIS entity types: the type of each vehicle class in the library, and a name and typical size for received types.

Every type has country 225, United States, because SISO-REF-010 defines the subcategories AUV and ROV only there and
other programs recognise those types. An exercise may agree on other types.
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
    """Return the DIS type of a vehicle class; one missing from `TYPES` is an ROV or AUV if its name contains that."""
    if vehicle_class in TYPES:
        return TYPES[vehicle_class]
    words = vehicle_class.upper().split()
    return ROV if "ROV" in words else AUV if "AUV" in words else EntityType(1, 4, USA, UUV)


class EntitySize(NamedTuple):
    """Approximate length, beam and height in m, used for drawing and for sonar echoes: DIS transmits no size."""

    length_m: float
    beam_m: float
    height_m: float


_KINDS = {
    0: "thing", 1: "platform", 2: "munition", 3: "life form", 4: "environment", 5: "cultural feature", 6: "supply",
    7: "radio", 8: "expendable", 9: "sensor",
}  # fmt: skip
_DOMAINS = {0: "", 1: "land vehicle", 2: "aircraft", 3: "ship", 4: "submarine", 5: "spacecraft"}
_SUBSURFACE = {7: "submersible", UUV: "underwater robot", 80: "civilian submarine", 81: "civilian submersible"}
_SIZES = {  # typical sizes, chosen by hand; they only have to be of the right order
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


def type_name(kind: EntityType) -> str:
    """Return a short English name of an entity type, such as "ROV", "ship" or "submarine"."""
    if kind.kind == 1 and kind.domain == 4 and kind.category == UUV:
        return {1: "AUV", 2: "ROV"}.get(kind.subcategory, "underwater robot")
    if kind.kind == 1 and kind.domain == 4:
        return _SUBSURFACE.get(kind.category, "submarine")
    if kind.kind == 1:
        return _DOMAINS.get(kind.domain, "") or "platform"
    if kind.kind == 3:
        return "diver" if kind.domain == 4 else "life form"
    return _KINDS.get(kind.kind, "thing")


def typical_size(kind: EntityType) -> EntitySize:
    """Return the typical size of an entity type, a cube of 1 m if its name has none."""
    return _SIZES.get(type_name(kind), SMALL)
