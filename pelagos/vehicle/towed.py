"""Time stepping of a vehicle and its tether together, with the coupling in both directions.

In each step of the cable the tether predicts the position of the fairlead at the end of the step and computes its pull
and end stiffness there; the vehicle moves under both; the tether then follows to where the fairlead has come. The
coupling is implicit in the cable, and through the end stiffness in the vehicle as well.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pelagos.engine.contact.impulses import NOTHING
from pelagos.tether.line import Line
from pelagos.vehicle.plant import Plant

Rows = NDArray[np.float64]
# Largest phase (rad) of the oscillation, or exponent of the decay, on the end stiffness in one step of the vehicle.
# About half the stability limit of each method (2.8 for RK4, 2 for Heun); methods not listed get DEFAULT_PHASE.
PHASE = {"rk4": 1.5, "heun": 1.0, "adaptive": 1.5}
DEFAULT_PHASE = 0.5
MOST_STEPS = 5000  # of the vehicle in one step of the cable


def advance_towed(
    plant: Plant,
    line: Line,
    seconds: float,
    n_cable: int,
    n_steps: int,
    method: str,
    report: ContactReport | None = None,
) -> int:
    """Advance vehicle and tether by `seconds` in n_cable steps of the cable, each of n_steps of the vehicle.

    The vehicle takes shorter steps where the end stiffness requires them. Contacts are added to `report`; without one
    they are written into the state of the plant at the end.

    Returns:
        The number of valid steps of the vehicle, n_cable n_steps if all are.
    """
    dt = seconds / n_cable
    contacts = ContactReport() if report is None else report
    end, velocity = plant.fairlead()
    for i in range(n_cable):
        line.set_current(plant.water["current"], plant.water["current_dot"])
        line.step(dt, end, velocity)
        set_pull(plant, line, line.head["end"], dt)
        n = max(n_steps, steps_for(plant, line, dt, method))
        done = plant.advance(dt / n, n, method)
        contacts.add(plant)
        if done < n:
            return i * n_steps + min(done * n_steps // n, n_steps - 1)
        plant.water["current"] += dt * plant.water["current_dot"]
        end, velocity = plant.fairlead()
        line.follow(dt, end)
        # From here to the next step of the cable the pull is that of the fairlead's actual position.
        set_pull(plant, line, end, 0.0)
    if report is None:
        contacts.write(plant.state["touch"])
    return n_cable * n_steps


def set_pull(plant: Plant, line: Line, place_n: NDArray[np.float64], span_s: float) -> None:
    """Put the pull of the tether into the command of the plant.

    The pull is exact if the fairlead is at `place_n` after `span_s`; the kernel corrects it with the end stiffness.
    """
    write_pull(plant.command["pull"], line.head, place_n, span_s, pull_limit(line))


def write_pull(pull: Any, head: Any, place_n: NDArray[np.float64], span_s: float, most_n: float | Rows) -> None:
    """Copy the pull of tethers from CHAIN records into PULL records: single records, or arrays of both."""
    pull["force"], pull["stiffness"] = head["pull"], head["end_stiffness"]
    pull["place"], pull["span"], pull["most"] = place_n, span_s, most_n


def pull_limit(line: Line) -> float:
    """Largest pull that the cable can carry, N; at EA it would be twice as long."""
    return min(line.cable.breaking_load_N, line.cable.stiffness_N)


def steps_for(plant: Plant, line: Line, dt: float, method: str) -> int:
    """Number of steps of the vehicle in `dt` for which an explicit method is stable on the end stiffness.

    Over dt the tether acts as a spring k and as a damper k dt on the mass at the fairlead. If that requires more than
    MOST_STEPS, the end stiffness in the command is reduced to what MOST_STEPS can integrate.
    """
    n = float(steps_needed(line.head["end_stiffness"], plant.lightest_at_fairlead, dt, method))
    if n > MOST_STEPS:
        plant.command["pull"]["stiffness"] *= MOST_STEPS / n
    return max(1, min(MOST_STEPS, math.ceil(n)))


def steps_needed(stiffness: Rows, lightest_kg: float | Rows, dt: float, method: str) -> Rows:
    """Steps that `steps_for` requires before rounding and limiting, for end stiffnesses of shape (..., 9) in N/m."""
    # For a positive definite 3x3 stiffness the trace is an upper bound of the largest eigenvalue.
    stiffest = np.maximum(stiffness[..., 0] + stiffness[..., 4] + stiffness[..., 8], 0.0)
    damped = dt * dt * stiffest / lightest_kg
    return np.maximum(np.sqrt(damped), damped) / PHASE.get(method, DEFAULT_PHASE)


def fairleads(position_n: Rows, quaternion: Rows, nu: Rows, fairlead_b: Rows) -> tuple[Rows, Rows]:
    """Positions (m) and velocities over ground (m/s) of the fairleads of many vehicles, NED, each (n, 3).

    The arithmetic is elementwise, so that no row depends on the number of rows; one rotation serves both vectors.
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


class ContactReport:
    """Contacts of a vehicle over several calls of the kernel, summed up as if they had been one call."""

    def __init__(self) -> None:
        self.wrench = np.zeros(6)
        self.calls = 0
        self.count, self.depth, self.speed, self.obstacle = 0.0, 0.0, 0.0, NOTHING

    def add(self, plant: Plant) -> None:
        """Add the contacts of the last call of the kernel."""
        self.calls += 1
        if plant.near is not None:
            self.add_record(plant.state["touch"])

    def add_record(self, touch: Any) -> None:
        """Add the contacts of a TOUCH record."""
        self.wrench += touch["wrench"]
        self.count = max(self.count, float(touch["count"]))
        self.depth = max(self.depth, float(touch["depth"]))
        self.speed = max(self.speed, float(touch["speed"]))
        if touch["obstacle"] != NOTHING:
            self.obstacle = float(touch["obstacle"])

    def write(self, touch: Any) -> None:
        """Write the summary into a TOUCH record: the mean wrench, the largest count, depth and speed."""
        touch["wrench"], touch["count"], touch["depth"] = self.wrench / max(self.calls, 1), self.count, self.depth
        touch["speed"], touch["obstacle"] = self.speed, self.obstacle
