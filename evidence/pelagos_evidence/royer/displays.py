"""Sections 6.2 and 6.3: what his pilot could see and command, asked of a flight of the console.

Section 6.3: what his link module put between pilot and vehicle, false controls and late pictures.
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
from pelagos_evidence.claim import Claim, Proof, statement
from pelagos_evidence.royer.given import LAYOUT
from pelagos_evidence.royer.tether import umbilical

START = {"north_m": 40.0, "east_m": 20.0, "depth_m": 60.0}


def false_control() -> Claim:
    """His three controls at once, with the cable and the current pulling; the heading is assigned another value."""
    cable = Tether(mode="royer", payout="ratio", ratio=1.5)
    hold = NumericalHold(depth_m=60.0, north_m=START["north_m"], east_m=START["east_m"], heading_deg=75.0)
    sim = Simulation("seagrant1", "royer_field", tether=cable, hold=hold, control_rate_hz=20.0)
    sim.place(north_m=START["north_m"], east_m=START["east_m"], depth_m=START["depth_m"], heading_deg=30.0)
    wanted, places, turns, pulls = np.array([START["north_m"], START["east_m"], 60.0]), [], [], []
    for _ in range(200):
        sim.tick()
        places.append(float(np.abs(sim.plant.position_n - wanted).max()))
        turns.append(abs(math.degrees(sim.plant.euler[2]) - 75.0))
        pulls.append(float(np.linalg.norm(sim.plant.forces()["tether"][:3])))
    orders = float(np.abs(sim.plant.command["demand"]["thruster"]).max())
    off, turned = max(places), max(turns)
    return statement(
        "false-control", "sections 6.3, 7.2", "His controls assign the held coordinate, without using any thruster",
        "position, depth, heading \"without using any thrusters\"; perfect depth control",
        f"10 s against a pull of {max(pulls):.0f} N: place and depth held to {off:.1g} m, the heading put from 30 to "
        f"75° and held to {turned:.0e}°; largest thruster order {orders:g} N",
        off < 1e-9 and turned < 1e-9 and orders == 0.0 and max(pulls) > 10.0, tolerance="no error, no order",
        why="Exact by construction at every control tick. Pelagos has real controls as well.",
        numbers={"ours": off}, unit="m",
        proof=Proof((), ("pelagos.control.pilot.numerical_hold",), ("tests/control/pilot/test_numerical_hold.py",)),
    )  # fmt: skip


def picture_ages(delay_s: float, rate_hz: float, seconds: float = 8.0) -> tuple[float, float, float]:
    """Youngest and oldest picture on a screen of 60 Hz, s, and pictures a second: what frame_rate.js lets through."""
    period, due, taken, ages, shown = 1000.0 / rate_hz, -math.inf, -math.inf, [], 0
    for n in range(round(60.0 * seconds)):
        now = 1000.0 * n / 60.0
        if now >= due - 1.0:
            due = now + period if now - due > period else due + period
            taken, shown = now - 1000.0 * delay_s, shown + 1
        ages.append(0.001 * (now - taken))
    return min(ages), max(ages), shown / seconds


def late_pictures() -> Claim:
    """Delay and rate of pictures as conditions of a flight."""
    told, kept = [], []
    for delay, rate in ((0.5, 3.0), (1.2, 1.0), (0.5, 4.0)):
        one = Conditions(image_delay_s=delay, frame_limit_hz=rate)
        least, most, a_second = picture_ages(one.image_delay_s, one.frame_limit_hz or math.inf)
        told.append(f"{least:.2f} to {most:.2f} s old at {a_second:.0f} Hz")
        kept.append(abs(least - delay) < 0.02 and most < delay + 1.0 / rate + 0.02 and abs(a_second - rate) < 0.2)
    return statement(
        "late-pictures", "sections 6.1.b, 6.2, 7.3", "Pictures 0.5 to 1.2 s late, 1 to 3 (7.3: 4) a second",
        "0.5-1.2 s of delay, 1-3 Hz, 4 Hz with pipe and cube alone",
        f"set to 0.5 s and 3 Hz, 1.2 s and 1 Hz, 0.5 s and 4 Hz, the picture on the screen is {'; '.join(told)}",
        all(kept), tolerance="a frame of the screen, 0.02 s; 0.2 Hz",
        why="A picture stays until the next: its age runs from the delay to the delay and one interval.",
        assumption="A limit of his machine, here set as a condition of the flight; ages by the page's rule, which a "
        "test runs.",
        proof=Proof((), ("pelagos.training.conditions.Conditions", "pelagos/console/static/js/frame_rate.js"),
                    ("tests/training/test_conditions.py", "tests/evidence/royer/test_displays_link_module.py")),
    )  # fmt: skip


# ---- displays --------------------------------------------------------------------------------------------------------


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
CODE = ("pelagos.session.snapshot", "pelagos.session.flight")
TESTS = ("tests/session/test_snapshot.py", "tests/session/test_flight.py", "tests/console/test_browser.py")


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
    flight.order("hold", {"what": "level", "on": False})
    return flight


@cache
def page_text() -> str:
    """Every file of the page's own JavaScript, one after the other."""
    found, folders = [], [files("pelagos.console").joinpath("static/js")]
    while folders:
        for item in folders.pop().iterdir():
            if item.is_dir():
                folders.append(item)
            elif item.name.endswith(".js"):
                found.append(item.read_text(encoding="utf-8"))
    return "\n".join(found)


