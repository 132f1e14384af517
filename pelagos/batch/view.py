"""The readable quantities of a batch: arrays in SI with one row for each vehicle."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pelagos import frames
from pelagos.batch.clock import BatchClock
from pelagos.batch.environment import BatchEnvironment
from pelagos.batch.group import Groups
from pelagos.batch.inputs import check_output_array
from pelagos.errors import CommandError, one_of
from pelagos.messages import VehicleStates
from pelagos.world.spec import World

Array = NDArray[np.float64]
# property: field of the record STATE or SURROUNDINGS that holds it
FROM_STATE = {"position_n": "position", "nu": "nu", "contact_n": "touch.wrench"}
FROM_SURROUNDINGS = {"current_n": "current", "wet_share": "wet_share", "below_m": "below", "bottom_m": "bottom"}
# properties computed from several fields
COMPUTED = ("quaternion", "euler", "nu_r", "nu_dot", "altitude_m", "time_s", "thrusters", "surfaces", "ballast")


class BatchView:
    """What can be read of the vehicles of a batch: motion, surroundings, actuators, contact.

    A property returns a new array. What needs an evaluation of the kernel (velocity through the water, altitude, ...)
    is evaluated once after each change, at the first access.

    Args:
        groups: the vehicles.
        clock: the time of each vehicle.
        environment: the water at each vehicle.
    """

    def __init__(self, groups: Groups, clock: BatchClock, environment: BatchEnvironment) -> None:
        self.n = groups.n
        self.groups, self._clock, self._environment = groups, clock, environment

    @property
    def world(self) -> World:
        """The world of all vehicles."""
        return self._environment.world

    def read(self, name: str, out: NDArray[Any]) -> NDArray[Any]:
        """Write a quantity (position_n, nu, nu_dot, contact_n, current_n, wet_share, ...) to an existing array."""
        if name in COMPUTED:
            values = getattr(self, name)
            check_output_array(name, out, values.shape)
            out[...] = values
            return out
        for record, paths in (("state", FROM_STATE), ("surroundings", FROM_SURROUNDINGS)):
            if name in paths:
                fields = getattr(self.groups[0], record).fields(paths[name])
                k = fields.stop - fields.start
                check_output_array(name, out, (self.n,) if k == 1 else (self.n, k))
                if record == "surroundings":
                    return self._environment.surroundings(paths[name], out)
                return self.groups.collect(record, paths[name], out)
        known = (*FROM_STATE, *FROM_SURROUNDINGS, *COMPUTED)
        raise CommandError("a batch has no quantity", value=name, expected=one_of(known), names=known)

    @property
    def position_n(self) -> Array:
        """Position north, east, down, m: (n, 3)."""
        return self.groups.collect("state", "position")

    @property
    def nu(self) -> Array:
        """Velocity over ground in body axes, u v w (m/s), p q r (rad/s): (n, 6)."""
        return self.groups.collect("state", "nu")

    @property
    def nu_dot(self) -> Array:
        """Acceleration now, m/s^2, rad/s^2, body axes, without contact: (n, 6); one evaluation of the forces."""
        self._environment.update()
        out = np.zeros((self.n, 6))
        for group in self.groups:
            out[group.index] = group.acceleration()
        return out

    @property
    def nu_r(self) -> Array:
        """Velocity through the water in body axes, u v w (m/s), p q r (rad/s): (n, 6)."""
        through = self.nu
        through[:, :3] = self._environment.surroundings("through_water")
        return through

    @property
    def quaternion(self) -> Array:
        """Attitude as unit quaternions, scalar first: (n, 4)."""
        return self.groups.quaternions()

    @property
    def euler(self) -> Array:
        """Roll, pitch, yaw, rad, within half a turn: (n, 3)."""
        attitude, out = self.groups.collect("state", "attitude"), np.zeros((self.n, 3))
        for group in self.groups:
            mine = attitude[group.index]
            out[group.index] = (
                frames.wrap_angle(mine[:, :3]) if group.euler_angles else frames.euler_from_quaternion(mine)
            )
        return out

    @property
    def time_s(self) -> Array:
        """Simulated time, whole control intervals; of a vehicle that diverged, when it did: (n,)."""
        return self._clock.time_s

    @property
    def altitude_m(self) -> Array:
        """Height of the body origin over the seabed, NaN without one: (n,)."""
        return self._environment.altitude_m()

    @property
    def current_n(self) -> Array:
        """Velocity of the water at each vehicle, currents and waves together, NED, m/s: (n, 3)."""
        return self._environment.surroundings("current")

    @property
    def below_m(self) -> Array:
        """Depth below the moving free surface, m: (n,)."""
        return self._environment.surroundings("below")

    @property
    def wet_share(self) -> Array:
        """Submerged share of the hull, 0 to 1: (n,)."""
        return self._environment.surroundings("wet_share")

    @property
    def thrusters(self) -> Array:
        """Actual states of the thrusters, in the unit of each drive: (n, most thrusters)."""
        return self.groups.collect_actuators("state", "thrusters")

    @property
    def surfaces(self) -> Array:
        """Actual angles of the control surfaces, rad: (n, most surfaces)."""
        return self.groups.collect_actuators("state", "surfaces")

    @property
    def ballast(self) -> Array:
        """Actual states of the ballast devices, each in its unit: (n, most ballast)."""
        return self.groups.collect_actuators("state", "ballast")

    @property
    def contact_n(self) -> Array:
        """Mean contact wrench over the last interval, N, N m, body axes: (n, 6)."""
        return self.groups.collect("state", "touch.wrench")

    @property
    def touching(self) -> Array:
        """Largest number of simultaneous contacts during the last interval: (n,)."""
        return self.groups.collect("state", "touch.count")

    @property
    def touched(self) -> NDArray[np.int64]:
        """Number of the structure that was touched, -1 for the seabed, -2 for nothing: (n,)."""
        return self.groups.collect("state", "touch.obstacle").astype(np.int64)

    @property
    def alive(self) -> NDArray[np.bool_]:
        """False for each vehicle that has diverged: (n,)."""
        return self._clock.alive

    def states(self) -> VehicleStates:
        """Return the true states of all vehicles, as a controller takes them."""
        roll, pitch, yaw = self.euler.T
        return VehicleStates(self.time_s, self.position_n, roll, pitch, yaw, self.nu, self.nu_r, self.altitude_m)
