"""A vehicle on a tether: both advance together, each with what the other does to it in the same step.

In each step of the cable the tether foresees where the fairlead will be and gives its pull and end stiffness there; the
vehicle moves under both; the tether then follows to where the fairlead has come. The coupling is implicit in the
cable, and through its end stiffness in the vehicle as well.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from pelagos.tether.line import Line
from pelagos.vehicle.plant import Plant

NOTHING = -2.0  # met
# of the swing (rad) or the decay on the end stiffness, at most so much in one step of the vehicle; others: half
PHASE = {"rk4": 1.5, "heun": 1.0, "adaptive": 1.5}
MOST_STEPS = 5000


def advance_towed(
    plant: Plant, line: Line, seconds: float, n_cable: int, n_steps: int, method: str, met: Met | None = None
) -> int:
    """Advance vehicle and tether by `seconds` in n_cable steps of the cable, each of n_steps of the vehicle.

    Returns the number of sound steps of the vehicle, n_cable n_steps if all are. Where the end stiffness asks for
    shorter steps of the vehicle, they are taken. What is touched is added to `met`, told at the end if none is given.
    """
    dt = seconds / n_cable
    own = Met() if met is None else met
    end, velocity = plant.fairlead()
    for i in range(n_cable):
        line.set_current(plant.water["current"], plant.water["current_dot"])
        line.step(dt, end, velocity)
        hold(plant, line, line.head["end"], dt)
        n = max(n_steps, steps_for(plant, line, dt, method))
        done = plant.advance(dt / n, n, method)
        own.add(plant)
        if done < n:
            return i * n_steps + min(done * n_steps // n, n_steps - 1)
        plant.water["current"] += dt * plant.water["current_dot"]
        end, velocity = plant.fairlead()
        line.follow(dt, end)
        hold(plant, line, end, 0.0)
    if met is None:
        own.tell(plant)
    return n_cable * n_steps


def hold(plant: Plant, line: Line, place_n: NDArray[np.float64], span_s: float) -> None:
    """The tether's pull as the kernel needs it: exact for a fairlead that is at `place_n` after `span_s`."""
    pull, head = plant.command["pull"], line.head
    pull["force"], pull["stiffness"] = head["pull"], head["end_stiffness"]
    pull["place"], pull["span"], pull["most"] = place_n, span_s, min(line.cable.breaking_load_N, line.cable.stiffness_N)


def steps_for(plant: Plant, line: Line, dt: float, method: str) -> int:
    """How many steps of the vehicle the end stiffness needs, so that explicit ones are stable on it.

    Over dt it acts as a spring k and as a damper k dt on what the fairlead has to move. Where that would take more
    than MOST_STEPS, the stiffness that the vehicle feels is reduced to what they can.
    """
    stiffest = max(float(line.head["end_stiffness"][::4].sum()), 0.0)
    damped = dt * dt * stiffest / plant.lightest_at_fairlead
    limit = PHASE.get(method, 0.5)
    n = max(math.sqrt(damped), damped) / limit
    if n > MOST_STEPS:
        plant.command["pull"]["stiffness"] *= MOST_STEPS / n
    return max(1, min(MOST_STEPS, math.ceil(n)))


class Met:
    """What the vehicle touched over several calls of the kernel, as if it had been one."""

    def __init__(self) -> None:
        self.wrench = np.zeros(6)
        self.calls = 0
        self.count, self.depth, self.speed, self.what = 0.0, 0.0, 0.0, NOTHING

    def add(self, plant: Plant) -> None:
        """Take in what the last call of the kernel met."""
        self.calls += 1
        if plant.near is None:
            return
        touch = plant.state["touch"]
        self.wrench += touch["wrench"]
        self.count = max(self.count, float(touch["count"]))
        self.depth = max(self.depth, float(touch["depth"]))
        self.speed = max(self.speed, float(touch["speed"]))
        if touch["what"] != NOTHING:
            self.what = float(touch["what"])

    def tell(self, plant: Plant) -> None:
        """Write the whole into the state: the mean force, the worst of the rest."""
        touch = plant.state["touch"]
        touch["wrench"], touch["count"], touch["depth"] = self.wrench / max(self.calls, 1), self.count, self.depth
        touch["speed"], touch["what"] = self.speed, self.what
