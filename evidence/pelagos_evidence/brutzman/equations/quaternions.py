"""Equations 6.61-6.68: quaternions, their product and rates, and the angles taken from them."""

from __future__ import annotations

import math

import numpy as np

from pelagos import frames
from pelagos.sim.columns import compass
from pelagos.vehicle.plant import Plant
from pelagos_evidence.brutzman import printed
from pelagos_evidence.brutzman.equations.rows import (
    STATES,
    Array,
    agreed,
    angles,
    largest,
    phoenix,
    velocities,
    world_rates,
)
from pelagos_evidence.claim import Claim, Proof, contested, number
from pelagos_evidence.document import Findings, Tell

TESTS = ("tests/test_frames.py", "tests/engine/core/test_attitude.py", "tests/analytic/test_structure.py")


def run(tell: Tell) -> Findings:
    """All rows of section E's equations."""
    claims = [*_representation(), *_product()]
    tell(0.5)
    claims += [*_rates(), *_angles()]
    tell(1.0)
    return Findings(tuple(claims))


def _turn(axis: Array, angle: float) -> Array:
    """Rodrigues' formula: the rotation about an axis."""
    x, y, z = axis
    cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.eye(3) + math.sin(angle) * cross + (1.0 - math.cos(angle)) * cross @ cross


def _quaternion(axis: Array, angle: float) -> Array:
    """(6.63) of a unit axis and a turn about it."""
    A, B, C = np.arccos(axis)
    return printed.from_axis(A, B, C, angle)


def _representation() -> list[Claim]:
    """(6.61)-(6.63)."""
    rng = np.random.default_rng(610)
    axes = rng.normal(size=(STATES, 3))
    axes /= np.linalg.norm(axes, axis=1, keepdims=True)
    turns = rng.uniform(0.0, 2.0 * math.pi, STATES)
    Q = np.array([_quaternion(axis, angle) for axis, angle in zip(axes, turns, strict=True)])
    expected = np.array([_turn(axis, angle) for axis, angle in zip(axes, turns, strict=True)])
    posture = angles(STATES, 611)
    whole = frames.quaternion_from_euler(*posture.T)
    proof = Proof(("B14",), ("pelagos.frames.rotation_from_quaternion", "pelagos.frames.quaternion_from_euler"), TESTS)
    return [
        agreed(
            "eq-quaternion", "equations 6.61-6.62", "four numbers, scalar first, of length one, for any attitude",
            "Q = W + i X + j Y + k Z = <q0, q1, q2, q3>", largest(np.linalg.norm(whole, axis=1), np.ones(STATES)),
            ours="length 1", proof=proof,
        ),
        agreed(
            "eq-euler-parameters", "equation 6.63", "rotation by D about an axis at angles A, B, C to the three axes: "
            "rotation matrix of this quaternion against Rodrigues' formula", "q0 = cos(D/2), q1 = cos(A) sin(D/2), ...",
            largest(frames.rotation_from_quaternion(Q), expected), ours="the same rotation", proof=proof,
        ),
    ]  # fmt: skip


def _product() -> list[Claim]:
    """(6.64) mended and as printed."""
    rng = np.random.default_rng(640)
    pairs = rng.normal(size=(STATES, 2, 4))
    pairs /= np.linalg.norm(pairs, axis=2, keepdims=True)
    ours = frames.quaternion_product(pairs[:, 0], pairs[:, 1])
    typed = np.array([printed.product(a, b) for a, b in pairs])
    literal = np.array([printed.product(a, b, mended=False) for a, b in pairs])
    each = frames.rotation_from_quaternion(pairs[:, 0]) @ frames.rotation_from_quaternion(pairs[:, 1])
    length = np.linalg.norm(literal, axis=1)
    one, _, j, _ = np.eye(4)
    wrong = printed.product(one, j, mended=False)
    proof = Proof(("B11",), ("pelagos.frames.quaternion_product",), TESTS)
    return [
        agreed(
            "eq-quaternion-product", "equation 6.64", "product of two unit quaternions",
            "j: Y W1 + Z X1 - W Y1 + X Z1; k: Z W1 + Y X1 - X Y1 + W Z1, and the lines without a unit and with i",
            largest(ours, typed),
            assumption="read with + W Y1 - X Z1 in the line of j and - Y X1 + X Y1 in that of k", proof=proof,
        ),
        contested(
            "eq-quaternion-product-printed", "equation 6.64", "the product with the printed signs",
            "j: Y W1 + Z X1 - W Y1 + X Z1; k: Z W1 + Y X1 - X Y1 + W Z1",
            "With these signs 1 times j is -j and the product of two unit quaternions is not one; Hamilton's product "
            "has the other signs. The author's program has the same slip.",
            ours=f"1 * j = {wrong[2]:+.0f} j; length of the product of unit quaternions {length.min():.2f} to "
            f"{length.max():.2f}",
            numbers={"ours": float(np.abs(length - 1.0).max())}, unit="1", proof=proof,
            off=float(np.abs(length - 1.0).max()), limit=1e-12,
        ),
        agreed(
            "quaternion-successive", "section E", "the product of two unit quaternions is again one and stands for the "
            "two rotations one after the other", "a new unit quaternion which represents the two successive rotations",
            max(largest(frames.rotation_from_quaternion(ours), each), largest(np.linalg.norm(ours, axis=1),
            np.ones(STATES))),
            ours="R(Q Q1) = R(Q) R(Q1)", proof=proof,
        ),
    ]  # fmt: skip


