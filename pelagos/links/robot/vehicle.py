"""A vehicle in the messages of the robot link: its description in a hello, and its state in every interval.

The state vector of a message is that of Brutzman's figure 6.5 with the names, units and signs of the log
(docs/conventions.md): position and attitude, velocities over ground in body and world axes, velocity through the water,
their rates, water and bottom at the vehicle. Reference: Brutzman (1994), table 6.1.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from pelagos.frames import rotation_from_quaternion
from pelagos.messages import Reading
from pelagos.sim.columns import MOTION_COLUMNS, SETPOINT_NAMES, Sampler
from pelagos.sim.commands import LOG_UNIT
from pelagos.sim.simulation import Simulation
from pelagos.vehicle.spec import Vehicle

DEGREES = 180.0 / math.pi
MOTION = MOTION_COLUMNS[1:]  # without the time
GROUND = ("north_m_s", "east_m_s", "down_m_s")
WATER = ("surge_water_m_s", "sway_water_m_s", "heave_water_m_s")
RATES = (
    "surge_accel_m_s2", "sway_accel_m_s2", "heave_accel_m_s2",
    "roll_accel_deg_s2", "pitch_accel_deg_s2", "yaw_accel_deg_s2",
)  # fmt: skip
STATE = (*MOTION, *GROUND, *WATER, *RATES)
GROUPS = ("thrusters", "surfaces", "ballast")


def finite_or_null(values: Sequence[float]) -> list[float | None]:
    """Numbers for JSON: null in place of NaN and infinity, which stand for unknown values."""
    return [value if -math.inf < value < math.inf else None for value in values]


def rounded_limit(value: float | None) -> float | None:
    """A limit without the rounding errors of unit conversion; None if there is none."""
    return None if value is None or not math.isfinite(value) else float(f"{value:.12g}")


def actuator_entry(order: str, state: str, unit: str, low: float | None, high: float | None) -> dict[str, Any]:
    """An actuator in a hello: its keys in an order and in a state, its unit and its limits."""
    limits = {"minimum": rounded_limit(low), "maximum": rounded_limit(high)}
    return {"order": order, "state": state, "unit": unit, **limits}


def actuator_keys(vehicle: Vehicle) -> dict[str, list[tuple[str, str]]]:
    """The keys of each actuator in an order and in a state, by group."""
    thrusters = [
        (_key(t.name, LOG_UNIT[t.drive][0]), _key(t.name, "N" if t.lag_on == "thrust" else LOG_UNIT[t.drive][0]))
        for t in vehicle.thrusters
    ]
    return {
        "thrusters": thrusters,
        "surfaces": [(f"{s.name}_deg", f"{s.name}_deg") for s in vehicle.surfaces],
        "ballast": [(_key(b.name, b.unit), _key(b.name, b.unit)) for b in vehicle.ballast],
    }


def _key(name: str, unit: str) -> str:
    """The name of an actuator with its unit; a throttle has none."""
    return name if unit in ("", "throttle") else f"{name}_{unit}"


def description(sim: Simulation) -> dict[str, Any]:
    """Describe a vehicle for a hello: actuators with units and limits, sensors with their columns."""
    vehicle, keys = sim.vehicle, actuator_keys(sim.vehicle)
    limits = {
        "thrusters": [
            (LOG_UNIT[t.drive][0], t.minimum * LOG_UNIT[t.drive][1], t.maximum * LOG_UNIT[t.drive][1])
            for t in vehicle.thrusters
        ],
        "surfaces": [("deg", -s.limit_rad * DEGREES, s.limit_rad * DEGREES) for s in vehicle.surfaces],
        "ballast": [(b.unit, b.minimum, b.maximum) for b in vehicle.ballast],
    }
    return {
        "name": sim.name,
        "vehicle": vehicle.key,
        "title": vehicle.name,
        "actuators": {
            group: [
                actuator_entry(order, state, unit, low, high)
                for (order, state), (unit, low, high) in zip(keys[group], limits[group], strict=True)
            ]
            for group in GROUPS
        },
        "sensors": {
            name: {
                "kind": sensor.kind,
                "rate_hz": sensor.rate_hz,
                "latency_s": sensor.latency_s,
                "columns": list(sensor.columns_on(sim.sensing.suite.fit)),
            }
            for name, sensor in sim.sensing.suite.sensors.items()
        }
        if sim.sensing
        else {},
    }


class RobotVehicle:
    """Messages of the state of one simulated vehicle. Making a message has no effect on the simulation."""

    def __init__(self, sim: Simulation) -> None:
        self.sim = sim
        self._sampler = Sampler(sim.plant, sim.world.surface)
        self._row = np.empty(self._sampler.width)
        keys = actuator_keys(sim.vehicle)
        self._actual = {group: [state for _, state in keys[group]] for group in GROUPS}
        self._ordered = {group: [order for order, _ in keys[group]] for group in GROUPS}
        self._readings: dict[str, Reading] = {}
        self.collect_readings()

    def collect_readings(self) -> None:
        """Keep the latest reading of every sensor; called after each tick."""
        if self.sim.sensing is not None:
            self._readings.update(self.sim.feedback().readings)

    def message(self, forces: bool = False) -> dict[str, Any]:
        """State, actuators and their commands, setpoint, and the readings since `clear_readings`."""
        sim = self.sim
        state = sim.evaluate()
        self._sampler.fill(self._row, state, sim.held)
        # A row of the log: time, motion, setpoints, actuators, commands.
        values = finite_or_null(self._row.tolist())
        first = 1 + len(MOTION)
        held = values[first : first + len(SETPOINT_NAMES)]
        nu = state.nu
        ground = rotation_from_quaternion(state.quaternion) @ nu[:3]
        rates = sim.plant.acceleration()
        rates[3:] *= DEGREES
        more = finite_or_null([*ground.tolist(), *state.nu_r[:3].tolist(), *rates.tolist()])
        end, actual = _grouped(values, first + len(SETPOINT_NAMES), self._actual)
        _, ordered = _grouped(values, end, self._ordered)
        message: dict[str, Any] = {
            "state": dict(zip(STATE, values[1:first] + more, strict=True)),
            "actuators": actual,
            "ordered": ordered,
            "setpoint": {name: value for name, value in zip(SETPOINT_NAMES, held, strict=True) if value is not None},
            "sensors": {name: _reading(reading) for name, reading in self._readings.items()},
        }
        if forces:
            message["forces"] = dict(zip(sim.terms(), state.forces.tolist(), strict=True))
        return message

    def clear_readings(self) -> None:
        """Discard the readings: a message has carried them."""
        self._readings.clear()


def _grouped(values: list[float | None], start: int, keys: Mapping[str, list[str]]) -> tuple[int, dict[str, Any]]:
    """Values from `start` on, by group and name; and the index after the last."""
    groups: dict[str, Any] = {}
    for group, names in keys.items():
        groups[group] = dict(zip(names, values[start : start + len(names)], strict=True))
        start += len(names)
    return start, groups


def _reading(reading: Reading) -> dict[str, Any]:
    values = finite_or_null(reading.values.tolist())
    return {"time_s": reading.time_s, "arrived_s": reading.arrived_s, "values": values}
