"""Sections 6.2 and 6.3: displays and controls of his pilot, compared with a flight of the console.

His link module put false controls and late pictures between pilot and vehicle; both are tried here.
"""

from __future__ import annotations

import math
import re
import time
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np

from pelagos.control.pilot.numerical_hold import NumericalHold
from pelagos.session.flight import Flight
from pelagos.session.source import Input
from pelagos.sim.simulation import Simulation
from pelagos.tether.royer import royer_cable
from pelagos.tether.spec import Tether
from pelagos.training.conditions import Conditions
from pelagos_evidence.claim import Claim
from pelagos_evidence.rows import Rows, Values
from pelagos_evidence.royer.tether import umbilical

START = {"north_m": 40.0, "east_m": 20.0, "depth_m": 60.0}
# Figure 6.4 and the list of section 6.2: what the display shows, and the columns a page gets for it
INSTRUMENTS: dict[str, tuple[str, ...]] = {
    "heading": ("heading_deg",),
    "roll and pitch": ("roll_deg", "pitch_deg"),
    "depth": ("depth_m",),
    "altitude": ("altitude_m",),
    "position": ("north_m", "east_m"),
    "pan and tilt of the camera": ("pan_deg", "tilt_deg"),
    "thruster commands": tuple(
        f"cmd_thruster_{name}" for name in ("port", "starboard", "lateral", "port_vertical", "starboard_vertical")
    ),
    "top view (vehicle and ship)": ("north_m", "east_m", "heading_deg", "ship_north_m", "ship_east_m"),
    "tension at the end of the cable": ("tether_tension_N",),
    "cable coefficient": ("tether_ratio",),
    "cable length": ("tether_length_m",),
    "control indicators": ("hold_depth_m", "hold_heading_deg", "hold_north_m"),
    "bell and crash lines": ("collisions", "crash_age_s"),
}
KEYS = {
    "zoom the top view": "top_in", "auto-heading": "hold_heading", "auto-positioning": "hold_position",
    "auto-depth": "hold_depth", "form of the top view": "top_form", "top view on or off": "top_view",
}  # fmt: skip
ROWS = Rows(__file__, INSTRUMENTS=tuple(INSTRUMENTS), KEYS=tuple(KEYS))


def false_control() -> Values:
    """Errors of the three assigned coordinates under the pull of cable and current, and the largest command."""
    cable = Tether(mode="royer", payout="ratio", ratio=1.5)
    hold = NumericalHold(depth_m=60.0, north_m=START["north_m"], east_m=START["east_m"], heading_deg=75.0)
    sim = Simulation("seagrant1", "royer_field", tether=cable, hold=hold, control_rate_hz=20.0)
    sim.place(north_m=START["north_m"], east_m=START["east_m"], depth_m=START["depth_m"], heading_deg=30.0)
    expected, places, turns, pulls = np.array([START["north_m"], START["east_m"], 60.0]), [], [], []
    for _ in range(200):
        sim.tick()
        places.append(float(np.abs(sim.plant.position_n - expected).max()))
        turns.append(abs(math.degrees(sim.plant.euler[2]) - 75.0))
        pulls.append(float(np.linalg.norm(sim.plant.forces()["tether"][:3])))
    orders = float(np.abs(sim.plant.command["actuators"]["thruster"]).max())
    off, turned = max(places), max(turns)
    return {
        "false-control": {
            "holds": off < 1e-9 and turned < 1e-9 and orders == 0.0 and max(pulls) > 10.0,
            "largest_pull": max(pulls),
            "off": off,
            "turned": turned,
            "orders": orders,
        }
    }


def picture_ages(delay_s: float, rate_hz: float, seconds: float = 8.0) -> tuple[float, float, float]:
    """Least and greatest age of pictures on a 60 Hz screen, s, and pictures a second, by the rule of frame_rate.js."""
    period, due, taken, ages, shown = 1000.0 / rate_hz, -math.inf, -math.inf, [], 0
    for n in range(round(60.0 * seconds)):
        now = 1000.0 * n / 60.0
        if now >= due - 1.0:
            due = now + period if now - due > period else due + period
            taken, shown = now - 1000.0 * delay_s, shown + 1
        ages.append(0.001 * (now - taken))
    return min(ages), max(ages), shown / seconds


def late_pictures() -> Values:
    """Delay and rate of pictures as conditions of a flight."""
    reported, kept = [], []
    for delay, rate in ((0.5, 3.0), (1.2, 1.0), (0.5, 4.0)):
        conditions = Conditions(image_delay_s=delay, frame_limit_hz=rate)
        least, most, a_second = picture_ages(conditions.image_delay_s, conditions.frame_limit_hz or math.inf)
        reported.append(f"{least:.2f} to {most:.2f} s old at {a_second:.0f} Hz")
        kept.append(abs(least - delay) < 0.02 and most < delay + 1.0 / rate + 0.02 and abs(a_second - rate) < 0.2)
    return {"late-pictures": {"holds": all(kept), "ages": "; ".join(reported)}}


