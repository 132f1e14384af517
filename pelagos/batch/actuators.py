"""Commands to the actuators of a batch, and external wrenches; each holds until the next one."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pelagos.batch.environment import BatchEnvironment
from pelagos.batch.inputs import Where, rows_per_vehicle
from pelagos.checks import array
from pelagos.errors import CommandError
from pelagos.messages import Actuations


class BatchActuators(BatchEnvironment):
    """The part of a batch that takes commands."""

    _method: int
    _clipped: dict[str, NDArray[np.int64]]

    @property
    def clipped(self) -> dict[str, NDArray[np.int64]]:
        """Number of commands to each actuator beyond its limits since the last reset: (n, k) by group of actuators."""
        return {name: counts.copy() for name, counts in self._clipped.items()}

    def set_actuators(
        self,
        *,
        thrusters: ArrayLike | None = None,
        surfaces: ArrayLike | None = None,
        ballast: ArrayLike | None = None,
        where: Where = None,
        at_once: bool = False,
    ) -> None:
        """Command actuators in SI, (k,) for all or (vehicles, k); `at_once` also moves them there without lag.

        The kernel clips commands at the limits of the vehicle's file; `clipped` counts these.
        """
        chosen = self._chosen(where)
        every = where is None
        for name, values in (("thrusters", thrusters), ("surfaces", surfaces), ("ballast", ballast)):
            if values is None:
                continue
            # Mixed batches take as many columns as the vehicle with most; a group uses the first ones.
            most = max(len(getattr(vehicle, name)) for vehicle in self.vehicles)
            expected = f"({most},) or ({len(chosen)}, {most})"
            rows = array(name, values, f"numbers of shape {expected}")
            if rows.shape not in ((most,), (len(chosen), most)):
                raise CommandError(key=f"shape of {name}", value=rows.shape, expected=expected)
            # The sum of finite numbers is finite (short of overflow) and is cheaper than a test of each.
            if rows.size and not math.isfinite(float(rows.sum())):
                bad = np.argwhere(~np.isfinite(np.broadcast_to(rows, (len(chosen), most))))
                if len(bad):
                    i, column = bad[0]
                    value = float(np.broadcast_to(rows, (len(chosen), most))[i, column])
                    key = f"{name}[{column}] of vehicle {chosen[i]}"
                    raise CommandError(key=key, value=value, expected="a finite number")
            for group, local, mine in self._parts(chosen):
                k = len(getattr(group.vehicles[0], name))
                fields = group.command.fields(f"actuators.{name.rstrip('s')}", k)
                commands = rows[:k] if rows.ndim == 1 else rows[mine, :k]
                beyond = group.beyond_limits(name, commands, local)
                if beyond.any():
                    self._clipped[name][chosen[mine], :k] += beyond
                group.command.put(fields, commands, None if every and group.n == self.n else local)
        if at_once:
            for group, local, _ in self._parts(chosen):
                group.settle_actuators(local, self._method)
            self._changed()

    def command(self, actuations: Actuations, where: Where = None) -> None:
        """Command the actuators with the output of a controller; empty arrays change nothing."""
        if not isinstance(actuations, Actuations):
            raise CommandError(key="actuations", value=actuations, expected="a pelagos.messages.Actuations")
        parts = {name: value for name, value in actuations._asdict().items() if np.size(value)}
        self.set_actuators(where=where, **parts)

    def set_external(self, wrench: ArrayLike, where: Where = None) -> None:
        """Apply an external wrench, (6,) or (vehicles, 6), N and N m, body axes about O."""
        chosen = self._chosen(where)
        rows = rows_per_vehicle("external", wrench, chosen, 6)
        for group, local, mine in self._parts(chosen):
            group.command.put(group.command.fields("external"), rows[mine], local)
