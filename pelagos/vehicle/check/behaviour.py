"""Checks of a vehicle's motion: actuation, damping, passivity, step size, trim and stability.

All figures are computed with the engine through `Plant`, not read from the file, so the checks hold for any model of
the forces (coefficients, strips, fins, lift and drag). Each function returns lines (level, sentence).
"""

from __future__ import annotations

from dataclasses import replace
from math import degrees

import numpy as np
from numpy.typing import NDArray

from pelagos.vehicle.library import buoyancy_at_start, mass_at_start
from pelagos.vehicle.modes import linearise, modes, verdict
from pelagos.vehicle.plant import Plant
from pelagos.vehicle.spec import MOTIONS, VELOCITIES, Vehicle
from pelagos.vehicle.trim import Trim, glide, level, righting_lever, top_speed, working_speed

Array = NDArray[np.float64]
Line = tuple[str, str]

DAMPING = ("coefficients", "crossflow", "lift_drag", "fins")
SAMPLES = 400  # random motions ahead, and as many astern
SLOW = 0.3  # m/s: the speed for a vehicle without propulsion
HELM_S = 60  # s with each surface at half its limit
FASTER = 1.05  # speed with helm over speed without; less may be a passing exchange of height for speed
UNSTABLE_STEP = 2.0  # step times fastest rate; classical RK4 diverges beyond 2.78


def check_behaviour(vehicle: Vehicle) -> list[Line]:
    """All checks of the motion: actuation, damping, step, then trim and stability under way or gliding."""
    speed = working_speed(vehicle)
    lines = [*actuation(vehicle, speed), *damping(vehicle, speed), *passivity(vehicle, speed), *step_size(vehicle)]
    if vehicle.free[0] or vehicle.held_speed_m_s == 0.0:
        lines += [("note", f"at rest, {text}") for text in verdict(modes(Plant(vehicle)))]
    if speed > 0.0:
        lines += under_way(vehicle, speed)
    elif any(item.kind == "engine" for item in vehicle.ballast):
        lines += gliding(vehicle)
    return lines


def actuation(vehicle: Vehicle, speed: float) -> list[Line]:
    """The motions that thrusters can excite alone, and the rotations that surfaces can at the working speed.

    Alone means without the other free motions, except roll and pitch of a vehicle that rights itself.
    """
    columns = [np.concatenate([t.direction_b, np.cross(t.position_b, t.direction_b)]) for t in vehicle.thrusters]
    # weight and buoyancy hold roll and pitch of such a vehicle
    righted = (3, 4) if righting_lever(vehicle)[2] > 0.0 else ()
    free = [i for i in range(6) if vehicle.free[i]]
    pushed = [i for i in free if _spans(columns, [j for j in free if j == i or j not in righted], i)]
    lines: list[Line] = []
    if columns:
        rank = int(np.linalg.matrix_rank(np.array(columns), tol=1e-6))
        names = _motions(pushed) if pushed else "no motion on their own"
        lines.append(("ok", f"thrusters: {len(columns)}, rank {rank}; they push {names}"))
    turns = _surface_moments(vehicle, speed) if speed > 0.0 and vehicle.surfaces else []
    turned = [i for i in free if i >= 3 and i not in pushed and _spans(turns, [j for j in free if j >= 3], i)]
    if turned:
        lines.append(("ok", f"surfaces at {speed:.3g} m/s turn it in {_motions(turned)}"))
    missing = [i for i in free if i not in pushed and i not in turned]
    if missing:
        lines.append(("note", f"nothing pushes it in {_motions(missing)} alone: these follow from the other motions"))
    return lines


def _surface_moments(vehicle: Vehicle, speed: float) -> list[Array]:
    """The wrench per radian of each surface in level flight, by central differences."""
    plant, trim = Plant(vehicle), level(vehicle, speed)
    trim.apply(plant)
    columns: list[Array] = []
    for i in range(len(vehicle.surfaces)):
        ends: list[Array] = []
        for angle in (0.05, -0.05):
            plant.state["actuators"]["surface"][: trim.surfaces.size] = trim.surfaces
            plant.state["actuators"]["surface"][i] += angle
            ends.append(np.sum(list(plant.forces().values()), axis=0))
        columns.append((ends[0] - ends[1]) / 0.1)
    return columns


