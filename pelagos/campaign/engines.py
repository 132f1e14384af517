"""Two ways to fly a run: alone through `Simulation`, or with others through the batch engine. Same numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pelagos.campaign.batched import batchable, run_batched
from pelagos.campaign.metrics import reads_forces
from pelagos.campaign.scaled import scale
from pelagos.campaign.spec import Metric
from pelagos.errors import PelagosError
from pelagos.sim.execute import execute
from pelagos.sim.log import Log
from pelagos.sim.scenario import Scenario
from pelagos.sim.simulation import Simulation


def fly_alone(scenario: Scenario, factors: Sequence[Mapping[str, float]] = ()) -> dict[str, Log]:
    """The logs of one run by vehicle; `factors` scale each of them in turn."""

    def alter(sim: Simulation, number: int) -> None:
        if number < len(factors) and factors[number]:
            scale(sim, factors[number])

    return execute(scenario, alter=alter).logs


def why_alone(scenario: Scenario, metrics: Sequence[Metric]) -> str:
    """Why a scenario cannot be batched, in words; "" if it can."""
    force = reads_forces(metrics)
    if force:
        return f"a metric reads the force {force}, which is logged of single runs only"
    return batchable(scenario)


def fly_together(scenarios: Sequence[Scenario], factors: Sequence[Mapping[str, float]]) -> list[Log | PelagosError]:
    """The log of each run, or why it failed."""
    return run_batched(scenarios, factors)