def fly(flight: Flight, seconds: float, **sticks: float) -> dict[str, float]:
    """Sticks held for some time; the state as a page gets it."""
    flight.input(Input(**sticks))
    for _ in range(round(seconds * flight.rate_hz)):
        flight.tick()
    return dict(zip(flight.columns, flight.state().tolist(), strict=True))


def tethered() -> Flight:
    """Sea Grant 1 in his field, on his cable, nothing held."""
    cable = Tether(mode="royer", payout="ratio", ratio=1.5)
    flight = Flight("seagrant1", "royer_field", tether=cable, start=START)
    flight.order("hold", {"hold": "level", "on": False})
    return flight


@cache
def page_text() -> str:
    """Every file of the page's own JavaScript, one after the other."""
    texts, folders = [], [files("pelagos.console").joinpath("static/js")]
    while folders:
        for item in folders.pop().iterdir():
            if item.is_dir():
                folders.append(item)
            elif item.name.endswith(".js"):
                texts.append(item.read_text(encoding="utf-8"))
    return "\n".join(texts)


def read_by(page: str, column: str) -> bool:
    """Whether the page names a column; it reads commands of thrusters by their common prefix."""
    return ("cmd_thruster_" if column.startswith("cmd_thruster_") else column) in page


def instrument_values(flight: Flight) -> Values:
    """The list of section 6.2."""
    held = ("depth", "heading", "position")
    for coordinate in held:
        flight.order("hold", {"hold": coordinate, "on": True})
    state = fly(flight, 0.2)
    for coordinate in held:
        flight.order("hold", {"hold": coordinate, "on": False})
    unknown_yet = ("crash_age_s",)  # before the first collision
    page = page_text()
    missing = [
        name for name, columns in INSTRUMENTS.items()
        if not all(c in state and (math.isfinite(state[c]) or c in unknown_yet) and read_by(page, c) for c in columns)
    ]  # fmt: skip
    return {
        "instruments": {
            "holds": not missing,
            "ours": f"{len(INSTRUMENTS) - len(missing)} of {len(INSTRUMENTS)} in every snapshot and read by the page"
            + (f"; not {', '.join(missing)}" if missing else ""),
            "all_instruments": len(INSTRUMENTS),
            "instruments_shown": len(INSTRUMENTS) - len(missing),
        },
        **_keys(),
        **_crash(),
    }


def _keys() -> Values:
    page = files("pelagos.console").joinpath("static/js/controls/actions.js").read_text(encoding="utf-8")
    # an action, what it is called, and at least one key
    missing = [name for name, action in KEYS.items() if not re.search(rf'\["{action}", "[^"]+", \["\w', page)]
    return {
        "keys": {
            "holds": not missing,
            "ours": f"{len(KEYS) - len(missing)} of {len(KEYS)} keys on the page"
            + (f"; not {', '.join(missing)}" if missing else ""),
        }
    }


def _crash() -> Values:
    """Collide with the south face of the cube from 0.3 m."""
    flight = Flight("seagrant1", "royer_field", start={"north_m": 25.7, "east_m": -15.0, "depth_m": 97.0})
    before = fly(flight, 0.02)["collisions"]
    after = fly(flight, 4.0, surge=0.5)
    collisions = [event for event in flight.take_events() if event.get("kind") == "collision"]
    flight.close()
    return {
        "crash-lines": {
            "holds": bool(
                before == 0.0 and after["collisions"] == len(collisions) == 1 and collisions[0]["with"] == "wellhead"
            ),
            "ours": f"collisions {before:.0f} before, {after['collisions']:.0f} after; the page is told "
            f'"{collisions[0]["text"]}"'
            if collisions
            else "no collision told",
        }
    }


def stick_values(flight: Flight) -> Values:
    """Sticks, trims and camera of section 6.2; of a flight that has held nothing yet."""
    names = ("port", "starboard", "lateral", "port_vertical", "starboard_vertical")
    commands = {}
    for stick in ("surge", "sway", "yaw", "heave", "roll"):
        state = fly(flight, 0.04, **{stick: 0.5})
        commands[stick] = np.array([state[f"cmd_thruster_{name}"] for name in names])
    expected = {
        "surge": (1, 1, 0, 0, 0), "sway": (0, 0, 1, 0, 0), "yaw": (1, -1, 0, 0, 0), "heave": (0, 0, 0, 1, 1),
        "roll": (0, 0, 0, -1, 1),
    }  # fmt: skip
    right = [s for s, signs in expected.items() if np.array_equal(np.sign(np.round(commands[s], 9)), signs)]
    flight.order("trim", {"surge": 0.1})
    trimmed = fly(flight, 0.04)["cmd_thruster_port"]
    flight.order("trim_reset", {})
    turned = fly(flight, 0.5, pan=1.0, tilt=-1.0)
    fly(flight, 0.02)
    flight.order("camera", {"centre": True})
    return {
        "sticks": {"holds": len(right) == len(expected), "right": len(right), "expected": len(expected)},
        "trims-camera": {
            "holds": trimmed > 0.0 and turned["pan_deg"] > 0.0 > turned["tilt_deg"],
            "trimmed": 100 * trimmed,
            "turned": turned,
        },
    }


