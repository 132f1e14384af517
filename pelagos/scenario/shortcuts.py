"""Scenario tables from a vehicle's name and the short options of `pelagos run`, without a scenario file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pelagos.errors import CommandError
from pelagos.vehicle.load.parts import part_names
from pelagos.vehicle.load.vehicle import load_vehicle
from pelagos.world.load import load_world

DEFAULTS = {"depth_m": 5.0, "heading_deg": 90.0}
WATER_DEPTH_M, CLEARANCE_M = 30.0, 25.0  # default depth of the water, and at least so much below a deep setpoint

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


def vehicle_tables(vehicle: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return scenario tables for one vehicle with default setpoints; `changes` applies the short options to them.

    A default setpoint that the vehicle cannot hold is dropped with a note; one that the user requests is an error.
    """
    setpoints = dict(DEFAULTS)
    tables: dict[str, Any] = {"name": Path(vehicle).stem, "vehicle": vehicle, "world": {}}
    if options.get("world") is None:
        tables["world"]["depth_m"] = max(WATER_DEPTH_M, float(options.get("depth_m") or 0.0) + CLEARANCE_M)
    else:
        setpoints["depth_m"] = min(setpoints["depth_m"], 0.5 * load_world(options["world"]).still_depth_m)
    if options.get("current_m_s") and options.get("current_to_deg") is None:
        tables["world"]["current_to_deg"] = 90.0
    tables["control"] = {**setpoints, "if_possible": [name for name in setpoints if options.get(name) is None]}
    return tables


def changes(options: Mapping[str, Any], vehicle: str | None = None) -> dict[str, Any]:
    """Return short options as changes of scenario keys. For a vehicle without a tether a cable is required."""
    present = {name: value for name, value in options.items() if name in KEYS and value is not None}
    keys = {KEYS[name]: value for name, value in present.items()}
    if "duration" in present and "seconds" in present:
        raise CommandError("--duration and --seconds mean the same", expected="one of them")
    if not {"tether", "tether_length_m", "tether_ratio", "cable", "ship"} & present.keys():
        return keys
    if vehicle is not None and "cable" not in present and load_vehicle(vehicle).tether is None:
        known = ", ".join(part_names("cable"))
        raise CommandError(f"{vehicle} has no tether in its file", expected=f"the name of a cable as well: {known}")
    if "tether_ratio" in present:
        if "tether_length_m" in present:
            raise CommandError(
                f"tether_length_m is {present['tether_length_m']:g} as well",
                key="tether_ratio",
                value=present["tether_ratio"],
                expected="one of them: a ratio changes the length",
            )
        keys["tether.payout"] = "ratio"
    return keys
