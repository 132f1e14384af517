"""Trim: the attitude at rest, level flight at a speed, a steady glide, and the largest steady speed.

Each is a root of Plant.acceleration by Newton's method with central differences and least-squares steps. Where there is
more than one solution (eight thrusters, four fins) the step of least norm is taken, so that actuators share the load.

Level flight at surge speed u: no acceleration on the free axes and no vertical velocity,

    nu_dot(v, w, phi, theta, surfaces, thrust) = 0,    z_dot = (R_nb v)_z = 0.

On a vehicle with control surfaces the main propellers get one common command, so that their slipstream is right, and
other thrusters are off; on a vehicle without, every thruster counts as a force along its axis. SI, SNAME body axes,
still water of the density in the vehicle's file.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import asin, atan2, degrees, inf

import numpy as np
from numpy.typing import NDArray

from pelagos import frames
from pelagos.vehicle.plant import Plant
from pelagos.vehicle.spec import Vehicle

Array = NDArray[np.float64]

AHEAD = 0.9  # least cosine between a main propeller and the x axis
HELPS_AHEAD = 0.3  # least cosine of a thruster that is used at full ahead
WORKING_SHARE = 0.7  # of the speed at full ahead: a choice, also the autopilot's cruise speed
SETTLE_S = 300.0  # long enough for the surge speed of every library vehicle to become steady
STILL = 1e-9  # largest acceleration (m/s^2, rad/s^2) of a steady state
MOST_NEWTON_STEPS = 60  # then the search has failed (a choice)
MOST_HALVINGS = 8  # of a Newton step that makes the residual larger: down to 0.4 % of it
DIFFERENCE = 1e-6  # half width of the central differences, in units of the scale


@dataclass(frozen=True)
class Trim:
    """A steady state of a vehicle: velocity, attitude and actuators."""

    nu: Array
    euler: tuple[float, float, float]  # roll, pitch, yaw, rad
    surfaces: Array  # rad
    drive: float  # common command of the main propellers, SI; 0 if none
    thrust_n: float  # all propulsion along x
    external: Array  # wrench of the thrusters that count as forces
    converged: bool
    beyond: tuple[str, ...] = ()  # limits that the state exceeds, in words

    def apply(self, plant: Plant) -> None:
        """Put a plant of the same vehicle into this state."""
        plant.reset()
        plant.place(nu=self.nu, euler=self.euler)
        plant.set_actuators(surfaces=self.surfaces)
        _drive(plant, self.drive)
        plant.command["external"][:] = self.external


def solve(residual: Callable[[Array], Array], start: Sequence[float], scale: Sequence[float]) -> tuple[Array, Array]:
    """Find a root of a small system by Newton's method in units of `scale`; returns the root and its residual.

    Steps longer than one unit are shortened, and a step that increases the residual is halved, up to eight times.
    """
    unit = np.asarray(scale, dtype=float)
    x = np.asarray(start, dtype=float) / unit
    left = residual(x * unit)
    for _ in range(MOST_NEWTON_STEPS):
        size = float(np.abs(left).max(initial=0.0))
        if size < 0.01 * STILL:
            break
        jacobian = np.empty((left.size, x.size))
        for j in range(x.size):
            step = np.zeros(x.size)
            step[j] = DIFFERENCE
            jacobian[:, j] = (residual((x + step) * unit) - residual((x - step) * unit)) / (2.0 * DIFFERENCE)
        # The system may have more unknowns than equations: lstsq then gives the step of least norm.
        change = -np.linalg.lstsq(jacobian, left, rcond=1e-10)[0]
        change /= max(1.0, float(np.abs(change).max()))
        for _ in range(MOST_HALVINGS):
            after = residual((x + change) * unit)
            if np.linalg.norm(after) < np.linalg.norm(left):
                break
            change *= 0.5
        else:
            break
        x, left = x + change, after
    return x * unit, left


def rest_attitude(vehicle: Vehicle) -> tuple[float, float] | None:
    """Roll and pitch (rad) at which weight and buoyancy balance; None if the vehicle has no righting moment.

    The moment is lever x down with lever = W r_G - B r_B: it vanishes, stably, with the lever pointing down.
    """
    lever = righting_lever(vehicle)
    if not lever[2] > 0.0:  # buoyancy below weight: the attitude is unstable
        return None
    x, y, z = lever / np.linalg.norm(lever)
    return atan2(y, z), asin(-x)


def righting_lever(vehicle: Vehicle) -> Array:
    """The righting lever W r_G - B r_B in N m, ballast at its initial value."""
    restoring = Plant(vehicle).forces()["restoring"]  # level: the moments are (lever_y, -lever_x, 0)
    body, water = vehicle.body, vehicle.water
    height = water.gravity_m_s2 * (body.mass_kg * body.cg_b[2] - water.density_kg_m3 * body.volume_m3 * body.cb_b[2])
    for item in vehicle.ballast:
        mass = item.mass_kg + item.mass_per_unit * item.initial
        at = item.position_b[2] + item.axis_b[2] * item.initial
        volume = item.volume_per_unit * item.initial
        height += water.gravity_m_s2 * (mass - water.density_kg_m3 * volume) * at
    return np.array([-restoring[4], restoring[3], height])


def top_speed(vehicle: Vehicle) -> float:
    """Surge speed at full ahead, other motions held, m/s."""
    if not vehicle.free[0]:
        return vehicle.held_speed_m_s
    full_ahead = [
        (t.maximum if t.direction_b[0] > 0.0 else t.minimum) if abs(t.direction_b[0]) > HELPS_AHEAD else 0.0
        for t in vehicle.thrusters
    ]
    plant = Plant(replace(vehicle, free=(True, *(False,) * 5)))
    plant.set_actuators(thrusters=full_ahead)
    plant.advance(vehicle.step_s, round(SETTLE_S / vehicle.step_s))
    return max(0.0, float(plant.nu[0]))


def working_speed(vehicle: Vehicle) -> float:
    """Speed for trim and modes, m/s: the held speed, or 0.7 of full ahead; 0 without propulsion ahead."""
    return vehicle.held_speed_m_s if not vehicle.free[0] else WORKING_SHARE * top_speed(vehicle)


def level(vehicle: Vehicle, speed_m_s: float) -> Trim:
    """Trim for level straight flight at a surge speed: heave, sway, attitude, control surfaces and thrust."""
    plant = Plant(_without_limits(vehicle))  # the result states what it takes, even beyond the limits
    free = vehicle.free
    n_surfaces = len(vehicle.surfaces)
    screws = [t for t in vehicle.thrusters if t.direction_b[0] > AHEAD and vehicle.surfaces]
    pushers = () if vehicle.surfaces else vehicle.thrusters
    columns = [np.concatenate([t.direction_b, np.cross(t.position_b, t.direction_b)]) for t in pushers]
    push = np.array(columns).reshape(-1, 6).T * vehicle.body.mass_kg  # unknowns in m/s^2 of the dry mass
    names = [x for x, moves in (("v", free[1]), ("w", free[2]), ("phi", free[3]), ("theta", free[4])) if moves]
    driven = bool(screws) and free[0] and speed_m_s > 0.0
    flies = free[2] and free[4]  # otherwise heave or pitch is held, and so is the vertical velocity

    def place(x: Array) -> None:
        motion = dict(zip(names, x.tolist(), strict=False))  # the unknowns begin with those of the motion
        nu = [speed_m_s, motion.get("v", 0.0), motion.get("w", 0.0), 0.0, 0.0, 0.0]
        plant.place(nu=nu, euler=(motion.get("phi", 0.0), motion.get("theta", 0.0), 0.0))
        rest = x[len(names) :]
        plant.set_actuators(surfaces=rest[:n_surfaces])
        plant.command["external"][:] = push @ rest[n_surfaces : n_surfaces + len(pushers)]
        _drive(plant, float(rest[-1]) if driven else 0.0)

    def residual(x: Array) -> Array:
        place(x)
        sinking = frames.rotation_from_euler(*plant.euler)[2] @ plant.nu[:3] if flies else 0.0
        return np.append(plant.acceleration()[list(free)], sinking)

    largest = min((t.maximum for t in screws), default=0.0)
    start = [0.0] * (len(names) + n_surfaces + len(pushers)) + [0.4 * largest] * driven
    slow = max(speed_m_s, 0.1)
    # Thrusters have a large scale, so that a vehicle with lateral and vertical thrust uses it and stays level.
    scale = [0.1 * slow if name in ("v", "w") else 0.1 for name in names]
    x, left = solve(residual, start, scale + [0.1] * n_surfaces + [10.0] * len(pushers) + [0.3 * largest] * driven)
    place(x)
    drive = float(x[-1]) if driven else 0.0
    surfaces = plant.state["actuators"]["surface"][:n_surfaces].copy()
    beyond = [
        f"{s.name} {degrees(a):+.1f} deg (limit {degrees(s.limit_rad):.0f})"
        for s, a in zip(vehicle.surfaces, surfaces, strict=True)
        if abs(a) > s.limit_rad
    ]
    if driven and drive > largest * (1.0 + 1e-9):
        beyond.append(f"{100.0 * drive / largest:.0f} % of full drive")
    euler = plant.euler
    return Trim(
        plant.nu.copy(), (float(euler[0]), float(euler[1]), 0.0), surfaces, drive,
        float(plant.forces()["thrusters"][0] + plant.command["external"][0]), plant.command["external"].copy(),
        bool(np.abs(left).max() < STILL), tuple(beyond),
    )  # fmt: skip


def _without_limits(vehicle: Vehicle) -> Vehicle:
    """The vehicle with control surfaces and thrusters without limits."""
    return replace(
        vehicle,
        surfaces=tuple(replace(s, limit_rad=inf) for s in vehicle.surfaces),
        thrusters=tuple(replace(t, minimum=-inf, maximum=inf) for t in vehicle.thrusters),
    )


def glide(plant: Plant, pitch: float | None = None) -> tuple[float, float, float, bool]:
    """Find the steady glide of a plant at its present ballast.

    With a `pitch` only surge and heave are balanced, as in flight at a measured pitch; the pitch of the plant should
    then be held, because the acceleration in pitch also changes those in surge and heave.

    Returns:
        Surge and heave (m/s), pitch (rad), and whether the solution converged.
    """
    sinks = float(plant.forces()["restoring"][2]) > 0.0
    at = pitch if pitch is not None else (-0.4 if sinks else 0.4)  # rad: gliders fly at 20 to 30 deg
    plant.place(nu=np.zeros(6), euler=(0.0, at, 0.0))

    def residual(x: Array) -> Array:
        plant.nu[0], plant.nu[2] = x[0], x[1]
        if pitch is None:
            plant.place(euler=(0.0, float(x[2]), 0.0))
        return plant.acceleration()[balanced]

    balanced = [0, 2, 4] if pitch is None else [0, 2]
    start = [0.4, 0.02 if sinks else -0.02, at]
    n = len(balanced)
    x, left = solve(residual, start[:n], [0.2, 0.05, 0.2][:n])
    residual(x)
    return float(x[0]), float(x[1]), float(x[2]) if pitch is None else pitch, bool(np.abs(left).max() < STILL)


def _drive(plant: Plant, command: float) -> None:
    """Command all main propellers alike, and let them reach the command."""
    drives = [command if t.direction_b[0] > AHEAD else 0.0 for t in plant.vehicle.thrusters]
    plant.set_actuators(thrusters=drives, at_once=True)