def cable_values(flight: Flight) -> Values:
    """Cable and ship of section 6.2."""
    held = {}
    for ratio in (2.0, 1.1):
        flight.order("tether", {"ratio": ratio})
        held[ratio] = fly(flight, 20.0)
    state = held[1.1]
    ship = np.array([state["ship_north_m"], state["ship_east_m"], state["ship_depth_m"]])
    away = float(np.linalg.norm(np.array([state["north_m"], state["east_m"], state["depth_m"]]) - ship))
    made = state["tether_length_m"] / away
    lengths = [royer_cable(umbilical(), ratio * 60.0, (0, 0, 0), (0, 0, 60.0), (0.75, 0, 0)) for ratio in (1.1, 2.0)]
    tensed, loose = (cable.tension_vehicle_N for cable in lengths)
    before = state["ship_north_m"]
    flight.order("ship", {"north_m": before - 5.0, "east_m": state["ship_east_m"]})
    moved = fly(flight, 10.0)["ship_north_m"] - before
    return {
        "cable-length": {
            "holds": abs(made - 1.1) < 0.02 and abs(held[2.0]["tether_ratio"] - 2.0) < 0.02 and tensed > loose,
            "state": state,
            "away": away,
            "made": made,
            "tensed": tensed,
            "loose": loose,
        },
        "ship": {"value": abs(moved + 5.0), "moved": -moved},
    }


def screen(form: str, vehicle: tuple[float, float, float], north: float, east: float) -> tuple[float, float]:
    """Position of a point of the world in the top view, m to the right of the vehicle and above it, in either form."""
    up = vehicle[2] if form == "heading-up" else 0.0
    dn, de = north - vehicle[0], east - vehicle[1]
    return -dn * math.sin(up) + de * math.cos(up), dn * math.cos(up) + de * math.sin(up)


def _frame_values() -> Values:
    """Two forms of the top view; sticks that mean a direction, which he proposed and did not have."""
    here, turned = (3.0, 4.0, 0.7), (3.0, 4.0, 2.9)
    bow = [screen(form, at, at[0] + math.cos(at[2]), at[1] + math.sin(at[2])) for form in ("heading-up", "north-up")
           for at in (here, turned)]  # fmt: skip
    rock = [screen("north-up", at, 10.0, 10.0) for at in (here, turned)]
    fixed = math.dist(bow[0], bow[1]) < 1e-12 and math.dist(bow[0], (0.0, 1.0)) < 1e-12
    only_moved = rock[0] == rock[1] and math.dist(bow[2], bow[3]) > 0.5
    ways = {}
    for frame, heading, pan in (("body", 135.0, 0.0), ("north", 135.0, 0.0), ("camera", 0.0, 60.0)):
        still: dict[str, Any] = {"current_m_s": 0.0}
        flight = Flight("seagrant1", "royer_field", start={**START, "heading_deg": heading}, conditions=still)
        flight.order("stick_frame", {"frame": frame})
        if pan:
            flight.order("camera", {"pan_deg": pan})
        flight.order("hold", {"hold": "heading", "on": True})
        ways[frame] = fly(flight, 8.0, surge=0.6)["course_deg"]
        flight.close()
    off = {frame: abs((ways[frame] - expected + 180.0) % 360.0 - 180.0) for frame, expected in
           (("body", 135.0), ("north", 0.0), ("camera", 60.0))}  # fmt: skip
    return {
        "top-view-forms": {
            "holds": fixed and only_moved,
            "ours": (
                "heading-up: the bow stays up whatever the heading; "
                "north-up: a fixed point stays where it is while the bow turns"
            )
            if fixed and only_moved
            else "not so",
        },
        "sticks-in-the-plane": {
            "value": max(off.values()),
            "ways": ways,
            "numbers": {frame: float(value) for frame, value in off.items()},
        },
    }


def display_claims() -> tuple[Claim, ...]:
    """All rows of chapter 6 that a flight can answer."""
    flight = tethered()
    try:
        values = {**stick_values(flight), **instrument_values(flight)}
        begun = time.perf_counter()
        values |= cable_values(flight)
        taken = time.perf_counter() - begun
    finally:
        flight.close()
    rate = {
        "holds": flight.rate_hz >= 20.0 and taken < 50.0,
        "rate": flight.rate_hz,
        "duration": "faster than they last" if taken < 50.0 else f"in {taken:.0f} s",
    }
    return ROWS.claims({**values, **_frame_values(), **false_control(), "dynamics-rate": rate, **late_pictures()})
