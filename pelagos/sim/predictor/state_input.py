"""Read the state that a caller gives into the state record of the engine: numbers by name, a VehicleState, a save."""

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
from pelagos.sim.columns import columns
from pelagos.sim.inputs import PLACE_RANGE
from pelagos.sim.predictor.prediction import Demands, PredictedState, actuator_columns
from pelagos.vehicle.plant import Plant
from pelagos.vehicle.thruster_curve import ThrustCurve

Array = NDArray[np.float64]
Positions = Mapping[str, float] | Mapping[str, Mapping[str, float]]
QUATERNION = ("q0", "q1", "q2", "q3")
POSITION = ("north_m", "east_m", "depth_m")
ANGLES = ("roll_deg", "pitch_deg", "heading_deg")
TOLD_ALSO = (  # by the robot link, beside the columns of the log; not read
    "north_m_s", "east_m_s", "down_m_s", "surge_water_m_s", "sway_water_m_s", "heave_water_m_s",
    "surge_accel_m_s2", "sway_accel_m_s2", "heave_accel_m_s2",
    "roll_accel_deg_s2", "pitch_accel_deg_s2", "yaw_accel_deg_s2",
)  # fmt: skip
GROUPS = {"thrusters": "thruster", "surfaces": "surface", "ballast": "ballast"}
VELOCITY = ("surge_m_s", "sway_m_s", "heave_m_s", "roll_rate_deg_s", "pitch_rate_deg_s", "yaw_rate_deg_s")


@dataclass(frozen=True, eq=False)
class KnownState:
    """A state to start from.

    row        the state record; what is not known is at rest
    demands    what the actuators were told last; where nobody knows: nothing, ballast as it is
    whole      it is an exact state of the engine: nothing has to be assumed
    assumed    (thrusters, surfaces) whose position nobody knows: they are taken to be where the first orders want them
    """

    row: Array
    next_step: float
    demands: Demands
    whole: bool = True
    assumed: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())


def known_state(given: object, plant: Plant, surface: bool, actuators: Positions | None) -> KnownState:
    """Read a state; the plant is used for its conversions and left somewhere."""
    placed = _columns_of(actuators, plant)
    if isinstance(given, PredictedState):
        _same("vehicle", given.vehicle, plant.vehicle.key)
        _same("kinematics", given.kinematics, _kinematics(plant))
        return _with(KnownState(given.row.copy(), given.next_step, given.demands), plant, placed)
    if isinstance(given, VehicleState):
        attitude = (given.roll, given.pitch, given.yaw)
        for key, value in zip(POSITION, given.pos_n.tolist(), strict=True):
            _ranged(key, value)
        return _moving(plant, given.time_s, given.pos_n, given.nu, {"euler": attitude}, placed)
    if isinstance(given, Mapping):
        values = cast("Mapping[str, Any]", given)
        if "made_by" in values:
            return _with(_saved(values, plant), plant, placed)
        return _named({**values, **placed}, plant, surface)
    raise CommandError(
        key="the state",
        value=given,
        expected="numbers by name such as depth_m, a VehicleState or an Estimate, what Simulation.save() returned, "
        "or a PredictedState of a prediction",
    )


def _named(values: Mapping[str, Any], plant: Plant, surface: bool) -> KnownState:
    """Numbers with the names of the log; a whole line of a log will do."""
    positions = actuator_columns(plant.vehicle)
    of_the_log = (*PLACE_RANGE, *QUATERNION, *columns(plant.vehicle), *TOLD_ALSO)
    for key in values:
        if key not in of_the_log:
            valid = (*POSITION, *ANGLES, *QUATERNION, *VELOCITY, "time_s", *positions)
            raise CommandError(
                f"the state has no {shown(key)}",
                expected=f"names such as {', '.join(valid)}",
                names=valid,
                misspelt=key,
            )
    if surface and "depth_m" not in values:
        raise CommandError("the state has no depth_m", expected="it, since the world has a surface")
    read = {key: _ranged(key, values.get(key, 0.0)) for key in (*POSITION, *VELOCITY, *ANGLES)}
    read["time_s"] = number("state time_s", values.get("time_s", 0.0))
    nu = [read[key] for key in VELOCITY[:3]] + [math.radians(read[key]) for key in VELOCITY[3:]]
    attitude: dict[str, Any] = {"euler": [math.radians(read[key]) for key in ANGLES]}
    turned = [key for key in QUATERNION if key in values]
    if turned:
        if len(turned) < 4:
            missing = next(key for key in QUATERNION if key not in values)
            raise CommandError(f"the state has no {missing}", expected="a quaternion q0 q1 q2 q3, scalar first")
        attitude = {"quaternion": [number(f"state {key}", values[key]) for key in QUATERNION]}
    placed = {key: values[key] for key in positions if key in values}
    return _moving(plant, read["time_s"], [read[key] for key in POSITION], nu, attitude, placed)


