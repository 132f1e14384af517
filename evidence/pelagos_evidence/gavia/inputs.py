"""The input matrix K of the Gavia notes against the engine: forces of fins and propeller, their signs and units."""

from __future__ import annotations

import numpy as np

from pelagos.engine.forces.fins import STILL
from pelagos.vehicle.plant import Plant
from pelagos.vehicle.spec import Vehicle
from pelagos_evidence.claim import ROUNDING, Claim, Proof, agreed, contested, number, quantity, statement
from pelagos_evidence.gavia import printed
from pelagos_evidence.gavia.printed import RPM, Array

SHAFT_RPM, ANGLE = 400.0, 0.1  # a shaft rate and a fin angle (rad) at which single forces are looked at


def put(plant: Plant, nu: Array, euler: tuple[float, ...], shaft: float, fins: tuple[float, ...]) -> None:
    """A state with its actuators where they are asked to be."""
    plant.place(position_n=(0.0, 0.0, 10.0), euler=euler, nu=nu)
    plant.state["actuators"]["thruster"][:1] = shaft
    plant.state["actuators"]["surface"][:4] = fins


def fin_matrix(gavia: Vehicle) -> Array:
    """K as the engine has it: wrench per shaft rate squared (rad/s)², and per rad of each fin."""
    plant, shaft = Plant(gavia), SHAFT_RPM * RPM
    columns: list[Array] = []
    for fin in range(-1, 4):
        angles = tuple(ANGLE if i == fin else 0.0 for i in range(4))
        put(plant, np.zeros(6), (0.0, 0.0, 0.0), shaft, angles)
        forces = plant.forces()
        columns.append(forces["thrusters"] / shaft**2 if fin < 0 else forces["fins"] / (ANGLE * shaft**2))
    return np.column_stack(columns)


