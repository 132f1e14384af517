"""The input matrix K of the Gavia notes against the engine: forces of fins and propeller, their signs and units."""

from __future__ import annotations

from typing import Any

import numpy as np

from pelagos.engine.forces.fins import STILL
from pelagos.units import RPM
from pelagos.vehicle.plant import Plant
from pelagos.vehicle.spec import Vehicle
from pelagos_evidence.claim import Claim
from pelagos_evidence.gavia import printed
from pelagos_evidence.rows import Array, Rows, Values

SHAFT_RPM, ANGLE = 400.0, 0.1  # a shaft rate and a fin angle (rad) at which single forces are looked at


ROWS = Rows(__file__, STILL=STILL, SHAFT_RPM=SHAFT_RPM)


def put(plant: Plant, nu: Array, euler: tuple[float, ...], shaft: float, fins: tuple[float, ...]) -> None:
    """Place the vehicle at a state with its actuators at their commands."""
    plant.place(position_n=(0.0, 0.0, 10.0), euler=euler, nu=nu)
    plant.state["actuators"]["thruster"][:1] = shaft
    plant.state["actuators"]["surface"][:4] = fins


def fin_matrix(gavia: Vehicle) -> Array:
    """K of the engine: wrench per shaft rate squared (rad/s)², and per rad of each fin."""
    plant, shaft = Plant(gavia), SHAFT_RPM * RPM
    columns: list[Array] = []
    for fin in range(-1, 4):
        angles = tuple(ANGLE if i == fin else 0.0 for i in range(4))
        put(plant, np.zeros(6), (0.0, 0.0, 0.0), shaft, angles)
        forces = plant.forces()
        columns.append(forces["thrusters"] / shaft**2 if fin < 0 else forces["fins"] / (ANGLE * shaft**2))
    return np.column_stack(columns)


def input_claims(gavia: Vehicle) -> tuple[Claim, ...]:
    """The rows of K and of its constants."""
    return ROWS.claims(input_values(gavia))


def input_values(gavia: Vehicle) -> Values:
    """K row by row, F_lift, K_prop and the squared shaft rate."""
    ours = fin_matrix(gavia)
    lift, thrust = printed.lift_of_fins(), printed.K_PROP / RPM**2
    theirs = printed.inputs(thrust, lift)
    stream = printed.BLADE_RADIUS_M * SHAFT_RPM * RPM

    def row_of(index: int) -> dict[str, Any]:
        return {
            "difference": float(np.abs(ours - theirs)[index].max()),
            "limit": 1e-9 * lift,
            "ours": f"[{', '.join(f'{x:.4g}' for x in ours[index] + 0.0)}]",
            "stream": stream,
            "stream_share": STILL / stream,
        }

    rolled = ours[3, 1:]
    astern = Plant(gavia)
    put(astern, np.zeros(6), (0.0, 0.0, 0.0), -200.0 * RPM, (0.0,) * 4)
    back = float(astern.forces()["thrusters"][0])
    return {
        "inputs-y": row_of(1),
        "inputs-z": {
            "off": abs(lift - float(ours[2, 3])),
            "limit": 1e-9 * lift,
            "right": abs(float(ours[4, 3]) - printed.RUDDER_ARM_M * float(ours[2, 3])) < 1e-9 * lift,
            "lift_down": ours[2, 3],
            "lift": lift,
        },
        "inputs-m": row_of(4),
        "inputs-n": row_of(5),
        **fin_names(gavia),
        "inputs-roll-drag": {
            "holds": bool(
                np.abs(ours[0, 1:]).max() == 0.0 and abs(rolled[0] + rolled[1]) + abs(rolled[2] + rolled[3]) < 1e-12
            ),
            "drag": np.abs(ours[0, 1:]).max(),
            "rolled": abs(rolled[0] + rolled[1]) + abs(rolled[2] + rolled[3]),
            "rolled_alone": np.abs(rolled).max(),
        },
        "lift-of-fins": {
            "published": lift,
            "ours": float(ours[1, 1]),
            "stream_share": STILL / stream,
            "stream": stream,
        },
        "thrust-constant": float(ours[0, 0]) * RPM**2,
        "thrust-formula": {
            "off": max(printed.K_PROP - lift * RPM**2, 0.0),
            "sine": thrust / lift,
            "most": lift * RPM**2,
        },
        "astern": {"off": abs(3.8 - back), "right": back < 0.0, "back": back},
        "coasting": coasting(gavia),
    }


def coasting(gavia: Vehicle) -> float:
    """Largest fin force or moment with the shaft at rest and the vehicle at 2 m/s."""
    plant = Plant(gavia)
    put(plant, np.array([2.0, 0.0, 0.0, 0.0, 0.0, 0.0]), (0.0, 0.0, 0.0), 0.0, (0.3, 0.3, 0.3, 0.3))
    return float(np.abs(plant.forces()["fins"]).max())


def fin_names(gavia: Vehicle) -> Values:
    """Names of the fins in figure 2."""
    order = {"r_UR": (2, -1.0), "r_LR": (2, 1.0), "r_RP": (1, 1.0), "r_LP": (1, -1.0)}
    places = [fin.position_b for fin in gavia.fins]
    right = len(places) == 4 and all(
        at[axis] * sign > 0.0 and at[3 - axis] == 0.0 for at, (axis, sign) in zip(places, order.values(), strict=True)
    )
    return {
        "fin-names": {
            "holds": right,
            "ours": "; ".join(f"{name} ({at[1]:g}, {at[2]:g}) m" for name, at in zip(order, places, strict=False)),
        }
    }
