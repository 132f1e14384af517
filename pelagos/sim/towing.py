"""The tether of a simulation: what a caller may ask for, how it is rigged at the start, what the log says of it."""

from __future__ import annotations

import dataclasses

import numpy as np
from numpy.typing import NDArray

from pelagos.errors import CommandError, nearest
from pelagos.messages import shown
from pelagos.tether.cable import Cable
from pelagos.tether.line import Line
from pelagos.tether.spec import MODES, Tether
from pelagos.vehicle.load_tether import load_cable
from pelagos.vehicle.plant import Plant
from pelagos.vehicle.spec import Vehicle
from pelagos.vehicle.towed import hold
from pelagos.world.spec import World

POINTS = 21  # along the cable, in the log
MAY_STRETCH = 1.01  # of its length, at the start
TETHER_COLUMNS = (
    "tether_length_m", "tether_ratio", "tether_rate_m_s", "tether_tension_N", "tether_ship_tension_N",
    "tether_status", "tether_wrap_deg", "tether_aground_m",
    *(f"tether_{i:02d}_{axis}_m" for i in range(POINTS) for axis in ("north", "east", "depth")),
)  # fmt: skip


def a_tether(given: object) -> Tether | None:
    """None or False: none; True: the vehicle's own; a mode: that, so computed; a Tether as it is."""
    if given is None or given is False:
        return None
    if given is True:
        return Tether()
    if isinstance(given, str):
        if given in MODES:
            return Tether(mode=given)
        close = nearest(given, list(MODES))
        hint = f'; did you mean "{close}"?' if close else ""
        raise CommandError(f'tether is "{given}"; expected one of {", ".join(MODES)}, or a Tether{hint}')
    if not isinstance(given, Tether):
        raise CommandError(f"tether is {shown(given)}; expected True, a mode such as {MODES[0]!r}, or a Tether")
    return given


def a_line(tether: Tether, vehicle: Vehicle, plant: Plant) -> Line:
    """The tether tied to the vehicle, with what it leaves open taken from the vehicle's file."""
    mount = vehicle.tether
    cable = load_cable(tether.cable) if isinstance(tether.cable, str) else tether.cable
    if cable is None and mount is None:
        raise CommandError(
            f"{vehicle.key} has no [tether] in its file; expected a cable, such as Tether(cable={'fathom_7_6mm'!r})"
        )
    used: Cable = cable if cable is not None else mount.cable  # pyright: ignore[reportOptionalMemberAccess]
    fairlead = tether.fairlead_m or (mount.fairlead_b if mount else (0.0, 0.0, 0.0))
    length = tether.length_m or (mount.length_m if mount else 100.0)
    plant.tie(fairlead)
    rigged = dataclasses.replace(tether, length_m=min(max(length, tether.shortest_m), tether.longest_m))
    return Line(
        used, rigged,
        density_kg_m3=float(plant.water["density"]), gravity_m_s2=float(plant.water["gravity"]),
    )  # fmt: skip


def rig(line: Line, plant: Plant, world: World) -> None:
    """Hang the tether at rest between the ship and the vehicle where it is now."""
    line.set_current(plant.water["current"], plant.water["current_dot"])
    line.sea, line.head["time"] = plant.sea, plant.time_s
    end, _ = plant.fairlead()
    line.settle(end)
    distance = float(np.linalg.norm(end - line.head["ship"]))
    if distance > MAY_STRETCH * line.length_m:
        raise CommandError(
            f"the tether of {plant.vehicle.key} is {line.length_m:g} m long and the vehicle starts {distance:.4g} m "
            f"from where it leaves the ship, in {world.name or 'this world'}; expected a longer one, a nearer ship or "
            'payout "ratio"'
        )
    hold(plant, line, end, 0.0)


def tether_values(line: Line) -> NDArray[np.float64]:
    """Values of TETHER_COLUMNS now."""
    head = line.head
    distance = float(np.linalg.norm(head["end"] - head["ship"]))
    ratio = line.length_m / distance if distance > 0.0 else np.inf
    first = [
        line.length_m, ratio, float(head["length_rate"]), float(head["tension_b"]), float(head["tension_a"]),
        float(head["status"]), float(np.degrees(head["wrap"])), float(head["aground"]),
    ]  # fmt: skip
    return np.concatenate([first, line.points(POINTS).ravel()])
