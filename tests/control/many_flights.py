"""Scalar autopilots that fly vehicles, and a vectorised autopilot beside them with the same states."""

from __future__ import annotations

import functools

import numpy as np

from pelagos.control.autopilot.autopilot import Autopilot
from pelagos.control.vectorised.autopilot import VectorAutopilot
from pelagos.messages import VehicleStates
from pelagos.sim.simulation import Simulation
from pelagos.vehicle.load.vehicle import load_vehicle

DT = 0.1


@functools.cache
def vehicle(key):
    return load_vehicle(key)


def truths_of(states):
    """Scalar states as arrays."""
    return VehicleStates(*(np.array([getattr(state, name) for state in states]) for name in VehicleStates._fields))


def move(sim, actuation):
    """One control interval of the kernel, without a controller."""
    sim.plant.set_actuators(thrusters=actuation.thrusters, surfaces=actuation.surfaces, ballast=actuation.ballast)
    assert sim.stepping.advance(sim.plant, None, sim.integrator) == sim.n_steps
    sim._ticks += 1
    sim.invalidate_state()


def difference(scalar, many, i):
    """The largest difference of two commands over the size of such commands."""
    worst = 0.0
    for name in ("thrusters", "surfaces", "ballast"):
        a, b = getattr(scalar, name), getattr(many, name)[i]
        assert a.shape == b.shape
        if a.size:
            worst = max(worst, float(np.abs(a - b).max() / max(np.abs(a).max(), 1e-6)))
    return worst


class Pair:
    """n scalar autopilots that fly, and the many beside them."""

    def __init__(self, key, starts):
        self.sims = [Simulation(vehicle(key)) for _ in starts]
        for sim, start in zip(self.sims, starts, strict=True):
            sim.place(**start)
        self.n = len(starts)
        self.scalar = [Autopilot(vehicle(key)) for _ in starts]
        self.many = VectorAutopilot(vehicle(key), self.n)
        for pilot in self.scalar:  # each stage takes a while to make: all share those of the many
            pilot.schedule._stages = self.many.schedule._stages
        self.worst = 0.0
        self.drives = []

    def command(self, where, **changes):
        """The same to both."""
        rows = range(self.n) if where is None else where
        self.many.command(where, **changes)
        for k, i in enumerate(rows):
            changed = {q: None if v is None else float(np.broadcast_to(v, (len(rows),))[k]) for q, v in changes.items()}
            self.scalar[i].command(None, **changed)

    def fly(self, ticks):
        """So many ticks; `worst` is the largest difference so far."""
        for _ in range(ticks):
            state = [sim.state() for sim in self.sims]
            together = self.many.update(truths_of(state), DT)
            for i, (sim, pilot) in enumerate(zip(self.sims, self.scalar, strict=True)):
                alone = pilot.update(state[i], DT)
                self.worst = max(self.worst, difference(alone, together, i))
                move(sim, alone)
            self.drives.append(together.thrusters)
        return self.worst
