"""Steady motion: the attitude at rest, level flight at a speed, a glide, and the speed a vehicle can keep.

Each is a root of Plant.acceleration, found by Newton's method with central differences and least-squares steps. The
least step is taken where more than one answer exists (eight thrusters, four fins), so actuators share the work.

Level flight at surge speed u: no acceleration on the free axes and no vertical velocity,

    nu_dot(v, w, phi, theta, surfaces, thrust) = 0,    z_dot = (R_nb v)_z = 0.

On a vehicle with control surfaces the screws that push ahead have one common demand, so that their slipstream is right,
and other thrusters rest; on one without, every thruster counts as a force along its axis. SI, SNAME body axes, still
water of the vehicle's own density.
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

AHEAD = 0.9  # cosine between a thruster and the x axis from which it counts as a screw that pushes ahead
WORKING_SHARE = 0.7  # of the speed at full ahead: the working speed, the autopilot's cruise too
SETTLE_S = 300.0  # long enough for any surge to become steady
STILL = 1e-9  # largest acceleration (m/s^2, rad/s^2) of a steady state


@dataclass(frozen=True)
class Trim:
    """A steady state: where the vehicle settles and what its actuators do there."""

    nu: Array
    euler: tuple[float, float, float]  # roll, pitch, yaw, rad
    surfaces: Array  # rad
    drive: float  # common demand of the screws that push ahead, SI; 0 if none
    thrust_n: float  # all propulsion along x
    external: Array  # wrench of the thrusters counted as forces
    found: bool
    beyond: tuple[str, ...] = ()  # limits that the state exceeds, in words

    def apply(self, plant: Plant) -> None:
        """Put a plant of the same vehicle into this state."""
        plant.reset()
        plant.place(nu=self.nu, euler=self.euler)
        plant.set_actuators(surfaces=self.surfaces)
        _drive(plant, self.drive)
        plant.command["external"][:] = self.external


def solve(residual: Callable[[Array], Array], start: Sequence[float], scale: Sequence[float]) -> tuple[Array, Array]:
    """Root of a small system by Newton steps in units of `scale`; returns the root and what is left of the residual.

    Steps longer than one unit are shortened and a step that makes things worse is halved, up to eight times.
    """
    unit = np.asarray(scale, dtype=float)
    x = np.asarray(start, dtype=float) / unit
    left = residual(x * unit)
    for _ in range(60):
        size = float(np.abs(left).max(initial=0.0))
        if size < 0.01 * STILL:
            break
        jacobian = np.empty((left.size, x.size))
        for j in range(x.size):
            step = np.zeros(x.size)
            step[j] = 1e-6
            jacobian[:, j] = (residual((x + step) * unit) - residual((x - step) * unit)) / 2e-6
        change = -np.linalg.lstsq(jacobian, left, rcond=1e-10)[0]
        change /= max(1.0, float(np.abs(change).max()))
        for _ in range(8):
            after = residual((x + change) * unit)
            if np.linalg.norm(after) < np.linalg.norm(left):
                break
            change *= 0.5
        else:
            break
        x, left = x + change, after
    return x * unit, left


def rest_attitude(vehicle: Vehicle) -> tuple[float, float] | None:
    """Roll and pitch (rad) at which weight and buoyancy turn nothing; None if they never right the vehicle.

    The moment is lever x down with lever = W r_G - B r_B: it vanishes, stably, with the lever pointing down.
    """
    lever = righting_lever(vehicle)
    if not lever[2] > 0.0:
        return None
    x, y, z = lever / np.linalg.norm(lever)
    return atan2(y, z), asin(-x)


def righting_lever(vehicle: Vehicle) -> Array:
    """W r_G - B r_B in N m, ballast at its initial value."""
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
    """Surge speed with everything that pushes ahead at full demand, other motions held, m/s."""
    if not vehicle.free[0]:
        return vehicle.held_speed_m_s
    demand = [
        (t.maximum if t.direction_b[0] > 0.0 else t.minimum) if abs(t.direction_b[0]) > 0.3 else 0.0
        for t in vehicle.thrusters
    ]
    plant = Plant(replace(vehicle, free=(True, *(False,) * 5)))
    plant.set_actuators(thrusters=demand)
    plant.advance(vehicle.step_s, round(SETTLE_S / vehicle.step_s))
    return max(0.0, float(plant.nu[0]))


def working_speed(vehicle: Vehicle) -> float:
    """The speed at which modes and trims are looked at: held, or 0.7 of full ahead; 0 if nothing pushes ahead."""
    return vehicle.held_speed_m_s if not vehicle.free[0] else WORKING_SHARE * top_speed(vehicle)


def level(vehicle: Vehicle, speed_m_s: float) -> Trim:
    """Level straight flight at a surge speed: heave, sway, attitude, surfaces and thrust that keep it."""
    plant = Plant(_without_limits(vehicle))  # what it takes is found and told, even if the vehicle cannot do it
    free = vehicle.free
    n_surfaces = len(vehicle.surfaces)
    screws = [t for t in vehicle.thrusters if t.direction_b[0] > AHEAD and vehicle.surfaces]
    pushers = () if vehicle.surfaces else vehicle.thrusters
    columns = [np.concatenate([t.direction_b, np.cross(t.position_b, t.direction_b)]) for t in pushers]
    push = np.array(columns).reshape(-1, 6).T * vehicle.body.mass_kg  # unknowns in m/s^2 of the dry mass
    names = [x for x, moves in (("v", free[1]), ("w", free[2]), ("phi", free[3]), ("theta", free[4])) if moves]
    driven = bool(screws) and free[0] and speed_m_s > 0.0
    flies = free[2] and free[4]

    def place(x: Array) -> None:
        given = dict(zip(names, x.tolist(), strict=False))
        nu = [speed_m_s, given.get("v", 0.0), given.get("w", 0.0), 0.0, 0.0, 0.0]
        plant.place(nu=nu, euler=(given.get("phi", 0.0), given.get("theta", 0.0), 0.0))
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
    # Thrusters come cheap, so that a vehicle which can push sideways and down does so and stays level.
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
    """The vehicle with surfaces and thrusters that go as far as they are told."""
    return replace(
        vehicle,
        surfaces=tuple(replace(s, limit_rad=inf) for s in vehicle.surfaces),
        thrusters=tuple(replace(t, minimum=-inf, maximum=inf) for t in vehicle.thrusters),
    )


def glide(plant: Plant, pitch: float | None = None) -> tuple[float, float, float, bool]:
    """Steady glide of a plant with its ballast where it is: surge, heave (m/s), pitch (rad), and whether one exists.

    With a pitch given only surge and heave are balanced, as in flight at a measured pitch; the plant's pitch should
    then be held, because what would turn it would also push it.
    """
    sinks = float(plant.forces()["restoring"][2]) > 0.0
    at = pitch if pitch is not None else (-0.4 if sinks else 0.4)
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


def _drive(plant: Plant, demand: float) -> None:
    """Every screw that pushes ahead at one demand, reached."""
    drives = [demand if t.direction_b[0] > AHEAD else 0.0 for t in plant.vehicle.thrusters]
    plant.set_actuators(thrusters=drives, at_once=True)
