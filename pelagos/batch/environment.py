"""The water around each vehicle of a batch: the world as the kernel reads it, uniform currents, time, valid places."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pelagos import frames
from pelagos.batch.group import Group, Indices
from pelagos.batch.view import BatchView
from pelagos.errors import CommandError
from pelagos.sim.inputs import MAY_OVERLAP
from pelagos.world.current.kinds import check_cover, with_origin
from pelagos.world.spec import World

Array = NDArray[np.float64]
AHEAD_S = 600.0  # random currents are drawn at least that far ahead, so that the world is rarely packed anew


class BatchEnvironment(BatchView):
    """The part of a batch that keeps its water up to date and selects vehicles."""

    world: World
    interval_s: float
    _until_s: float  # end of the time for which random currents are drawn
    _vehicle_current: Array  # uniform current of each vehicle, (n, 3) NED
    _vehicle_current_rate: Array  # its rate of change over the next interval
    _group_of: Indices
    _local: Indices  # number of each vehicle in its group
    _unchecked: NDArray[np.bool_]  # placed since the last interval

    def _cover(self, until_s: float) -> None:
        """Pack the world for the kernel, with random currents up to a time at least."""
        if until_s > self._until_s:
            # The first call draws no more than it needs; later ones double, so that a long run packs rarely.
            self._until_s = 2.0 * until_s + AHEAD_S if self._until_s >= 0.0 else until_s
            for group in self._groups:
                gravity = float(group.plants[0].water["gravity"])
                group.set_sea(self.world.packed(gravity_m_s2=gravity, until_s=self._until_s))

    def _water_now(self) -> None:
        """Write the present time and uniform current to the lanes."""
        self._set_time()
        if self.world.current is not None:
            self._set_current()

    def _set_current(self) -> None:
        """Write the uniform current and its rate over the next interval, as `Simulation` does."""
        for group in self._groups:
            now = self._vehicle_current[group.index] + self._uniform(group.index, 0)
            group.water.put(group.water.fields("current"), now)
            rate = self._vehicle_current_rate[group.index]
            if self.world.current is not None:
                rate += (self._vehicle_current[group.index] + self._uniform(group.index, 1) - now) / self.interval_s
            group.water.put(group.water.fields("current_dot"), rate)

    def _uniform(self, at: Indices, later: int) -> Array:
        """Uniform current of the world, NED, at some vehicles, `later` intervals from now."""
        if self.world.current is None:
            return self.world.current_n(0.0)[np.newaxis]
        # The current is a Python function of time: call it once for each different time only.
        ticks, of = np.unique(self._ticks[at] + later, return_inverse=True)
        flow = np.array([self.world.current_n(float(tick) / self.control_rate_hz) for tick in ticks])
        return flow[of.reshape(-1)]

    def _set_time(self) -> None:
        """Write the time at which the next call of the kernel starts."""
        now = self._ticks / self.control_rate_hz
        for group in self._groups:
            if now[0] == now[-1] and (now == now[0]).all():
                group.water.view("time")[...] = now[0]
            else:
                group.water.put(group.water.fields("time"), now[group.index, np.newaxis])

    def _hold_in_water(self, chosen: Indices) -> None:
        """Set velocities that the vehicle's file holds, relative to the water: see `Plant.hold_in_water`."""
        for group, local, mine in self._parts(chosen):
            held = np.flatnonzero(~np.array(group.vehicles[0].free[:3]))  # equal in a group; the speed may differ
            if len(held):
                self._water_now()
                group.evaluate()
                speed = np.array([vehicle.held_speed_m_s for vehicle in group.vehicles])
                nu = group.state.get(group.state.fields("nu"))[local]
                flow = group.surroundings.get(group.surroundings.fields("current"))[local]
                R_nb = frames.rotation_from_quaternion(self.quaternion[chosen[mine]])
                drift = np.einsum("nji,nj->ni", R_nb, flow)
                drift[:, 0] += speed[group.which[local]]
                nu[:, held] = drift[:, held]
                group.state.put(group.state.fields("nu"), nu, local)

    def _check_cover(self, seconds: float) -> None:
        """Refuse a run that a measured current does not cover, in time or where vehicles were placed."""
        until_s = float(self._ticks.max()) / self.control_rate_hz + seconds
        for current in with_origin(self.world.currents, self.world.origin_lat_deg, self.world.origin_lon_deg):
            check_cover(current, until_s, self.position_n[self._unchecked].tolist())

    def _check_places(self) -> None:
        """Refuse vehicles that were placed under the seabed or inside a structure; moving there by itself is valid."""
        placed = np.flatnonzero(self._unchecked)
        if not len(placed):
            return
        altitude = self.altitude_m
        for i in placed[altitude[placed] <= 0.0]:
            raise self._misplaced(i, f"{abs(altitude[i]):.3g} m under the seabed")
        position, quaternion = self.position_n, self.quaternion
        for group, _, mine in self._parts(placed):
            members = placed[mine]
            still = np.zeros((len(members), 3))
            near = members[group.may_touch(position[members], still, 0.0)] if group.can_touch else ()
            for i in near:
                contacts = group.contacts(position[i], quaternion[i])
                if len(contacts) and contacts["gap"].min() < -MAY_OVERLAP:
                    deepest = contacts[np.argmin(contacts["gap"])]
                    structure = self.world.named(int(deepest["obstacle"]))
                    raise self._misplaced(i, f"{-float(deepest['gap']):.3g} m inside {structure}")
        self._unchecked[:] = False

    def _misplaced(self, i: int, fault: str) -> CommandError:
        return CommandError(
            fault,
            key=f"position of vehicle {i} (north, east, depth in m)",
            value=tuple(round(float(x), 3) for x in self.position_n[i]),
            expected="a place in the open water",
        )

    def _parts(self, chosen: Indices) -> list[tuple[Group, Indices, Any]]:
        """Split chosen vehicles by group: the group, their numbers in it, and their places in `chosen`."""
        if len(self._groups) == 1:
            return [(self._groups[0], chosen, slice(None))] if len(chosen) else []
        of = self._group_of[chosen]
        members = [(group, np.flatnonzero(of == k)) for k, group in enumerate(self._groups)]
        return [(group, self._local[chosen[mine]], mine) for group, mine in members if len(mine)]

    def _chosen(self, where: ArrayLike | None) -> Indices:
        """Numbers of vehicles from a mask, from a list of numbers, or of all from None."""
        if where is None:
            return np.arange(self.n)
        expected = f"numbers of vehicles, 0 to {self.n - 1}, each once, or a mask"
        try:
            selection = np.asarray(where)
        except ValueError:  # rows of different lengths
            raise CommandError(key="where", value=where, expected=expected) from None
        if selection.dtype == bool:
            if selection.shape != (self.n,):
                raise CommandError(key="shape of the mask `where`", value=selection.shape, expected=f"({self.n},)")
            return np.flatnonzero(selection)
        numbers = np.atleast_1d(selection)
        if numbers.size == 0:
            return np.zeros(0, np.int64)
        if numbers.ndim > 1 or numbers.dtype.kind not in "iu" or numbers.min() < 0 or numbers.max() >= self.n:
            raise CommandError(key="where", value=where, expected=expected)
        numbers = numbers.astype(np.int64)
        repeated = np.flatnonzero(np.bincount(numbers) > 1)
        if len(repeated):
            message = f"vehicle {repeated[0]} occurs more than once"
            raise CommandError(message, key="where", value=where, expected=expected)
        return numbers
