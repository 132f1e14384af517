"""Simple missions by name or by a few numbers: hold depth, heading and speed in a uniform current or a world.

With a tether or without: one is rigged as soon as anything is said of it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from pelagos.errors import CommandError
from pelagos.messages import Setpoint
from pelagos.sim.given import positive
from pelagos.sim.simulation import Simulation
from pelagos.tether.spec import Tether
from pelagos.vehicle.load import load_vehicle
from pelagos.vehicle.load_parts import part_names
from pelagos.vehicle.spec import Vehicle
from pelagos.world.load import load_world
from pelagos.world.spec import World

SEABED_MARGIN_M = 25.0  # water below the deepest demand


@dataclass(frozen=True)
class Mission:
    """What to fly.

    A setpoint that is None takes its usual value (depth 5 m or half the water, heading 90 deg, the speed the autopilot
    finds fit) if the vehicle can hold it, and is left alone if not. Integrator and step that are None are those of the
    vehicle file.

    `world` is a library world or a world file; the current of the mission is added to those it has.

    The vehicle has a tether if any of `tether` (a mode: dynamic, static, royer), `tether_length_m`, `tether_ratio`
    (length over distance), `cable` and `ship` (moored, follow) is given; the rest is that of its file.
    """

    vehicle: str
    seconds: float = 60.0
    depth_m: float | None = None
    heading_deg: float | None = None
    speed_m_s: float | None = None
    current_m_s: float = 0.0
    current_to_deg: float = 90.0
    seed: int = 1
    integrator: str | None = None
    step_s: float | None = None
    world: str | None = None
    tether: str | None = None
    tether_length_m: float | None = None
    tether_ratio: float | None = None
    cable: str | None = None
    ship: str | None = None

    def __post_init__(self) -> None:
        positive("seconds", self.seconds)
        Setpoint(depth_m=self.depth_m, heading_deg=self.heading_deg, speed_m_s=self.speed_m_s)


USUAL = {"depth_m": 5.0, "heading_deg": 90.0}
MISSIONS = {
    "first-dive": Mission("bluerov2_heavy", depth_m=5.0, heading_deg=90.0, current_m_s=0.3, current_to_deg=90.0)
}


def prepare(mission: Mission) -> tuple[Simulation, list[str]]:
    """Load the vehicle, fill the sea, give the orders; also what nobody asked for and the vehicle cannot hold, and why.

    A setpoint of the mission that the vehicle cannot hold is an error; a usual one is left alone.
    """
    vehicle = load_vehicle(mission.vehicle)
    sea = _sea(mission)
    how = {"seed": mission.seed, "integrator": mission.integrator, "step_s": mission.step_s}
    sim = Simulation(vehicle, sea, tether=_tether(mission, vehicle), **how)
    wanted = {"depth_m": mission.depth_m, "heading_deg": mission.heading_deg, "speed_m_s": mission.speed_m_s}
    given = {name: value for name, value in wanted.items() if value is not None}
    if given:
        sim.command(**given)
    not_held: list[str] = []
    usual = USUAL | {"depth_m": min(USUAL["depth_m"], 0.5 * sea.depth_m)}
    for name, value in usual.items():
        if name not in given:
            try:
                sim.command(**{name: value})
            except CommandError as refusal:  # a glider holds no heading; nobody asked it to
                not_held.append(f"{name.split('_')[0]} is not held: {refusal}")
    return sim, not_held


def _tether(mission: Mission, vehicle: Vehicle) -> Tether | None:
    """How the mission rigs its tether; None without one."""
    said: dict[str, Any] = {
        "mode": mission.tether,
        "length_m": mission.tether_length_m,
        "ratio": mission.tether_ratio,
        "cable": mission.cable,
        "ship": mission.ship,
    }
    said = {name: value for name, value in said.items() if value is not None}
    if not said:
        return None
    if vehicle.tether is None and mission.cable is None:
        known = ", ".join(part_names("cable"))
        raise CommandError(f"{vehicle.key} has no tether in its file; expected the name of a cable as well: {known}")
    if "ratio" in said:
        if "length_m" in said:
            raise CommandError(
                f"tether_length_m is {mission.tether_length_m:g} and tether_ratio is {mission.tether_ratio:g}; "
                "expected one of them: a ratio changes the length"
            )
        said["payout"] = "ratio"
    return Tether(**said)


def _sea(mission: Mission) -> World:
    """The world of the mission, or open water with room below what is asked for."""
    if mission.world is not None:
        sea = load_world(mission.world)
        if not mission.current_m_s:
            return sea
    else:
        sea = World(depth_m=max(30.0, (mission.depth_m or 0.0) + SEABED_MARGIN_M))
    return replace(sea, current_m_s=mission.current_m_s, current_to_deg=mission.current_to_deg)