def read_by(page: str, column: str) -> bool:
    """Whether the page names a column; orders of thrusters it takes by their beginning."""
    return ("cmd_thruster_" if column.startswith("cmd_thruster_") else column) in page


def instrument_rows(flight: Flight) -> list[Claim]:
    """The list of section 6.2."""
    held = ("depth", "heading", "position")
    for what in held:
        flight.order("hold", {"what": what, "on": True})
    state = fly(flight, 0.2)
    for what in held:
        flight.order("hold", {"what": what, "on": False})
    unknown_yet = ("crash_age_s",)  # before the first collision
    page = page_text()
    missing = [
        name for name, columns in INSTRUMENTS.items()
        if not all(c in state and (math.isfinite(state[c]) or c in unknown_yet) and read_by(page, c) for c in columns)
    ]  # fmt: skip
    return [
        statement(
            "instruments", "section 6.2, figure 6.4", "What the pilot's display shows",
            ", ".join(INSTRUMENTS),
            f"{len(INSTRUMENTS) - len(missing)} of {len(INSTRUMENTS)} in every snapshot and read by the page"
            + (f"; not {', '.join(missing)}" if missing else ""),
            not missing, tolerance="all present",
            why="A list. Asked of a running flight: the columns have values, and the page's files name them. The "
            "distance error of his search is not shown, because the cable of the console reaches its end.",
            numbers={"published": float(len(INSTRUMENTS)), "ours": float(len(INSTRUMENTS) - len(missing))},
            proof=Proof((), (*CODE, "pelagos/console/static/js/instruments"), TESTS),
        ),
        _keys(), _crash(),
    ]  # fmt: skip


def _keys() -> Claim:
    page = files("pelagos.console").joinpath("static/js/controls/actions.js").read_text(encoding="utf-8")
    # an action, what it is called, and at least one key
    missing = [what for what, action in KEYS.items() if not re.search(rf'\["{action}", "[^"]+", \["\w', page)]
    return statement(
        "keys", "section 6.2", "Keys of the terminal", ", ".join(KEYS),
        f"{len(KEYS) - len(missing)} of {len(KEYS)} keys on the page"
        + (f"; not {', '.join(missing)}" if missing else ""),
        not missing, tolerance="all present", why="A list. Each has a key in the page's own table of actions.",
        proof=Proof((), ("pelagos/console/static/js/controls/actions.js",), ("tests/console/js/orders.test.js",)),
    )  # fmt: skip


