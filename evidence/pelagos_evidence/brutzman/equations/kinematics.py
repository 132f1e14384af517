"""Equations 6.1-6.23: ranges of the Euler angles, the rotation matrix, velocities and rates in both frames."""

from __future__ import annotations

import math

import numpy as np

from pelagos import frames
from pelagos.sim.columns import compass
from pelagos.vehicle.plant import Plant
from pelagos_evidence.brutzman import printed
from pelagos_evidence.brutzman.equations.rows import STATES, angles, equation, largest, phoenix, velocities, world_rates
from pelagos_evidence.document import Findings, Progress
from pelagos_evidence.rows import Rows, Values

ROWS = Rows(__file__, kinds=(equation,))


def run(progress: Progress) -> Findings:
    """All rows of section C's equations."""
    posture = angles(STATES, 61)
    nu = velocities(STATES, 62)
    values = {**_ranges(), **_rotation(posture, nu)}
    progress(0.5)
    values |= _angle_rates(posture, nu)
    return Findings(ROWS.claims(values))


def _ranges() -> Values:
    """(6.1)-(6.3), at random attitudes and at the limits of the ranges."""
    drawn = np.vstack(
        [angles(4000, 60, math.pi / 2.0), [[math.pi, 0, 0], [-math.pi, 0, 0], [0, 0, math.pi], [0, 0, 0]]]
    )
    out = frames.euler_from_quaternion(frames.quaternion_from_euler(*drawn.T))
    heading = np.array([compass(math.degrees(psi)) for psi in out[:, 2]])
    roll, pitch = out[:, 0], out[:, 1]
    # the double nearest to pi is smaller than pi, so that -math.pi lies inside the open end of (6.1)
    inside = {
        "roll": (roll, bool((np.abs(roll) <= math.pi).all())),
        "pitch": (pitch, bool((np.abs(pitch) < 0.5 * math.pi).all())),
        "yaw": (heading, bool((heading >= 0.0).all() and (heading < 360.0).all())),
    }
    return {
        f"eq-range-{angle}": {
            "holds": holds,
            "least": computed.min(),
            "largest": computed.max(),
            "count": len(computed),
        }
        for angle, (computed, holds) in inside.items()
    }


def _rotation(posture: np.ndarray, nu: np.ndarray) -> Values:
    """(6.4)-(6.8)."""
    plant = Plant(phoenix(), euler_angles=True)
    R = np.array([printed.rotation_entries(*each) for each in posture])
    product = np.array([printed.rotation_product(*each) for each in posture])
    ours = frames.rotation_from_euler(*posture.T)
    moved = np.array([world_rates(plant, a, v)[:3] for a, v in zip(posture, nu, strict=True)])
    expected = np.einsum("nij,nj->ni", R, nu[:, :3])
    back = np.einsum("nji,nj->ni", R, moved)
    orthogonal = np.einsum("nij,nkj->nik", ours, ours)
    elsewhere = np.array([printed.rotation_product(psi, theta, phi) for phi, theta, psi in posture])
    return {
        "eq-rotation-product": largest(ours, product),
        "eq-rotation-entries": largest(R, product) + largest(ours, R),
        "eq-rotation-inverse": largest(orthogonal, np.broadcast_to(np.eye(3), orthogonal.shape)),
        "eq-velocity-to-world": largest(moved, expected),
        "eq-velocity-to-body": largest(back, nu[:, :3]),
        "eq-rotation-order": largest(elsewhere, product),
        "eq-rotation-two-ways": largest(_turned_about_own_axes(posture), ours),
    }


def _turned_about_own_axes(posture: np.ndarray) -> np.ndarray:
    """The body axes in the world: turned by yaw about z, by pitch about the new y, by roll about the newest x."""
    turned: list[np.ndarray] = []
    for phi, theta, psi in posture:
        axes = np.eye(3)  # columns are the axes of the body
        for angle, axis in ((psi, 2), (theta, 1), (phi, 0)):
            a = axes[:, axis]
            cross = np.array([[0.0, -a[2], a[1]], [a[2], 0.0, -a[0]], [-a[1], a[0], 0.0]])
            axes = (np.eye(3) + math.sin(angle) * cross + (1.0 - math.cos(angle)) * cross @ cross) @ axes
        turned.append(axes)
    return np.array(turned)


def _angle_rates(posture: np.ndarray, nu: np.ndarray) -> Values:
    """(6.9)-(6.23)."""
    plant = Plant(phoenix(), euler_angles=True)
    computed = np.array([world_rates(plant, a, v) for a, v in zip(posture, nu, strict=True)])
    turn = computed[:, 3:]
    each = np.array([printed.angle_rates(a[0], a[1], *v[3:]) for a, v in zip(posture, nu, strict=True)])
    T = np.array([printed.rates_matrix(a[0], a[1]) for a in posture])
    inverse = np.array([printed.inverse_rates_matrix(a[0], a[1]) for a in posture])
    by_matrix = np.einsum("nij,nj->ni", T, nu[:, 3:])
    rates_back = np.array([printed.body_rates(a[0], a[1], *t) for a, t in zip(posture, turn, strict=True)])
    joint = np.array([printed.body_to_world(*a) @ v for a, v in zip(posture, nu, strict=True)])
    joint_back = np.array([printed.world_to_body(*a) @ f for a, f in zip(posture, computed, strict=True)])
    unit = np.einsum("nij,njk->nik", T, inverse)
    return {
        "eq-roll-rate": largest(turn[:, 0], each[:, 0]),
        "eq-pitch-rate": largest(turn[:, 1], each[:, 1]),
        "eq-yaw-rate": largest(turn[:, 2], each[:, 2]),
        "eq-rates-matrix": largest(turn, by_matrix),
        "eq-rates-not-orthogonal": float(np.abs(T - np.swapaxes(inverse, 1, 2)).max()),
        "eq-body-rates": largest(rates_back, nu[:, 3:]),
        "eq-inverse-rates-matrix": largest(unit, np.broadcast_to(np.eye(3), unit.shape)),
        "eq-joint-velocity": largest(computed, joint),
        "eq-joint-velocity-back": largest(joint_back, nu),
        "eq-rates-differ": float(np.abs(turn - nu[:, 3:]).max()),
    }
