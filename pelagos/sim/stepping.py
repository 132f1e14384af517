"""Division of a control interval into steps of sensors, tether and vehicle, and the error for steps that diverge."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from pelagos.errors import CommandError, DivergedError
from pelagos.tether.line import Line
from pelagos.vehicle.plant import Plant
from pelagos.vehicle.towed import ContactReport, advance_towed

if TYPE_CHECKING:
    from pelagos.sim.simulation import Simulation


MOST_STEPS = 100_000  # in a control interval: compiled code cannot be interrupted by Ctrl-C
ALMOST = 1e-9  # share of a step that rounding may add: 0.1 s in steps of 0.02 s are five, not six
# Columns of the last good state in the error.
KEPT = ("depth_m", "roll_deg", "pitch_deg", "surge_m_s", "sway_m_s", "heave_m_s", "yaw_rate_deg_s")


class Stepping:
    """Division of a control interval into equal steps.

    n_parts  parts after which fast sensors record the motion; 1 if none is faster than the control rate
    n_cable  steps of the tether, a multiple of n_parts
    n_steps  steps of the vehicle, a multiple of both
    """

    def __init__(self, interval_s: float, longest_s: float, cable_step_s: float | None, fastest_hz: float) -> None:
        self.interval_s = interval_s
        self.n_parts = max(1, math.ceil(fastest_hz * interval_s - ALMOST))
        part_s = interval_s / self.n_parts
        cable = 1 if cable_step_s is None else max(1, math.ceil(part_s / cable_step_s - ALMOST))
        self._cable_per_part = cable
        self._steps_per_cable = max(1, math.ceil(part_s / cable / longest_s - ALMOST))
        self.n_cable = self.n_parts * cable
        self.n_steps = self.n_cable * self._steps_per_cable
        if self.n_steps > MOST_STEPS:
            raise CommandError(
                key=f"number of steps in a control interval of {interval_s:g} s",
                value=self.n_steps,
                expected=f"at most {MOST_STEPS}: longer steps or a higher control rate",
            )
        self.step_s = interval_s / self.n_steps

    def advance(
        self, plant: Plant, line: Line | None, method: str, between: Callable[[int], None] | None = None
    ) -> int:
        """Advance one control interval and return the number of finite steps, `n_steps` if all are.

        `between(k)` is called after each part but the last, k = 0 to n_parts - 2.
        """
        if self.n_parts == 1 and line is None:
            return plant.advance(self.step_s, self.n_steps, method)
        if self.n_parts == 1 and line is not None:
            return advance_towed(plant, line, self.interval_s, self.n_cable, self._steps_per_cable, method)
        report, part_s = ContactReport(), self.interval_s / self.n_parts
        per_part = self._cable_per_part * self._steps_per_cable
        near = plant.may_touch(self.interval_s)  # searched once for the whole interval
        for k in range(self.n_parts):
            if line is None:
                done = plant.advance(self.step_s, per_part, method, near)
                report.add(plant)
                plant.water["current"] += part_s * plant.water["current_dot"]
            else:
                done = advance_towed(plant, line, part_s, self._cable_per_part, self._steps_per_cable, method, report)
            if done < per_part:
                return k * per_part + done
            if between is not None and k < self.n_parts - 1:
                between(k)
        report.write(plant.state["touch"])
        return self.n_steps


def largest_force(plant: Plant, step_s: float) -> str:
    """Text about the largest force term: its name, its largest component, and the advice to reduce the step."""
    forces = plant.forces()
    size = {name: float(np.hypot(np.linalg.norm(f[:3]), np.linalg.norm(f[3:]))) for name, f in forces.items()}
    name = max(size, key=lambda key: size[key])
    axis = int(np.argmax(np.abs(forces[name])))
    unit = "N" if axis < 3 else "N m"
    return f"{name}, {'XYZKMN'[axis]} = {forces[name][axis]:.4g} {unit} (step {step_s:g} s: try a smaller one)"


def diverged(sim: Simulation, done: int) -> DivergedError:
    """The error for a motion that diverged after `done` finite steps of a control interval."""
    largest = largest_force(sim.plant, sim.step_s)
    values, _ = sim.sample()
    state = dict(zip(sim.columns(), values.tolist(), strict=True))
    # The adaptive method chooses its steps itself, so that `done` gives no time within the interval.
    time_s = sim.time_s + (done * sim.step_s if sim.integrator != "adaptive" else 0.0)
    return DivergedError(time_s, largest, {key: state[key] for key in KEPT})
