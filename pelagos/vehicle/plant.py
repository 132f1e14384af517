"""One vehicle in the water, as the engine sees it: named records around the compiled kernel.

`Simulation` runs it, `checks` linearises it, tests probe it. Records are NumPy structured scalars that share memory
with the rows the kernel works on: `plant.state["nu"]` is the velocity itself.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pelagos import frames
from pelagos.checks import numbers
from pelagos.engine.contact.solids import detect
from pelagos.engine.core import layout as lay
from pelagos.engine.core.extend import KERNEL, kernel_with
from pelagos.engine.core.integrate import ADAPTIVE, METHODS, RK4
from pelagos.engine.core.lanes import aligned
from pelagos.engine.core.motion import Forces
from pelagos.engine.water.sea import CONTACT, HULL, MAX_CONTACTS, SEA, SOLID
from pelagos.errors import CommandError
from pelagos.vehicle.limits import ActuatorLimits
from pelagos.vehicle.pack.hull import hull_table
from pelagos.vehicle.pack.records import lightest_at, pack
from pelagos.vehicle.spec import Vehicle

TERMS: tuple[str, ...] = Forces._fields
MOTION = lay.STATE.offset("nu")[0] + 6
Demands = Sequence[float] | NDArray[np.float64]
SPURT = 10.0  # m/s that no vehicle gains within one call
EMPTY_SEA = SEA.flat(SEA.record())
EMPTY_SEA[SEA.offset("depth")[0]] = 1e9


@dataclass(frozen=True)
class LocalWater:
    """The water about a vehicle, at O."""

    velocity_n: NDArray[np.float64]  # of the water, NED, m/s
    below_m: float  # depth below the moving surface
    wet_share: float
    bottom_m: float  # depth of the seabed there, infinite without one


class Plant:
    """State, water and command of one vehicle, and the kernel that moves it."""

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
        """The vehicle at rest at the origin, level, heading north, actuators at zero, ballast at its initial value.

        `user_force` is FILE.py:FUNCTION, a compiled force of your own: see `pelagos.engine.core.extend`. `sea` is the
        world as `World.packed()` gives it; without one the water has neither surface nor bottom.
        """
        self.vehicle = vehicle
        try:
            self.kernel = kernel_with(user_force) if user_force else KERNEL
        except ValueError as problem:
            raise CommandError(str(problem)) from None
        density = density_kg_m3 or vehicle.water.density_kg_m3
        self.packed = pack(vehicle, density_kg_m3=density, euler_angles=euler_angles)
        self.euler_angles = bool(self.packed.structure[lay.STRUCTURE.offset("euler_angles")[0]])
        self.state, self._state = _record(lay.STATE)
        self.water, self._water = _record(lay.WATER)
        self.command, self._command = _record(lay.COMMAND)
        self._work = aligned((lay.WORK.size,))
        self.limits = ActuatorLimits(vehicle)
        self.hull = hull_table(vehicle)
        self.set_sea(sea)
        self._out = np.zeros((len(TERMS) + 3 + len(vehicle.thrusters), 6))
        self.water["density"], self.water["density_gradient"] = density, density_gradient_kg_m4
        self.water["gravity"] = gravity_m_s2 or vehicle.water.gravity_m_s2
        self.tolerance = 1e-8  # of the adaptive method, relative and absolute
        self._next_step = 0.01
        self.near: bool | None = None  # whether anything could be touched in the last call
        self.reset()

    def __deepcopy__(self, memo: dict[int, Any]) -> Plant:
        """A plant of its own: its records share memory with its own rows; vehicle, world and hull stay shared."""
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        for name, layout in (("state", lay.STATE), ("water", lay.WATER), ("command", lay.COMMAND)):
            record, row = _record(layout)
            row[:] = getattr(self, f"_{name}")
            other.__dict__.update({name: record, f"_{name}": row})
        other._work, other._out = aligned((lay.WORK.size,)), self._out.copy()
        other.clipped = {group: counts.copy() for group, counts in self.clipped.items()}
        memo[id(self)] = other
        return other

    def reset(self) -> None:
        """Back to rest; nothing of an earlier run stays."""
        fairlead = self.command["pull"]["fairlead"].copy()  # stays tied
        self._state[:], self._command[:], self._work[:] = 0.0, 0.0, 0.0
        self.command["pull"]["fairlead"], self.command["pull"]["most"] = fairlead, math.inf
        self._next_step = 0.01
        self.clipped = {group: np.zeros(len(low), np.int64) for group, low in self.limits.lowest.items()}
        self._forget_touch()
        if not self.euler_angles:
            self.state["attitude"][0] = 1.0
        self.state["nu"][0] = self.vehicle.held_speed_m_s
        for i, item in enumerate(self.vehicle.ballast):
            self.state["actuators"]["ballast"][i] = item.initial
            self.command["demand"]["ballast"][i] = item.initial

    def _forget_touch(self) -> None:
        """What was met at another place is not met here."""
        self.state["touch"]["wrench"], self.state["touch"]["count"] = 0.0, 0.0
        self.state["touch"]["depth"], self.state["touch"]["speed"], self.state["touch"]["what"] = 0.0, 0.0, -2.0

    # ---- state ---------------------------------------------------------------------------------------------------

    @property
    def nu(self) -> NDArray[np.float64]:
        """Velocity over ground in body axes: u v w (m/s), p q r (rad/s)."""
        return self.state["nu"]

    @property
    def position_n(self) -> NDArray[np.float64]:
        """North, east, down, m."""
        return self.state["position"]

    @property
    def quaternion(self) -> NDArray[np.float64]:
        """Unit quaternion, scalar first."""
        a = self.state["attitude"]
        return frames.quaternion_from_euler(*a[:3]) if self.euler_angles else a.copy()

    def motion_row(self) -> NDArray[np.float64]:
        """Position (3), unit quaternion (4) and velocity (6) in one copy."""
        row = self._state[:MOTION].copy()
        if self.euler_angles:
            row[3:7] = self.quaternion
        return row

    @property
    def euler(self) -> NDArray[np.float64]:
        """Roll, pitch, yaw in rad; as the state has them with Euler-angle kinematics, which counts turns on."""
        a = self.state["attitude"]
        return a[:3].copy() if self.euler_angles else frames.euler_from_quaternion(a)

    @property
    def time_s(self) -> float:
        """Simulated time."""
        return float(self.state["time"])

    def place(
        self,
        *,
        position_n: ArrayLike | None = None,
        euler: Sequence[float] | None = None,
        quaternion: ArrayLike | None = None,
        nu: ArrayLike | None = None,
    ) -> None:
        """Put the vehicle somewhere: m, rad, unit quaternion, m/s and rad/s; what is not given stays."""
        given = {"position_n": (position_n, 3), "euler": (euler, 3), "quaternion": (quaternion, 4), "nu": (nu, 6)}
        for name, (value, n) in given.items():  # all of them before any is taken
            if value is not None:
                numbers(f"place {name}", value, n)
        if quaternion is not None and abs(float(np.linalg.norm(quaternion)) - 1.0) > 1e-6:
            length = float(np.linalg.norm(quaternion))
            raise CommandError(f"place quaternion has length {length:.6g}", expected="a unit quaternion, scalar first")
        self._forget_touch()
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
        """Held velocities are held through the water: put them on the current; the kernel keeps them there."""
        held = ~np.array(self.vehicle.free[:3])
        if held.any():
            drift = frames.rotation_from_quaternion(self.quaternion).T @ self.around().velocity_n
            drift[0] += self.vehicle.held_speed_m_s
            self.state["nu"][:3][held] = drift[held]

    def set_actuators(
        self, *, thrusters: Demands = (), surfaces: Demands = (), ballast: Demands = (), at_once: bool = False
    ) -> bool:
        """Demands in SI, of a group from its first actuator on; the rest stay. `at_once` also puts the actuators there.

        The kernel cuts off what is beyond the limits of the vehicle's file; `clipped` counts how often it did. Returns
        whether something is cut off now.
        """
        given = {"thrusters": thrusters, "surfaces": surfaces, "ballast": ballast}
        checked = {group: numbers(f"the demand to {group}", values) for group, values in given.items() if len(values)}
        for group, values in checked.items():
            there = len(self.limits.lowest[group])
            if values.size > there:
                raise CommandError(f"{values.size} {group} are commanded; {self.vehicle.name} has {there}")
        cut = False
        for group, values in checked.items():
            self.command["demand"][group.removesuffix("s")][: values.size] = values
            beyond = self.limits.beyond(group, values)
            if beyond.any():
                self.clipped[group][: values.size] += beyond
                cut = True
        if at_once:
            self.settle_actuators()
        return cut

    def settle_actuators(self) -> None:
        """Let every actuator reach its demand now (the lag and dead band are the kernel's own, run to the end).

        The body is held meanwhile: a step that carried it along would diverge and leave the actuators where they were.
        """
        state = self._state.copy()
        held = self.packed.model.copy()
        model = held.view(lay.MODEL.dtype)[0]
        model["free"], model["mass_inverse"] = 0.0, 0.0
        self.state["nu"] = 0.0
        rows = self.rows
        self.kernel.advance(self._state, held, *rows[2:6], EMPTY_SEA, rows[7], 1e12, 1, RK4, None)
        reached = self.state["actuators"].copy()
        self._state[:] = state
        self.state["actuators"] = reached

    def save(self) -> dict[str, Any]:
        """Everything that changes, exactly."""
        return {
            "state": self._state.copy(),
            "command": self._command.copy(),
            "water": self._water.copy(),
            "next_step": self._next_step,
            "clipped": np.concatenate(list(self.clipped.values())),
        }

    def restore(self, saved: Mapping[str, Any]) -> None:
        """Back to a saved instant, bit for bit."""
        missing = [key for key in ("state", "command", "water", "next_step", "clipped") if key not in saved]
        if missing:
            raise CommandError(f"there is no {missing[0]!r} in what shall be restored", expected="what save() returned")
        self._state[:], self._command[:], self._water[:] = saved["state"], saved["command"], saved["water"]
        self._next_step = saved["next_step"]
        ends = np.cumsum([len(counts) for counts in self.clipped.values()])[:-1]
        self.clipped = dict(zip(self.clipped, np.split(saved["clipped"].copy(), ends), strict=True))

    def set_sea(self, sea: NDArray[np.float64] | None) -> None:
        """Change the world about the vehicle: what `World.packed()` gives, or None for endless water."""
        self.sea = EMPTY_SEA if sea is None else np.ascontiguousarray(sea, dtype=np.float64)
        head = self.sea[: SEA.size].view(SEA.dtype)[0]
        shape = self.hull[: HULL.size].view(HULL.dtype)[0]
        there = head["bottom"] > 0 or head["n_solids"] > 0
        self.can_touch = bool(there and shape["n_forms"] + shape["n_feelers"] > 0)
        self._reach = float(shape["reach"])
        self._highest = float(head["highest"]) if head["bottom"] > 0 else math.inf
        first, n = int(head["solids_at"]), int(head["n_solids"])
        solids = self.sea[first : first + n * SOLID.size].view(SOLID.dtype)
        self._solids = solids["center"].copy(), solids["bound"].copy()

    def obstacles(self, seconds: float) -> bool | None:
        """True if the vehicle may touch something within so many seconds; else None: the kernel leaves contact out.

        It may: nothing it could reach at its present speed plus SPURT is outside what is looked at.
        """
        if not self.can_touch:
            return None
        u, v, w = self.state["nu"][:3].tolist()
        way = self._reach + (math.sqrt(u * u + v * v + w * w) + SPURT) * seconds + 0.1
        if float(self.state["position"][2]) + way > self._highest:
            return True
        centers, bounds = self._solids
        if not len(bounds):
            return None
        away = ((centers - self.state["position"]) ** 2).sum(axis=1)
        return True if (away < (bounds + way) ** 2).any() else None

    def contacts(self, margin_m: float = 0.0) -> NDArray[Any]:
        """Where the vehicle touches, or is closer than `margin_m`: records of `engine.water.sea.CONTACT`."""
        found = np.zeros((MAX_CONTACTS, CONTACT.size))
        n = detect(self.sea, self.hull, self.position_n.copy(), self.quaternion, float(margin_m), found)
        return found[:n].view(CONTACT.dtype)[:, 0]

    # ---- tether --------------------------------------------------------------------------------------------------

    def tie(self, fairlead_b: ArrayLike) -> None:
        """Let the pull of the command act at a point of the vehicle, m, body axes; no pull yet."""
        structure = self.packed.structure.copy()
        structure[lay.STRUCTURE.offset("tethered")[0]] = 1
        self.packed = dataclasses.replace(self.packed, structure=structure)
        self.command["pull"]["fairlead"] = numbers("fairlead", fairlead_b, 3)
        self.command["pull"]["most"] = math.inf
        self.weigh_fairlead()

    def weigh_fairlead(self) -> None:
        """Find the least mass that the tether pulls at; call it when the mass matrix of a tied vehicle has changed."""
        at = self.command["pull"]["fairlead"].tolist()
        self.lightest_at_fairlead = float(lightest_at(np.linalg.inv(self.packed.mass_matrix), at))

    def fairlead(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Where the tether is fixed, m, and its velocity over ground, m/s, NED."""
        R = frames.rotation_from_quaternion(self.quaternion)
        x, y, z = self.command["pull"]["fairlead"].tolist()
        u, v, w, p, q, r = self.state["nu"].tolist()
        return self.state["position"] + R @ (x, y, z), R @ (u + q * z - r * y, v + r * x - p * z, w + p * y - q * x)

    # ---- motion --------------------------------------------------------------------------------------------------

    @property
    def rows(self) -> tuple[Any, ...]:
        """What the kernel takes: state, model, structure, water, command, work, sea, hull."""
        self.water["time"] = self.state["time"]
        model, structure = self.packed.model, self.packed.structure
        return self._state, model, structure, self._water, self._command, self._work, self.sea, self.hull

    def advance(self, dt: float, n_steps: int, method: str = "rk4", near: bool | str | None = "look") -> int:
        """Advance by n_steps of dt, command held; the number of sound steps. `near`: what `obstacles` said before."""
        code = METHODS[method]
        # "look" is the only text that `near` may be
        self.near = self.obstacles(dt * n_steps) if near == "look" else near  # type: ignore[assignment]
        if code == ADAPTIVE:
            sound, self._next_step = self.kernel.advance_adaptive(
                *self.rows, dt * n_steps, self.tolerance, self._next_step, self.near
            )
            return n_steps if sound else 0
        step = self.kernel.advance if code <= RK4 else self.kernel.advance_legacy
        return int(step(*self.rows, float(dt), n_steps, code, self.near))

    def forces(self) -> dict[str, NDArray[np.float64]]:
        """Wrench of every term now, N and N m in body axes about O."""
        self.kernel.evaluate(*self.rows, self._out)
        return {name: self._out[i].copy() for i, name in enumerate(TERMS)}

    def acceleration(self) -> NDArray[np.float64]:
        """nu_dot now, m/s^2 and rad/s^2."""
        self.kernel.evaluate(*self.rows, self._out)
        return self._out[len(TERMS) + 1].copy()

    def around(self) -> LocalWater:
        """The water about the vehicle now."""
        return self.evaluate()[1]

    def evaluate(self) -> tuple[NDArray[np.float64], LocalWater]:
        """Wrench of every term (in the order of TERMS) and the water about the vehicle, from one evaluation."""
        self.kernel.evaluate(*self.rows, self._out)
        north, east, down, below, share, bottom = self._out[len(TERMS) + 2].tolist()
        return self._out[: len(TERMS)].copy(), LocalWater(np.array([north, east, down]), below, share, bottom)

    def pushes(self) -> NDArray[np.float64]:
        """Thrust (N, along its direction) and inflow (m/s) of each thruster at the last look, (n, 2)."""
        return self._out[len(TERMS) + 3 :, :2]


def _record(layout: Any) -> tuple[Any, NDArray[np.float64]]:
    """A record and the flat row that shares its memory."""
    row = aligned((layout.size,))
    return row.view(layout.dtype)[0], row
