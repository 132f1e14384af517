"""What the vehicles of a batch are told: demands to actuators, a wrench of one's own; held until changed."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pelagos.batch.environment import BatchEnvironment
from pelagos.batch.inputs import Where, rows_each
from pelagos.checks import array
from pelagos.errors import CommandError, shown
from pelagos.messages import Actuations


class BatchActuators(BatchEnvironment):
    """The part of a batch that takes orders."""

    _method: int
    _clipped: dict[str, NDArray[np.int64]]

    @property
    def clipped(self) -> dict[str, NDArray[np.int64]]:
        """How many commands to each actuator were cut off at its limits since the last reset: (n, k) by group."""
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
        """Demands in SI, (k,) for all or (vehicles, k), held until changed; `at_once` also puts the actuators there.

        The kernel cuts off what is beyond the limits of the vehicle's file; `clipped` counts how often it did.
        """
        chosen = self._chosen(where)
        every = where is None
        for name, values in (("thrusters", thrusters), ("surfaces", surfaces), ("ballast", ballast)):
            if values is None:
                continue
            there = max(len(getattr(vehicle, name)) for vehicle in self.vehicles)
            expected = f"({there},) or ({len(chosen)}, {there})"
            rows = array(name, values, f"numbers of shape {expected}")
            if rows.shape not in ((there,), (len(chosen), there)):
                raise CommandError(f"{name} have shape {rows.shape}", expected=expected)
            if rows.size and not math.isfinite(float(rows.sum())):
                bad = np.argwhere(~np.isfinite(np.broadcast_to(rows, (len(chosen), there))))
                if len(bad):
                    raise CommandError(
                        f"{name} of vehicle {chosen[bad[0][0]]} are no finite numbers", expected="demands"
                    )
            for group, local, mine in self._parts(chosen):
                k = len(getattr(group.vehicles[0], name))
                fields = group.command.fields(f"demand.{name.rstrip('s')}", k)
                values = rows[:k] if rows.ndim == 1 else rows[mine, :k]
                beyond = group.beyond_limits(name, values, local)
                if beyond.any():
                    self._clipped[name][chosen[mine], :k] += beyond
                group.command.put(fields, values, None if every and group.n == self.n else local)
        if at_once:
            for group, local, _ in self._parts(chosen):
                group.settle_actuators(local, self._method)
            self._changed()

    def command(self, actuations: Actuations, where: Where = None) -> None:
        """What a controller of many returned."""
        if not isinstance(actuations, Actuations):
            raise CommandError(f"the actuations are {shown(actuations)}", expected="a pelagos.messages.Actuations")
        parts = {name: value for name, value in actuations._asdict().items() if np.size(value)}
        self.set_actuators(where=where, **parts)

    def set_external(self, wrench: ArrayLike, where: Where = None) -> None:
        """A wrench of your own, (6,) or (vehicles, 6), N and N m, body axes about O, held until changed."""
        chosen = self._chosen(where)
        rows = rows_each("external", wrench, chosen, 6)
        for group, local, mine in self._parts(chosen):
            group.command.put(group.command.fields("external"), rows[mine], local)
