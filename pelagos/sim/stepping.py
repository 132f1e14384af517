"""How a control interval is divided: looks of fast instruments, steps of the tether, steps of the vehicle."""

from __future__ import annotations

import math
from collections.abc import Callable

from pelagos.tether.line import Line
from pelagos.vehicle.plant import Plant
from pelagos.vehicle.towed import Met, advance_towed

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
        self.step_s = interval_s / self.n_steps

    def advance(self, plant: Plant, line: Line | None, method: str, look: Callable[[int], None] | None = None) -> int:
        """One control interval; returns the number of sound steps. `look(k)` is called after parts 0 .. n_looks - 2."""
        if self.n_looks == 1 and line is None:
            return plant.advance(self.step_s, self.n_steps, method)
        if self.n_looks == 1 and line is not None:
            return advance_towed(plant, line, self.interval_s, self.n_cable, self._steps_per_cable, method)
        met, part_s = Met(), self.interval_s / self.n_looks
        per_look = self._cable_per_look * self._steps_per_cable
        near = plant.obstacles(self.interval_s)
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
        met.tell(plant)
        return self.n_steps
