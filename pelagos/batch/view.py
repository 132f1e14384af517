"""The readable quantities of a batch: arrays in SI with one row for each vehicle."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pelagos import frames
from pelagos.batch.group import Group
from pelagos.batch.inputs import check_output_array
from pelagos.errors import CommandError, one_of
from pelagos.messages import VehicleStates
from pelagos.vehicle.spec import Vehicle

Array = NDArray[np.float64]
# property: field of the record STATE or SURROUNDINGS that holds it
FROM_STATE = {"position_n": "position", "nu": "nu", "contact_n": "touch.wrench"}
FROM_SURROUNDINGS = {"current_n": "current", "wet_share": "wet_share", "below_m": "below", "bottom_m": "bottom"}
# properties computed from several fields
COMPUTED = ("quaternion", "euler", "nu_r", "nu_dot", "altitude_m", "time_s", "thrusters", "surfaces", "ballast")


class BatchView:
    """The part of a batch that is read: motion, surroundings, actuators, contact.

    A property returns a new array. What needs an evaluation of the kernel (velocity through the water, altitude, ...)
    is evaluated once after each change, at the first access.
    """

    n: int
    vehicles: tuple[Vehicle, ...]
    control_rate_hz: float
    _groups: list[Group]
    _ticks: NDArray[np.int64]
    _failed_s: Array
    _evaluated: bool = False  # whether the surroundings are those of the present motion

    def _water_now(self) -> None:
        """Bring time and current of the lanes up to date."""
        raise NotImplementedError

    def _changed(self) -> None:
        """Mark the surroundings as outdated."""
        self._evaluated = False

    def _evaluate(self) -> None:
        if not self._evaluated:
            self._water_now()
            for group in self._groups:
                group.evaluate()
            self._evaluated = True

    def read(self, name: str, out: NDArray[Any]) -> NDArray[Any]:
        """Write a quantity (position_n, nu, nu_dot, contact_n, current_n, wet_share, ...) to an existing array."""
        if name in COMPUTED:
            values = getattr(self, name)
            check_output_array(name, out, values.shape)
            out[...] = values
            return out
        for record, paths in (("state", FROM_STATE), ("surroundings", FROM_SURROUNDINGS)):
            if name in paths:
                fields = getattr(self._groups[0], record).fields(paths[name])
                k = fields.stop - fields.start
                check_output_array(name, out, (self.n,) if k == 1 else (self.n, k))
                if record == "surroundings":
                    self._evaluate()
                return self._collect(record, paths[name], out)
        known = (*FROM_STATE, *FROM_SURROUNDINGS, *COMPUTED)
        raise CommandError("a batch has no quantity", value=name, expected=one_of(known), names=known)

    def _collect(self, record: str, path: str, out: NDArray[Any] | None = None) -> NDArray[Any]:
        """One field of all groups, (n, k), or (n,) for a single number."""
        first = getattr(self._groups[0], record)
        fields = first.fields(path)
        single = fields.stop - fields.start == 1
        if out is None:
            out = np.zeros((self.n,) if single else (self.n, fields.stop - fields.start))
        rows = out.reshape(self.n, -1) if single else out
        for group in self._groups:
            lanes = getattr(group, record)
            if group.n == self.n:  # a single group is in the order of the batch: no copy
                lanes.get(fields, rows)
            else:
                rows[group.index] = lanes.get(fields)
        return out

    def _actuators(self, name: str, of: Callable[[Vehicle], int]) -> Array:
        out = np.zeros((self.n, max(of(vehicle) for vehicle in self.vehicles)))
        for group in self._groups:
            k = of(group.vehicles[0])  # equal in a group; the columns beyond stay 0
            out[group.index, :k] = group.state.get(group.state.fields(f"actuators.{name}", k))
        return out

    @property
    def position_n(self) -> Array:
        """Position north, east, down, m: (n, 3)."""
        return self._collect("state", "position")

    @property
    def nu(self) -> Array:
        """Velocity over ground in body axes, u v w (m/s), p q r (rad/s): (n, 6)."""
        return self._collect("state", "nu")

    @property
    def nu_dot(self) -> Array:
        """Acceleration now, m/s^2, rad/s^2, body axes, without contact: (n, 6); one evaluation of the forces."""
        self._water_now()
        out = np.zeros((self.n, 6))
        for group in self._groups:
            out[group.index] = group.acceleration()
        return out

    @property
    def nu_r(self) -> Array:
        """Velocity through the water in body axes, u v w (m/s), p q r (rad/s): (n, 6)."""
        self._evaluate()
        through = self.nu
        through[:, :3] = self._collect("surroundings", "through_water")
        return through

    @property
    def quaternion(self) -> Array:
        """Attitude as unit quaternions, scalar first: (n, 4)."""
        out = self._collect("state", "attitude")
        for group in self._groups:
            if group.euler_angles:
                roll, pitch, yaw = out[group.index, :3].T
                out[group.index] = frames.quaternion_from_euler(roll, pitch, yaw)
        return out

    @property
    def euler(self) -> Array:
        """Roll, pitch, yaw, rad, within half a turn: (n, 3)."""
        attitude, out = self._collect("state", "attitude"), np.zeros((self.n, 3))
        for group in self._groups:
            mine = attitude[group.index]
            out[group.index] = (
                frames.wrap_angle(mine[:, :3]) if group.euler_angles else frames.euler_from_quaternion(mine)
            )
        return out

    @property
    def time_s(self) -> Array:
        """Simulated time, whole control intervals; of a vehicle that diverged, when it did: (n,)."""
        now = self._ticks / self.control_rate_hz
        return np.where(np.isnan(self._failed_s), now, self._failed_s)

    @property
    def altitude_m(self) -> Array:
        """Height of the body origin over the seabed, NaN without one: (n,)."""
        self._evaluate()
        altitude = self._collect("surroundings", "bottom") - self._collect("state", "position")[:, 2]
        return np.where(np.isfinite(altitude), altitude, math.nan)

    @property
    def current_n(self) -> Array:
        """Velocity of the water at each vehicle, currents and waves together, NED, m/s: (n, 3)."""
        self._evaluate()
        return self._collect("surroundings", "current")

    @property
    def below_m(self) -> Array:
        """Depth below the moving free surface, m: (n,)."""
        self._evaluate()
        return self._collect("surroundings", "below")

    @property
    def wet_share(self) -> Array:
        """Submerged share of the hull, 0 to 1: (n,)."""
        self._evaluate()
        return self._collect("surroundings", "wet_share")

    @property
    def thrusters(self) -> Array:
        """Actual states of the thrusters, in the unit of each drive: (n, most thrusters)."""
        return self._actuators("thruster", lambda vehicle: len(vehicle.thrusters))

    @property
    def surfaces(self) -> Array:
        """Actual angles of the control surfaces, rad: (n, most surfaces)."""
        return self._actuators("surface", lambda vehicle: len(vehicle.surfaces))

    @property
    def ballast(self) -> Array:
        """Actual states of the ballast devices, each in its unit: (n, most ballast)."""
        return self._actuators("ballast", lambda vehicle: len(vehicle.ballast))

    @property
    def contact_n(self) -> Array:
        """Mean contact wrench over the last interval, N, N m, body axes: (n, 6)."""
        return self._collect("state", "touch.wrench")

    @property
    def touching(self) -> Array:
        """Largest number of simultaneous contacts during the last interval: (n,)."""
        return self._collect("state", "touch.count")

    @property
    def touched(self) -> NDArray[np.int64]:
        """Number of the structure that was touched, -1 for the seabed, -2 for nothing: (n,)."""
        return self._collect("state", "touch.obstacle").astype(np.int64)

    @property
    def alive(self) -> NDArray[np.bool_]:
        """False for each vehicle that has diverged: (n,)."""
        return np.isnan(self._failed_s)

    def state(self) -> VehicleStates:
        """Return the true states of all vehicles, as a controller takes them."""
        roll, pitch, yaw = self.euler.T
        return VehicleStates(self.time_s, self.position_n, roll, pitch, yaw, self.nu, self.nu_r, self.altitude_m)
