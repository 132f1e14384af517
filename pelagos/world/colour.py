"""How far one sees in the water of a world, and what colour it has. For pictures only.

A black target of inherent contrast -1 fades against the water as C = -exp(-c r) along a level line of sight (Duntley
1963, after Koschmieder 1924). It is last seen at a contrast of 2 %, so c = ln(50) / visibility = 3.9 / visibility.
"""

from __future__ import annotations

import math

from pelagos.errors import ScenarioError, nearest
from pelagos.messages import is_number
from pelagos.world.named import said

THRESHOLD = 0.02  # smallest contrast that is seen
Colour = tuple[float, float, float]
COLOURS: dict[str, Colour] = {  # of the light that comes back from deep water, red, green, blue from 0 to 1
    "blue": (0.02, 0.15, 0.30),  # ocean, far from land
    "turquoise": (0.03, 0.27, 0.33),  # coastal, over sand
    "green": (0.05, 0.22, 0.17),  # coastal, with plankton
    "brown": (0.20, 0.17, 0.09),  # harbours and rivers
    "clear": (0.20, 0.42, 0.50),  # a lit basin
}


def attenuation_1_m(visibility_m: float) -> float:
    """c of exp(-c r), 1/m: contrast falls to 2 % at the visibility."""
    return -math.log(THRESHOLD) / visibility_m


def rgb(colour: object) -> Colour:
    """Red, green and blue from 0 to 1 of a colour by name or by numbers."""
    if isinstance(colour, str):
        if colour not in COLOURS:
            expected = f"expected one of {', '.join(COLOURS)}, or three numbers from 0 to 1"
            raise ScenarioError("world", "water_colour", colour, expected, nearest(colour, list(COLOURS)))
        return COLOURS[colour]
    numbers = colour if isinstance(colour, tuple | list) else ()
    if len(numbers) != 3 or not all(is_number(one) and 0.0 <= one <= 1.0 for one in numbers):
        raise ScenarioError("world", "water_colour", said(colour), "three numbers from 0 to 1: red, green, blue")
    red, green, blue = numbers
    return float(red), float(green), float(blue)
