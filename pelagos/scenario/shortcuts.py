"""A mission in a few words, without a file: a vehicle alone, and the short options of `pelagos run`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pelagos.errors import CommandError
from pelagos.vehicle.load.parts import part_names
from pelagos.vehicle.load.vehicle import load_vehicle
from pelagos.world.load import load_world

USUAL = {"depth_m": 5.0, "heading_deg": 90.0}
SHALLOW_M, ROOM_M = 30.0, 25.0  # depth of water where nobody says, and water left below a deep order

# short option -> key of a scenario
KEYS = {
    "depth_m": "control.depth_m",
    "heading_deg": "control.heading_deg",
    "speed_m_s": "control.speed_m_s",
    "seconds": "duration_s",
    "duration": "duration_s",
    "world": "world.use",
    "current_m_s": "world.current_m_s",
    "current_to_deg": "world.current_to_deg",
    "step_s": "step_s",
    "integrator": "integrator",
    "seed": "seed",
    "speed": "speed",
    "tether": "tether.mode",
    "tether_length_m": "tether.length_m",
    "tether_ratio": "tether.ratio",
    "cable": "tether.cable",
    "ship": "tether.ship",
}


def alone(vehicle: str, said: Mapping[str, Any]) -> dict[str, Any]:
    """Scenario tables that fly one vehicle as is usual; `said` are the short options given, which come on top.

    What is usual and cannot be held is left out and told; what is asked for and cannot be held is an error.
    """
    usual = dict(USUAL)
    tables: dict[str, Any] = {"name": Path(vehicle).stem, "vehicle": vehicle, "world": {}}
    if said.get("world") is None:
        tables["world"]["depth_m"] = max(SHALLOW_M, float(said.get("depth_m") or 0.0) + ROOM_M)
    else:
        usual["depth_m"] = min(usual["depth_m"], 0.5 * load_world(said["world"]).still_depth_m)
    if said.get("current_m_s") and said.get("current_to_deg") is None:
        tables["world"]["current_to_deg"] = 90.0
    asked = [name for name in usual if said.get(name) is not None]
    tables["control"] = {**usual, "if_possible": [name for name in usual if name not in asked]}
    return tables


def changes(said: Mapping[str, Any], vehicle: str | None = None) -> dict[str, Any]:
    """The short options given, as changes of a scenario. With a vehicle its tether is checked."""
    given = {name: value for name, value in said.items() if name in KEYS and value is not None}
    made = {KEYS[name]: value for name, value in given.items()}
    if "duration" in given and "seconds" in given:
        raise CommandError("--duration and --seconds say the same", expected="one of them")
    rigged = {"tether", "tether_length_m", "tether_ratio", "cable", "ship"} & given.keys()
    if not rigged:
        return made
    if vehicle is not None and "cable" not in given and load_vehicle(vehicle).tether is None:
        known = ", ".join(part_names("cable"))
        raise CommandError(f"{vehicle} has no tether in its file", expected=f"the name of a cable as well: {known}")
    if "tether_ratio" in given:
        if "tether_length_m" in given:
            raise CommandError(
                key=f"tether_length_m is {given['tether_length_m']:g} and tether_ratio",
                value=given["tether_ratio"],
                expected="one of them: a ratio changes the length",
            )
        made["tether.payout"] = "ratio"
    return made
