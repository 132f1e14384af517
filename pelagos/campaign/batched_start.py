"""Runs of one vehicle in one sea before their first tick: placed, scaled and told, as `sim.execute` does it for one.

A scalar simulation, the pattern, is asked whatever is asked once a run: where it stands, whether that is in the open,
what its orders mean. So a run in a batch starts from the very numbers that it would start from alone, and is refused
with the same sentence; a refusal is that run's own, and stays in its place.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pelagos.batch.batch import Batch
from pelagos.control.many import ManyAutopilot
from pelagos.errors import PelagosError
from pelagos.guidance.many import ManyMission
from pelagos.messages import Actuations, Setpoint, Truths
from pelagos.sim import given
from pelagos.sim.execute import first_orders, one_simulation
from pelagos.sim.happenings import give_orders
from pelagos.sim.orders import Direct
from pelagos.sim.sample import HELD
from pelagos.sim.scenario import Scenario
from pelagos.world.spec import World

Array = NDArray[np.float64]
Factors = Mapping[str, float]


def still(world: World) -> World:
    """The world without its uniform current, which each run has for itself."""
    return replace(world, current_m_s=0.0, current_to_deg=0.0, current_down_m_s=0.0)


class Ready:
    """A batch of runs, ready to be flown.

    scenarios   of the runs; vehicle, sea, control rate, method and kind of control are those of the first
    problems    why a run cannot be flown, by its number
    pilot       holds setpoints; None with direct orders
    mission     flies legs; None without
    """

    def __init__(self, scenarios: Sequence[Scenario], factors: Sequence[Factors], threads: int | None = 1) -> None:
        first, craft = scenarios[0], scenarios[0].crafts[0]
        self.scenarios, self.n, self.vehicle = tuple(scenarios), len(scenarios), craft.vehicle
        self.problems: dict[int, PelagosError] = {}
        self.pattern = one_simulation(first, craft, 0)
        self.batch = Batch(
            craft.vehicle, self.n, still(first.world), integrator=first.integrator, step_s=first.step_s,
            control_rate_hz=first.control_rate_hz, threads=threads,
        )  # fmt: skip
        self.pilot: ManyAutopilot | None = None
        self.mission: ManyMission | None = None
        self._orders: Actuations | None = None
        self.batch.set_current(np.array([scenario.world.current_n(0.0) for scenario in scenarios]))
        self._place()
        self._scale(factors)
        if craft.control.kind == "autopilot":
            self._told()
        else:
            self._ordered()

    def demand(self, truths: Truths) -> Actuations:
        """What the actuators are told for the next control interval."""
        if self._orders is not None:
            return self._orders
        flown = self.mission or self.pilot
        assert flown is not None
        return flown.update(truths, self.batch.interval_s)

    @property
    def held(self) -> Array:
        """Setpoints as they go into the log, (n, 8)."""
        return np.full((self.n, len(HELD)), math.nan) if self.pilot is None else self.pilot.held

    def _each(self, do: Callable[[int, Scenario], None]) -> None:
        """Do something for each run that has not been refused yet."""
        for i, scenario in enumerate(self.scenarios):
            if i not in self.problems:
                try:
                    do(i, scenario)
                except PelagosError as problem:
                    self.problems[i] = problem

    def _place(self) -> None:
        position, attitude, nu = (np.zeros((self.n, k)) for k in (3, 4, 6))
        plant = self.pattern.plant

        def put(i: int, scenario: Scenario) -> None:
            start, world = scenario.crafts[0].start, scenario.world
            place = {name: getattr(start, name) for name in start.__dataclass_fields__ if name != "altitude_m"}
            if start.altitude_m is not None:
                place["depth_m"] = float(world.bottom_m(start.north_m, start.east_m)) - start.altitude_m
            plant.water["current"] = world.current_n(0.0)
            self.pattern.place(**place)
            position[i], attitude[i], nu[i] = plant.position_n, plant.quaternion, plant.nu
            given.a_cover(world, scenario.longest_s, plant)
            given.a_start(plant, world, 0.0)

        self._each(put)
        sound = np.array([i for i in range(self.n) if i not in self.problems], np.int64)
        if len(sound):  # those that are refused stand where one that is not does, and nobody looks at them
            as_sound = np.array([sound[0] if i in self.problems else i for i in range(self.n)])
            self.batch.set_motion(None, position_n=position[as_sound], quaternion=attitude[as_sound], nu=nu[as_sound])

    def _scale(self, factors: Sequence[Factors]) -> None:
        for name in dict.fromkeys(name for one in factors for name in one):

            def scale(i: int, _: Scenario, name: str = name) -> None:
                if name in factors[i]:
                    self.batch.scale(name, factors[i][name], [i])

            rows = [i for i, one in enumerate(factors) if name in one]
            try:
                self.batch.scale(name, [factors[i][name] for i in rows], rows)
            except PelagosError:  # one of them cannot be: each by itself
                self._each(scale)

    def _told(self) -> None:
        """An autopilot, with setpoints and legs of each run."""
        sim = self.pattern
        self.pilot = pilot = ManyAutopilot(self.vehicle, self.n, sim.water, sim.interval_s)
        held = np.full((self.n, len(HELD)), math.nan)

        def tell(i: int, scenario: Scenario) -> None:
            pilot.pattern.command(Setpoint())
            first_orders(pilot.pattern, scenario.crafts[0], scenario, [])
            wish = vars(pilot.pattern.setpoint)
            held[i] = [math.nan if wish[name] is None else wish[name] for name in HELD]

        self._each(tell)
        pilot.hold(np.arange(self.n), held)
        legs = [() if i in self.problems else one.crafts[0].mission for i, one in enumerate(self.scenarios)]
        if any(legs):
            self.mission = ManyMission(pilot, legs, keep_going=True)

    def _ordered(self) -> None:
        """Orders to single actuators, held from the start."""
        items = (self.vehicle.thrusters, self.vehicle.surfaces, self.vehicle.ballast)
        orders = Actuations(*(np.zeros((self.n, len(item))) for item in items))

        def order(i: int, scenario: Scenario) -> None:
            self.pattern.control(Direct(self.vehicle))
            give_orders(self.pattern, scenario.crafts[0].control)
            direct: Any = self.pattern.controller
            for rows, name in zip(orders, Actuations._fields, strict=True):
                rows[i] = getattr(direct, name)

        self._each(order)
        self._orders = orders