def _crash() -> Claim:
    """Straight at the south face of the cube from 0.3 m."""
    flight = Flight("seagrant1", "royer_field", start={"north_m": 25.7, "east_m": -15.0, "depth_m": 97.0})
    before = fly(flight, 0.02)["collisions"]
    after = fly(flight, 4.0, surge=0.5)
    told = [event for event in flight.take_events() if event.get("kind") == "collision"]
    flight.close()
    return statement(
        "crash-lines", "section 6.2, figure 6.6", "Bell and crash lines when a collision occurs",
        "bell and crash lines",
        f"collisions {before:.0f} before, {after['collisions']:.0f} after; the page is told "
        f"\"{told[0]['text']}\"" if told
        else "no collision told",
        bool(before == 0.0 and after["collisions"] == len(told) == 1 and told[0]["with"] == "wellhead"),
        tolerance="told once", why="The page rings and draws its lines by this count (sound.js, overlay.js).",
        proof=Proof((), (*CODE, "pelagos/console/static/js/sound.js", "pelagos/console/static/js/overlay.js"),
                    ("tests/session/test_flight.py", "tests/console/test_browser.py")),
    )  # fmt: skip


def stick_rows(flight: Flight) -> list[Claim]:
    """Sticks, trims and camera of section 6.2; of a flight that has held nothing yet."""
    names = ("port", "starboard", "lateral", "port_vertical", "starboard_vertical")
    asked = {}
    for stick in ("surge", "sway", "yaw", "heave", "roll"):
        state = fly(flight, 0.04, **{stick: 0.5})
        asked[stick] = np.array([state[f"cmd_thruster_{name}"] for name in names])
    expected = {
        "surge": (1, 1, 0, 0, 0), "sway": (0, 0, 1, 0, 0), "yaw": (1, -1, 0, 0, 0), "heave": (0, 0, 0, 1, 1),
        "roll": (0, 0, 0, -1, 1),
    }  # fmt: skip
    right = [s for s, signs in expected.items() if np.array_equal(np.sign(np.round(asked[s], 9)), signs)]
    flight.order("trim", {"surge": 0.1})
    trimmed = fly(flight, 0.04)["cmd_thruster_port"]
    flight.order("trim_reset", {})
    turned = fly(flight, 0.5, pan=1.0, tilt=-1.0)
    fly(flight, 0.02)
    flight.order("camera", {"centre": True})
    return [
        statement(
            "sticks", "sections 6.2, 2.4.e", "Which thrusters a stick commands",
            "joystick: P1, P2, P3; its head turns P1 against P2; paddle: P5, P6; roll compensation: P5 against P6",
            f"{len(right)} of {len(expected)} sticks move these thrusters and no others", len(right) == len(expected),
            why="Signs of the orders of a running flight, nothing held.",
            assumption=LAYOUT,
            proof=Proof(("R17", "R18"), ("pelagos.control.pilot.helm",), ("tests/control/pilot/test_helm.py",)),
        ),
        statement(
            "trims-camera", "section 6.2", "Trims of the thrusters, pan and tilt of the camera",
            "commands of the board",
            f"trim 10 %: port thruster {100 * trimmed:.1f} %; half a second of pan and tilt: {turned['pan_deg']:.0f}°, "
            f"{turned['tilt_deg']:.0f}°",
            trimmed > 0.0 and turned["pan_deg"] > 0.0 > turned["tilt_deg"], tolerance="present, with the right sign",
            why="Asked of a running flight.", assumption="Rates of pan and tilt, 30°/s, are not in the text.",
            proof=Proof((), ("pelagos.session.camera_mount", "pelagos.control.pilot.helm"),
                        ("tests/session/test_camera_mount.py",)),
        ),
    ]  # fmt: skip


def cable_rows(flight: Flight) -> list[Claim]:
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
    return [
        statement(
            "cable-length", "section 6.2",
            "The length of the cable is proportional to the distance of ship and vehicle",
            "length = coefficient x distance, 1.1 a tensed cable, 2.0 a loose one",
            f"flown with 1.10: {state['tether_length_m']:.1f} m of cable for {away:.1f} m, {made:.2f}; 60 m below the "
            f"ship in 0.75 m/s {tensed:.0f} N with 1.1, {loose:.0f} N with 2.0",
            abs(made - 1.1) < 0.02 and abs(held[2.0]["tether_ratio"] - 2.0) < 0.02 and tensed > loose,
            tolerance="0.02 of the coefficient; more tension when tensed",
            why="The fairlead is 0.4 m above the vehicle's origin, and the drum follows with a limited speed.",
            assumption="Drifting in 0.75 m/s, 60 m deep, the ship above the start; \"tensed\" and \"loose\" are read "
            "as the tension between the same two ends.",
            numbers={"tensed": tensed, "loose": loose}, unit="N",
            proof=Proof((), ("pelagos.engine.cable.winch", "pelagos.tether.line"), ("tests/tether/test_line.py",)),
        ),
        statement(
            "ship", "section 6.2", "The pilot moves the surface ship (no dynamics)", "position of the surface ship",
            f"ordered 5 m south, the ship went {-moved:.1f} m in 10 s", abs(moved + 5.0) < 0.1,
            tolerance="0.1 m", why="It goes at 1 m/s in place of jumping.",
            proof=Proof((), ("pelagos.sim.tether.send_ship",), ("tests/sim/test_tether.py",)),
        ),
    ]  # fmt: skip


