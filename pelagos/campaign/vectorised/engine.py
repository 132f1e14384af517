"""Scenarios that run together through `pelagos.Batch`, with the numbers they would have alone.

    reason = batchable(scenario)            # "" if it can be batched, else why not
    logs = run_batched(scenarios)           # a Log for each, or the error that ended it

Start, uniform current, setpoints, the numbers of the mission, duration and factors on the vehicle's parameters may
differ from run to run. Runs whose vehicle, world, rates or method differ go into batches of their own. How runs are
grouped does not change a bit of their results.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from pelagos.batch.inputs import LANE_METHODS
from pelagos.campaign.vectorised.flight import PreparedRun, VectorisedFlight
from pelagos.errors import PelagosError
from pelagos.guidance.base import GUIDE_COLUMNS
from pelagos.scenario.spec import Scenario, ScenarioVehicle
from pelagos.sim.columns import columns
from pelagos.sim.log.log import Log

Factors = Mapping[str, float]
MOST_BYTES = 256e6  # of samples that one batch keeps; more runs than fit go one batch after the other
LONGEST_ROWS = 20000  # what is reckoned for a run that ends by itself
# fields of the world that are each run's own, or that no force knows
OWN = (
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
    """Why a scenario cannot be run in a batch, in words; "" if it can."""
    if len(scenario.vehicles) != 1:
        return f"it has {len(scenario.vehicles)} vehicles, which may meet"
    craft, control = scenario.vehicles[0], scenario.vehicles[0].control
    if control.kind not in ("autopilot", "direct"):
        return f'its control is of kind "{control.kind}"; batches know "autopilot" and "direct"'
    for what, there in (
        ("instruments", craft.sensors), ("an estimator", craft.navigation), ("a tether", craft.tether),
        ("faults", craft.faults), ("events", craft.events), ("coordinates held by numbers", control.hold),
    ):  # fmt: skip
        if there:
            return f"it has {what}"
    method = scenario.integrator or craft.vehicle.integrator
    if method not in LANE_METHODS:
        return f'its integrator is "{method}"; batches know {", ".join(LANE_METHODS)}'
    if scenario.kinematics not in (None, craft.vehicle.kinematics):
        return f'its kinematics are "{scenario.kinematics}", not those of the vehicle\'s file'
    if scenario.speed is not None:
        return "it is held back to the clock"
    if scenario.output.forces:
        return "it logs forces"
    if scenario.world.current is not None:
        return "its current is a function of Python"
    if not all(craft.vehicle.free[:3]) and (scenario.world.bottom is not None or scenario.world.structures):
        return "its vehicle is held in a direction, and there is something to run into"
    return _followed(craft)


def _followed(craft: ScenarioVehicle) -> str:
    """Altitudes need a bottom to follow, which batches do not."""
    if craft.control.altitude_m is not None:
        return "it holds an altitude"
    for k, leg in enumerate(craft.mission):
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
    """The log of each scenario, with the columns of `Scenario.run` and without forces, or the error that ended it.

    Args:
        scenarios: any number, of any kind that is batchable; one that is not leaves an error in its place.
        factors: on the parameters of each run's vehicle, by name: see `batch.parameters`.
        threads: at most so many, None for all cores; one is best where a campaign's processes share the cores already.
        progress: told the simulated time done of the batch that is flown, once per simulated second.
    """
    scaled: Sequence[Factors] = [{}] * len(scenarios) if factors is None else factors
    if len(scaled) != len(scenarios):
        raise PelagosError(f"there are factors for {len(scaled)} of {len(scenarios)} runs", expected="one mapping each")
    found: dict[int, Log | PelagosError] = {}
    groups: list[list[int]] = []
    for i, scenario in enumerate(scenarios):
        reason = batchable(scenario)
        if reason:
            found[i] = PelagosError(f"{scenario.name or 'the scenario'} cannot be batched: {reason}")
            continue
        mine = next((group for group in groups if go_together(scenario, scenarios[group[0]])), None)
        if mine is None:
            groups.append([i])
        else:
            mine.append(i)
    for group in groups:
        for part in _parts(group, scenarios):
            flight = VectorisedFlight(PreparedRun([scenarios[i] for i in part], [scaled[i] for i in part], threads))
            found |= zip(part, flight.fly(progress), strict=True)
    return [found[i] for i in range(len(scenarios))]


def go_together(one: Scenario, other: Scenario) -> bool:
    """Whether two scenarios can be in one batch."""
    keys = ("control_rate_hz", "log_rate_hz", "integrator", "step_s")
    if any(getattr(one, key) != getattr(other, key) for key in keys):
        return False
    a, b = one.vehicles[0], other.vehicles[0]
    same_kind = a.control.kind == b.control.kind and bool(a.mission) == bool(b.mission)
    return same_kind and alike(a.vehicle, b.vehicle) and alike(one.world, other.world, OWN)


def alike(a: Any, b: Any, but: tuple[str, ...] = ()) -> bool:
    """Whether two descriptions say the same, number by number, but for some of their fields."""
    if a is b:
        return True
    if type(a) is not type(b):
        return False
    try:
        if not but and bool(a == b):  # most parts say so themselves, and quickly
            return True
    except ValueError:  # arrays in them do not say it in one word
        pass
    if dataclasses.is_dataclass(a):
        names = (item.name for item in dataclasses.fields(a) if item.compare and item.name not in but)
        return all(alike(getattr(a, name), getattr(b, name)) for name in names)
    if isinstance(a, np.ndarray):
        return np.array_equal(a, b)
    if isinstance(a, tuple | list):
        return len(a) == len(b) and all(alike(x, y) for x, y in zip(a, b, strict=True))
    if isinstance(a, Mapping):
        return a.keys() == b.keys() and all(alike(value, b[key]) for key, value in a.items())
    return bool(a != a and b != b)  # NaN is like NaN


def _parts(group: list[int], scenarios: Sequence[Scenario]) -> list[list[int]]:
    """A group in pieces whose samples fit into memory."""
    first = scenarios[group[0]]
    rate = first.log_rate_hz or first.control_rate_hz
    longest = max(scenarios[i].longest_s * rate if scenarios[i].duration_s else LONGEST_ROWS for i in group)
    width = len(columns(first.vehicles[0].vehicle)) + len(GUIDE_COLUMNS)
    most = max(8, int(MOST_BYTES / (8.0 * width * longest)))
    return [group[k : k + most] for k in range(0, len(group), most)]
