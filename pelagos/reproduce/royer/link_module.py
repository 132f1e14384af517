"""Section 6.3: what his link module put between pilot and vehicle, false controls and late pictures."""

from __future__ import annotations

import math

import numpy as np

from pelagos.control.numerical_hold import Hold
from pelagos.reproduce.claim import Claim, Proof, statement
from pelagos.sim.simulation import Simulation
from pelagos.tether.spec import Tether
from pelagos.training.conditions import Conditions

START = {"north_m": 40.0, "east_m": 20.0, "depth_m": 60.0}


def false_control() -> Claim:
    """His three controls at once, with the cable and the current pulling; the heading is assigned another value."""
    cable = Tether(mode="royer", payout="ratio", ratio=1.5)
    hold = Hold(depth_m=60.0, north_m=START["north_m"], east_m=START["east_m"], heading_deg=75.0)
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
        proof=Proof((), ("pelagos.control.numerical_hold",), ("tests/control/test_numerical_hold.py",)),
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
                    ("tests/training/test_conditions.py", "tests/reproduce/royer/test_link_module.py")),
    )  # fmt: skip
