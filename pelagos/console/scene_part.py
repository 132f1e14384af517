"""One piece of the picture of a vehicle, and the colours that pieces have (Okabe and Ito's, and greys)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from pelagos.geometry.mesh import Mesh

YELLOW, BLUE, ORANGE = "#E8B80C", "#0072B2", "#D55E00"
BLACK, GREY, SILVER = "#23282E", "#4A525B", "#B8C2CC"
GLASS, LIGHT = "#0B1E2D", "#FFF4D6"


@dataclass(frozen=True)
class Part:
    """A closed surface in body axes. kind: hull, frame, float, thruster, fin, camera or lamp."""

    kind: str
    mesh: Mesh
    colour: str
    more: dict[str, Any] = field(default_factory=dict)  # what moves it: names, hinges
