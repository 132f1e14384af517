"""The water around each vehicle of a batch: the world as the kernel reads it, uniform currents, time, valid places."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pelagos import frames
from pelagos.batch.clock import BatchClock
from pelagos.batch.group import Groups
from pelagos.batch.inputs import Indices, Where, rows_per_vehicle
from pelagos.errors import CommandError
from pelagos.sim.inputs import MAY_OVERLAP
from pelagos.world.current.kinds import check_cover, with_origin
from pelagos.world.spec import World

Array = NDArray[np.float64]
AHEAD_S = 600.0  # random currents are drawn at least that far ahead, so that the world is rarely packed anew


class BatchEnvironment:
    """The world of a batch, and the water at each vehicle.

    Args:
        groups: the vehicles, whose lanes get the sea, the time and the uniform current.
        clock: the time of each vehicle.
        world: the world of all.
    """

    def __init__(self, groups: Groups, clock: BatchClock, world: World) -> None:
        self.world = world
        self._groups, self._clock = groups, clock
        self._until_s = -1.0  # end of the time for which random currents are drawn: no world is packed yet
        self._vehicle_current = np.zeros((groups.n, 3))  # uniform current of each vehicle, NED
        self._vehicle_current_rate = np.zeros((groups.n, 3))  # its rate of change over the next interval
        self._unchecked = np.ones(groups.n, np.bool_)  # placed since the last interval
        self.changing = self._vehicle_current, self._vehicle_current_rate, self._unchecked  # what a saved batch keeps
        self._evaluated = -1  # version of the groups whose surroundings are in the lanes
        self._cover(0.0)
        self.reset(np.arange(groups.n))

    def set_current(self, current_n: ArrayLike, where: Where = None) -> None:
        """Set a uniform current for each vehicle, (3,) or (vehicles, 3), m/s NED, added to that of the world."""
        chosen = self._groups.select(where)
        self._vehicle_current[chosen] = rows_per_vehicle("current_n", current_n, chosen, 3)
        self._vehicle_current_rate[chosen] = 0.0
        self._set_current()
        self._hold_in_water(chosen)

    def set_changing_current(self, current_n: ArrayLike, rate_n: ArrayLike, where: Where = None) -> None:
        """Set the current as `set_current` does, and its rate over the next interval, m/s^2; held velocities stay."""
        chosen = self._groups.select(where)
        self._vehicle_current[chosen] = rows_per_vehicle("current_n", current_n, chosen, 3)
        self._vehicle_current_rate[chosen] = rows_per_vehicle("rate_n", rate_n, chosen, 3)
        self._set_current()

    def reset(self, chosen: Indices) -> None:
        """Update the current of vehicles whose time was set back, and prepare them as `place` does."""
        self._set_current()
        self.place(chosen)

    def place(self, chosen: Indices) -> None:
        """Prepare vehicles that were put elsewhere: set held velocities; the next interval checks their places."""
        self._hold_in_water(chosen)
        self._unchecked[chosen] = True

    def prepare(self) -> None:
        """Prepare the next control interval: pack the world up to its end, check places, set time and current."""
        self._cover(self._clock.latest_s + self._clock.interval_s)
        self._check_places()
        self.update()

    def update(self) -> None:
        """Write the present time and uniform current to the lanes."""
        self._set_time()
        if self.world.current is not None:
            self._set_current()

    def surroundings(self, path: str, out: NDArray[Any] | None = None) -> NDArray[Any]:
        """Return a field of the surroundings of the present motion, which are evaluated once after each change."""
        if self._evaluated != self._groups.version:
            self.update()
            for group in self._groups:
                group.evaluate()
            self._evaluated = self._groups.version
        return self._groups.collect("surroundings", path, out)

    def altitude_m(self) -> Array:
        """Return the height of each body origin over the seabed, NaN without one: (n,)."""
        altitude = self.surroundings("bottom") - self._groups.collect("state", "position")[:, 2]
        return np.where(np.isfinite(altitude), altitude, math.nan)

    def check_cover(self, seconds: float) -> None:
        """Refuse a run that a measured current does not cover, in time or where vehicles were placed."""
        until_s = self._clock.latest_s + seconds
        for current in with_origin(self.world.currents, self.world.origin_lat_deg, self.world.origin_lon_deg):
            check_cover(current, until_s, self._groups.collect("state", "position")[self._unchecked].tolist())

    def _cover(self, until_s: float) -> None:
        """Pack the world for the kernel, with random currents up to a time at least."""
        if until_s > self._until_s:
            # The first call draws no more than it needs; later ones double, so that a long run packs rarely.
            self._until_s = 2.0 * until_s + AHEAD_S if self._until_s >= 0.0 else until_s
            for group in self._groups:
                gravity = float(group.plants[0].water["gravity"])
                group.set_sea(self.world.packed(gravity_m_s2=gravity, until_s=self._until_s))

    def _set_current(self) -> None:
        """Write the uniform current and its rate over the next interval, as `Simulation` does."""
        for group in self._groups:
            now = self._vehicle_current[group.index] + self._uniform(group.index, 0)
            group.water.put(group.water.fields("current"), now)
            rate = self._vehicle_current_rate[group.index]
            if self.world.current is not None:
                later = self._vehicle_current[group.index] + self._uniform(group.index, 1)
                rate = rate + (later - now) / self._clock.interval_s
            group.water.put(group.water.fields("current_dot"), rate)

    def _uniform(self, at: Indices, later: int) -> Array:
        """Uniform current of the world, NED, at some vehicles, `later` intervals from now."""
        if self.world.current is None:
            return self.world.current_n(0.0)[np.newaxis]
        # The current is a Python function of time: call it once for each different time only.
        ticks, of = np.unique(self._clock.ticks[at] + later, return_inverse=True)
        flow = np.array([self.world.current_n(float(tick) / self._clock.rate_hz) for tick in ticks])
        return flow[of.reshape(-1)]

    def _set_time(self) -> None:
        """Write the time at which the next call of the kernel starts."""
        now = self._clock.ticks / self._clock.rate_hz
        for group in self._groups:
            if now[0] == now[-1] and (now == now[0]).all():
                group.water.view("time")[...] = now[0]
            else:
                group.water.put(group.water.fields("time"), now[group.index, np.newaxis])

    def _hold_in_water(self, chosen: Indices) -> None:
        """Set velocities that the vehicle's file holds, relative to the water: see `Plant.hold_in_water`."""
        for group, local, mine in self._groups.split(chosen):
            held = np.flatnonzero(~np.array(group.vehicles[0].free[:3]))  # equal in a group; the speed may differ
            if len(held):
                self.update()
                group.evaluate()
                speed = np.array([vehicle.held_speed_m_s for vehicle in group.vehicles])
                nu = group.state.get(group.state.fields("nu"))[local]
                flow = group.surroundings.get(group.surroundings.fields("current"))[local]
                R_nb = frames.rotation_from_quaternion(self._groups.quaternions()[chosen[mine]])
                drift = np.einsum("nji,nj->ni", R_nb, flow)
                drift[:, 0] += speed[group.which[local]]
                nu[:, held] = drift[:, held]
                group.state.put(group.state.fields("nu"), nu, local)
        self._groups.mark_changed()

    def _check_places(self) -> None:
        """Refuse vehicles that were placed under the seabed or inside a structure; moving there by itself is valid."""
        placed = np.flatnonzero(self._unchecked)
        if not len(placed):
            return
        altitude = self.altitude_m()
        position, quaternion = self._groups.collect("state", "position"), self._groups.quaternions()
        for i in placed[altitude[placed] <= 0.0]:
            raise _misplaced(i, position[i], f"{abs(altitude[i]):.3g} m under the seabed")
        for group, _, mine in self._groups.split(placed):
            members = placed[mine]
            still = np.zeros((len(members), 3))
            near = members[group.may_touch(position[members], still, 0.0)] if group.can_touch else ()
            for i in near:
                contacts = group.contacts(position[i], quaternion[i])
                if len(contacts) and contacts["gap"].min() < -MAY_OVERLAP:
                    deepest = contacts[np.argmin(contacts["gap"])]
                    structure = self.world.named(int(deepest["obstacle"]))
                    raise _misplaced(i, position[i], f"{-float(deepest['gap']):.3g} m inside {structure}")
        self._unchecked[:] = False


def _misplaced(i: int, position_n: Array, fault: str) -> CommandError:
    return CommandError(
        fault,
        key=f"position of vehicle {i} (north, east, depth in m)",
        value=tuple(round(float(x), 3) for x in position_n),
        expected="a place in the open water",
    )
