"""Simulations of chapter 2 with the vehicle of section 6.1.a: thrusters, their lag, steady speeds, integration."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from pelagos.analysis.page import INK, PALETTE, UNWRITTEN, new_figure, styled
from pelagos.units import KNOT, POUND
from pelagos.vehicle.load.vehicle import load_vehicle
from pelagos.vehicle.pack.hull import contact_form
from pelagos.vehicle.pack.records import mass_matrix
from pelagos.vehicle.plant import Plant
from pelagos.vehicle.spec import VELOCITIES, Vehicle
from pelagos_evidence.claim import Claim
from pelagos_evidence.document import Drawing, drawn
from pelagos_evidence.rows import Array, Rows, Values
from pelagos_evidence.royer import printed as text
from pelagos_evidence.royer.given import (
    ADDED,
    BG_M,
    DRAG,
    INERTIA,
    LIMIT_KN,
    MASS_KG,
    SIZE_M,
    THRUST_N,
    equation,
    sea_grant,
    worst,
)

STEP_S = 0.02


ROWS = Rows(__file__, kinds=(equation,), LIMIT_KN=LIMIT_KN)


def run(vehicle: Vehicle, thrusters: list[float], seconds: float, by_sets: bool = False) -> Array:
    """Time, speed ahead (kn), roll (deg), turn rate (deg/s), row by row.

    by_sets: with the accelerations of the printed sets (1) and (2), by his Newton method at the same step.
    """
    plant = Plant(vehicle)
    plant.set_actuators(thrusters=thrusters)
    G, rows = np.array([0.0, 0.0, BG_M]), []
    for n in range(round(seconds / STEP_S) + 1):
        u, roll, rate = float(plant.nu[0]), float(plant.euler[0]), float(plant.nu[5])
        rows.append((n * STEP_S, u / KNOT, math.degrees(roll), math.degrees(rate)))
        before, now = plant.nu.copy(), plant.forces()
        plant.advance(STEP_S, 1)
        if by_sets:
            load = np.sum([wrench for name, wrench in now.items() if name != "rigid_body"], axis=0)
            plant.nu[:] = before + STEP_S * text.sets_1_and_2(MASS_KG, INERTIA, ADDED, G, before, load)
    return np.array(rows)


def dynamics_figure() -> Drawing:
    """Three panels."""
    vehicle = sea_grant()
    quick = replace(vehicle, thrusters=tuple(replace(t, time_constant_s=0.0) for t in vehicle.thrusters))
    with styled():
        figure = new_figure(UNWRITTEN, (9.4, 3.3), None)
        speed, roll, yaw = figure.subplots(1, 3)
        for of, color, caption in (
            (vehicle, PALETTE[1], "2 x 500 N, as printed"),
            (load_vehicle("seagrant1_pump"), PALETTE[0], "pump limited to 653 N"),
        ):
            t, knots, _, _ = run(of, [500.0, 500.0], 12.0).T
            speed.plot(t, knots, color=color, label=caption)
        speed.axhline(LIMIT_KN, color=INK, lw=0.8, ls="--", label="3.2 kn of the text")
        speed.set(xlabel="time, s", ylabel="speed, kn", title="Run-up", ylim=(0.0, 5.6))
        speed.legend(loc="upper left")
        for by_sets, color, caption in (
            (False, PALETTE[0], "6 x 6 mass matrix"),
            (True, PALETTE[1], "sets (1) and (2)"),
        ):
            t, _, degrees, _ = run(vehicle, [0.0, 0.0, 500.0], 6.0, by_sets).T
            roll.plot(t, degrees, color=color, label=caption)
        roll.set(xlabel="time, s", ylabel="roll, deg", title="500 N to starboard", ylim=(-0.2, 5.2))
        roll.legend(loc="upper right")
        for of, color, caption in ((vehicle, PALETTE[0], "lag 0.5 s"), (quick, PALETTE[1], "without lag")):
            t, _, _, rate = run(of, [250.0, -250.0], 3.0).T
            yaw.plot(t, rate, color=color, label=caption)
        yaw.set(xlabel="time, s", ylabel="turn rate, deg/s", title="A turn: ±250 N")
        yaw.legend(loc="lower right")
        return drawn(
            figure,
            "royer-dynamics",
            "Sea Grant 1 by the printed numbers. Left: full ahead; the stated limit speed needs a limit of the thrust. "
            "Middle: roll after a lateral order by the mass matrix of section 2.5 and by its sets (1) and (2), which "
            "lack the moment of the added-mass force. Right: the lag of the thrusters in yaw.",
        )


def data_values() -> Values:
    """Section 6.1.a: numbers of the vehicle file beside the print."""
    vehicle = sea_grant()
    drags = {(c.axis, len(c.factors)): -c.value for c in vehicle.coefficients}
    pairs = {
        "mass 400 kg": (MASS_KG, vehicle.body.mass_kg),
        "G below B 0.2 m": (BG_M, vehicle.body.cg_b[2] - vehicle.body.cb_b[2]),
        **{f"I_{axis}": (INERTIA[i], vehicle.body.inertia_o[i, i]) for i, axis in enumerate("xyz")},
        **{f"added mass {i + 1}{i + 1}": (ADDED[i], vehicle.added_mass[i, i]) for i in range(6)},
        **{f"C1 of {VELOCITIES[i]}": (DRAG[i], drags[i, 2]) for i in range(6)},
        **{f"C2 of {VELOCITIES[i]}": (DRAG[i], drags[i, 1]) for i in range(6)},
        **{f"thrust of {t.name}": (THRUST_N, t.maximum) for t in vehicle.thrusters},
        **{f"side {i}": (SIZE_M[i], 2.0 * contact_form(vehicle.shapes[0]).half_m[i]) for i in range(3)},
    }
    off = [name for name, (printed, ours) in pairs.items() if not math.isclose(printed, ours, rel_tol=1e-12)]
    pounds = MASS_KG / POUND
    return {
        "vehicle-numbers": {
            "holds": not off,
            "printed_numbers": len(pairs),
            "ours": f"{len(pairs) - len(off)} of {len(pairs)} equal in the vehicle file seagrant1"
            + (f"; not {', '.join(off)}" if off else ""),
            "equal_numbers": len(pairs) - len(off),
        },
        "mass-pounds": {"off": abs(pounds - 850.0), "pounds": pounds},
        **_coefficient_count(),
    }


def _coefficient_count() -> Values:
    """Besides the hydrodynamic ones: m, x_G, z_G, I (3), Vol, rho, x_B, z_B, x_T, z_T, six places of thrusters, tau,
    alpha."""
    vehicle = sea_grant()
    water = len(vehicle.coefficients) + int(np.count_nonzero(vehicle.added_mass))
    his = water + 1 + 2 + 3 + 2 + 2 + 2 + 6 + 2
    other = len(load_vehicle("npsauv").coefficients)
    return {"coefficients": {"holds": his <= 40 < other, "his": his, "water": water, "other": other}}


def thruster_values() -> Values:
    """Section 2.4.e."""
    rng, vehicle = np.random.default_rng(24), sea_grant()
    ours: list[Array] = []
    his: list[Array] = []
    for _ in range(40):  # layouts; five sets of thrusts in each
        y12, z12, x3, z3, y56, x56 = rng.uniform(-1, 1, 6)
        places = ((0.3, -y12, z12), (0.3, y12, z12), (x3, 0.1, z3), (x56, -y56, 0.2), (x56, y56, 0.2))
        moved = tuple(replace(t, position_b=place) for t, place in zip(vehicle.thrusters, places, strict=True))
        plant = Plant(replace(vehicle, thrusters=moved))
        for _ in range(5):
            thrust = rng.uniform(-500, 500, 5)
            plant.state["actuators"]["thruster"][:5] = thrust
            ours.append(plant.forces()["thrusters"])
            his.append(text.thrusters(thrust, y12, z12, x3, z3, y56, x56))
    step = Plant(vehicle)
    step.set_actuators(thrusters=[THRUST_N, THRUST_N])
    step.advance(0.05, 10)
    reached = float(step.forces()["thrusters"][0]) / (2.0 * THRUST_N)
    return {
        "thrusters": worst(ours, his),
        "thruster-lag": {"published": 1.0 - math.exp(-1.0), "ours": reached},
        **_lag_matters(),
    }


def _lag_matters() -> Values:
    """Differences of place and heading by the thruster lag, with the same commands."""
    vehicle = sea_grant()
    quick = replace(vehicle, thrusters=tuple(replace(t, time_constant_s=0.0) for t in vehicle.thrusters))
    surge, yaw, turned = [], [], []
    for of in (vehicle, quick):
        plant = Plant(of)
        plant.set_actuators(thrusters=[500.0, 500.0])
        plant.advance(0.02, 500)
        surge.append(float(plant.position_n[0]))
        plant = Plant(of)
        plant.set_actuators(thrusters=[250.0, -250.0])
        plant.advance(0.02, 25)
        yaw.append(float(plant.nu[5]))
        plant.advance(0.02, 475)
        turned.append(math.degrees(plant.euler[2]))
    matrix = mass_matrix(vehicle)
    scales = [matrix[i, i] / DRAG[i] for i in (0, 1, 2, 5)]  # of small motions: linear drag alone
    return {
        "lag-translation": {
            "holds": min(scales[:3]) > 5.0 * 0.5 and abs(surge[1] - surge[0]) < 0.1 * surge[1],
            "scales": scales,
            "surge_difference": surge[1] - surge[0],
            "surge": surge,
        },
        "lag-yaw": {
            "off": 0.5 / float(scales[3]),
            "yaw_with_lag": math.degrees(yaw[0]),
            "yaw_without_lag": math.degrees(yaw[1]),
            "turned": turned[1] - turned[0],
            "scales": scales,
            "yaw_rad_s": yaw,
        },
    }


def steady(vehicle: Vehicle, axis: int, thrusters: Sequence[float]) -> float:
    """Speed on one axis after two minutes, the others held."""
    plant = Plant(replace(vehicle, free=tuple(i == axis for i in range(6))))
    plant.set_actuators(thrusters=thrusters)
    plant.advance(0.05, 2400)
    return float(plant.nu[axis])


def speed_values() -> Values:
    """Section 6.1.a: the limit speed, the pump, and what the printed drag gives."""
    rows: Values = {}
    for axis, name, thrusts in (
        (0, "surge", [500.0, 500.0]), (1, "sway", [0.0, 0.0, 500.0]), (2, "heave", [0.0, 0.0, 0.0, 500.0, 500.0]),
    ):  # fmt: skip
        total, C = sum(thrusts), DRAG[axis]
        closed = 0.5 * (math.sqrt(1.0 + 4.0 * total / C) - 1.0)
        rows[f"steady-{name}"] = {
            "published": closed, "ours": steady(sea_grant(), axis, thrusts), "total": total, "drag": C,
        }  # fmt: skip
    free = steady(sea_grant(), 0, [500.0, 500.0]) / KNOT
    limit = LIMIT_KN * KNOT
    needed = 150.0 * (limit + limit * limit)
    return {
        **rows,
        "limit-speed": {"off": abs(free - LIMIT_KN), "needed": needed, "free": free, "limit_kn": LIMIT_KN},
        **_pump(needed),
    }


def _pump(needed: float) -> Values:
    """Share that the pump leaves of a command to both thrusters ahead, and of one to a single thruster."""
    vehicle, left = load_vehicle("seagrant1_pump"), []
    for orders in ([500.0, 500.0], [500.0, 0.0]):
        plant = Plant(vehicle)
        plant.set_actuators(thrusters=orders)
        plant.advance(0.05, 400)
        left.append(float(plant.forces()["thrusters"][0]))
    speed = steady(vehicle, 0, [500.0, 500.0]) / KNOT
    return {
        "pump": {
            "holds": abs(left[0] - needed) < 1.0 and abs(left[1] - THRUST_N) < 1.0,
            "left": left,
            "speed": speed,
            "needed": needed,
        }
    }


def _four_degrees() -> Values:
    """Roll and pitch left out, flown with the orders of the full model."""
    ends = []
    for free in ((True,) * 6, (True, True, True, False, False, True)):
        plant = Plant(replace(sea_grant(), free=free))
        plant.set_actuators(thrusters=[400.0, 200.0, 300.0, 100.0, 250.0])
        plant.advance(0.02, 500)
        ends.append((plant.position_n.copy(), np.degrees(plant.euler[:2])))
    tilt = [float(np.abs(angles).max()) for _, angles in ends]
    apart = float(np.linalg.norm(ends[0][0] - ends[1][0]))
    return {"four-degrees": {"holds": tilt[1] == 0.0 and tilt[0] > 1.0, "tilt": tilt, "apart": apart}}


def weave(method: str, dt: float, seconds: float = 20.0) -> Array:
    """Position and angles after a weave with all five thrusters, orders changed every 2 s."""
    plant = Plant(sea_grant())
    rng, steps = np.random.default_rng(7), round(2.0 / dt)
    for _ in range(round(seconds / 2.0)):
        plant.set_actuators(thrusters=rng.uniform(-500, 500, 5))
        plant.advance(2.0 / steps, steps, method)
    return np.concatenate([plant.position_n, plant.euler])


def integration_values() -> Values:
    """Section 2.5: the "Newton method" and its step."""
    exact = weave("rk4", 0.002)
    off = {dt: float(np.linalg.norm((weave("euler", dt) - exact)[:3])) for dt in (0.2, 0.1, 0.05, 0.04, 0.0333)}
    order = math.log2(off[0.1] / off[0.05])
    fine = float(np.linalg.norm((weave("rk4", 4.0 / 30.0) - exact)[:3]))
    beside = float(np.linalg.norm((weave("rk4", 0.1) - exact)[:3]))
    return {
        "newton-order": order,
        "newton-rate": {
            "holds": off[0.05] < 0.1 * SIZE_M[0],
            "off": 100 * off[0.05],
            "off_2": 100 * off[0.0333],
            "off_0_05": off[0.05],
            "off_0_0333": off[0.0333],
        },
        "runge-kutta": {
            "holds": beside < off[0.1],
            "beside": 1000 * beside,
            "off": 1000 * off[0.1],
            "beside_2": beside,
            "newton": off[0.1],
        },
        "newton-cost": {
            "off": max(off[0.0333] - fine, 0.0),
            "off_value": 1000 * off[0.0333],
            "fine": 1000 * fine,
            "newton": off[0.0333],
            "fine_2": fine,
        },
    }


def motion_claims() -> tuple[Claim, ...]:
    """All rows of the motion."""
    return ROWS.claims(
        {**data_values(), **thruster_values(), **speed_values(), **integration_values(), **_four_degrees()}
    )