def _ranged(key: str, value: object) -> float:
    return number(f"state {key}", value, -PLACE_RANGE[key], PLACE_RANGE[key])


def _moving(
    plant: Plant, time_s: float, position_n: Any, nu: Any, attitude: dict[str, Any], actuators: Mapping[str, float]
) -> KnownState:
    """A state of which the motion is known, and perhaps where actuators are."""
    plant.reset()
    plant.place(position_n=position_n, nu=nu, **attitude)
    plant.state["time"] = time_s
    told = _put(plant, actuators)
    vehicle = plant.vehicle
    thrusters = tuple(i for i in range(len(vehicle.thrusters)) if ("thruster", i) not in told)
    surfaces = tuple(i for i in range(len(vehicle.surfaces)) if ("surface", i) not in told)
    ballast = plant.state["actuators"]["ballast"][: len(vehicle.ballast)].copy()
    demands = Demands(np.zeros(len(vehicle.thrusters)), np.zeros(len(vehicle.surfaces)), ballast)
    saved = plant.save()
    return KnownState(saved["state"], saved["next_step"], demands, False, (thrusters, surfaces))


def _saved(saved: Mapping[str, Any], plant: Plant) -> KnownState:
    """What `Simulation.save` returned."""
    made_by = saved["made_by"]
    _same("vehicle", made_by.get("vehicle"), plant.vehicle.key)
    _same("kinematics", made_by.get("kinematics"), _kinematics(plant))
    if made_by.get("tether"):
        raise CommandError("the state was saved with a tether, and a predictor has none", expected="sim.state()")
    kept = saved["plant"]
    demand = kept["command"].copy().view(lay.COMMAND.dtype)[0]["demand"]
    vehicle = plant.vehicle
    demands = Demands(
        demand["thruster"][: len(vehicle.thrusters)].copy(),
        demand["surface"][: len(vehicle.surfaces)].copy(),
        demand["ballast"][: len(vehicle.ballast)].copy(),
    )
    return KnownState(kept["state"].copy(), kept["next_step"], demands)


def _with(known: KnownState, plant: Plant, actuators: Mapping[str, float]) -> KnownState:
    """A whole state with some actuators elsewhere."""
    if not actuators:
        return known
    plant.restore({**plant.save(), "state": known.row})
    _put(plant, actuators)
    return KnownState(plant.save()["state"], known.next_step, known.demands)


def _columns_of(actuators: Positions | None, plant: Plant) -> dict[str, Any]:
    """Positions by the names of the log; groups of them, as the robot link tells them, are resolved."""
    positions, flat = actuator_columns(plant.vehicle), dict[str, Any]()
    for key, value in (actuators or {}).items():
        if key not in GROUPS or not isinstance(value, Mapping):
            flat[key] = value
            continue
        for name, position in cast("Mapping[str, Any]", value).items():
            column = f"{GROUPS[key]}_{name}"
            throttle = f"{column}_throttle"  # a bare number over the link
            flat[throttle if throttle in positions else column] = position
    return flat


def _put(plant: Plant, actuators: Mapping[str, float]) -> set[tuple[str, int]]:
    """Put actuators where they are known to be; which ones."""
    positions, told = actuator_columns(plant.vehicle), set[tuple[str, int]]()
    for key, value in actuators.items():
        if key not in positions:
            raise CommandError("there is no actuator", value=key, expected=one_of(positions), names=positions)
        kind, i, per = positions[key]
        low, high = (limit * per for limit in _reach(plant, kind, i))
        slack = 1e-6 * (high - low)  # of numbers that were written and read
        if not low - slack <= number(f"state {key}", value) <= high + slack:
            raise CommandError(
                key=f"state {key}", value=value, expected=f"{low:.6g} to {high:.6g}, where the actuator ends"
            )
        plant.state["actuators"][kind][i] = value / per
        told.add((kind, i))
    return told


def _reach(plant: Plant, kind: str, i: int) -> tuple[float, float]:
    """Between which positions an actuator can be, SI."""
    vehicle = plant.vehicle
    if kind == "surface":
        limit = vehicle.surfaces[i].limit_rad
        return -limit, limit
    if kind == "thruster" and vehicle.thrusters[i].lag_on == "thrust":  # then its position is a force
        curve = ThrustCurve(vehicle.thrusters[i], float(plant.water["density"]) / vehicle.water.density_kg_m3)
        return curve.low, curve.high
    item = vehicle.ballast[i] if kind == "ballast" else vehicle.thrusters[i]
    return item.minimum, item.maximum


def _kinematics(plant: Plant) -> str:
    return "euler" if plant.euler_angles else "quaternion"


def _same(what: str, other: object, mine: str) -> None:
    if other != mine:
        raise CommandError(f"the state is of {what} {other!r}; this predictor has {mine!r}")
