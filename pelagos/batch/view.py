"""What can be read of a batch: arrays with one row a vehicle, in SI, made when they are asked for."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pelagos import frames
from pelagos.batch.group import Group
from pelagos.batch.inputs import room_for
from pelagos.errors import CommandError
from pelagos.messages import VehicleStates
from pelagos.vehicle.spec import Vehicle

Array = NDArray[np.float64]
FROM_STATE = {"position_n": "position", "nu": "nu", "contact_n": "touch.wrench"}
# of several fields
MADE = ("quaternion", "euler", "nu_r", "nu_dot", "altitude_m", "time_s", "thrusters", "surfaces", "ballast")
FROM_SIGHT = {"current_n": "current", "wet_share": "wet_share", "below_m": "below", "bottom_m": "bottom"}


class BatchView:
    """The part of a batch that is looked at."""

    n: int
    vehicles: tuple[Vehicle, ...]
    control_rate_hz: float
    _groups: list[Group]
    _ticks: NDArray[np.int64]
    _failed_s: Array
    _looked: bool = False

    def _water_now(self) -> None:
        """Bring time and current of the lanes up to date."""
        raise NotImplementedError

    def _changed(self) -> None:
        """Something moved: the next look is a new one."""
        self._looked = False

    def _look(self) -> None:
        if not self._looked:
            self._water_now()
            for group in self._groups:
                group.evaluate()
            self._looked = True

    def read(self, name: str, out: NDArray[Any]) -> NDArray[Any]:
        """Into an array of yours, without making one: position_n, nu, nu_dot, contact_n, current_n, wet_share, ..."""
        if name in MADE:
            values = getattr(self, name)
            room_for(name, out, values.shape)
            out[...] = values
            return out
        for record, paths in (("state", FROM_STATE), ("sight", FROM_SIGHT)):
            if name in paths:
                fields = getattr(self._groups[0], record).fields(paths[name])
                k = fields.stop - fields.start
                room_for(name, out, (self.n,) if k == 1 else (self.n, k))
                if record == "sight":
                    self._look()
                return self._collect(record, paths[name], out)
        known = (*FROM_STATE, *FROM_SIGHT, *MADE)
        raise CommandError(
            f"a batch has no {name!r}", expected=f"one of {', '.join(known)}", names=known, misspelt=name
        )

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
            if group.n == self.n:
                lanes.get(fields, rows)
            else:
                rows[group.index] = lanes.get(fields)
        return out

    def _actuators(self, name: str, of: Callable[[Vehicle], int]) -> Array:
        out = np.zeros((self.n, max(of(vehicle) for vehicle in self.vehicles)))
        for group in self._groups:
            k = of(group.vehicles[0])
            out[group.index, :k] = group.state.get(group.state.fields(f"actuators.{name}", k))
        return out

    @property
    def position_n(self) -> Array:
        """North, east, down, m: (n, 3)."""
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
        """The same through the water: (n, 6)."""
        self._look()
        through = self.nu
        through[:, :3] = self._collect("sight", "through_water")
        return through

    @property
    def quaternion(self) -> Array:
        """Unit quaternions, scalar first: (n, 4)."""
        out = self._collect("state", "attitude")
        for group in self._groups:
            if group.euler_angles:
                roll, pitch, yaw = out[group.index, :3].T
                out[group.index] = frames.quaternion_from_euler(roll, pitch, yaw)
        return out

    @property
    def euler(self) -> Array:
        """Roll, pitch, yaw, rad, none beyond half a turn: (n, 3)."""
        attitude, out = self._collect("state", "attitude"), np.zeros((self.n, 3))
        for group in self._groups:
            mine = attitude[group.index]
            out[group.index] = (
                frames.wrap_angle(mine[:, :3]) if group.euler_angles else frames.euler_from_quaternion(mine)
            )
        return out

    @property
    def time_s(self) -> Array:
        """Simulated time of each: whole control intervals; where one has diverged, when it did."""
        now = self._ticks / self.control_rate_hz
        return np.where(np.isnan(self._failed_s), now, self._failed_s)

    @property
    def altitude_m(self) -> Array:
        """Height of the body origin over the bottom, NaN without one: (n,)."""
        self._look()
        altitude = self._collect("sight", "bottom") - self._collect("state", "position")[:, 2]
        return np.where(np.isfinite(altitude), altitude, math.nan)

    @property
    def current_n(self) -> Array:
        """Velocity of the water at each, currents and waves together, NED, m/s: (n, 3)."""
        self._look()
        return self._collect("sight", "current")

    @property
    def below_m(self) -> Array:
        """Depth below the moving surface, m: (n,)."""
        self._look()
        return self._collect("sight", "below")

    @property
    def wet_share(self) -> Array:
        """Share of the hull that is under water: (n,)."""
        self._look()
        return self._collect("sight", "wet_share")

    @property
    def thrusters(self) -> Array:
        """Where the thrusters are, in the unit of each drive: (n, most thrusters)."""
        return self._actuators("thruster", lambda vehicle: len(vehicle.thrusters))

    @property
    def surfaces(self) -> Array:
        """Where the surfaces are, rad: (n, most surfaces)."""
        return self._actuators("surface", lambda vehicle: len(vehicle.surfaces))

    @property
    def ballast(self) -> Array:
        """Where the ballast is, in its unit: (n, most ballast)."""
        return self._actuators("ballast", lambda vehicle: len(vehicle.ballast))

    @property
    def contact_n(self) -> Array:
        """Mean wrench of contact over the last interval, N, N m, body axes: (n, 6)."""
        return self._collect("state", "touch.wrench")

    @property
    def touching(self) -> Array:
        """Most contacts at once during the last interval: (n,)."""
        return self._collect("state", "touch.count")

    @property
    def touched(self) -> NDArray[np.int64]:
        """What was touched: number of the structure, -1 the seabed, -2 nothing: (n,)."""
        return self._collect("state", "touch.what").astype(np.int64)

    @property
    def alive(self) -> NDArray[np.bool_]:
        """False for each vehicle that has diverged: (n,)."""
        return np.isnan(self._failed_s)

    def state(self) -> VehicleStates:
        """Everything a controller is shown."""
        roll, pitch, yaw = self.euler.T
        return VehicleStates(self.time_s, self.position_n, roll, pitch, yaw, self.nu, self.nu_r, self.altitude_m)
