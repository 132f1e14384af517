"""How a control interval is divided: looks of fast instruments, steps of the tether, steps of the vehicle.

What is said of a motion that left the range of finite numbers.
"""

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


MOST_STEPS = 100_000  # in a control interval
ALMOST = 1e-9  # of a step: 0.1 s in steps of 0.02 s are five


class Stepping:
    """Equal parts of a control interval.

    n_looks  parts after which instruments look; 1 if none is faster than the control rate
    n_cable  steps of the tether, a multiple of it
    n_steps  steps of the vehicle, a multiple of both
    """

    def __init__(self, interval_s: float, longest_s: float, cable_step_s: float | None, fastest_hz: float) -> None:
        self.interval_s = interval_s
        self.n_looks = max(1, math.ceil(fastest_hz * interval_s - ALMOST))
        look_s = interval_s / self.n_looks
        cable = 1 if cable_step_s is None else max(1, math.ceil(look_s / cable_step_s - ALMOST))
        self._cable_per_look = cable
        self._steps_per_cable = max(1, math.ceil(look_s / cable / longest_s - ALMOST))
        self.n_cable = self.n_looks * cable
        self.n_steps = self.n_cable * self._steps_per_cable
        if self.n_steps > MOST_STEPS:  # compiled code does not hear Ctrl-C
            raise CommandError(
                f"a control interval of {interval_s:g} s would take {self.n_steps:.3g} steps",
                expected=f"at most {MOST_STEPS}: longer steps or a higher control rate",
            )
        self.step_s = interval_s / self.n_steps

    def advance(self, plant: Plant, line: Line | None, method: str, look: Callable[[int], None] | None = None) -> int:
        """One control interval; returns the number of sound steps. `look(k)` is called after parts 0 .. n_looks - 2."""
        if self.n_looks == 1 and line is None:
            return plant.advance(self.step_s, self.n_steps, method)
        if self.n_looks == 1 and line is not None:
            return advance_towed(plant, line, self.interval_s, self.n_cable, self._steps_per_cable, method)
        met, part_s = ContactReport(), self.interval_s / self.n_looks
        per_look = self._cable_per_look * self._steps_per_cable
        near = plant.may_touch(self.interval_s)
        for k in range(self.n_looks):
            if line is None:
                done = plant.advance(self.step_s, per_look, method, near)
                met.add(plant)
                plant.water["current"] += part_s * plant.water["current_dot"]
            else:
                done = advance_towed(plant, line, part_s, self._cable_per_look, self._steps_per_cable, method, met)
            if done < per_look:
                return k * per_look + done
            if look is not None and k < self.n_looks - 1:
                look(k)
        met.write(plant.state["touch"])
        return self.n_steps


# ---- diverged --------------------------------------------------------------------------------------------------------


KEPT = ("depth_m", "roll_deg", "pitch_deg", "surge_m_s", "sway_m_s", "heave_m_s", "yaw_rate_deg_s")


def largest_force(plant: Plant, step_s: float) -> str:
    """The largest wrench now: its term, its largest axis, and what to try."""
    forces = plant.forces()
    size = {name: float(np.hypot(np.linalg.norm(f[:3]), np.linalg.norm(f[3:]))) for name, f in forces.items()}
    name = max(size, key=lambda key: size[key])
    axis = int(np.argmax(np.abs(forces[name])))
    unit = "N" if axis < 3 else "N m"
    return f"{name}, {'XYZKMN'[axis]} = {forces[name][axis]:.4g} {unit} (step {step_s:g} s: try a smaller one)"


def diverged(sim: Simulation, done: int) -> DivergedError:
    """The time, the largest force and the last good state, after `done` sound steps of a control interval."""
    largest = largest_force(sim.plant, sim.step_s)
    values, _ = sim.sample()
    state = dict(zip(sim.columns(), values.tolist(), strict=True))
    time_s = sim.time_s + (done * sim.step_s if sim.integrator != "adaptive" else 0.0)
    return DivergedError(time_s, largest, {key: state[key] for key in KEPT})
