"""Chapter 3: the equations of the cable as printed, the four tensions of section 3.6, and a cable in space."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache

import numpy as np

from pelagos.engine.cable.royer import FLOOR_N, STOP, rates
from pelagos.engine.cable.royer import RoyerLine as PlaneLine
from pelagos.tether.line import Line
from pelagos.tether.royer import RoyerCable, royer_cable, royer_walk
from pelagos.tether.spec import Cable, Tether
from pelagos.vehicle.plant import Plant
from pelagos_evidence.claim import Claim, Row, number
from pelagos_evidence.rows import Array, Rows, Values
from pelagos_evidence.royer.given import STATES, equation, sea_grant, worst
from pelagos_evidence.runge_kutta import runge_kutta_4

LENGTH_M, SPEED_M_S, DENSITY = 150.0, 0.75, 1025.0
DIAMETER_M, C_N, C_F = 0.035, 1.2, 0.05 * math.pi
START_N, START_DEG = 200.0, -20.0  # of figure 3.5
# Section 3.6: XA - XB, YA - YB (m), tension (N)
TENSIONS = ((0.0, 100.0, 450.0), (-70.0, 70.0, 350.0), (-95.0, -10.0, 200.0), (95.0, -10.0, 45.0))
ENGINE_RATES = getattr(rates, "py_func", rates)  # some hundred calls: not worth compiling


@cache
def umbilical() -> Cable:
    """The cable of the vehicle file."""
    tether = sea_grant().tether
    assert tether is not None
    return tether.cable


def plane_line(length_m: float = LENGTH_M, weight_N_m: float = 0.0, steps: int = 50) -> PlaneLine:
    """The cable in its plane, as the engine takes it."""
    load = 0.5 * DENSITY * DIAMETER_M * SPEED_M_S**2
    return PlaneLine(length_m, load * C_N, load * C_F, weight_N_m, steps)


def printed_rates(tension: float, angle: float, weight: float, V: float) -> tuple[float, float]:
    """dT/ds and d alpha/ds of section 3.2."""
    Vt, Vn = V * math.cos(angle), -V * math.sin(angle)
    return (
        weight * math.sin(angle) - 0.5 * DENSITY * C_F * DIAMETER_M * abs(Vt) * Vt,
        (weight * math.cos(angle) - 0.5 * DENSITY * C_N * DIAMETER_M * abs(Vn) * Vn) / tension,
    )


def walk_in_plane(tension: float, angle: float, weight: float, length_m: float, steps: int) -> Array:
    """x, y, T, alpha at the end of the printed equations, by Runge-Kutta 4."""

    def rate(state: Array) -> Array:
        dT, da = printed_rates(state[2], state[3], weight, SPEED_M_S)
        return np.array([math.cos(state[3]), math.sin(state[3]), dT, da])

    return runge_kutta_4(rate, np.array([0.0, 0.0, tension, angle]), length_m / steps, steps)


def walk_in_space(force_n: Array, current_n: Array, length_m: float, steps: int) -> Array:
    """End of a neutral cable that leaves A with this tension vector: d(T t)/ds + drag = 0 as vectors, NED.

    No plane is assumed: the drag across is along the part of the current across the cable, wherever that points.
    """

    def rate(state: Array) -> Array:
        along = state[3:] / np.linalg.norm(state[3:])
        tangential = current_n @ along
        across = current_n - tangential * along
        drag = C_N * np.linalg.norm(across) * across + C_F * abs(tangential) * tangential * along
        return np.concatenate([along, -0.5 * DENSITY * DIAMETER_M * drag])

    return runge_kutta_4(rate, np.concatenate([np.zeros(3), force_n]), length_m / steps, steps)[:3]


def thesis_cable(x: float, depth: float, steps: int = 50) -> RoyerCable:
    """The cable of section 3.6 with B at x along the current and at a depth below A."""
    return royer_cable(umbilical(), LENGTH_M, (0, 0, 0), (x, 0, depth), (SPEED_M_S, 0, 0), steps=steps)


def general_tension(x: float, depth: float) -> float:
    """The tension at B of the same cable by the general tether of Pelagos: 400 elements that stretch, at rest."""
    line = Line(umbilical(), Tether(mode="static", elements=400), current_n=(SPEED_M_S, 0.0, 0.0))
    if not line.settle((x, 0.0, depth), (0.0, 0.0, 0.0), LENGTH_M):
        return math.nan
    return float(np.linalg.norm(line.force_on_vehicle_n))


def equation_values() -> Values:
    """Section 3.2 and 3.3."""
    rng, cable = np.random.default_rng(3), umbilical()
    ours: list[Array] = []
    his: list[Array] = []
    for _ in range(STATES):
        tension, angle, weight = rng.uniform(5, 900), rng.uniform(-3.1, 0.0), rng.uniform(-0.5, 0.5)
        ours.append(np.array(ENGINE_RATES(plane_line(weight_N_m=weight), tension, angle)[:2]))
        his.append(np.array(printed_rates(tension, angle, weight, SPEED_M_S)))
    heavy = Cable(diameter_m=DIAMETER_M, mass_kg_m=1.1)
    volume = 0.25 * math.pi * DIAMETER_M**2
    coefficients = {"C_n": (C_N, cable.normal_drag), "C_f": (C_F, math.pi * cable.tangential_drag)}
    return {
        "cable-equations": worst(ours, his),
        "cable-drag": {
            "holds": all(math.isclose(*pair) for pair in coefficients.values()),
            "friction_over_pi": coefficients["C_f"][1] / math.pi,
            "coefficients": coefficients,
        },
        "cable-weight": {
            "published": (1.1 - DENSITY * volume) * 9.81,
            "ours": heavy.weight_in(DENSITY, 9.81),
            "volume": (1.1 - volume) * 9.81,
        },
        **_stretch(),
        **_space(),
        **_floors(),
    }


def _stretch() -> Values:
    line = Line(
        Cable(diameter_m=DIAMETER_M, neutral=True, stiffness_N=2e4),
        Tether(mode="static", elements=50), current_n=(SPEED_M_S, 0.0, 0.0),
    )  # fmt: skip
    line.settle((20.0, 0.0, 100.0), (0.0, 0.0, 0.0), LENGTH_M)
    spans = np.linalg.norm(np.diff(line.shape_n, axis=0), axis=1)
    strain = spans / line.nodes["length"][:-1] - 1.0
    return {"cable-stretch": float(np.abs(strain - line.tensions_N / 2e4).max() / strain.max())}


def _space() -> Values:
    """Forces of the plane solution, marched as vectors in space."""
    misses = []
    for end, current in (
        ((30.0, 60.0, 80.0), (0.6, 0.45, 0.0)), ((-50.0, 40.0, 60.0), (0.0, -0.75, 0.0)),
        ((10.0, -70.0, 30.0), (0.75, 0, 0)),
    ):  # fmt: skip
        cable = royer_cable(umbilical(), LENGTH_M, (0, 0, 0), end, current, steps=20_000)
        there = walk_in_space(cable.force_ship_n, np.array(current), LENGTH_M, 600)
        misses.append(float(np.linalg.norm(there - np.array(end))))
    return {"cable-plane": max(misses)}


def _floors() -> Values:
    rng, acted, n = np.random.default_rng(5), 0, 300
    for _ in range(n):
        way = rng.normal(size=3)
        way[2] = abs(way[2])
        way *= 100.0 / np.linalg.norm(way)
        cable = royer_cable(umbilical(), rng.uniform(110.0, 200.0), (0, 0, 0), way, (SPEED_M_S, 0, 0))
        acted += len(cable.status) > 1
    return {
        "cable-floors": {
            "holds": bool(FLOOR_N == 5.0 and math.isclose(STOP, math.radians(-178.0)) and acted < 0.5 * n),
            "stop": math.degrees(STOP),
            "acted": acted,
            "n": n,
            "acted_n": acted / n,
        }
    }


def tension(
    row: Row,
    published: float,
    ours: float,
    unit: str,
    *,
    relative: float,
    why: str,
    at_ship: float,
    at_vehicle: float,
) -> Claim:
    """A printed tension by many steps; with what fifty steps give at the ship and at the vehicle."""
    claim = number(row, published, ours, unit, relative=relative, why=why)
    return replace(
        claim,
        ours=f"{claim.ours} with 20 000 steps; with his 50 {at_ship:.0f} N (at the ship) or {at_vehicle:.0f} N (at the "
        "vehicle)",
        numbers={**claim.numbers, "50 steps, ship": at_ship, "50 steps, vehicle": at_vehicle},
    )


ROWS = Rows(__file__, kinds=(equation, tension), FLOOR_N=FLOOR_N)


def tension_values() -> Values:
    """Section 3.6, and the reading of figure 6.4."""
    values: Values = {}
    general, fine = [], []
    for x, y, printed in TENSIONS:
        cable = thesis_cable(-x, abs(y), steps=20_000)  # B from A as printed
        ours = cable.tension_ship_N
        general.append(general_tension(x, abs(y)))
        fine.append(ours)
        slope = 100.0 * abs(thesis_cable(-x, abs(y) + 1.0, steps=20_000).tension_ship_N / ours - 1.0)
        slope = max(slope, 100.0 * abs(thesis_cable(-x - 1.0, abs(y), steps=20_000).tension_ship_N / ours - 1.0))
        values[f"tension-{printed:.0f}"] = {
            "published": printed,
            "ours": ours,
            "x": x,
            "y": y,
            "slope": slope,
            "other": cable.tension_vehicle_N,
            "at_ship": thesis_cable(-x, abs(y)).tension_ship_N,
            "at_vehicle": thesis_cable(x, abs(y)).tension_vehicle_N,
        }
    off = max(abs(a / b - 1.0) for a, b in zip(general, fine, strict=True))
    values["tension-general"] = {"value": off, "fine": fine, "general": general}
    return {**values, **_reading(), **_pull_values()}


def _reading() -> Values:
    length, ratio, depth = 107.7, 1.98, 52.0
    distance = length / ratio
    aside = math.sqrt(distance**2 - depth**2)
    tensions = []
    for way in np.radians(np.arange(0.0, 181.0, 15.0)):
        end = (aside * math.cos(way), aside * math.sin(way), depth)
        tensions.append(royer_cable(umbilical(), length, (0, 0, 0), end, (SPEED_M_S, 0, 0)).tension_vehicle_N)
    least, most = min(tensions), max(tensions)
    slow, fast = (SPEED_M_S * math.sqrt(87.7 / value) for value in (most, least))
    return {
        "figure-6-4": {
            "off": max(least - 87.7, 87.7 - most, 0.0),
            "slow": slow,
            "fast": fast,
            "least": least,
            "most": most,
        }
    }


def _pull_values() -> Values:
    """Section 7.5 and 2.4.a: direction of the pull on a vehicle that hovers below its ship."""
    pull = thesis_cable(0.0, 100.0).force_vehicle_n
    angle = math.degrees(math.acos(abs(pull[0]) / float(np.linalg.norm(pull))))
    ballast = -float(pull[2]) / 9.81
    mount = sea_grant().tether
    assert mount is not None
    aft = mount.fairlead_b[0]
    turned, straight = (abs(_yaw_moment(mount.fairlead_b, pull, heading)) for heading in (0.5 * math.pi, 0.0))
    return {
        "pull-direction": {"value": angle, "pull": np.linalg.norm(pull)},
        "pull-up": {"value": -float(pull[2]), "ballast": ballast, "thrust_percent": 100 * -pull[2] / 1000.0},
        "pull-yaw": {"value": turned, "straight": straight, "aft": -aft},
    }


def _yaw_moment(fairlead: tuple[float, float, float], pull: Array, heading: float) -> float:
    """N m, of a pull in NED on the level vehicle."""
    plant = Plant(sea_grant())
    plant.attach_tether(np.array(fairlead))
    plant.place(position_n=(0.0, 0.0, 50.0), euler=(0.0, 0.0, heading))
    plant.command["pull"]["force"] = pull
    plant.command["pull"]["place"] = plant.fairlead()[0]
    return float(plant.forces()["tether"][5])


def step_values() -> Values:
    """Sections 3.3 and 3.4: figures 3.5 and 3.6."""
    values: Values = {}
    for word, weight in (("light", -0.5), ("neutral", 0.0), ("heavy", 0.5)):
        fifty = royer_walk(umbilical(), LENGTH_M, START_N, START_DEG, SPEED_M_S, weight_N_m=weight)
        x, y, tension, _ = walk_in_plane(START_N, math.radians(START_DEG), weight, LENGTH_M, 800)
        many = royer_walk(umbilical(), LENGTH_M, START_N, START_DEG, SPEED_M_S, weight_N_m=weight, steps=20_000)
        off = float(np.hypot(*(many.shape_m[-1] - (x, y))))
        values[f"figure-3-5-{word}"] = {
            "holds": off < 0.2 and abs(many.tension_N / tension - 1.0) < 0.002,
            "weight": weight,
            "end": (x, y, tension),
            "many": (*many.shape_m[-1], many.tension_N),
            "fifty": (*fifty.shape_m[-1], fifty.tension_N),
        }
    at = {
        n: royer_walk(umbilical(), LENGTH_M, START_N, START_DEG, SPEED_M_S, steps=n).tension_N for n in (50, 100, 1000)
    }
    change = 100.0 * (1.0 - at[50] / at[1000])
    worse, total = _general_step()
    return {
        **values,
        "three-percent": change,
        "three-percent-general": {"off": worse / total, "worse": worse, "total": total},
    }


def _general_step() -> tuple[int, int]:
    """Number of starts that change by more than 3 percent between 50 and 1000 steps, and of all starts."""
    worse = total = 0
    for tension in np.geomspace(30.0, 1000.0, 8):
        for degrees in -np.geomspace(2.0, 150.0, 10):
            few, many = (royer_walk(umbilical(), LENGTH_M, tension, degrees, SPEED_M_S, steps=n) for n in (50, 1000))
            total += 1
            worse += abs(few.tension_N / many.tension_N - 1.0) > 0.03
    return worse, total