def _rates() -> list[Claim]:
    """(6.65) against one step of the engine."""
    plant = Plant(phoenix(), euler_angles=False)
    posture, nu = angles(STATES, 650, math.pi / 2.0), velocities(STATES, 651)
    ours = np.array([world_rates(plant, a, v)[3:] for a, v in zip(posture, nu, strict=True)])
    typed = np.array(
        [printed.rates(*frames.quaternion_from_euler(*a), *v[3:]) for a, v in zip(posture, nu, strict=True)]
    )
    return [
        agreed(
            "eq-quaternion-rates", "equation 6.65", "rates of the four parameters, one step of the engine, any pitch",
            "q0-dot = -1/2 (q1 p + q2 q + q3 r), ...", largest(ours, typed),
            proof=Proof(("B12",), ("pelagos.engine.core.attitude.quaternion_rate",), TESTS),
        )
    ]  # fmt: skip


def _angles() -> list[Claim]:
    """(6.66)-(6.68), where they hold and where not."""
    posture = angles(STATES, 660)
    Q = frames.quaternion_from_euler(*posture.T)
    ours = frames.euler_from_quaternion(Q)
    typed = np.array([printed.extracted(*q) for q in Q])
    south = frames.euler_from_quaternion([0.0, 0.0, 0.0, 1.0])  # half a turn about the vertical, exactly
    literal = printed.extracted(0.0, 0.0, 0.0, 1.0)
    small = np.geomspace(1e-12, 1e-2, 400)
    near = np.array([printed.extracted(*frames.quaternion_from_euler(0.0, 0.3, a))[2] for a in small])
    lost = int(np.sum(~(np.abs(near - small) <= 1e-3 * small)))
    proof = Proof(("B13",), ("pelagos.frames.euler_from_quaternion",), TESTS)
    digits = "arccos loses half of the 16 digits near 0 and 180 deg"
    return [
        agreed(
            "eq-extract-pitch", "equation 6.66", "pitch from the quaternion", "theta = arcsin(-2 (q1 q3 - q0 q2))",
            largest(ours[:, 1], typed[:, 1]), proof=Proof(("B12",), ("pelagos.frames.euler_from_quaternion",), TESTS),
        ),
        agreed(
            "eq-extract-yaw", "equation 6.67", "yaw from the quaternion, away from 0 and 180 deg",
            "psi = arccos(... / cos(theta)) sign(q1 q2 + q0 q3)", largest(ours[:, 2], typed[:, 2]), allowed=1e-8,
            why=digits,
            ours="the same by arctan2", proof=proof,
        ),
        agreed(
            "eq-extract-roll", "equation 6.68", "roll from the quaternion, away from 0 and 180 deg",
            "phi = arccos(... / cos(theta)) sign(q2 q3 + q0 q1)", largest(ours[:, 0], typed[:, 0]), allowed=1e-8,
            why=digits,
            ours="the same by arctan2", proof=proof,
        ),
        number(
            "eq-heading-south", "equations 6.3, 6.67", "heading of a vehicle turned by half a turn about the vertical, "
            "by arctan2",
            180.0, compass(math.degrees(float(south[2]))), "deg", absolute=1e-9, why="exact; only rounding may differ",
            proof=proof,
        ),
        contested(
            "eq-heading-south-printed", "equation 6.67", "the same by the printed formula",
            "psi = arccos(...) sign(...)",
            "sign(0) is 0, so heading south comes out as north; and near 0 the arccos has half of its digits, or no "
            "value at all where its argument is rounded to above 1.",
            ours=f"psi = {math.degrees(float(literal[2])):.1f} deg for a vehicle heading 180 deg; {lost} of 400 "
            f"headings between 1e-12 and 1e-2 rad wrong by more than 0.1 %",
            numbers={"published": 180.0, "ours": math.degrees(float(literal[2]))}, unit="deg", proof=proof,
            off=abs(180.0 - math.degrees(float(literal[2]))), limit=1e-6,
        ),
    ]  # fmt: skip
