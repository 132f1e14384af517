"""Run scenarios together through `pelagos.Batch`, with the same results as single runs.

    reason = batchable(scenario)            # "" if it can be batched, else the reason
    logs = run_batched(scenarios)           # a Log for each, or the error that ended it

Seed, start, uniform current, setpoints, numbers of the mission, events, numbers of the faults, duration and factors on
parameters may differ between runs. Runs with another vehicle, world, rate, method, other sensors or other kinds of
faults go into separate batches. Grouping does not change a bit of the results.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from pelagos.batch.inputs import LANE_METHODS
from pelagos.campaign.vectorised.flight import PreparedBatch, VectorisedFlight
from pelagos.errors import PelagosError
from pelagos.guidance.base import GUIDE_COLUMNS
from pelagos.scenario.spec import Scenario, ScenarioEvent, ScenarioVehicle
from pelagos.sensors.sound.dvl import Dvl
from pelagos.sensors.sound.imaging import ImagingSonar
from pelagos.sim.columns import columns
from pelagos.sim.faults.effects import SENSOR_FAULTS
from pelagos.sim.log.log import Log

Factors = Mapping[str, float]
MOST_BYTES = 256e6  # of the samples of one batch; runs beyond go into further batches
LONGEST_ROWS = 20000  # assumed length of a run without a duration
# fields of the world that may differ within a batch: each run has its current, and no force uses the others
PER_RUN = (
    "current_m_s",
    "current_to_deg",
    "current_down_m_s",
    "name",
    "summary",
    "sources",
    "visibility_m",
    "water_colour",
)


def batchable(scenario: Scenario) -> str:
    """Return why a scenario cannot be batched; "" if it can."""
    if len(scenario.vehicles) != 1:
        return f"it has {len(scenario.vehicles)} vehicles, which may meet"
    vehicle, control = scenario.vehicles[0], scenario.vehicles[0].control
    if control.kind not in ("autopilot", "direct"):
        return f'its control is of kind "{control.kind}"; batches know "autopilot" and "direct"'
    for feature, there in (
        ("an estimator", vehicle.navigation), ("a tether", vehicle.tether),
        ("coordinates held by numbers", control.hold),
    ):  # fmt: skip
        if there:
            return f"it has {feature}"
    for k, event in enumerate(vehicle.events):
        reason = _why_not_applied(event, control.kind)
        if reason:
            return f"event {k} {reason}"
    reason = _why_not_measured(vehicle, scenario.control_rate_hz)
    if reason:
        return reason
    method = scenario.integrator or vehicle.vehicle.integrator
    if method not in LANE_METHODS:
        return f'its integrator is "{method}"; batches know {", ".join(LANE_METHODS)}'
    if scenario.kinematics not in (None, vehicle.vehicle.kinematics):
        return f'its kinematics are "{scenario.kinematics}", not those of the vehicle\'s file'
    if scenario.speed is not None:
        return "it is held back to the clock"
    if scenario.output.forces:
        return "it logs forces"
    if scenario.world.current is not None:
        return "its current is a function of Python"
    if not all(vehicle.vehicle.free[:3]) and (scenario.world.bottom is not None or scenario.world.structures):
        return "its vehicle is held in a direction, and there is something to run into"
    return _follows_bottom(vehicle)


def _why_not_applied(event: ScenarioEvent, kind: str) -> str:
    """Return why an event cannot act on a run of a batch; "" if it can."""
    if event.sticks:
        return "moves sticks; batches have no pilot"
    if event.altitude_m is not None:
        return "commands an altitude; the autopilot of batches follows no bottom"
    if kind == "direct" and event.setpoints():
        return "hands over from direct control to an autopilot; in a batch one of them has control throughout"
    return ""


def _why_not_measured(vehicle: ScenarioVehicle, control_rate_hz: float) -> str:
    """Return why the sensors of a batch do not read what those of a single run do; "" if they do."""
    for sensor in vehicle.sensors:
        name = sensor.name or sensor.kind
        if sensor.rate_hz > control_rate_hz:
            return f"its sensor {name} measures at {sensor.rate_hz:g} Hz, faster than the control rate"
        if isinstance(sensor, ImagingSonar):
            return f"its sensor {name} makes images, one for each run"
        if isinstance(sensor, Dvl) and sensor.water_track and sensor.water_layer_m > 0.0:
            return f"its sensor {name} measures the current away from the vehicle, which differs between runs"
    for k, fault in enumerate(vehicle.faults):
        if vehicle.sensors and type(fault) in SENSOR_FAULTS:
            return f"fault {k} acts on a sensor"
    return ""


def _follows_bottom(vehicle: ScenarioVehicle) -> str:
    """Return which part of the mission needs an altitude, which batches do not support; "" if none does."""
    if vehicle.control.altitude_m is not None:
        return "it holds an altitude"
    for k, leg in enumerate(vehicle.mission):
        if leg.kind == "bottom_follow" or leg.altitude_m is not None:
            return f"leg {k}, {leg.name or leg.kind}, follows the bottom"
    return ""


def run_batched(
    scenarios: Sequence[Scenario],
    factors: Sequence[Factors] | None = None,
    *,
    threads: int | None = 1,
    progress: Callable[[float], None] | None = None,
) -> list[Log | PelagosError]:
    """Return the log of each scenario, as from `Scenario.run` but without forces, or the error that ended it.

    Args:
        scenarios: batchable scenarios of any kind; any other gets an error in its place.
        factors: on the parameters of each run's vehicle, by name: see `batch.parameters`.
        threads: at most so many, None for all cores; one is best if several processes share the cores.
        progress: called with the simulated time of the present batch, once per simulated second.
    """
    scaled: Sequence[Factors] = [{}] * len(scenarios) if factors is None else factors
    if len(scaled) != len(scenarios):
        expected = f"{len(scenarios)}, one mapping for each run"
        raise PelagosError(key="number of factors", value=len(scaled), expected=expected)
    outcomes: dict[int, Log | PelagosError] = {}
    groups: list[list[int]] = []
    for i, scenario in enumerate(scenarios):
        reason = batchable(scenario)
        if reason:
            outcomes[i] = PelagosError(f"cannot be batched: {reason}", file=scenario.name or "the scenario")
            continue
        match = next((group for group in groups if can_share_batch(scenario, scenarios[group[0]])), None)
        if match is None:
            groups.append([i])
        else:
            match.append(i)
    for group in groups:
        for part in _parts(group, scenarios):
            flight = VectorisedFlight(PreparedBatch([scenarios[i] for i in part], [scaled[i] for i in part], threads))
            outcomes |= zip(part, flight.fly(progress), strict=True)
    return [outcomes[i] for i in range(len(scenarios))]


def can_share_batch(first: Scenario, second: Scenario) -> bool:
    """Return whether two scenarios can be in one batch."""
    keys = ("control_rate_hz", "log_rate_hz", "integrator", "step_s")
    if any(getattr(first, key) != getattr(second, key) for key in keys):
        return False
    a, b = first.vehicles[0], second.vehicles[0]
    same_kind = a.control.kind == b.control.kind and bool(a.mission) == bool(b.mission)
    if a.sensors:  # the name selects their random numbers
        same_kind &= a.name == b.name
    same_kind &= equal_except(a.sensors, b.sensors)
    same_kind &= [(fault.kind, fault.name) for fault in a.faults] == [(fault.kind, fault.name) for fault in b.faults]
    return same_kind and equal_except(a.vehicle, b.vehicle) and equal_except(first.world, second.world, PER_RUN)


def equal_except(a: Any, b: Any, but: tuple[str, ...] = ()) -> bool:
    """Return whether two descriptions are equal, number by number, except for some fields."""
    if a is b:
        return True
    if type(a) is not type(b):
        return False
    try:
        if not but and bool(a == b):  # fast path for most parts
            return True
    except ValueError:  # an array in them has no single truth value
        pass
    if dataclasses.is_dataclass(a):
        names = (item.name for item in dataclasses.fields(a) if item.compare and item.name not in but)
        return all(equal_except(getattr(a, name), getattr(b, name)) for name in names)
    if isinstance(a, np.ndarray):
        return np.array_equal(a, b)
    if isinstance(a, tuple | list):
        return len(a) == len(b) and all(equal_except(x, y) for x, y in zip(a, b, strict=True))
    if isinstance(a, Mapping):
        return a.keys() == b.keys() and all(equal_except(value, b[key]) for key, value in a.items())
    return bool(a != a and b != b)  # NaN counts as equal to NaN


def _parts(group: list[int], scenarios: Sequence[Scenario]) -> list[list[int]]:
    """Divide a group into batches whose samples fit into memory."""
    first = scenarios[group[0]]
    rate = first.log_rate_hz or first.control_rate_hz
    longest = max(scenarios[i].longest_s * rate if scenarios[i].duration_s else LONGEST_ROWS for i in group)
    entry = first.vehicles[0]
    width = len(columns(entry.vehicle)) + len(entry.faults) + 1 + len(GUIDE_COLUMNS)
    width += sum(len(sensor.columns) for sensor in entry.sensors)
    # at least one SIMD block of 8 lanes
    most = max(8, int(MOST_BYTES / (8.0 * width * longest)))
    return [group[k : k + most] for k in range(0, len(group), most)]
