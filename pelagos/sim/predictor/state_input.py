"""Start state of a prediction, as a record of the engine, from named values, a VehicleState or a saved simulation."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from pelagos.checks import number
from pelagos.engine.core import layout as lay
from pelagos.errors import CommandError, one_of, shown
from pelagos.messages import VehicleState
from pelagos.sim.columns import actuator_columns, columns
from pelagos.sim.commands import ANGLES, POSITION, SPEEDS, limits_of
from pelagos.sim.inputs import PLACE_RANGE, RATES
from pelagos.sim.predictor.prediction import ActuatorCommands, PredictedState
from pelagos.vehicle.plant import Plant
from pelagos.vehicle.thruster_curve import ThrustCurve

Array = NDArray[np.float64]
Positions = Mapping[str, float] | Mapping[str, Mapping[str, float]]
QUATERNION = ("q0", "q1", "q2", "q3")
ROBOT_LINK_KEYS = (  # in a state of the robot link besides the columns of the log; accepted and ignored
    "north_m_s", "east_m_s", "down_m_s", "surge_water_m_s", "sway_water_m_s", "heave_water_m_s",
    "surge_accel_m_s2", "sway_accel_m_s2", "heave_accel_m_s2",
    "roll_accel_deg_s2", "pitch_accel_deg_s2", "yaw_accel_deg_s2",
)  # fmt: skip
GROUPS = ("thrusters", "surfaces", "ballast")
VELOCITY = (*SPEEDS, *RATES)


@dataclass(frozen=True, eq=False)
class StartState:
    """The start of a prediction.

    row        the state record; unknown values are at rest
    commands   last commands of the actuators; if unknown, zero and the present ballast
    exact      whether it is a complete state of the engine, without assumptions
    assumed    indices of (thrusters, surfaces) of unknown position: they start at their first command
    """

    row: Array
    next_step: float
    commands: ActuatorCommands
    exact: bool = True
    assumed: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())


def start_state(state: object, plant: Plant, surface: bool, actuators: Positions | None) -> StartState:
    """Convert a state to the start of a prediction; overwrites the state of the plant, which converts it."""
    placed = _columns_of(actuators, plant)
    if isinstance(state, PredictedState):
        _same("vehicle", state.vehicle, plant.vehicle.key)
        _same("kinematics", state.kinematics, _kinematics(plant))
        return _with(StartState(state.row.copy(), state.next_step, state.commands), plant, placed)
    if isinstance(state, VehicleState):
        attitude = (state.roll, state.pitch, state.yaw)
        for key, value in zip(POSITION, state.pos_n.tolist(), strict=True):
            _ranged(key, value)
        return _moving(plant, state.time_s, state.pos_n, state.nu, {"euler": attitude}, placed)
    if isinstance(state, Mapping):
        values = cast("Mapping[str, Any]", state)
        if "made_by" in values:
            return _with(_saved(values, plant), plant, placed)
        return _named({**values, **placed}, plant, surface)
    raise CommandError(
        key="the state",
        value=state,
        expected="numbers by name such as depth_m, a VehicleState or an Estimate, what Simulation.save() returned, "
        "or a PredictedState of a prediction",
    )


def _named(values: Mapping[str, Any], plant: Plant, surface: bool) -> StartState:
    """The start from values by column name of the log."""
    positions = actuator_columns(plant.vehicle)
    of_the_log = (*PLACE_RANGE, *QUATERNION, *columns(plant.vehicle), *ROBOT_LINK_KEYS)
    for key in values:
        if key not in of_the_log:
            valid = (*POSITION, *ANGLES, *QUATERNION, *VELOCITY, "time_s", *positions)
            expected = f"names such as {', '.join(valid)}"
            raise CommandError("the state has no key", value=key, expected=expected, names=valid)
    if surface and "depth_m" not in values:
        raise CommandError("the state has no depth_m", expected="it, since the world has a surface")
    read = {key: _ranged(key, values.get(key, 0.0)) for key in (*POSITION, *VELOCITY, *ANGLES)}
    read["time_s"] = number("state time_s", values.get("time_s", 0.0))
    nu = [read[key] for key in VELOCITY[:3]] + [math.radians(read[key]) for key in VELOCITY[3:]]
    attitude: dict[str, Any] = {"euler": [math.radians(read[key]) for key in ANGLES]}
    quaternion = [key for key in QUATERNION if key in values]
    if quaternion:
        if len(quaternion) < 4:
            missing = next(key for key in QUATERNION if key not in values)
            expected = "a quaternion q0 q1 q2 q3, scalar first"
            raise CommandError("is missing", key=f"state {missing}", expected=expected)
        attitude = {"quaternion": [number(f"state {key}", values[key]) for key in QUATERNION]}
    placed = {key: values[key] for key in positions if key in values}
    return _moving(plant, read["time_s"], [read[key] for key in POSITION], nu, attitude, placed)


def _ranged(key: str, value: object) -> float:
    return number(f"state {key}", value, -PLACE_RANGE[key], PLACE_RANGE[key])


def _moving(
    plant: Plant, time_s: float, position_n: Any, nu: Any, attitude: dict[str, Any], actuators: Mapping[str, float]
) -> StartState:
    """The start from a motion and the positions of some actuators."""
    plant.reset()
    plant.place(position_n=position_n, nu=nu, **attitude)
    plant.state["time"] = time_s
    placed = _put(plant, actuators)
    vehicle = plant.vehicle
    thrusters = tuple(i for i in range(len(vehicle.thrusters)) if ("thrusters", i) not in placed)
    surfaces = tuple(i for i in range(len(vehicle.surfaces)) if ("surfaces", i) not in placed)
    ballast = plant.state["actuators"]["ballast"][: len(vehicle.ballast)].copy()
    commands = ActuatorCommands(np.zeros(len(vehicle.thrusters)), np.zeros(len(vehicle.surfaces)), ballast)
    saved = plant.save()
    return StartState(saved["state"], saved["next_step"], commands, False, (thrusters, surfaces))


def _saved(saved: Mapping[str, Any], plant: Plant) -> StartState:
    """The start from the result of `Simulation.save`."""
    made_by = saved["made_by"]
    _same("vehicle", made_by.get("vehicle"), plant.vehicle.key)
    _same("kinematics", made_by.get("kinematics"), _kinematics(plant))
    if made_by.get("tether"):
        raise CommandError("the state was saved with a tether, and a predictor has none", expected="sim.state()")
    kept = saved["plant"]
    command = kept["command"].copy().view(lay.COMMAND.dtype)[0]["actuators"]
    vehicle = plant.vehicle
    commands = ActuatorCommands(
        command["thruster"][: len(vehicle.thrusters)].copy(),
        command["surface"][: len(vehicle.surfaces)].copy(),
        command["ballast"][: len(vehicle.ballast)].copy(),
    )
    return StartState(kept["state"].copy(), kept["next_step"], commands)


def _with(known: StartState, plant: Plant, actuators: Mapping[str, float]) -> StartState:
    """A complete state with other positions of some actuators."""
    if not actuators:
        return known
    plant.restore({**plant.save(), "state": known.row})
    _put(plant, actuators)
    return StartState(plant.save()["state"], known.next_step, known.commands)


def _columns_of(actuators: Positions | None, plant: Plant) -> dict[str, Any]:
    """Positions of actuators by column name; groups, as in messages of the robot link, are resolved."""
    positions, flat = actuator_columns(plant.vehicle), dict[str, Any]()
    for key, value in (actuators or {}).items():
        if key not in GROUPS or not isinstance(value, Mapping):
            flat[key] = value
            continue
        for name, position in cast("Mapping[str, Any]", value).items():
            column = f"{key.removesuffix('s')}_{name}"
            throttle = f"{column}_throttle"  # the link sends throttles without a unit
            flat[throttle if throttle in positions else column] = position
    return flat


def _put(plant: Plant, actuators: Mapping[str, float]) -> set[tuple[str, int]]:
    """Set the positions of some actuators; return their groups and indices."""
    positions, placed = actuator_columns(plant.vehicle), set[tuple[str, int]]()
    for key, value in actuators.items():
        if key not in positions:
            raise CommandError("there is no actuator", value=key, expected=one_of(positions), names=positions)
        group, i, per = positions[key]
        low, high = (limit * per for limit in _reach(plant, group, i))
        slack = 1e-6 * (high - low)  # for values that were rounded in a file or a message
        if not low - slack <= number(f"state {key}", value) <= high + slack:
            raise CommandError(
                key=f"state {key}", value=value, expected=f"{low:.6g} to {high:.6g}, where the actuator ends"
            )
        plant.state["actuators"][group.removesuffix("s")][i] = value / per
        placed.add((group, i))
    return placed


def _reach(plant: Plant, group: str, i: int) -> tuple[float, float]:
    """Lowest and highest position of an actuator, SI."""
    vehicle = plant.vehicle
    if group == "thrusters" and vehicle.thrusters[i].lag_on == "thrust":  # its position in the state is a force
        curve = ThrustCurve(vehicle.thrusters[i], float(plant.water["density"]) / vehicle.water.density_kg_m3)
        return curve.low, curve.high
    return limits_of(vehicle, group, i)[:2]


def _kinematics(plant: Plant) -> str:
    return "euler" if plant.euler_angles else "quaternion"


def _same(key: str, other: object, mine: str) -> None:
    if other != mine:
        raise CommandError(key=f"{key} of the state", value=other, expected=f"{shown(mine)}, as in this predictor")
