"""Natural modes of a vehicle without its autopilot: the eigenvalues of small motions about a steady state.

The state x = (u v w p q r phi theta) is disturbed about the present state of a Plant, actuators held:

    x_dot = A x,   A by central differences of Plant.acceleration and of the Euler kinematics
    phi_dot = p + (q sin phi + r cos phi) tan theta,   theta_dot = q cos phi - r sin phi

(Fossen 2011, sections 2.2 and 7.5). Quadratic damping has no slope at rest, so such motions appear as neutral. Held
degrees of freedom are left out. A mode is named after the states with the largest participation factors (right times
left eigenvector, dimensionless).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, inf, log, pi, sin, tan

import numpy as np
from numpy.typing import NDArray

from pelagos.vehicle.plant import Plant
from pelagos.vehicle.spec import MOTIONS, VELOCITIES

Array = NDArray[np.float64]

STATES = (*VELOCITIES, "phi", "theta")
STEP = 1e-6  # half width of the differences, m/s, rad/s and rad: error of the slope of c v|v| about 0 is c STEP
NEUTRAL = 1e-3  # 1/s: slower growth or decay is hardly visible within ten minutes
ORDER = ("surge", "sway", "heave", "roll", "pitch", "yaw")


@dataclass(frozen=True)
class Mode:
    """One eigenvalue (1/s; of a pair the one with positive imaginary part) and the motions that take part in it."""

    eigenvalue: complex
    motion: str  # such as "sway-yaw"

    @property
    def unstable(self) -> bool:
        """Whether the mode grows."""
        return self.eigenvalue.real > NEUTRAL

    @property
    def neutral(self) -> bool:
        """Whether the mode neither grows nor decays nor oscillates."""
        return abs(self.eigenvalue) <= NEUTRAL

    @property
    def time_constant_s(self) -> float:
        """Time to fall to 1/e; negative if the mode grows."""
        return -1.0 / self.eigenvalue.real if self.eigenvalue.real else inf

    @property
    def doubling_s(self) -> float:
        """Time to double; infinite unless the mode grows."""
        return log(2.0) / self.eigenvalue.real if self.unstable else inf

    @property
    def period_s(self) -> float:
        """Period of the oscillation; infinite without one."""
        return 2.0 * pi / self.eigenvalue.imag if self.eigenvalue.imag else inf

    @property
    def damping_ratio(self) -> float:
        """-Re/|lambda|: 1 without oscillation, 0 without damping."""
        return -self.eigenvalue.real / abs(self.eigenvalue) if self.eigenvalue else 1.0

    @property
    def words(self) -> str:
        """The mode in plain words."""
        if self.neutral:
            return f"{self.motion}: neutral"
        swings = f"swings with a period of {self.period_s:.3g} s" if self.eigenvalue.imag else ""
        if self.unstable:
            growth = f"unstable, doubles in {self.doubling_s:.2g} s"
            return f"{self.motion}: {growth}{', ' + swings if swings else ''}; needs its autopilot"
        if swings:
            damped = f"damping ratio {self.damping_ratio:.2g}" if self.damping_ratio > 0.005 else "undamped if small"
            return f"{self.motion}: {swings}, {damped}"
        return f"{self.motion}: stable, time constant {self.time_constant_s:.3g} s"


def free_states(free: Sequence[bool]) -> tuple[str, ...]:
    """The states that can change when these degrees of freedom are free."""
    held = {name for name, moves in zip(VELOCITIES, free, strict=True) if not moves}
    held |= {"phi"} if "p" in held else set()
    held |= {"theta"} if "q" in held else set()
    return tuple(name for name in STATES if name not in held)


def linearise(plant: Plant, states: Sequence[str] | None = None) -> Array:
    """The matrix A of x_dot = A x about the present state of the plant, which is restored afterwards."""
    chosen = free_states(plant.vehicle.free) if states is None else tuple(states)
    nu0, euler0 = plant.nu.copy(), plant.euler.copy()

    def rates(name: str, step: float) -> Array:
        nu, euler = nu0.copy(), euler0.copy()
        if name in VELOCITIES:
            nu[VELOCITIES.index(name)] += step
        else:
            euler[0 if name == "phi" else 1] += step
        plant.place(nu=nu, euler=tuple(euler))
        phi, theta = euler[:2]
        _, _, _, p, q, r = nu
        turning = {"phi": p + (q * sin(phi) + r * cos(phi)) * tan(theta), "theta": q * cos(phi) - r * sin(phi)}
        acceleration = plant.acceleration()
        return np.array([acceleration[VELOCITIES.index(s)] if s in VELOCITIES else turning[s] for s in chosen])

    columns = [(rates(name, STEP) - rates(name, -STEP)) / (2.0 * STEP) for name in chosen]
    plant.place(nu=nu0, euler=tuple(euler0))
    return np.array(columns).T


def modes(plant: Plant) -> list[Mode]:
    """The modes about the present state of the plant, the least stable first; neutral ones last."""
    states = free_states(plant.vehicle.free)
    values, right = np.linalg.eig(linearise(plant))
    left = np.linalg.pinv(right)  # repeated eigenvalues of neutral motions can make `right` singular
    unsorted = [
        Mode(complex(value), _motion(states, np.abs(right[:, k] * left[k])))
        for k, value in enumerate(values)
        if value.imag >= 0.0  # of a conjugate pair only one
    ]
    return sorted(unsorted, key=lambda mode: (mode.neutral, -mode.eigenvalue.real))


def verdict(all_modes: Sequence[Mode]) -> list[str]:
    """The modes in words: a line for each that grows or oscillates, one for those that decay, one for neutral ones."""
    lines = [mode.words for mode in all_modes if mode.unstable or (mode.eigenvalue.imag and not mode.neutral)]
    decaying = [mode for mode in all_modes if not (mode.unstable or mode.neutral or mode.eigenvalue.imag)]
    if decaying:
        times = ", ".join(f"{mode.motion} {mode.time_constant_s:.2g} s" for mode in decaying)
        lines.append(f"stable with the time constants {times}")
    still = {motion for mode in all_modes if mode.neutral for motion in mode.motion.split("-")}
    if still:
        names = ", ".join(motion for motion in ORDER if motion in still)
        lines.append(f"{names}: neutral, no linear damping and no righting")
    return lines


def _motion(states: Sequence[str], share: Array) -> str:
    """The motions whose participation is at least a quarter of the largest, in the order of SNAME."""
    by_motion: dict[str, float] = {}
    for state, part in zip(states, share, strict=True):
        by_motion[MOTIONS[state]] = by_motion.get(MOTIONS[state], 0.0) + float(part)
    most = max(by_motion.values())
    return "-".join(motion for motion in ORDER if by_motion.get(motion, 0.0) >= 0.25 * most)