def _spans(columns: list[Array], rows: list[int], row: int) -> bool:
    """Whether a linear combination of the columns is 1 in one row and 0 in the other rows."""
    if not columns or row not in rows:
        return False
    matrix = np.array(columns).T[rows]
    matrix = matrix / np.maximum(np.linalg.norm(matrix, axis=0), 1e-12)
    unit = np.array([1.0 if i == row else 0.0 for i in rows])
    # relative cut-off 1e-4: a fin a hundredth of a degree off its axis does not make a roll actuator
    mixture = np.linalg.lstsq(matrix, unit, rcond=1e-4)[0]
    return bool(np.linalg.norm(matrix @ mixture - unit) < 1e-3)


def _motions(axes: list[int]) -> str:
    return ", ".join(MOTIONS[VELOCITIES[i]] for i in axes)


def damping(vehicle: Vehicle, speed: float) -> list[Line]:
    """A warning about free motions without damping, both at rest and under way."""
    plant = Plant(vehicle)
    undamped: list[str] = []
    for i, letter in enumerate(VELOCITIES):
        ways = (0.0, speed or SLOW) if i else (0.0,)  # fins and coefficients such as Y_uv damp under way only
        nus = [np.where(np.arange(6) == i, 0.3, 0.0) + np.array([way, 0, 0, 0, 0, 0]) for way in ways]
        if vehicle.free[i] and not any(_damping_force(plant, nu)[i] < 0.0 for nu in nus):
            undamped.append(MOTIONS[letter])
    return [("warn", f"no damping in {', '.join(undamped)}: the motion never dies away")] if undamped else []


def passivity(vehicle: Vehicle, speed: float) -> list[Line]:
    """Whether hull and fins dissipate energy: their power nu . F in random motions, ahead and astern."""
    rng = np.random.default_rng(1)  # a fixed seed: the report of a vehicle is always the same
    plant = Plant(vehicle)
    pace = max(speed, SLOW)
    turn = min(pace / vehicle.length_m, 1.0)
    size = np.array([pace, 0.3 * pace, 0.3 * pace, 0.3 * turn, 0.3 * turn, 0.3 * turn]) * np.array(vehicle.free)
    ways = (("ahead", 1.0), ("astern", -1.0)) if vehicle.free[0] else (("ahead", 1.0),)
    lines: list[Line] = []
    for word, sign in ways:
        gains, worst = 0, 0.0
        for _ in range(SAMPLES):
            nu = size * rng.uniform(-1.0, 1.0, 6)
            nu[0] = sign * abs(nu[0]) if vehicle.free[0] else vehicle.held_speed_m_s
            moving = np.where(vehicle.free, nu, 0.0)
            power = float(moving @ _damping_force(plant, nu))
            scale = float(np.abs(moving * _damping_force(plant, nu)).sum())
            if power > 1e-9 * scale:  # forces that cancel leave a power by rounding
                gains, worst = gains + 1, max(worst, power)
        share = 100.0 * gains / SAMPLES
        if not gains:
            lines.append(("ok", f"hull and fins take energy out of all {SAMPLES} random motions {word}"))
        else:
            text = f"hull and fins feed energy into {share:.3g} % of random motions {word}, up to {worst:.2g} W"
            lines.append(("warn" if share > 20.0 else "note", text))
    return lines


def _damping_force(plant: Plant, nu: Array) -> Array:
    plant.place(nu=nu)
    forces = plant.forces()
    return np.sum([forces[name] for name in DAMPING], axis=0)


def step_size(vehicle: Vehicle) -> list[Line]:
    """Whether the integrator is stable: step times the fastest rate at full speed and in fast sideways motion."""
    plant = Plant(vehicle)
    pace = max(top_speed(vehicle), 0.5)
    letters = [x for x, moves in zip(VELOCITIES, vehicle.free, strict=True) if moves]
    fastest = 0.0
    # damping grows with speed, so the fastest motion has the fastest rate
    rush = np.array([pace, 0.5 * pace, 0.5 * pace, 0.5, 0.5, 0.5])
    for nu in ([pace, 0, 0, 0, 0, 0], rush, -rush):
        plant.place(nu=np.where(vehicle.free, nu, plant.nu))
        fastest = max(fastest, float(np.abs(np.linalg.eigvals(linearise(plant, letters))).max()))
    product = fastest * vehicle.step_s
    text = f"step {vehicle.step_s:g} s times the fastest rate {fastest:.3g} 1/s is {product:.2g}"
    if product > UNSTABLE_STEP:
        return [("warn", f"{text}: the integrator may diverge beyond 2, take {1.0 / fastest:.2g} s or less")]
    return [("ok", f"{text}: the integrator is stable")]


