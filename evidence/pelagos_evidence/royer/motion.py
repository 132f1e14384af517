"""Chapter 2 flown, and the vehicle of section 6.1.a: thrusters, their lag, steady speeds, the method of integration.

The figure of the dynamics: run-up to the limit speed, roll by the two printed forms, the lag in yaw.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from pelagos.analysis.page import INK, PALETTE, UNWRITTEN, new_figure, styled
from pelagos.vehicle.load.vehicle import load_vehicle
from pelagos.vehicle.pack.hull import contact_form
from pelagos.vehicle.pack.records import mass_matrix
from pelagos.vehicle.plant import Plant
from pelagos.vehicle.spec import Vehicle
from pelagos_evidence.claim import Claim, Proof, contested, number, statement
from pelagos_evidence.document import Drawing, drawn
from pelagos_evidence.royer import printed as text
from pelagos_evidence.royer.given import (
    ADDED,
    BG_M,
    DRAG,  # fmt: skip
    INERTIA,
    KNOT,
    LIMIT_KN,
    MASS_KG,
    SIZE_M,  # fmt: skip
    THRUST_N,  # fmt: skip
    Array,
    agrees,  # fmt: skip
    sea_grant,
    worst,  # fmt: skip
)

STEP_S = 0.02


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
        for of, color, said in (
            (vehicle, PALETTE[1], "2 x 500 N, as printed"),
            (load_vehicle("seagrant1_pump"), PALETTE[0], "pump limited to 653 N"),
        ):
            t, knots, _, _ = run(of, [500.0, 500.0], 12.0).T
            speed.plot(t, knots, color=color, label=said)
        speed.axhline(LIMIT_KN, color=INK, lw=0.8, ls="--", label="3.2 kn of the text")
        speed.set(xlabel="time, s", ylabel="speed, kn", title="Run-up", ylim=(0.0, 5.6))
        speed.legend(loc="upper left")
        for by_sets, color, said in ((False, PALETTE[0], "6 x 6 mass matrix"), (True, PALETTE[1], "sets (1) and (2)")):
            t, _, degrees, _ = run(vehicle, [0.0, 0.0, 500.0], 6.0, by_sets).T
            roll.plot(t, degrees, color=color, label=said)
        roll.set(xlabel="time, s", ylabel="roll, deg", title="500 N to starboard", ylim=(-0.2, 5.2))
        roll.legend(loc="upper right")
        for of, color, said in ((vehicle, PALETTE[0], "lag 0.5 s"), (quick, PALETTE[1], "without lag")):
            t, _, _, rate = run(of, [250.0, -250.0], 3.0).T
            yaw.plot(t, rate, color=color, label=said)
        yaw.set(xlabel="time, s", ylabel="turn rate, deg/s", title="A turn: ±250 N")
        yaw.legend(loc="lower right")
        return drawn(
            figure,
            "royer-dynamics",
            "Sea Grant 1 by the printed numbers. Left: full ahead; the stated limit speed needs a limit of the thrust. "
            "Middle: roll after a lateral order by the mass matrix of section 2.5 and by its sets (1) and (2), which "
            "lack the moment of the added-mass force. Right: the lag of the thrusters in yaw.",
        )


# ---- motion ----------------------------------------------------------------------------------------------------------


PUMP_TESTS = ("tests/engine/core/test_actuators.py", "tests/analytic/test_others.py")
POUND_KG = 0.45359237
AXES = "uvwpqr"


def data_rows() -> list[Claim]:
    """Section 6.1.a: numbers of the vehicle file beside the print."""
    vehicle = sea_grant()
    code = ("pelagos/vehicle/library/seagrant1.toml",)
    drags = {(c.axis, len(c.factors)): -c.value for c in vehicle.coefficients}
    pairs = {
        "mass 400 kg": (MASS_KG, vehicle.body.mass_kg),
        "G below B 0.2 m": (BG_M, vehicle.body.cg_b[2] - vehicle.body.cb_b[2]),
        **{f"I_{axis}": (INERTIA[i], vehicle.body.inertia_o[i, i]) for i, axis in enumerate("xyz")},
        **{f"added mass {i + 1}{i + 1}": (ADDED[i], vehicle.added_mass[i, i]) for i in range(6)},
        **{f"C1 of {AXES[i]}": (DRAG[i], drags[i, 2]) for i in range(6)},
        **{f"C2 of {AXES[i]}": (DRAG[i], drags[i, 1]) for i in range(6)},
        **{f"thrust of {t.name}": (THRUST_N, t.maximum) for t in vehicle.thrusters},
        **{f"side {i}": (SIZE_M[i], 2.0 * contact_form(vehicle.shapes[0]).half_m[i]) for i in range(3)},
    }
    off = [name for name, (printed, ours) in pairs.items() if not math.isclose(printed, ours, rel_tol=1e-12)]
    pounds = MASS_KG / POUND_KG
    return [
        statement(
            "vehicle-numbers", "section 6.1.a", "Mass, inertias, distance G-B, added masses, drags, thrusts, size",
            f"{len(pairs)} numbers", f"{len(pairs) - len(off)} of {len(pairs)} equal in the vehicle file seagrant1"
            + (f"; not {', '.join(off)}" if off else ""),
            not off, why="Numbers are copied, not computed.",
            assumption="G is put 0.2 m below P and B at P: the text gives only their distance. Water of 1025 kg/m³.",
            numbers={"published": len(pairs), "ours": len(pairs) - len(off)},
            proof=Proof(("R18", "R20", "R22"), code, ("tests/test_fleet.py", "tests/data/published_numbers.csv")),
            read_back=True,
        ),
        contested(
            "mass-pounds", "section 6.1.a", "The mass in pounds", "400 kg ≈ 850 lb",
            "850 lb are 386 kg, 4 % less; the two agree only if 400 kg is rounded to one digit. Pelagos has 400 kg.",
            ours=f"400 kg = {pounds:.0f} lb", numbers={"published": 850.0, "ours": pounds}, unit="lb",
            proof=Proof(("R21",), code, ("tests/vehicle/derive/test_inertia.py",)), off=abs(pounds - 850.0), limit=5.0,
        ),
        _coefficient_count(),
    ]  # fmt: skip


def _coefficient_count() -> Claim:
    """Besides the hydrodynamic ones: m, x_G, z_G, I (3), Vol, rho, x_B, z_B, x_T, z_T, six places of thrusters, tau,
    alpha."""
    vehicle = sea_grant()
    water = len(vehicle.coefficients) + int(np.count_nonzero(vehicle.added_mass))
    his = water + 1 + 2 + 3 + 2 + 2 + 2 + 6 + 2
    other = len(load_vehicle("npsauv").coefficients)
    return statement(
        "coefficients", "section 2.4.f", "His model hardly has the 40 coefficients of other models",
        "usually more than 40 hydrodynamic coefficients; \"we hardly arrive at this number\"",
        f"{his} constants in his equations, of them {water} hydrodynamic; a model of the kind he means, NPS AUV II "
        f"(Healey and Lienard 1993, in our fleet), has {other} hydrodynamic coefficients",
        his <= 40 < other,
        why="Counted: hydrodynamic ones in the files seagrant1 and npsauv, the others in the text of chapter 2.",
        numbers={"ours": float(his), "npsauv": float(other)},
        proof=Proof((), ("pelagos/vehicle/library",), ("tests/test_fleet.py",)),
    )  # fmt: skip


def thruster_rows() -> list[Claim]:
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
    code, tests = ("pelagos.engine.forces.thrusters",), ("tests/engine/forces/test_thrusters.py",)
    return [
        agrees(
            "thrusters", "section 2.4.e", "Force and moment of the five thrusters, any places",
            "P1 + P2, P3, P5 + P6; -z3 P3 + (P6 - P5) y56, (P1 + P2) z12 - (P5 + P6) x56, (P1 - P2) y12 + P3 x3",
            worst(ours, his),
            assumption="From the signs: 1 port, 2 starboard, 3 lateral, 5 and 6 vertical, positive down.",
            proof=Proof(("R17", "R18"), code, tests),
        ),
        number(
            "thruster-lag", "section 2.4.e", "Share of the ordered thrust after one time constant of 0.5 s",
            1.0 - math.exp(-1.0), reached, "", absolute=1e-9,
            why="Closed form of the document's first-order lag, tau P' + P = alpha |N| N, as corrected.",
            proof=Proof(("R16",), ("pelagos.engine.core.actuators",), ("tests/analytic/test_others.py",)),
        ),
        *_lag_matters(),
    ]  # fmt: skip


def _lag_matters() -> list[Claim]:
    """The same orders with and without the lag: how far apart place and heading come."""
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
    code, tests = ("pelagos.engine.core.actuators",), ("tests/engine/core/test_actuators.py",)
    return [
        statement(
            "lag-translation", "section 2.4.e",
            "The lag of 0.5 s is small: thrust may be taken proportional to the order",
            "\"the time constant is fairly small\"",
            f"0.5 s against {scales[0]:.1f}, {scales[1]:.1f}, {scales[2]:.1f} s of surge, sway and heave; 10 s full "
            f"ahead end {surge[1] - surge[0]:.2f} m apart of {surge[1]:.1f} m",
            min(scales[:3]) > 5.0 * 0.5 and abs(surge[1] - surge[0]) < 0.1 * surge[1],
            tolerance="vehicle five times slower, ways within 10 %",
            why="Ten seconds at speed lose about 0.5 s of way, 5 %; twice that is allowed.",
            assumption="\"Fairly small\" is read as below a fifth of the vehicle's own time constant.",
            numbers={"with lag": surge[0], "without": surge[1]}, unit="m", proof=Proof(("R16",), code, tests),
        ),
        contested(
            "lag-yaw", "section 2.4.e", "The same for turning", "\"the time constant is fairly small\"",
            "By the printed inertia and drag the vehicle itself answers in yaw with (100 + 100)/800 = 0.25 s, faster "
            "than the thrusters: neglecting their lag changes the answer to the stick by a factor.",
            ours=f"half a second after an order of 250 N ahead to port and astern to starboard "
            f"{math.degrees(yaw[0]):.1f} deg/s with the lag, "
            f"{math.degrees(yaw[1]):.1f} deg/s without; after 10 s the headings are {turned[1] - turned[0]:.1f}° apart",
            numbers={"time constant of yaw": float(scales[3]), "with lag": yaw[0], "without": yaw[1]},
            unit="of the time constant of yaw",
            proof=Proof(("R16",), code, tests), off=0.5 / float(scales[3]), limit=1.0,
        ),
    ]  # fmt: skip


def steady(vehicle: Vehicle, axis: int, thrusters: Sequence[float]) -> float:
    """Speed on one axis after two minutes, the others held."""
    plant = Plant(replace(vehicle, free=tuple(i == axis for i in range(6))))
    plant.set_actuators(thrusters=thrusters)
    plant.advance(0.05, 2400)
    return float(plant.nu[axis])


def speed_rows() -> list[Claim]:
    """Section 6.1.a: the limit speed, the pump, and what the printed drag gives."""
    rows = []
    for axis, name, thrusts in (
        (0, "surge", [500.0, 500.0]), (1, "sway", [0.0, 0.0, 500.0]), (2, "heave", [0.0, 0.0, 0.0, 500.0, 500.0]),
    ):  # fmt: skip
        total, C = sum(thrusts), DRAG[axis]
        closed = 0.5 * (math.sqrt(1.0 + 4.0 * total / C) - 1.0)
        rows.append(
            number(
                f"steady-{name}", "section 6.1.a with 2.4.c", f"Steady {name} at full thrust, {total:.0f} N",
                closed, steady(sea_grant(), axis, thrusts), "m/s", absolute=1e-9,
                why=f"Closed form of the document's equations: C(v² + v) = {total:.0f} N with C = {C:.0f}.",
                proof=Proof(("R20",), ("pelagos.engine.forces.coefficients",), ("tests/analytic/test_others.py",)),
            )
        )  # fmt: skip
    free = steady(sea_grant(), 0, [500.0, 500.0]) / KNOT
    limit = LIMIT_KN * KNOT
    needed = 150.0 * (limit + limit * limit)
    return [
        *rows,
        contested(
            "limit-speed", "section 6.1.a", "Limit speed with the printed thrust and drag", f"{LIMIT_KN:g} kn",
            f"Two thrusters of 500 N against 150 (u² + u) give more; 3.2 kn needs {needed:.0f} N in all.",
            ours=f"{free:.2f} kn", numbers={"published": LIMIT_KN, "ours": free}, unit="kn",
            proof=Proof(("R19",), ("pelagos/vehicle/library/seagrant1.toml",), PUMP_TESTS, ("royer-dynamics",)),
            off=abs(free - LIMIT_KN), limit=0.05,
        ),
        _pump(needed),
    ]  # fmt: skip


def _pump(needed: float) -> Claim:
    """What the pump leaves of an order to both thrusters ahead, and of an order to one of them."""
    vehicle, left = load_vehicle("seagrant1_pump"), []
    for orders in ([500.0, 500.0], [500.0, 0.0]):
        plant = Plant(vehicle)
        plant.set_actuators(thrusters=orders)
        plant.advance(0.05, 400)
        left.append(float(plant.forces()["thrusters"][0]))
    speed = steady(vehicle, 0, [500.0, 500.0]) / KNOT
    return statement(
        "pump", "section 6.1.a", "A hydraulic pump that limits the power of the thrusters can be taken into account",
        "\"can be taken into account in the simulator\"",
        f"both thrusters ordered 500 N ahead: {left[0]:.0f} N in all; one alone: {left[1]:.0f} N. Speed {speed:.2f} kn",
        abs(left[0] - needed) < 1.0 and abs(left[1] - THRUST_N) < 1.0, tolerance="1 N",
        why="The sum is kept to the limit and shared; an order within the limit is left alone.",
        assumption=f"The text gives no limit. {needed:.0f} N is worked back from its {LIMIT_KN:g} kn, so that this "
        "speed is no agreement of its own (variant seagrant1_pump).",
        numbers={"both": left[0], "alone": left[1]}, unit="N",
        proof=Proof(("R19",), ("pelagos/vehicle/library/seagrant1_pump.toml",), PUMP_TESTS, ("royer-dynamics",)),
    )  # fmt: skip


def _four_degrees() -> Claim:
    """Roll and pitch left out, flown with the orders of the full model."""
    ends = []
    for free in ((True,) * 6, (True, True, True, False, False, True)):
        plant = Plant(replace(sea_grant(), free=free))
        plant.set_actuators(thrusters=[400.0, 200.0, 300.0, 100.0, 250.0])
        plant.advance(0.02, 500)
        ends.append((plant.position_n.copy(), np.degrees(plant.euler[:2])))
    tilt = [float(np.abs(angles).max()) for _, angles in ends]
    apart = float(np.linalg.norm(ends[0][0] - ends[1][0]))
    return statement(
        "four-degrees", "section 6.1.b", "The dynamics can be simplified to four degrees of freedom",
        "\"by using 4 degree-of-freedom dynamics instead of the complete set\"",
        f"10 s with all five thrusters: roll and pitch {tilt[0]:.1f}° with six, {tilt[1]:g}° with four degrees of "
        f"freedom; places {apart:.2f} m apart",
        tilt[1] == 0.0 and tilt[0] > 1.0, tolerance="no roll, no pitch", why="Exact: two accelerations are left out.",
        assumption="Which four is not said: surge, sway, heave and yaw.",
        numbers={"six": tilt[0], "four": tilt[1]}, unit="deg",
        proof=Proof((), ("pelagos.vehicle.spec.Vehicle", "pelagos.engine.core.mass"), ("tests/vehicle/test_plant.py",)),
    )  # fmt: skip


def weave(method: str, dt: float, seconds: float = 20.0) -> Array:
    """Position and angles after a weave with all five thrusters, orders changed every 2 s."""
    plant = Plant(sea_grant())
    rng, steps = np.random.default_rng(7), round(2.0 / dt)
    for _ in range(round(seconds / 2.0)):
        plant.set_actuators(thrusters=rng.uniform(-500, 500, 5))
        plant.advance(2.0 / steps, steps, method)
    return np.concatenate([plant.position_n, plant.euler])


def integration_rows() -> list[Claim]:
    """Section 2.5: the "Newton method" and its step."""
    exact = weave("rk4", 0.002)
    off = {dt: float(np.linalg.norm((weave("euler", dt) - exact)[:3])) for dt in (0.2, 0.1, 0.05, 0.04, 0.0333)}
    order = math.log2(off[0.1] / off[0.05])
    fine = float(np.linalg.norm((weave("rk4", 4.0 / 30.0) - exact)[:3]))
    beside = float(np.linalg.norm((weave("rk4", 0.1) - exact)[:3]))
    code, tests = (
        ("pelagos.engine.core.steppers",),
        ("tests/engine/core/test_integrate.py", "tests/engine/core/test_steppers.py"),
    )
    return [
        number(
            "newton-order", "section 2.5", "Order of the \"Newton method\" S(t + dt) = S(t) + S'(t) dt", 1.0, order, "",
            absolute=0.1,
            why="No order is printed: by its formula it is explicit Euler, of order 1; a step of 0.1 s was halved.",
            proof=Proof(("R24",), code, tests),
        ),
        statement(
            "newton-rate", "sections 2.5, 6.1.b", "At 20 to 30 Hz it is good enough for a simulation",
            "\"a reasonable frequency\": 20-30 Hz",
            f"after 20 s of random orders {100 * off[0.05]:.1f} cm (20 Hz) and {100 * off[0.0333]:.1f} cm (30 Hz) from "
            "the exact solution",
            off[0.05] < 0.1 * SIZE_M[0], tolerance="a tenth of the vehicle's length",
            why="The text gives the rate and no precision; see the assumption.",
            assumption="A tenth of the vehicle's length in 20 s is taken as what matters to a pilot.",
            numbers={"20 Hz": off[0.05], "30 Hz": off[0.0333]}, unit="m", proof=Proof(("R24",), code, tests),
        ),
        statement(
            "runge-kutta", "section 2.5", "Runge-Kutta of order 4 is more precise than Newton at the same step",
            "\"more precise than Newton\"",
            f"steps of 0.1 s, 20 s of random orders: Runge-Kutta {1000 * beside:.2f} mm, Newton "
            f"{1000 * off[0.1]:.0f} mm from the exact solution",
            beside < off[0.1], tolerance="smaller error",
            why="Which of two errors is larger; steps of 2 ms stand for the exact solution.",
            numbers={"runge-kutta": beside, "newton": off[0.1]}, unit="m", proof=Proof(("R24",), code, tests),
        ),
        contested(
            "newton-cost", "section 2.5", "Its smaller step makes up for the loss of precision against Runge-Kutta",
            "\"the theoretical loss of precision is compensated by a smaller step\"",
            "With equal work, one evaluation at 30 Hz against four at 7.5 Hz, the smaller step does not make up for "
            "it; both are below what a pilot sees.",
            ours=f"Newton at 30 Hz {1000 * off[0.0333]:.1f} mm, Runge-Kutta 4 at 7.5 Hz {1000 * fine:.1f} mm from the "
            "exact place after 20 s",
            numbers={"newton": off[0.0333], "runge-kutta": fine}, unit="m", proof=Proof(("R24",), code, tests),
            off=max(off[0.0333] - fine, 0.0), limit=0.0,
        ),
    ]  # fmt: skip


def motion_rows() -> list[Claim]:
    """All rows of the motion."""
    return data_rows() + thruster_rows() + speed_rows() + integration_rows() + [_four_degrees()]
