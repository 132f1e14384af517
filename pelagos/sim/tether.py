"""The tether of a simulation: resolving the argument, rigging at the start, the way of the ship, columns of the log."""

from __future__ import annotations

import dataclasses
from itertools import pairwise
from typing import NoReturn

import numpy as np
from numpy.typing import NDArray

from pelagos.checks import choice, number
from pelagos.errors import CommandError, one_of
from pelagos.tether.line import Line
from pelagos.tether.spec import MODES, Cable, Status, Tether
from pelagos.vehicle.load.tether import load_cable
from pelagos.vehicle.plant import Plant
from pelagos.vehicle.spec import Vehicle
from pelagos.vehicle.towed import set_pull
from pelagos.world.spec import World

POINTS = 21  # along the cable, in the log
NO_SHAPE = np.full(3 * POINTS, np.nan)
START_STRETCH = 1.01  # largest distance from ship to vehicle at the start, over the length of the tether
DEPTH_CHECK_M, MOST_DEPTH_CHECKS = 5.0, 400  # spacing and number of checks of the water depth along a ship's way
SHIP_KEYS = "set ship_north_m, ship_east_m, ship_depth_m (or ship_path_m) of the Tether"
TETHER_COLUMNS = (
    "tether_length_m", "tether_ratio", "tether_rate_m_s", "tether_tension_N", "tether_ship_tension_N",
    "tether_status", "tether_wrap_deg", "tether_aground_m",
    *(f"tether_{i:02d}_{axis}_m" for i in range(POINTS) for axis in ("north", "east", "depth")),
)  # fmt: skip


def resolve_tether(tether: object) -> Tether | None:
    """The tether of an argument: none for None or False, the vehicle's own for True, one of a mode, or a Tether."""
    if tether is None or tether is False:
        return None
    if tether is True:
        return Tether()
    if isinstance(tether, str):
        return Tether(mode=choice("tether", tether, MODES, f"{one_of(MODES)}, or a Tether"))
    if tether is Tether:
        raise CommandError("tether is the class Tether", expected="an object of it: Tether(...)")
    if not isinstance(tether, Tether):
        raise CommandError(key="tether", value=tether, expected=f"True, a mode such as {MODES[0]!r}, or a Tether")
    return tether


def make_line(tether: Tether, vehicle: Vehicle, plant: Plant) -> Line:
    """The tether attached to the vehicle; its open values come from the vehicle's file."""
    mount = vehicle.tether
    cable = load_cable(tether.cable) if isinstance(tether.cable, str) else tether.cable
    if cable is None and mount is None:
        raise CommandError(
            f"{vehicle.key} has no [tether] in its file", expected=f"a cable, such as Tether(cable={'fathom_7_6mm'!r})"
        )
    used: Cable = cable if cable is not None else mount.cable  # pyright: ignore[reportOptionalMemberAccess]
    fairlead = tether.fairlead_m or (mount.fairlead_b if mount else (0.0, 0.0, 0.0))
    length = tether.length_m or (mount.length_m if mount else 100.0)
    plant.attach_tether(fairlead)
    rigged = dataclasses.replace(tether, length_m=min(max(length, tether.shortest_m), tether.longest_m))
    return Line(
        used, rigged,
        density_kg_m3=float(plant.water["density"]), gravity_m_s2=float(plant.water["gravity"]),
    )  # fmt: skip


def rig(line: Line, plant: Plant, world: World) -> None:
    """Settle the tether at rest between the ship and the present position of the vehicle."""
    line.set_current(plant.water["current"], plant.water["current_dot"])
    line.sea, line.head["time"] = plant.sea, plant.time_s
    end, _ = plant.fairlead()
    hang(line, end, plant.vehicle, world)
    set_pull(plant, line, end, 0.0)