def under_way(vehicle: Vehicle, speed: float) -> list[Line]:
    """Trim in level flight at the working speed, and the modes about it."""
    trim = level(vehicle, speed)
    if not trim.converged:
        return [("warn", f"no level flight at its working speed of {speed:.3g} m/s")]
    lines: list[Line] = [("warn" if trim.beyond else "ok", _trim_text(vehicle, trim))]
    plant = Plant(vehicle)
    trim.apply(plant)
    lines += [("note", f"at {speed:.3g} m/s, {text}") for text in verdict(modes(plant))]
    return lines + helm(vehicle, speed)


def helm(vehicle: Vehicle, speed: float) -> list[Line]:
    """Whether a deflected surface costs speed: a minute with each at half its limit, at the thrust of level flight.

    The check is done at neutral buoyancy: a heavy or light vehicle gains speed by its weight when its planes turn it
    that way.
    """
    if not (vehicle.surfaces and vehicle.free[0]):
        return []
    vehicle = _neutral(vehicle)
    trim = level(vehicle, speed)
    if not trim.converged:
        return [("note", "helm is not judged: no level flight at neutral buoyancy")]
    fast: list[str] = []
    for i, surface in enumerate(vehicle.surfaces):
        plant = Plant(vehicle)
        trim.apply(plant)
        angles = trim.surfaces.copy()
        angles[i] += 0.5 * surface.limit_rad
        plant.set_actuators(surfaces=angles)
        most = 0.0
        for _ in range(HELM_S):
            plant.advance(vehicle.step_s, round(1.0 / vehicle.step_s), vehicle.integrator)
            most = max(most, float(np.linalg.norm(plant.nu[:3])))
        if most > FASTER * trim.nu[0]:
            fast.append(f"{surface.name} ({100.0 * (most / trim.nu[0] - 1.0):.0f} %)")
    if fast:
        return [("warn", f"gains speed with half helm, so its surfaces feed energy in: {', '.join(fast)}")]
    return [("ok", "half helm on any surface costs speed")]


def _neutral(vehicle: Vehicle) -> Vehicle:
    """A copy of the vehicle with neutral buoyancy at any depth."""
    volume_at_start, _ = buoyancy_at_start(vehicle)
    of_ballast = volume_at_start - vehicle.body.volume_m3
    volume = mass_at_start(vehicle) / vehicle.water.density_kg_m3 - of_ballast
    return replace(vehicle, body=replace(vehicle.body, volume_m3=volume, compressibility_1_pa=0.0))


def _trim_text(vehicle: Vehicle, trim: Trim) -> str:
    angles = {"roll": trim.euler[0], "pitch": trim.euler[1]}
    angles |= {s.name: float(angle) for s, angle in zip(vehicle.surfaces, trim.surfaces, strict=True)}
    parts = [f"{name} {degrees(angle):+.2f} deg" for name, angle in angles.items() if abs(angle) > 1e-4]
    parts += [f"thrust {trim.thrust_n:.4g} N"] if vehicle.free[0] else []
    text = f"level flight at {trim.nu[0]:.3g} m/s: {', '.join(parts) if parts else 'straight'}"
    return f"{text}; beyond its limits: {', '.join(trim.beyond)}" if trim.beyond else text


def gliding(vehicle: Vehicle) -> list[Line]:
    """The steady glide down with the buoyancy engine at its minimum, and the modes about it."""
    plant = Plant(vehicle)
    store = [item.minimum if item.kind == "engine" else item.initial for item in vehicle.ballast]
    plant.set_actuators(ballast=store, at_once=True)
    u, w, pitch, converged = glide(plant)
    if not converged:
        return [("warn", "no steady glide with the buoyancy engine at its least")]
    sink = w * np.cos(pitch) - u * np.sin(pitch)
    text = f"steady glide, engine at its least: {np.hypot(u, w):.3g} m/s, pitch {degrees(pitch):.1f} deg"
    return [("ok", f"{text}, sinks {sink:.3g} m/s")] + [("note", f"gliding, {text}") for text in verdict(modes(plant))]
