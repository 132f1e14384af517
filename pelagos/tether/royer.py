"""Royer's static cable model (1985, chapter 3), as a boundary value problem and as an initial value problem.

`royer_cable` finds the cable between a ship and a vehicle, `royer_walk` integrates it from a tension and angle at the
ship. The cable is neutral, inextensible and at rest in one horizontal current, without a bottom. Equations and search:
`engine/cable/royer.py`; interpretation and limits: docs/tether-royer.md. A is the ship, B the vehicle; positions and
forces are NED.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pelagos.checks import number, numbers
from pelagos.engine.cable.royer import (
    AT_FLOOR,
    AT_STOP,
    COLUMNS,
    FLOOR_N,
    N_PULL,
    PULL,
    STOP,
    RoyerLine,
    integrate,
    royer_pull,
)
from pelagos.errors import CommandError
from pelagos.tether.spec import Cable

LARGEST_PULL_N = 10_000.0  # limit for a cable without a breaking load
ENDED = ("reached", "nearest", "unreachable", "unloaded")
_ROOM = 2000  # rows of the search history; the longest search takes about 600


@dataclass(frozen=True, kw_only=True)
class RoyerCable:
    """Royer's cable between ship and vehicle; forces are those of the tether on the body."""

    force_ship_n: NDArray[np.float64]
    force_vehicle_n: NDArray[np.float64]
    tension_ship_N: float
    tension_vehicle_N: float
    angle_ship_rad: float  # of the tangent from the current, in the cable's plane; 0 without a solution
    shape_n: NDArray[np.float64]  # (steps + 1, 3) from ship to vehicle
    miss_m: float  # distance of the end of the cable from the vehicle
    status: tuple[str, ...]  # a word of ENDED, then "tension floor" and "angle stop" where they acted
    integrations: int
    search: NDArray[np.float64]  # per integration: T, angle at A; x, y of B; miss; tried 0 best 1 refined 2
    weight_left_out_N: float  # weight of the cable in water, which the model neglects

    @property
    def reached(self) -> bool:
        """Whether the cable ends at the vehicle."""
        return self.status[0] == "reached"


@dataclass(frozen=True, kw_only=True)
class RoyerWalk:
    """Royer's cable from a tension and an angle at A, in its plane: x along the current, y up."""

    shape_m: NDArray[np.float64]  # (steps + 1, 2)
    tension_N: float  # at B
    angle_deg: float  # at B
    status: tuple[str, ...]  # "tension floor" and "angle stop" where they acted


def status_words(code: int) -> tuple[str, ...]:
    """Return the words for a status code of `engine.cable.royer.royer_pull`."""
    return (ENDED[code & 3], *_floors(code))


def largest_pull(cable: Cable) -> float:
    """Limit of the pull of an unreachable vehicle, N: the breaking load, or 10 kN where it is not known."""
    most = cable.breaking_load_N if math.isfinite(cable.breaking_load_N) else LARGEST_PULL_N
    return max(float(most), 2.0 * FLOOR_N)


def royer_cable(
    cable: Cable,
    length_m: float,
    ship_n: ArrayLike,
    vehicle_n: ArrayLike,
    current_n: ArrayLike,
    *,
    density_kg_m3: float = 1025.0,
    gravity_m_s2: float = 9.81,
    steps: int = 50,
    start: RoyerCable | None = None,
) -> RoyerCable:
    """Solve Royer's cable of a given length from ship to vehicle in a current.

    Only the horizontal part of the current is used, as in the thesis, and the cable is neutral; the result contains the
    neglected weight. `start` is a previous solution close to this one, which saves integrations. There is no solution
    if the distance is not less than the length: "unreachable", and the breaking load (or 10 kN) pulls along the chord.
    Without current there is no tension: "unloaded", zero forces and an arc as the shape.
    """
    ship, vehicle, current = _vector("ship_n", ship_n), _vector("vehicle_n", vehicle_n), _vector("current_n", current_n)
    for name, value in (("length_m", length_m), ("density_kg_m3", density_kg_m3)):
        number(name, value, 0.0, above=True)
    half = 0.5 * density_kg_m3 * cable.diameter_m
    warm, row = np.zeros(3), np.zeros(N_PULL)
    if start is not None and start.angle_ship_rad < 0.0:
        warm[:] = start.tension_ship_N, start.angle_ship_rad, 1.0
    shape, history = np.empty((_steps(steps) + 1, 3)), np.empty((_ROOM, COLUMNS))
    code = royer_pull(
        float(length_m),
        half * cable.normal_drag,
        half * math.pi * cable.tangential_drag,
        largest_pull(cable),
        ship,
        vehicle,
        current,
        warm,
        shape,
        row,
        history,
    )
    solved = warm[2] > 0.0
    pull = row.view(PULL.dtype)[0]
    count = int(pull["integrations"])
    return RoyerCable(
        force_ship_n=pull["force_a"].copy(),
        force_vehicle_n=pull["force_b"].copy(),
        tension_ship_N=float(pull["tension_a"]),
        tension_vehicle_N=float(pull["tension_b"]),
        angle_ship_rad=float(warm[1]) if solved else 0.0,
        shape_n=shape,
        miss_m=float(pull["miss"]),
        status=status_words(int(code)),
        integrations=count,
        search=history[:count].copy(),
        weight_left_out_N=length_m * cable.weight_in(density_kg_m3, gravity_m_s2),
    )


def royer_walk(
    cable: Cable,
    length_m: float,
    tension_N: float,
    angle_deg: float,
    speed_m_s: float,
    *,
    weight_N_m: float = 0.0,
    density_kg_m3: float = 1025.0,
    steps: int = 50,
) -> RoyerWalk:
    """Integrate Royer's cable from a tension and an angle (negative: down) at A, optionally with a weight in water."""
    for name, value in (("length_m", length_m), ("density_kg_m3", density_kg_m3)):
        number(name, value, 0.0, above=True)
    number("tension_N", tension_N, FLOOR_N, expected=f"{FLOOR_N:g} N or more, the floor of Royer's cable")
    if not math.degrees(STOP) - 1e-9 <= angle_deg <= 0.0:
        raise CommandError(key="angle_deg", value=angle_deg, expected="from -178 to 0, downward from the current")
    number("speed_m_s", speed_m_s)
    number("weight_N_m", weight_N_m)
    load = 0.5 * density_kg_m3 * cable.diameter_m * speed_m_s**2
    shape = np.empty((_steps(steps) + 1, 2))
    line = RoyerLine(
        float(length_m),
        load * cable.normal_drag,
        load * math.pi * cable.tangential_drag,
        float(weight_N_m),
        int(steps),
    )
    end = integrate(line, float(tension_N), math.radians(angle_deg), shape)
    return RoyerWalk(
        shape_m=shape,
        tension_N=float(end.tension),
        angle_deg=math.degrees(end.angle),
        status=_floors(int(end.floors)),
    )


def _floors(code: int) -> tuple[str, ...]:
    return tuple(word for bit, word in ((AT_FLOOR, "tension floor"), (AT_STOP, "angle stop")) if code & bit)


def _vector(name: str, value: ArrayLike) -> NDArray[np.float64]:
    return numbers(name, value, 3, expected="three finite numbers, north, east and down")


def _steps(steps: int) -> int:
    if steps != int(steps) or not 2 <= steps <= 1_000_000:
        expected = "a whole number from 2 to 1000000; Royer takes 50"
        raise CommandError(key="steps", value=steps, expected=expected)
    return int(steps)
