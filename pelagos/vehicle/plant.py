"""The plant: state, water and command of one vehicle as named records, and the compiled kernel that advances them.

`Simulation` steps a plant and `modes` linearises it. The records are NumPy structured scalars that share memory with
the flat rows of the kernel: writing to `plant.state["nu"]` changes the velocity of the vehicle.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pelagos import frames
from pelagos.checks import needed, numbers
from pelagos.engine.contact.impulses import NOTHING
from pelagos.engine.contact.solids import detect
from pelagos.engine.core import layout as lay
from pelagos.engine.core.extend import KERNEL, UserForceError, kernel_with
from pelagos.engine.core.integrate import ADAPTIVE, METHODS, RK4
from pelagos.engine.core.lanes import aligned
from pelagos.engine.core.motion import Forces
from pelagos.engine.water.sea import CONTACT, HULL, MAX_CONTACTS, SEA, SOLID
from pelagos.errors import CommandError
from pelagos.vehicle.limits import GROUPS, ActuatorLimits
from pelagos.vehicle.pack.hull import hull_table
from pelagos.vehicle.pack.records import lightest_at, pack
from pelagos.vehicle.spec import Vehicle

TERMS: tuple[str, ...] = Forces._fields
# Rows of the table that the kernel's `evaluate` fills: a wrench of each term, their sum, then
ACCELERATION = len(TERMS) + 1
LOCAL_WATER = len(TERMS) + 2
FIRST_THRUSTER = len(TERMS) + 3
MOTION = lay.STATE.offset("nu")[0] + 6  # position, attitude and nu are the first numbers of a state
NU = slice(MOTION - 6, MOTION)
TIME, WATER_TIME = lay.STATE.offset("time")[0], lay.WATER.offset("time")[0]
ATTITUDE = slice(3, 7)
ActuatorValues = Sequence[float] | NDArray[np.float64]
SPURT = 10.0  # m/s: more than any vehicle gains within one call of the kernel
FIRST_STEP_S = 0.01  # that the adaptive method tries
EMPTY_SEA = SEA.flat(SEA.record())
EMPTY_SEA[SEA.offset("depth")[0]] = 1e9


@dataclass(frozen=True)
class LocalWater:
    """The water at the origin O of a vehicle."""

    velocity_n: NDArray[np.float64]  # of the water, NED, m/s
    below_m: float  # depth below the moving surface
    wet_share: float  # of the hull's volume
    bottom_m: float  # depth of the seabed there, infinite without one


class KernelRows(NamedTuple):
    """Arguments that every function of the kernel takes first, in this order."""

    state: NDArray[np.float64]
    model: NDArray[np.float64]
    structure: NDArray[Any]
    water: NDArray[np.float64]
    command: NDArray[np.float64]
    work: NDArray[np.float64]
    sea: NDArray[np.float64]
    hull: NDArray[np.float64]


class Plant:
    """State, water and command of one vehicle, and the kernel that advances them."""

    def __init__(
        self,
        vehicle: Vehicle,
        *,
        density_kg_m3: float | None = None,
        gravity_m_s2: float | None = None,
        density_gradient_kg_m4: float = 0.0,
        euler_angles: bool | None = None,
        user_force: str | None = None,
        sea: NDArray[np.float64] | None = None,
    ) -> None:
        """Put the vehicle at rest at the origin, level, heading north, actuators at zero, ballast at its initial value.

        `user_force` is FILE.py:FUNCTION, a user-defined compiled force: see `pelagos.engine.core.extend`. `sea` is the
        array that `World.packed()` returns; without one the water has neither surface nor bottom.
        """
        self.vehicle = vehicle
        try:
            self.kernel = kernel_with(user_force) if user_force else KERNEL
        except UserForceError as problem:
            raise CommandError(key="user_force", value=user_force, expected=problem.expected) from None
        density = density_kg_m3 or vehicle.water.density_kg_m3
        self.packed = pack(vehicle, density_kg_m3=density, euler_angles=euler_angles)
        self.euler_angles = bool(self.packed.structure[lay.STRUCTURE.offset("euler_angles")[0]])
        self.state, self._state = _record(lay.STATE)
        self.water, self._water = _record(lay.WATER)
        self.command, self._command = _record(lay.COMMAND)
        self._commands = _command_views(self.command)
        self._work = aligned((lay.WORK.size,))
        self.limits = ActuatorLimits(vehicle)
        self.hull = hull_table(vehicle)
        self.set_sea(sea)
        self._out = np.zeros((FIRST_THRUSTER + len(vehicle.thrusters), 6))
        self.water["density"], self.water["density_gradient"] = density, density_gradient_kg_m4
        self.water["gravity"] = gravity_m_s2 or vehicle.water.gravity_m_s2
        self.tolerance = 1e-8  # of the adaptive method, relative and absolute
        self._next_step = FIRST_STEP_S
        self.near: bool | None = None  # `may_touch` of the last call of `advance`
        self.reset()

    def __deepcopy__(self, memo: dict[int, Any]) -> Plant:
        """Copy the records and rows so that they share memory in pairs again; vehicle, world and hull stay shared."""
        other = object.__new__(type(self))  # a default deepcopy would separate each record from its row
        other.__dict__.update(self.__dict__)
        for name, layout in (("state", lay.STATE), ("water", lay.WATER), ("command", lay.COMMAND)):
            record, row = _record(layout)
            row[:] = getattr(self, f"_{name}")
            other.__dict__.update({name: record, f"_{name}": row})
        other._commands = _command_views(other.command)
        other._work, other._out = aligned((lay.WORK.size,)), self._out.copy()
        other.clipped = {group: counts.copy() for group, counts in self.clipped.items()}
        memo[id(self)] = other
        return other

    def reset(self) -> None:
        """Put the vehicle back to rest at the origin and clear everything of an earlier run."""
        fairlead = self.command["pull"]["fairlead"].copy()  # the tether stays attached
        self._state[:], self._command[:], self._work[:] = 0.0, 0.0, 0.0
        self.command["pull"]["fairlead"], self.command["pull"]["most"] = fairlead, math.inf
        self._next_step = FIRST_STEP_S
        self.clipped = {group: np.zeros(len(low), np.int64) for group, low in self.limits.lowest.items()}
        self._clear_contacts()
        if not self.euler_angles:
            self.state["attitude"][0] = 1.0
        self.state["nu"][0] = self.vehicle.held_speed_m_s
        for i, item in enumerate(self.vehicle.ballast):
            self.state["actuators"]["ballast"][i] = item.initial
            self.command["actuators"]["ballast"][i] = item.initial

    def _clear_contacts(self) -> None:
        """Remove the contacts of the place where the vehicle was before."""
        touch = self.state["touch"]
        touch["wrench"], touch["count"], touch["depth"], touch["speed"], touch["obstacle"] = 0.0, 0.0, 0.0, 0.0, NOTHING

    @property
    def nu(self) -> NDArray[np.float64]:
        """Velocity over ground in body axes: u v w (m/s), p q r (rad/s)."""
        return self.state["nu"]

    @property
    def position_n(self) -> NDArray[np.float64]:
        """Position of O: north, east, down, m."""
        return self.state["position"]

    @property
    def quaternion(self) -> NDArray[np.float64]:
        """Attitude as a unit quaternion, scalar first."""
        a = self.state["attitude"]
        return frames.quaternion_from_euler(*a[:3]) if self.euler_angles else a.copy()

    def motion_row(self) -> NDArray[np.float64]:
        """Position (3), unit quaternion (4) and velocity (6) in one copy."""
        row = self._state[:MOTION].copy()
        if self.euler_angles:
            row[ATTITUDE] = self.quaternion
        return row

    @property
    def euler(self) -> NDArray[np.float64]:
        """Roll, pitch, yaw in rad; with Euler-angle kinematics they are not wrapped to one turn."""
        a = self.state["attitude"]
        return a[:3].copy() if self.euler_angles else frames.euler_from_quaternion(a)

    @property
    def time_s(self) -> float:
        """Simulated time, s."""
        return float(self.state["time"])

    def place(
        self,
        *,
        position_n: ArrayLike | None = None,
        euler: Sequence[float] | None = None,
        quaternion: ArrayLike | None = None,
        nu: ArrayLike | None = None,
    ) -> None:
        """Set position (m, NED), attitude (rad, or a unit quaternion) and velocity (m/s, rad/s); None leaves a value.

        Contacts of the old place are cleared.
        """
        arguments = {"position_n": (position_n, 3), "euler": (euler, 3), "quaternion": (quaternion, 4), "nu": (nu, 6)}
        for name, (value, n) in arguments.items():  # check all of them before any is set
            if value is not None:
                numbers(f"place {name}", value, n)
        if quaternion is not None and abs(float(np.linalg.norm(quaternion)) - 1.0) > 1e-6:
            shown = np.asarray(quaternion).tolist()
            raise CommandError(key="place quaternion", value=shown, expected="a unit quaternion, scalar first")
        self._clear_contacts()
        if position_n is not None:
            self.state["position"][:] = position_n
        if quaternion is not None:
            euler = tuple(frames.euler_from_quaternion(quaternion)) if self.euler_angles else None
            if not self.euler_angles:
                self.state["attitude"][:] = quaternion
        if euler is not None:
            if self.euler_angles:
                self.state["attitude"][:3] = euler
            else:
                self.state["attitude"][:] = frames.quaternion_from_euler(*euler)
        if nu is not None:
            self.state["nu"][:] = nu

    def hold_in_water(self) -> None:
        """Set the held velocities relative to the current; the kernel then keeps them."""
        held = ~np.array(self.vehicle.free[:3])
        if held.any():
            velocity = frames.rotation_from_quaternion(self.quaternion).T @ self.local_water().velocity_n
            velocity[0] += self.vehicle.held_speed_m_s
            self.state["nu"][:3][held] = velocity[held]

    def set_actuators(
        self,
        *,
        thrusters: ActuatorValues = (),
        surfaces: ActuatorValues = (),
        ballast: ActuatorValues = (),
        at_once: bool = False,
    ) -> bool:
        """Set the commands of actuators in SI.

        Fewer values than actuators of a group go to its first actuators; the others keep their command. The kernel
        clips commands to the limits of the vehicle's file, and `clipped` counts how often it did.

        Args:
            thrusters: rad/s, V, N or 1, by the drive of each thruster.
            surfaces: rad.
            ballast: kg, m3 or m, by the unit of each.
            at_once: also let the actuators reach their commands now.

        Returns:
            Whether a command exceeds a limit.
        """
        checked = {
            group: numbers(f"the command to {group}", values)
            for group, values in (("thrusters", thrusters), ("surfaces", surfaces), ("ballast", ballast))
            if len(values)
        }
        for group, values in checked.items():
            count = len(self.limits.lowest[group])
            if values.size > count:
                message = f"the command to {group} has {values.size} values"
                raise CommandError(message, expected=f"at most {count}, the {group} of {self.vehicle.name}")
        clipped = False
        for group, values in checked.items():
            self._commands[group][: values.size] = values
            beyond = self.limits.beyond(group, values)
            if np.count_nonzero(beyond):  # faster than `any` for a few numbers
                self.clipped[group][: values.size] += beyond
                clipped = True
        if at_once:
            self.settle_actuators()
        return clipped

    def settle_actuators(self) -> None:
        """Let every actuator reach its command now.

        One step of 1e12 s of the kernel carries lags and dead bands to their end. The body is held in it: a free body
        would diverge, and the kernel then discards the whole step, actuators included.
        """
        state = self._state.copy()
        held = self.packed.model.copy()
        model = held.view(lay.MODEL.dtype)[0]
        model["free"], model["mass_inverse"] = 0.0, 0.0
        self.state["nu"] = 0.0
        self.kernel.advance(*self.rows._replace(model=held, sea=EMPTY_SEA), 1e12, 1, RK4, None)
        reached = self.state["actuators"].copy()
        self._state[:] = state
        self.state["actuators"] = reached

    def save(self) -> dict[str, Any]:
        """Return an exact copy of everything that changes during a run."""
        return {
            "state": self._state.copy(),
            "command": self._command.copy(),
            "water": self._water.copy(),
            "next_step": self._next_step,
            "clipped": np.concatenate(list(self.clipped.values())),
        }

    def restore(self, saved: Mapping[str, Any]) -> None:
        """Return to a state from `save`, bit for bit."""
        needed("the saved state", saved, "state", "command", "water", "next_step", "clipped")
        self._state[:], self._command[:], self._water[:] = saved["state"], saved["command"], saved["water"]
        self._next_step = saved["next_step"]
        ends = np.cumsum([len(counts) for counts in self.clipped.values()])[:-1]
        self.clipped = dict(zip(self.clipped, np.split(saved["clipped"].copy(), ends), strict=True))

    def set_sea(self, sea: NDArray[np.float64] | None) -> None:
        """Set the world around the vehicle: the array that `World.packed()` returns, or None for unbounded water."""
        self.sea = EMPTY_SEA if sea is None else np.ascontiguousarray(sea, dtype=np.float64)
        head = self.sea[: SEA.size].view(SEA.dtype)[0]
        shape = self.hull[: HULL.size].view(HULL.dtype)[0]
        has_obstacles = head["bottom"] > 0 or head["n_solids"] > 0
        self.can_touch = bool(has_obstacles and shape["n_forms"] + shape["n_feelers"] > 0)
        self._reach = float(shape["reach"])
        self._highest = float(head["highest"]) if head["bottom"] > 0 else math.inf
        first, n = int(head["solids_at"]), int(head["n_solids"])
        solids = self.sea[first : first + n * SOLID.size].view(SOLID.dtype)
        self._solids = solids["center"].copy(), solids["bound"].copy()  # bounding spheres, for `may_touch`

    def may_touch(self, seconds: float) -> bool | None:
        """True if the vehicle may touch the seabed or a structure within `seconds`, None if it cannot.

        The test is conservative: it covers everything within reach at the present speed plus SPURT. With None the
        kernel is compiled without contacts, which False would not achieve.
        """
        if not self.can_touch:
            return None
        u, v, w = self._state[NU][:3].tolist()
        distance = self._reach + (math.sqrt(u * u + v * v + w * w) + SPURT) * seconds + 0.1  # 0.1 m for rounding
        if float(self.state["position"][2]) + distance > self._highest:
            return True
        centers, bounds = self._solids
        if not len(bounds):
            return None
        squared = ((centers - self.state["position"]) ** 2).sum(axis=1)
        return True if (squared < (bounds + distance) ** 2).any() else None

    def contacts(self, margin_m: float = 0.0) -> NDArray[Any]:
        """Contacts of the hull, gaps below `margin_m` included: records of `engine.water.sea.CONTACT`."""
        table = np.zeros((MAX_CONTACTS, CONTACT.size))
        n = detect(self.sea, self.hull, self.position_n.copy(), self.quaternion, float(margin_m), table)
        return table[:n].view(CONTACT.dtype)[:, 0]

    def attach_tether(self, fairlead_b: ArrayLike) -> None:
        """Attach a tether to a point of the vehicle, m, body axes; its pull is zero until `towed` sets it."""
        structure = self.packed.structure.copy()  # packed records are frozen, copies of the plant share them
        structure[lay.STRUCTURE.offset("tethered")[0]] = 1
        self.packed = dataclasses.replace(self.packed, structure=structure)
        self.command["pull"]["fairlead"] = numbers("fairlead", fairlead_b, 3)
        self.command["pull"]["most"] = math.inf
        self.update_fairlead_mass()

    def update_fairlead_mass(self) -> None:
        """Update `lightest_at_fairlead`, the least effective mass there, after a change of the mass matrix."""
        at = self.command["pull"]["fairlead"].tolist()
        self.lightest_at_fairlead = float(lightest_at(np.linalg.inv(self.packed.mass_matrix), at))

    def fairlead(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Position (m) and velocity over ground (m/s) of the fairlead, NED."""
        R = frames.rotation_from_quaternion(self.quaternion)
        x, y, z = self.command["pull"]["fairlead"].tolist()
        u, v, w, p, q, r = self.state["nu"].tolist()
        return self.state["position"] + R @ (x, y, z), R @ (u + q * z - r * y, v + r * x - p * z, w + p * y - q * x)

    @property
    def rows(self) -> KernelRows:
        """The first arguments of the functions of the kernel."""
        self._water[WATER_TIME] = self._state[TIME]  # waves and tides depend on it
        model, structure = self.packed.model, self.packed.structure
        return KernelRows(self._state, model, structure, self._water, self._command, self._work, self.sea, self.hull)

    def advance(
        self, dt: float, n_steps: int, method: str = "rk4", near: bool | Literal["search"] | None = "search"
    ) -> int:
        """Advance by n_steps of dt with the command held.

        Args:
            dt: length of a step, s.
            n_steps: number of steps.
            method: one of `INTEGRATORS` of `pelagos.vehicle.spec`.
            near: result of `may_touch` for a span that covers this call; "search" computes it here.

        Returns:
            The number of valid steps: fewer than n_steps if the motion diverged.
        """
        code = METHODS[method]
        self.near = self.may_touch(dt * n_steps) if near == "search" else near
        if code == ADAPTIVE:
            valid, self._next_step = self.kernel.advance_adaptive(
                *self.rows, dt * n_steps, self.tolerance, self._next_step, self.near
            )
            return n_steps if valid else 0
        step = self.kernel.advance if code <= RK4 else self.kernel.advance_legacy
        return int(step(*self.rows, float(dt), n_steps, code, self.near))

    def forces(self) -> dict[str, NDArray[np.float64]]:
        """Present wrench of every force term by name, N and N m in body axes about O."""
        self.kernel.evaluate(*self.rows, self._out)
        return {name: self._out[i].copy() for i, name in enumerate(TERMS)}

    def acceleration(self) -> NDArray[np.float64]:
        """Present nu_dot, m/s^2 and rad/s^2."""
        self.kernel.evaluate(*self.rows, self._out)
        return self._out[ACCELERATION].copy()

    def local_water(self) -> LocalWater:
        """Present water at the vehicle."""
        return self.evaluate()[1]

    def evaluate(self) -> tuple[NDArray[np.float64], LocalWater]:
        """Present wrench of every force term (in the order of TERMS) and the water at the vehicle."""
        self.kernel.evaluate(*self.rows, self._out)
        below, share, bottom = self._out[LOCAL_WATER, 3:].tolist()
        return self._out[: len(TERMS)].copy(), LocalWater(self._out[LOCAL_WATER, :3].copy(), below, share, bottom)

    def evaluate_at(self, rows: KernelRows) -> None:
        """Evaluate the kernel at records of another vehicle of this kind; `thrust_and_inflow` then belongs to it."""
        self.kernel.evaluate(*rows, self._out)

    def thrust_and_inflow(self) -> NDArray[np.float64]:
        """Thrust (N, along its direction) and inflow (m/s) of each thruster at the last evaluation, (n, 2)."""
        return self._out[FIRST_THRUSTER:, :2]


def _command_views(command: Any) -> dict[str, NDArray[np.float64]]:
    """The commands to each group of actuators, which share the memory of the record."""
    return {group: command["actuators"][group.removesuffix("s")] for group in GROUPS}  # thruster, surface, ballast


def _record(layout: Any) -> tuple[Any, NDArray[np.float64]]:
    """Make a record and the flat row that shares its memory."""
    row = aligned((layout.size,))
    return row.view(layout.dtype)[0], row