def input_claims(gavia: Vehicle) -> list[Claim]:
    """K row by row, F_lift, K_prop and the squared shaft rate."""
    ours = fin_matrix(gavia)
    lift, thrust = printed.lift_of_fins(), printed.K_PROP / RPM**2
    theirs = printed.inputs(thrust, lift)
    code, tests = ("pelagos.engine.forces.fins", "pelagos.engine.forces.thrusters"), ("tests/test_fleet_signs.py",)
    size = "fin area 12 cm², blade radius 4 cm and arm 0.9674 m are the program's estimates; delta_n in rad/s."

    stream = printed.BLADE_RADIUS_M * SHAFT_RPM * RPM
    why = (
        f"the engine keeps angles of attack finite by {STILL:g} m/s, {STILL / stream:.0e} of the stream of "
        f"{stream:.2f} m/s at {SHAFT_RPM:g} rpm; rounded up to 1e-9"
    )

    def row(key: str, index: int, name: str, unit: str, what: str, said: str, errata: tuple[str, ...]) -> Claim:
        return agreed(
            key, f"matrix K, row {name}", what, said, float(np.abs(ours - theirs)[index].max()), 1e-9 * lift, unit,
            ours=f"[{', '.join(f'{x:.4g}' for x in ours[index] + 0.0)}]", why=why,
            assumption=f"Figures 1 and 2 are lost; {size}", proof=Proof(errata=errata, code=code, tests=tests),
        )  # fmt: skip

    rolled = ours[3, 1:]
    astern = Plant(gavia)
    put(astern, np.zeros(6), (0.0, 0.0, 0.0), -200.0 * RPM, (0.0,) * 4)
    back = float(astern.forces()["thrusters"][0])
    return [
        row("inputs-y", 1, "Y", "N/(rad/s)²/rad", "both rudders push to starboard with +F_lift for a positive angle",
            "[0, F_lift, F_lift, 0, 0]", ("G9", "G10")),
        contested(
            "inputs-z", "matrix K, row Z", "force of a plane along z (down) for a positive angle", "+F_lift",
            "The row M below has -x_r F_lift for the same fins. A fin at x = -x_r gives M = x_r Z, so M = -x_r F_lift "
            "needs Z = -F_lift: lift up at the tail, nose down. The two printed rows contradict each other; ours keeps "
            "M and takes the lift upwards, as angle of attack and lift are drawn in the program's figure 1.",
            ours=f"{quantity(float(ours[2, 3]))} N/(rad/s)²/rad, -F_lift",
            numbers={"published": lift, "ours": float(ours[2, 3])}, unit="N/(rad/s)²/rad",
            proof=Proof(errata=("G8",), code=code, tests=tests), off=abs(lift - float(ours[2, 3])), limit=1e-9 * lift,
            right=abs(float(ours[4, 3]) - printed.RUDDER_ARM_M * float(ours[2, 3])) < 1e-9 * lift,
        ),
        row("inputs-m", 4, "M", "N m/(rad/s)²/rad", "both planes pitch the nose down for a positive angle",
            "[0, 0, 0, -x_r F_lift, -x_r F_lift]", ("G8", "G10")),
        row("inputs-n", 5, "N", "N m/(rad/s)²/rad", "both rudders yaw to port for a positive angle",
            "[0, -x_r F_lift, -x_r F_lift, 0, 0]", ("G9", "G10")),
        fin_names(gavia),
        statement(
            "inputs-roll-drag", "matrix K, 0_roll and 0_drag; text below F_lift", "forces of fins that produce roll "
            "and drag are neglected", "0", f"drag {quantity(float(np.abs(ours[0, 1:]).max()))} N/(rad/s)²/rad; roll of "
            f"a pair {quantity(float(abs(rolled[0] + rolled[1]) + abs(rolled[2] + rolled[3])))}, of one fin alone "
            f"{quantity(float(np.abs(rolled).max()))} N m/(rad/s)²/rad",
            bool(np.abs(ours[0, 1:]).max() == 0.0 and abs(rolled[0] + rolled[1]) + abs(rolled[2] + rolled[3]) < 1e-12),
            tolerance="0; 1e-12 for the sum of a pair", why="rounding", assumption="The fins of a pair move together. "
            "Ours stand 0.1 m off the axis, so that one alone rolls the hull, which the notes leave out.",
            proof=Proof(errata=("G16",), code=code),
        ),
        number(
            "lift-of-fins", "F_lift = 1/2 rho A r_blade² 2 pi", "force of one fin per shaft rate squared and "
            "angle, by the engine, against the formula",
            lift, float(ours[1, 1]), "N/(rad/s)²/rad", relative=1e-9, why=why,
            assumption=f"{size} In rpm, as printed, the force would be 91 times too large; with the program's density "
            "of 1.028 it is 11 times too small.",
            proof=Proof(errata=("G10",), code=code, tests=("tests/test_fleet.py",)),
        ),
        number(
            "thrust-constant", "K_prop = 95·10⁻⁶", "thrust of the engine over the square of the shaft rate", 95e-6,
            float(ours[0, 0]) * RPM**2, "N/rpm²", relative=1e-12, why=ROUNDING, assumption="Its unit, which is not "
            "printed, is N/rpm²; the example of figure 3 then is in balance near the speed it asks for.",
            proof=Proof(errata=("G11",), code=code, tests=("tests/analytic/test_others.py",)),
        ),
        contested(
            "thrust-formula", "K_prop = 1/2 rho A 2 pi sin(alpha) r_blade²", "the formula printed for the same number",
            "95·10⁻⁶", f"With the fin's area and radius it needs sin(alpha) = {thrust / lift:.2f}, which no angle has; "
            "blade area, number of blades and angle are not given. The number is used, not the formula.",
            ours=f"at most {quantity(lift * RPM**2)} N/rpm² (sin(alpha) = 1)",
            numbers={"published": 95e-6, "ours": lift * RPM**2}, unit="N/rpm²", proof=Proof(errata=("G11",)),
            off=max(printed.K_PROP - lift * RPM**2, 0.0), limit=0.0,
        ),
        contested(
            "astern", "input vector, delta_n²", "thrust with the shaft turning astern, at -200 rpm",
            "K_prop delta_n² = +3.8 N",
            "A square has no sign: the propeller would push ahead whichever way it turns. n|n| is used.",
            ours=f"{quantity(back)} N", numbers={"published": 3.8, "ours": back}, unit="N",
            proof=Proof(errata=("G12",), code=("pelagos.engine.forces.thrusters",),
                        tests=("tests/engine/forces/test_thrusters.py",)),
                        off=abs(3.8 - back), limit=1e-9, right=back < 0.0,
        ),
        statement(
            "coasting", "input vector", "fins act through the propeller's stream alone: fin forces with the shaft "
            "stopped, at 2 m/s and full angle", "0", f"{quantity(coasting(gavia))} N", coasting(gavia) == 0.0,
            why="every column of fins is multiplied by delta_n²; a limit of the model, kept",
            proof=Proof(errata=("G13",), code=code),
        ),
    ]  # fmt: skip


def coasting(gavia: Vehicle) -> float:
    """Largest fin force or moment with the shaft at rest and the vehicle at 2 m/s."""
    plant = Plant(gavia)
    put(plant, np.array([2.0, 0.0, 0.0, 0.0, 0.0, 0.0]), (0.0, 0.0, 0.0), 0.0, (0.3, 0.3, 0.3, 0.3))
    return float(np.abs(plant.forces()["fins"]).max())


def fin_names(gavia: Vehicle) -> Claim:
    """Figure 2: which fin is which."""
    order = {"r_UR": (2, -1.0), "r_LR": (2, 1.0), "r_RP": (1, 1.0), "r_LP": (1, -1.0)}
    places = [fin.position_b for fin in gavia.fins]
    right = len(places) == 4 and all(
        at[axis] * sign > 0.0 and at[3 - axis] == 0.0 for at, (axis, sign) in zip(places, order.values(), strict=True)
    )
    return statement(
        "fin-names", "figure 2, input vector", "columns 2 to 5 of K are the upper, lower, right and left fin: where "
        "the fins of our Gavia stand (y to starboard, z down)", "upper, lower, right, left",
        "; ".join(f"{name} ({at[1]:g}, {at[2]:g}) m" for name, at in zip(order, places, strict=False)), right,
        why="upper: z < 0, lower: z > 0, right: y > 0, left: y < 0", assumption="Figure 2 is lost; right and left are "
        "those of one who looks ahead, and the distance of 0.1 m from the axis is the hull's radius.",
        proof=Proof(code=("pelagos.vehicle.library",), tests=("tests/test_fleet_signs.py",)),
    )  # fmt: skip
