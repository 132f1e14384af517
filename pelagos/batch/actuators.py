"""Commands to the actuators of a batch; each holds until the next one."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pelagos.batch.group import Groups
from pelagos.batch.inputs import Indices, Where, rows_per_vehicle
from pelagos.errors import CommandError
from pelagos.messages import Actuations


class BatchActuators:
    """The actuators of a batch: takes commands, and counts those beyond the limits.

    Args:
        groups: the vehicles.
        method: code of the integrator, which moves actuators with `at_once`.
    """

    def __init__(self, groups: Groups, method: int) -> None:
        self._groups, self._method = groups, method
        # Mixed batches take as many columns as the vehicle with most; a group uses the first ones.
        self._most = {name: max(len(getattr(v, name)) for v in groups.vehicles) for name in Actuations._fields}
        self._clipped = {name: np.zeros((groups.n, most), np.int64) for name, most in self._most.items()}
        self.changing = tuple(self._clipped.values())  # what a saved batch keeps; the commands are in the lanes

    @property
    def commands(self) -> Actuations:
        """Present commands in SI: (n, most of them on a vehicle) by kind of actuator."""
        return Actuations(*(self._groups.collect_actuators("command", name) for name in Actuations._fields))

    @property
    def clipped(self) -> dict[str, NDArray[np.int64]]:
        """Number of commands to each actuator beyond its limits since the last reset: (n, k) by kind of actuator."""
        return {name: counts.copy() for name, counts in self._clipped.items()}

    def set(
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
        groups, chosen = self._groups, self._groups.select(where)
        for name, values in (("thrusters", thrusters), ("surfaces", surfaces), ("ballast", ballast)):
            if values is None:
                continue
            rows = rows_per_vehicle(name, values, chosen, self._most[name])
            for group, local, mine in groups.split(chosen):
                k = len(getattr(group.vehicles[0], name))
                commands = rows[mine, :k]
                beyond = group.beyond_limits(name, commands, local)
                if beyond.any():
                    self._clipped[name][chosen[mine], :k] += beyond
                fields = group.command.fields(f"actuators.{name.rstrip('s')}", k)
                group.command.put(fields, commands, None if where is None and group.n == groups.n else local)
        if at_once:
            for group, local, _ in groups.split(chosen):
                group.settle_actuators(local, self._method)
            groups.mark_changed()

    def command(self, actuations: Actuations, where: Where = None) -> None:
        """Command the actuators with the output of a controller; empty arrays change nothing."""
        if not isinstance(actuations, Actuations):
            raise CommandError(key="actuations", value=actuations, expected="a pelagos.messages.Actuations")
        self.set(where=where, **{name: value for name, value in actuations._asdict().items() if np.size(value)})

    def reset(self, chosen: Indices) -> None:
        """Set the counts of clipped commands of some vehicles to zero."""
        for counts in self._clipped.values():
            counts[chosen] = 0
