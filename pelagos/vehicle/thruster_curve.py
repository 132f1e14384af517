"""The thruster law of the kernel for one thruster, as Python: thrust from drive, and drive from thrust.

The law and its inverse are those of `engine.forces.thrusters`; the numbers are those of the record of the kernel. Lags,
loss of tunnel thrust and shared supplies are not part of the curve. Units: drive rad/s, V, N or 1 (throttle); thrust N;
inflow m/s.
"""

from __future__ import annotations

from itertools import pairwise
from types import SimpleNamespace

from pelagos.engine.forces.thrusters import drive_for, effective_drive, shaft_thrust, steady_thrust
from pelagos.vehicle.pack.records import thruster_record
from pelagos.vehicle.spec import Thruster

NEGLIGIBLE = 1e-4  # of full thrust: a smaller one would only toggle a drive across its dead band
INFLOW = ("inflow_forward", "inflow_reverse", "inflow_square")
Branch = tuple[list[float], list[float], list[float]]


class ThrustCurve:
    """Steady thrust of one thruster as a function of its drive, and the inverse.

    `low` and `high` are the largest reverse (<= 0) and forward thrust at bollard pull, N; `feels_inflow` is whether
    the inflow has an effect. `density_ratio` is the density of the water over that of the vehicle's file.

    lowest .. tunnel_loss    as in the record of the kernel
    least_low, least_high    thrusts between these are nearest to no thrust
    ahead, astern            of a table: rising |thrust|, its drive, and the slope up to the next
    """

    lowest: float
    highest: float
    dead_low: float
    dead_high: float
    k_forward: float
    k_reverse: float
    linear: float
    inflow_forward: float
    inflow_reverse: float
    inflow_square: float
    inflow_cap: float
    one_minus_wake: float
    tunnel_loss: float

    def __init__(self, thruster: Thruster, density_ratio: float = 1.0) -> None:
        record = thruster_record(thruster, density_ratio)
        for name in ThrustCurve.__annotations__:
            setattr(self, name, float(record[name]))
        self.n_table = n = len(thruster.table)
        self.table = [SimpleNamespace(x=x, y=y, slope=slope) for x, y, slope in record["table"][:n].tolist()]
        self.lags_thrust = thruster.lag_on == "thrust"
        if self.lags_thrust:  # no shaft, whose drive would feel the inflow
            self.inflow_forward = self.inflow_reverse = self.inflow_square = 0.0
        self.feels_inflow = any(getattr(self, name) for name in INFLOW)
        none: Branch = ([0.0], [0.0], [0.0])
        self.ahead = self._branch(self.highest, +1.0) if n else none
        self.astern = self._branch(self.lowest, -1.0) if n else none
        self.high = max(0.0, self.thrust(self.highest), self.ahead[0][-1])
        self.low = min(0.0, self.thrust(self.lowest), -self.astern[0][-1])
        # The dead band is open: its edge has thrust. Zero is nearer to anything below half of that.
        edge_high = self.thrust(self.dead_high) if self.dead_high > 0.0 else 0.0
        edge_low = self.thrust(self.dead_low) if self.dead_low < 0.0 else 0.0
        self.least_high = max(NEGLIGIBLE * self.high, 0.5 * edge_high)
        self.least_low = min(NEGLIGIBLE * self.low, 0.5 * edge_low)

    def thrust(self, drive: float, inflow: float = 0.0) -> float:
        """Thrust, N, of a command, which is first limited to its range."""
        s = effective_drive(self, drive)
        return steady_thrust(self, self.n_table, s) if self.lags_thrust else shaft_thrust(self, s, inflow)

    def drive(self, thrust: float, inflow: float = 0.0) -> float:
        """Drive within the limits whose thrust is nearest to `thrust`; 0 where zero thrust is nearest."""
        return drive_for(self, thrust, inflow)

    def _branch(self, limit: float, sign: float) -> Branch:
        """Invert the ahead or astern side of the table, rising from the edge of the dead zone.

        Rows with less thrust than an earlier one are left out: the smaller drive gives the same thrust for less power.
        """
        rows = sorted((abs(p.x), sign * p.y) for p in self.table if p.x * sign >= 0.0)
        if rows and rows[0][0] > 0.0:  # no row at zero drive
            rows.insert(0, (0.0, sign * steady_thrust(self, self.n_table, 0.0)))
        rows = _cut(rows, abs(limit))
        size, drive = [0.0], [0.0]
        for s, f in rows:
            if f <= 0.0 and len(size) == 1:
                drive[0] = s  # still in the dead zone: its far edge is where thrust begins
            elif f > size[-1]:
                size.append(f)
                drive.append(s)
        slope = [sign * (s1 - s0) / (f1 - f0) for (f0, s0), (f1, s1) in pairwise(zip(size, drive, strict=True))]
        return size, [sign * s for s in drive], [*slope, 0.0]


def _cut(rows: list[tuple[float, float]], limit: float) -> list[tuple[float, float]]:
    """Keep the rows up to a drive limit, and add one interpolated at the limit."""
    kept = [row for row in rows if row[0] <= limit]
    for (s0, f0), (s1, f1) in pairwise(rows):
        if s0 <= limit < s1:
            kept.append((limit, f0 + (f1 - f0) * (limit - s0) / (s1 - s0)))
    return kept
