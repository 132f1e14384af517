"""Equations 6.61-6.68: quaternions, their product and rates, and the angles taken from them."""

from __future__ import annotations

import math

import numpy as np

from pelagos import frames
from pelagos.sim.columns import compass
from pelagos.vehicle.plant import Plant
from pelagos_evidence.brutzman import printed
from pelagos_evidence.brutzman.equations.rows import STATES, angles, equation, largest, phoenix, velocities, world_rates
from pelagos_evidence.document import Findings, Progress
from pelagos_evidence.rows import Array, Rows, Values

ROWS = Rows(__file__, kinds=(equation,))


def run(progress: Progress) -> Findings:
    """All rows of section E's equations."""
    values = {**_representation(), **_product()}
    progress(0.5)
    values |= {**_rates(), **_angles()}
    return Findings(ROWS.claims(values))


def _turn(axis: Array, angle: float) -> Array:
    """Rodrigues' formula: the rotation about an axis."""
    x, y, z = axis
    cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.eye(3) + math.sin(angle) * cross + (1.0 - math.cos(angle)) * cross @ cross


def _quaternion(axis: Array, angle: float) -> Array:
    """(6.63) of a unit axis and a turn about it."""
    A, B, C = np.arccos(axis)
    return printed.from_axis(A, B, C, angle)


def _representation() -> Values:
    """(6.61)-(6.63)."""
    rng = np.random.default_rng(610)
    axes = rng.normal(size=(STATES, 3))
    axes /= np.linalg.norm(axes, axis=1, keepdims=True)
    turns = rng.uniform(0.0, 2.0 * math.pi, STATES)
    Q = np.array([_quaternion(axis, angle) for axis, angle in zip(axes, turns, strict=True)])
    expected = np.array([_turn(axis, angle) for axis, angle in zip(axes, turns, strict=True)])
    posture = angles(STATES, 611)
    whole = frames.quaternion_from_euler(*posture.T)
    return {
        "eq-quaternion": largest(np.linalg.norm(whole, axis=1), np.ones(STATES)),
        "eq-euler-parameters": largest(frames.rotation_from_quaternion(Q), expected),
    }


def _product() -> Values:
    """(6.64) corrected and as printed."""
    rng = np.random.default_rng(640)
    pairs = rng.normal(size=(STATES, 2, 4))
    pairs /= np.linalg.norm(pairs, axis=2, keepdims=True)
    ours = frames.quaternion_product(pairs[:, 0], pairs[:, 1])
    typed = np.array([printed.product(a, b) for a, b in pairs])
    literal = np.array([printed.product(a, b, mended=False) for a, b in pairs])
    each = frames.rotation_from_quaternion(pairs[:, 0]) @ frames.rotation_from_quaternion(pairs[:, 1])
    length = np.linalg.norm(literal, axis=1)
    unit, _, j, _ = np.eye(4)
    wrong = printed.product(unit, j, mended=False)
    return {
        "eq-quaternion-product": largest(ours, typed),
        "eq-quaternion-product-printed": {
            "off": float(np.abs(length - 1.0).max()),
            "wrong": wrong,
            "shortest": length.min(),
            "longest": length.max(),
        },
        "quaternion-successive": max(
            largest(frames.rotation_from_quaternion(ours), each), largest(np.linalg.norm(ours, axis=1), np.ones(STATES))
        ),
    }


def _rates() -> Values:
    """(6.65) against one step of the engine."""
    plant = Plant(phoenix(), euler_angles=False)
    posture, nu = angles(STATES, 650, math.pi / 2.0), velocities(STATES, 651)
    ours = np.array([world_rates(plant, a, v)[3:] for a, v in zip(posture, nu, strict=True)])
    typed = np.array(
        [printed.rates(*frames.quaternion_from_euler(*a), *v[3:]) for a, v in zip(posture, nu, strict=True)]
    )
    return {"eq-quaternion-rates": largest(ours, typed)}


def _angles() -> Values:
    """(6.66)-(6.68), inside and outside their range of validity."""
    posture = angles(STATES, 660)
    Q = frames.quaternion_from_euler(*posture.T)
    ours = frames.euler_from_quaternion(Q)
    typed = np.array([printed.extracted(*q) for q in Q])
    south = frames.euler_from_quaternion([0.0, 0.0, 0.0, 1.0])  # half a turn about the vertical, exactly
    literal = printed.extracted(0.0, 0.0, 0.0, 1.0)
    small = np.geomspace(1e-12, 1e-2, 400)
    near = np.array([printed.extracted(*frames.quaternion_from_euler(0.0, 0.3, a))[2] for a in small])
    lost = int(np.sum(~(np.abs(near - small) <= 1e-3 * small)))
    return {
        "eq-extract-pitch": largest(ours[:, 1], typed[:, 1]),
        "eq-extract-yaw": largest(ours[:, 2], typed[:, 2]),
        "eq-extract-roll": largest(ours[:, 0], typed[:, 0]),
        "eq-heading-south": compass(math.degrees(float(south[2]))),
        "eq-heading-south-printed": {
            "off": abs(180.0 - math.degrees(float(literal[2]))),
            "literal": math.degrees(float(literal[2])),
            "lost": lost,
        },
    }
