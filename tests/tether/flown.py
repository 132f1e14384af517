"""A tether whose lower end is moved along a polyline, for tests."""

from __future__ import annotations

import math

import numpy as np

from pelagos.tether.line import Line
from pelagos.tether.spec import Cable, Tether
from pelagos.world.seabed.seabed import Seabed
from pelagos.world.spec import World
from pelagos.world.structure import Structure

DT = 0.02
HEAVY = Cable(diameter_m=0.02, mass_kg_m=1.0, stiffness_N=1e5, damping_Ns=200.0)  # 6.65 N/m in the water
NEUTRAL = Cable(diameter_m=0.02, neutral=True, stiffness_N=1e5, damping_Ns=200.0)


def endless(*structures: Structure, seabed: Seabed | None = None):
    """Water without surface with these structures in it, as the kernel reads it."""
    return World(surface=False, structures=structures, seabed=seabed).packed()


def column(radius_m: float, friction: float, north_m: float = 0.0, east_m: float = 0.0) -> Structure:
    """A vertical cylinder of 400 m about z = 0."""
    return Structure(
        kind="cylinder", from_m=(north_m, east_m, -200.0), to_m=(north_m, east_m, 200.0),
        radius_m=radius_m, friction=friction,
    )  # fmt: skip


def rigged(cable: Cable, sea, ship_n, end_n, length_m: float, **how) -> Line:
    """A tether at rest between two points; the drum has the given speed."""
    line = Line(cable, Tether(length_m=length_m, **{"drum_speed_m_s": math.inf, **how}), sea=sea)
    assert line.settle(end_n, ship_n=ship_n)
    return line


def fly(line: Line, *corners_n, speed_m_s: float = 1.0, dt: float = DT, each=None) -> None:
    """Move the lower end straight to each corner in turn; `each` is called with the line after every step."""
    at = line.shape_n[-1]
    for corner in corners_n:
        way = np.array(corner, dtype=float) - at
        far = float(np.linalg.norm(way))
        steps = max(1, round(far / (speed_m_s * dt)))
        velocity = way / (steps * dt)
        start = at
        for k in range(steps):
            line.step(dt, start + k * dt * velocity, velocity)
            if each is not None:
                each(line)
        at = np.array(corner, dtype=float)


def stay(line: Line, seconds: float, dt: float = DT, each=None) -> None:
    """Hold the lower end where it is."""
    at, still = line.shape_n[-1], np.zeros(3)
    for _ in range(round(seconds / dt)):
        line.step(dt, at, still)
        if each is not None:
            each(line)
