"""Numerical holds: coordinates that are reset to fixed values after each control interval, without any thruster.

These are the "false" controls of Royer's simulator (MIT 1985, 6.3), whose auto-depth, auto-heading and auto-position
"assign numerically a value to the associated variable, without using any thrusters": perfect control, and not a
physical one. The held coordinates are reset to their values, and their rates, in the frame of the coordinates, to zero.

    depth, place     of the velocity in NED, v_n = R nu_1, the held components are zeroed;  nu_1 = R^T v_n
    roll, pitch, heading   of the Euler rates the held ones are zeroed, (6.9)-(6.11) of Brutzman;  omega from the rest

The force of such a hold appears nowhere: no thruster turns, and no force in the log contains it. Between two control
ticks the vehicle moves freely, so that a held coordinate varies within one interval. Pitch is limited to 89.9 degrees:
at 90 degrees the rates of roll and heading are the same.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from pelagos.checks import Context, choice, number
from pelagos.errors import ScenarioError
from pelagos.frames import rotation_from_euler
from pelagos.vehicle.plant import Plant

Array = NDArray[np.float64]

NAMES = ("depth", "heading", "roll", "pitch", "place")
_QUANTITIES = {
    "depth": ("depth_m",),
    "heading": ("heading_deg",),
    "roll": ("roll_deg",),
    "pitch": ("pitch_deg",),
    "place": ("north_m", "east_m"),
}


@dataclass(frozen=True, kw_only=True)
class NumericalHold:
    """Coordinates that are held numerically, and their values; None is free.

    depth_m, north_m, east_m are those of the body origin; heading clockwise from north, pitch nose up, roll to
    starboard. A place needs both north and east.
    """

    depth_m: float | None = None
    heading_deg: float | None = None
    roll_deg: float | None = None
    pitch_deg: float | None = None
    north_m: float | None = None
    east_m: float | None = None

    def __post_init__(self) -> None:
        for item in fields(self):
            value = getattr(self, item.name)
            if value is not None:
                most = 89.9 if item.name == "pitch_deg" else 360.0 if item.name.endswith("_deg") else math.inf
                # the value as checked: the record is frozen once __post_init__ ends
                object.__setattr__(self, item.name, number(f"hold {item.name}", value, -most, most))
        if (self.north_m is None) != (self.east_m is None):
            missing = "north_m" if self.north_m is None else "east_m"
            raise ScenarioError(file="hold", key=missing, expected="a place: north_m and east_m, or neither")

    @classmethod
    def here(cls, plant: Plant, names: Sequence[str]) -> NumericalHold:
        """Hold `names`, some of depth, heading, roll, pitch and place, at their present values."""
        for name in names:
            choice("hold", name, NAMES, f"some of {', '.join(NAMES)}", context=Context(ScenarioError, "hold"))
        north, east, depth = plant.position_n.tolist()
        roll, pitch, heading = np.degrees(plant.euler).tolist()
        now = {
            "depth_m": depth, "heading_deg": heading, "roll_deg": roll, "pitch_deg": pitch, "north_m": north,
            "east_m": east,
        }  # fmt: skip
        return cls(**{quantity: now[quantity] for name in names for quantity in _QUANTITIES[name]})

    @property
    def position(self) -> tuple[float | None, float | None, float | None]:
        """North, east, down, m; None is free."""
        return self.north_m, self.east_m, self.depth_m

    @property
    def angles(self) -> tuple[float | None, float | None, float | None]:
        """Roll, pitch, yaw, rad; None is free."""
        roll, pitch, yaw = (
            None if a is None else math.radians(a) for a in (self.roll_deg, self.pitch_deg, self.heading_deg)
        )
        return roll, pitch, yaw


def hold_state(plant: Plant, hold: NumericalHold) -> None:
    """Reset the held coordinates of a vehicle to their values and their rates to zero; the others stay."""
    before = plant.euler.tolist()
    held = hold.angles
    after = [now if value is None else value for now, value in zip(before, held, strict=True)]
    nu = plant.nu.copy()
    turned = any(value is not None for value in held)
    if turned:
        rates = _euler_rates(before, nu[3:].tolist())
        nu[3:] = _body_rates(after, [0.0 if value is not None else r for r, value in zip(rates, held, strict=True)])
    velocity = rotation_from_euler(*before) @ nu[:3]
    position = plant.position_n.copy()
    for i, value in enumerate(hold.position):
        if value is not None:
            position[i], velocity[i] = value, 0.0
    nu[:3] = rotation_from_euler(*after).T @ velocity
    # place() clears the contact state, which is right for a vehicle placed elsewhere; this one has hardly moved.
    touch = plant.state["touch"].copy()
    plant.place(position_n=position, euler=after if turned else None, nu=nu)
    plant.state["touch"] = touch


def _euler_rates(angles: Sequence[float], omega: Sequence[float]) -> tuple[float, float, float]:
    """Rates of roll, pitch and yaw from body rates, rad/s."""
    roll, pitch, _ = angles
    p, q, r = omega
    s, c = math.sin(roll), math.cos(roll)
    # Kept off zero at the pole of the Euler angles, with its sign.
    cos_pitch = math.copysign(max(abs(math.cos(pitch)), 1e-6), math.cos(pitch))
    yaw_rate = (q * s + r * c) / cos_pitch
    return p + yaw_rate * math.sin(pitch), q * c - r * s, yaw_rate


def _body_rates(angles: Sequence[float], rates: Sequence[float]) -> tuple[float, float, float]:
    """The inverse of `_euler_rates`, regular everywhere."""
    roll, pitch, _ = angles
    roll_rate, pitch_rate, yaw_rate = rates
    s, c, turn = math.sin(roll), math.cos(roll), yaw_rate * math.cos(pitch)
    return roll_rate - yaw_rate * math.sin(pitch), pitch_rate * c + turn * s, turn * c - pitch_rate * s