def hang(
    line: Line,
    end: NDArray[np.float64],
    vehicle: Vehicle,
    world: World,
    ship_n: NDArray[np.float64] | None = None,
    length_m: float | None = None,
) -> None:
    """Settle the tether at rest between the ship and an end; CommandError if there is no such shape.

    Args:
        line: the tether.
        end: position of the vehicle's end, NED.
        vehicle: the vehicle, for the messages.
        world: seabed and structures that the tether must clear.
        ship_n: position of the ship's end; default: that of the tether.
        length_m: length; default: that of the tether.
    """
    _check_ship_place(line.ship_start_n(end) if ship_n is None else ship_n, world)
    line.settle(end, ship_n, length_m)
    distance = float(np.linalg.norm(end - line.head["ship"]))
    if distance > START_STRETCH * line.length_m:
        raise CommandError(
            f"the vehicle starts {distance:.4g} m from where the tether leaves the ship, in "
            f"{world.name or 'this world'}",
            key=f"length of the tether of {vehicle.key} (m)",
            value=float(line.length_m),
            expected='a longer one, a nearer ship or payout "ratio"',
        )
    doubtful = line.status & (Status.NOT_CONVERGED | Status.UNLOADED)
    if doubtful and line.tether.mode != "royer":  # Royer's model has no contact with structures
        # An unloaded tether was laid around obstacles: check its shape, which cuts through those it could not clear.
        # A tether that did not converge has no usable shape: check the straight line.
        ways = pairwise(line.shape_n) if line.status & Status.UNLOADED else [(line.head["ship"].copy(), end)]
        met = [name for a, b in ways for name in _in_the_way(a, b, world)] if world.structures else []
        names = list(dict.fromkeys(met))
        if names:
            raise CommandError(
                f"the tether of {vehicle.key} finds no shape at rest between the ship and the vehicle, because of "
                f"{', '.join(names)}",
                expected="a ship or a start from which the tether hangs free, or a longer tether",
            )


def send_ship(line: Line, world: World, north_m: float, east_m: float, speed_m_s: float | None = None) -> None:
    """Send the ship to a place; CommandError if the place or the straight way there is not in open water."""
    north, east = number("ship north_m", north_m), number("ship east_m", east_m)
    here = line.head["ship_calm"].copy()
    there = np.array([north, east, here[2]])
    _check_ship_place(there, world)
    met = _in_the_way(here, there, world) if world.structures else []
    if met:
        _blocked(f"{met[0]} is on the straight path to it", north, east)
    checks = int(np.linalg.norm(there - here) // DEPTH_CHECK_M) + 1
    for share in np.linspace(0.0, 1.0, min(checks, MOST_DEPTH_CHECKS) + 1)[1:-1]:
        point = here + share * (there - here)
        if float(world.bottom_m(point[0], point[1])) < here[2]:
            where = f"north {point[0]:.4g} m, east {point[1]:.4g} m"
            _blocked(f"the straight path to it crosses land at {where}", north, east)
    line.move_ship(north_m=north, east_m=east, speed_m_s=speed_m_s)


def _blocked(message: str, north: float, east: float) -> NoReturn:
    expected = "a place that the ship reaches in a straight line"
    raise CommandError(message, key="ship north_m, east_m", value=(north, east), expected=expected)


def _check_ship_place(place_n: NDArray[np.float64], world: World) -> None:
    """Raise an error if the tether leaves the ship on land, in the seabed or inside a structure."""
    north, east, down = place_n.tolist()
    where = f"the tether leaves the ship at north {north:g} m, east {east:g} m, depth {down:g} m"
    bottom = float(world.bottom_m(north, east))
    if down > bottom:
        on_land = world.surface and bottom < 0.0
        there = f"on land, {-bottom:.3g} m above the sea" if on_land else f"{down - bottom:.3g} m below the seabed"
        raise CommandError(f"{where}, {there}", expected=f"a place in the open: {SHIP_KEYS}")
    for i, structure in enumerate(world.structures):
        near = float(np.linalg.norm(place_n - structure.center_n())) <= structure.bound_m()
        if near and structure.contains(place_n):
            raise CommandError(f"{where}, inside {world.named(i)}", expected=f"a place in the open: {SHIP_KEYS}")


def _in_the_way(ship_n: NDArray[np.float64], end_n: NDArray[np.float64], world: World) -> list[str]:
    """Names of the structures that a straight line intersects."""
    way = end_n - ship_n
    far = float(np.linalg.norm(way))
    names: list[str] = []
    for i, structure in enumerate(world.structures if far > 0.0 else ()):
        center = structure.center_n()
        nearest_n = ship_n + min(max(float((center - ship_n) @ way) / far**2, 0.0), 1.0) * way
        if float(np.linalg.norm(center - nearest_n)) < structure.bound_m():  # spheres first: a ray costs more
            alone = World(surface=False, structures=(structure,))
            if alone.cast([ship_n], [way / far], max_range_m=far).obstacle[0] == 0:
                names.append(world.named(i))
    return names


def tether_values(line: Line) -> NDArray[np.float64]:
    """Present values of TETHER_COLUMNS; a parted tether has no shape."""
    head = line.head
    distance = float(np.linalg.norm(head["end"] - head["ship"]))
    ratio = line.length_m / distance if distance > 0.0 else np.inf
    first = [
        line.length_m, ratio, float(head["length_rate"]), float(head["tension_b"]), float(head["tension_a"]),
        float(head["status"]), float(np.degrees(head["wrap"])), float(head["aground"]),
    ]  # fmt: skip
    shape = NO_SHAPE if line.status & Status.PARTED else line.points(POINTS).ravel()
    return np.concatenate([first, shape])
