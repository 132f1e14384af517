"""A vehicle on a tether: both advance together, each with what the other does to it in the same step.

In each step of the cable the tether foresees where the fairlead will be and gives its pull and end stiffness there; the
vehicle moves under both; the tether then follows to where the fairlead has come. The coupling is implicit in the
cable, and through its end stiffness in the vehicle as well.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pelagos.tether.line import Line
from pelagos.vehicle.plant import Plant

Rows = NDArray[np.float64]
NOTHING = -2.0  # met
# of the swing (rad) or the decay on the end stiffness, at most so much in one step of the vehicle; others: half
PHASE = {"rk4": 1.5, "heun": 1.0, "adaptive": 1.5}
MOST_STEPS = 5000


def advance_towed(
    plant: Plant, line: Line, seconds: float, n_cable: int, n_steps: int, method: str, met: StepReport | None = None
) -> int:
    """Advance vehicle and tether by `seconds` in n_cable steps of the cable, each of n_steps of the vehicle.

    Returns the number of sound steps of the vehicle, n_cable n_steps if all are. Where the end stiffness asks for
    shorter steps of the vehicle, they are taken. What is touched is added to `met`, told at the end if none is given.
    """
    dt = seconds / n_cable
    own = StepReport() if met is None else met
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
    put_pull(plant.command["pull"], line.head, place_n, span_s, most_pull(line))


def put_pull(pull: Any, head: Any, place_n: NDArray[np.float64], span_s: float, most_n: float | Rows) -> None:
    """The same from record to record: PULL and CHAIN of one tether, or arrays of both."""
    pull["force"], pull["stiffness"] = head["pull"], head["end_stiffness"]
    pull["place"], pull["span"], pull["most"] = place_n, span_s, most_n


def most_pull(line: Line) -> float:
    """N, that the cable stands."""
    return min(line.cable.breaking_load_N, line.cable.stiffness_N)


def steps_for(plant: Plant, line: Line, dt: float, method: str) -> int:
    """How many steps of the vehicle the end stiffness needs, so that explicit ones are stable on it.

    Over dt it acts as a spring k and as a damper k dt on what the fairlead has to move. Where that would take more
    than MOST_STEPS, the stiffness that the vehicle feels is reduced to what they can.
    """
    n = float(steps_wanted(line.head["end_stiffness"], plant.lightest_at_fairlead, dt, method))
    if n > MOST_STEPS:
        plant.command["pull"]["stiffness"] *= MOST_STEPS / n
    return max(1, min(MOST_STEPS, math.ceil(n)))


def steps_wanted(stiffness: Rows, lightest_kg: float | Rows, dt: float, method: str) -> Rows:
    """The same before it is rounded up and limited, of end stiffnesses (..., 9) in N/m."""
    stiffest = np.maximum(stiffness[..., 0] + stiffness[..., 4] + stiffness[..., 8], 0.0)
    damped = dt * dt * stiffest / lightest_kg
    return np.maximum(np.sqrt(damped), damped) / PHASE.get(method, 0.5)


def fairleads(position_n: Rows, quaternion: Rows, nu: Rows, fairlead_b: Rows) -> tuple[Rows, Rows]:
    """`Plant.fairlead` of many: places and velocities over ground, NED, (n, 3).

    Number by number, so that no row depends on how many there are; place and velocity are turned together.
    """
    u, v, w, p, q, r = nu.T
    x, y, z = fairlead_b.T
    both = np.array(((x, u + q * z - r * y), (y, v + r * x - p * z), (z, w + p * y - q * x)))
    c, i, j, k = quaternion.T
    twice = 2.0 / (c * c + i * i + j * j + k * k)
    x, y, z = both
    across = j * z - k * y, k * x - i * z, i * y - j * x  # q x both
    both[0] += twice * (c * across[0] + j * across[2] - k * across[1])
    both[1] += twice * (c * across[1] + k * across[0] - i * across[2])
    both[2] += twice * (c * across[2] + i * across[1] - j * across[0])
    return position_n + both[:, 0].T, np.ascontiguousarray(both[:, 1].T)


class StepReport:
    """What the vehicle touched over several calls of the kernel, as if it had been one."""

    def __init__(self) -> None:
        self.wrench = np.zeros(6)
        self.calls = 0
        self.count, self.depth, self.speed, self.what = 0.0, 0.0, 0.0, NOTHING

    def add(self, plant: Plant) -> None:
        """Take in what the last call of the kernel met."""
        self.calls += 1
        if plant.near is not None:
            self.take(plant.state["touch"])

    def take(self, touch: Any) -> None:
        """Take in a record of TOUCH."""
        self.wrench += touch["wrench"]
        self.count = max(self.count, float(touch["count"]))
        self.depth = max(self.depth, float(touch["depth"]))
        self.speed = max(self.speed, float(touch["speed"]))
        if touch["what"] != NOTHING:
            self.what = float(touch["what"])

    def tell(self, plant: Plant) -> None:
        """Write the whole into the state: the mean force, the worst of the rest."""
        self.write(plant.state["touch"])

    def write(self, touch: Any) -> None:
        """The same into a record of TOUCH."""
        touch["wrench"], touch["count"], touch["depth"] = self.wrench / max(self.calls, 1), self.count, self.depth
        touch["speed"], touch["what"] = self.speed, self.what