def screen(form: str, vehicle: tuple[float, float, float], north: float, east: float) -> tuple[float, float]:
    """Where a point of the world is in the top view, m to the right of the vehicle and above it, in either form."""
    up = vehicle[2] if form == "heading-up" else 0.0
    dn, de = north - vehicle[0], east - vehicle[1]
    return -dn * math.sin(up) + de * math.cos(up), dn * math.cos(up) + de * math.sin(up)


def _frame_rows() -> list[Claim]:
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
        flight.order("hold", {"what": "heading", "on": True})
        ways[frame] = fly(flight, 8.0, surge=0.6)["course_deg"]
        flight.close()
    off = {frame: abs((ways[frame] - wanted + 180.0) % 360.0 - 180.0) for frame, wanted in
           (("body", 135.0), ("north", 0.0), ("camera", 60.0))}  # fmt: skip
    return [
        statement(
            "top-view-forms", "section 6.2", "Two forms of the top view",
            "vehicle fixed in position and rotation; or vehicle pivots and the environment is only translated",
            "heading-up: the bow stays up whatever the heading; north-up: a fixed point stays where it is while the "
            "bow turns"
            if fixed and only_moved else "not so",
            fixed and only_moved,
            why="The page's own projection, plan/projection.js, is held to the same formula by a test.",
            proof=Proof((), ("pelagos/console/static/js/plan/projection.js",),
                        ("tests/console/js/plan_projection.test.js", "tests/evidence/royer/test_displays.py")),
        ),
        statement(
            "sticks-in-the-plane", "sections 6.2, 7.7", "Sticks that take care of the heading, or of the panned camera",
            "proposed: \"not implemented on the simulator\"",
            f"stick ahead: heading 135°, body {ways['body']:.0f}°, north frame {ways['north']:.0f}°; camera panned "
            f"60°, camera "
            f"frame {ways['camera']:.0f}° of course made good",
            max(off.values()) < 5.0, tolerance="5° of the wanted course",
            why="8 s from rest, heading held; drag differs along and across, and the sticks allow for that.",
            numbers={frame: float(value) for frame, value in off.items()}, unit="deg",
            proof=Proof((), ("pelagos.control.pilot.sticks",), ("tests/control/pilot/test_helm.py",)),
        ),
    ]  # fmt: skip


def display_rows() -> list[Claim]:
    """All rows of chapter 6 that a flight can answer."""
    flight = tethered()
    try:
        rows = stick_rows(flight) + instrument_rows(flight)
        begun = time.perf_counter()
        rows += cable_rows(flight)
        taken = time.perf_counter() - begun
    finally:
        flight.close()
    rate = statement(
        "dynamics-rate", "section 6.1.b", "Steps of the dynamics in a second, all modules running", "20-30 Hz",
        f"{flight.rate_hz:g} Hz, and finer within; 50 s with the cable, the scene and contact flown "
        + ("faster than they last" if taken < 50.0 else f"in {taken:.0f} s"),
        flight.rate_hz >= 20.0 and taken < 50.0, tolerance="at least 20 Hz, in real time",
        why="The lower of his two numbers is the limit.",
        assumption="Timed on the computer that makes this report.",
        proof=Proof((), ("pelagos.session.flight",), ("tests/session/test_realtime_runner.py",)),
    )  # fmt: skip
    return [*rows, *_frame_rows(), false_control(), rate, late_pictures()]
