"""Hold a place and a heading on a tether in a current.

`StationKeeping` with a tether: 25 m of the vehicle's own cable (ten elements, dynamic) from a ship that lies 12 m away,
in any direction. The current bends the cable, and the cable pulls at the stern and turns the vehicle. The current is
0.2 to 0.6 m/s, the same for cable and vehicle. Reward and end are those of station keeping, and `info` has the pull
(`tether_N`).

The cables are `tether.Line`s, one for each environment: twice in a step each is advanced to where its end will be, its
pull acts on the vehicle as an external wrench, and the cable follows to where the end has come. So the work of a step
goes with the number of environments, and this task is the slowest.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from pelagos.batch.batch import Batch
from pelagos.learn.draws import Draws
from pelagos.learn.motion import in_body, in_ned
from pelagos.learn.task import Array, Indices
from pelagos.learn.tasks.station_keeping import StationKeeping
from pelagos.sim.towing import a_line
from pelagos.tether.line import Line
from pelagos.tether.spec import Tether
from pelagos.vehicle.plant import Plant

LENGTH_M, AWAY_M, ELEMENTS = 25.0, 12.0, 10


class TetheredHover(StationKeeping):
    """Stay where you are told on a leash."""

    key = "TetheredHover"
    parts = 2
    ranges: ClassVar = {**StationKeeping.ranges, "current_m_s": (0.2, 0.6)}

    def __init__(self, n: int) -> None:
        super().__init__(n)
        self._lines: list[Line] = []
        self._fairlead = np.zeros(3)
        self.pull_n = np.zeros((n, 3))
        self.ship_n = np.zeros((n, 3))

    def _rig(self, batch: Batch) -> None:
        """A cable for each, tied to where the vehicle's file has it; at first use."""
        plant = Plant(batch.vehicle, sea=batch.world.packed())
        tether = Tether(length_m=LENGTH_M, elements=ELEMENTS, step_s=batch.interval_s)
        self._lines = [a_line(tether, batch.vehicle, plant) for _ in range(self.n)]
        self._fairlead = np.array(plant.command["pull"]["fairlead"])
        for line in self._lines:
            line.sea = plant.sea

    def begin(self, batch: Batch, where: Indices, draws: Draws) -> None:
        """The cable at rest in its current, between ship and vehicle."""
        super().begin(batch, where, draws)
        if not self._lines:
            self._rig(batch)
        to = draws.uniform("bearing of the ship", -np.pi, np.pi)
        self.ship_n[where, 0], self.ship_n[where, 1] = AWAY_M * np.cos(to), AWAY_M * np.sin(to)
        ends, _ = self._ends(batch)
        flow = batch.current_n
        for i in where.tolist():
            line = self._lines[i]
            line.reset()
            line.set_current(flow[i])
            line.settle(ends[i], ship_n=self.ship_n[i])
            self.pull_n[i] = line.head["pull"]

    def _ends(self, batch: Batch) -> tuple[Array, Array]:
        """Where the fairleads are, and their velocities over ground, NED."""
        euler, nu = batch.euler, batch.nu
        lever = np.broadcast_to(self._fairlead, (self.n, 3))
        place = batch.position_n + in_ned(lever, euler)
        return place, in_ned(nu[:, :3] + np.cross(nu[:, 3:], lever), euler)

    def advance(self, batch: Batch) -> None:
        """Cables and vehicles in turn."""
        dt, alive = batch.interval_s, np.flatnonzero(batch.alive).tolist()
        ends, velocities = self._ends(batch)
        for _ in range(self.parts):
            for i in alive:
                self._lines[i].step(dt, ends[i], velocities[i])
                self.pull_n[i] = self._lines[i].head["pull"]
            batch.set_external(self._wrench(self.pull_n, batch.euler))
            batch.advance()
            ends, velocities = self._ends(batch)
            for i in alive:
                self._lines[i].follow(dt, ends[i])

    def _wrench(self, pull_n: Array, euler: Array) -> NDArray[np.float64]:
        force = in_body(pull_n, euler)
        return np.concatenate([force, np.cross(self._fairlead, force)], axis=1)

    def measures(self) -> dict[str, Array]:
        """With the pull of the cable."""
        return super().measures() | {"tether_N": np.linalg.norm(self.pull_n, axis=1)}
