"""Equations 6.1-6.23: ranges of the Euler angles, the rotation matrix, velocities and rates in both frames."""

from __future__ import annotations

import math

import numpy as np

from pelagos import frames
from pelagos.sim.columns import compass
from pelagos.vehicle.plant import Plant
from pelagos_evidence.brutzman import printed
from pelagos_evidence.brutzman.equations.rows import STATES, agreed, angles, largest, phoenix, velocities, world_rates
from pelagos_evidence.claim import Claim, Proof, statement
from pelagos_evidence.document import Findings, Tell

TESTS = ("tests/test_frames.py", "tests/engine/core/test_attitude.py", "tests/engine/core/test_kinematics.py")
ROTATION = Proof(
    ("B1", "B2"), ("pelagos.engine.core.attitude.rotation_from_euler", "pelagos.frames.rotation_from_euler"), TESTS
)
RATES = Proof(("B1",), ("pelagos.engine.core.attitude.euler_rate",), TESTS)
STEEP = "two ways of the same arithmetic; T grows to 1/cos(theta) = 6 at the steepest pitch drawn, 80 deg"


def run(tell: Tell) -> Findings:
    """All rows of section C's equations."""
    posture = angles(STATES, 61)
    nu = velocities(STATES, 62)
    claims = [*_ranges(), *_rotation(posture, nu)]
    tell(0.5)
    claims += _angle_rates(posture, nu)
    tell(1.0)
    return Findings(tuple(claims))


def _ranges() -> list[Claim]:
    """(6.1)-(6.3), over random attitudes and the awkward ones."""
    drawn = np.vstack(
        [angles(4000, 60, math.pi / 2.0), [[math.pi, 0, 0], [-math.pi, 0, 0], [0, 0, math.pi], [0, 0, 0]]]
    )
    out = frames.euler_from_quaternion(frames.quaternion_from_euler(*drawn.T))
    heading = np.array([compass(math.degrees(psi)) for psi in out[:, 2]])
    roll, pitch = out[:, 0], out[:, 1]
    proof = Proof(("B3",), ("pelagos.frames.euler_from_quaternion", "pelagos.sim.columns.compass"), TESTS)
    # the double nearest to pi is smaller than pi, so that -math.pi lies inside the open end of (6.1)
    rows = (
        (
            "eq-range-roll", "equation 6.1", "range of roll", "-pi < phi <= pi", roll, "rad",
            bool((np.abs(roll) <= math.pi).all()),
            "a range; half a turn either way is +-3.141592653589793 as stored, which is less than pi",
        ),
        (
            "eq-range-pitch", "equation 6.2", "range of pitch", "-pi/2 < theta < pi/2", pitch, "rad",
            bool((np.abs(pitch) < 0.5 * math.pi).all()),
            "a range; straight up and down, which the document leaves out, are among no random attitudes",
        ),
        (
            "eq-range-yaw", "equation 6.3", "range of yaw, as logs give it", "0 <= psi < 2 pi (360 deg)", heading,
            "deg", bool((heading >= 0.0).all() and (heading < 360.0).all()), "a range",
        ),
    )  # fmt: skip
    return [
        statement(
            key, place, f"{what}, for any attitude", text,
            f"{found.min():.5g} to {found.max():.5g} {unit} in {len(found)} attitudes", inside, why=why, proof=proof,
        )
        for key, place, what, text, found, unit, inside, why in rows
    ]  # fmt: skip


def _rotation(posture: np.ndarray, nu: np.ndarray) -> list[Claim]:
    """(6.4)-(6.8)."""
    plant = Plant(phoenix(), euler_angles=True)
    R = np.array([printed.rotation_entries(*each) for each in posture])
    product = np.array([printed.rotation_product(*each) for each in posture])
    ours = frames.rotation_from_euler(*posture.T)
    moved = np.array([world_rates(plant, a, v)[:3] for a, v in zip(posture, nu, strict=True)])
    expected = np.einsum("nij,nj->ni", R, nu[:, :3])
    back = np.einsum("nji,nj->ni", R, moved)
    world = Proof(
        ("B1",), ("pelagos.engine.core.kinematics.kinematics", "pelagos.engine.core.kinematics.to_world"), TESTS
    )
    orthogonal = np.einsum("nij,nkj->nik", ours, ours)
    elsewhere = np.array([printed.rotation_product(psi, theta, phi) for phi, theta, psi in posture])
    return [
        agreed(
            "eq-rotation-product", "equation 6.4", "body to world: yaw, pitch and roll matrices multiplied in this "
            "order",
            "R = Rz(psi) Ry(theta) Rx(phi)", largest(ours, product), proof=ROTATION,
        ),
        agreed(
            "eq-rotation-entries", "equation 6.5", "the nine entries of R multiplied out",
            "R11 = cos(theta) cos(psi), ...", largest(R, product) + largest(ours, R), proof=ROTATION,
        ),
        agreed(
            "eq-rotation-inverse", "equation 6.6", "the inverse of R is its transpose", "R^-1 = R^T",
            largest(orthogonal, np.broadcast_to(np.eye(3), orthogonal.shape)), proof=ROTATION,
        ),
        agreed(
            "eq-velocity-to-world", "equation 6.7", "world velocity from u, v, w: one step of the engine against R (u "
            "v w)",
            "(x y z)-dot = R (u v w)", largest(moved, expected), proof=world,
        ),
        agreed(
            "eq-velocity-to-body", "equation 6.8", "u, v, w back from the world velocity of the engine",
            "(u v w) = R^T (x y z)-dot", largest(back, nu[:, :3]), proof=world,
        ),
        statement(
            "eq-rotation-order", "section C", "the three rotations do not commute: their order is fixed",
            "not commutative", f"exchanging roll and yaw moves an entry of R by up to "
            f"{largest(elsewhere, product):.2f}",
            largest(elsewhere, product) > 0.1, why="any sizeable difference shows it", proof=ROTATION,
        ),
        agreed(
            "eq-rotation-two-ways", "section C",
            "turning about the axes as they have become (yaw, pitch, roll) and about the fixed world axes (roll, "
            "pitch, yaw)",
            "results are identical in each case", largest(_turned_about_own_axes(posture), ours),
            ours="the same R, body to world, for both (the text calls the second list world to body)", proof=ROTATION,
        ),
    ]  # fmt: skip


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


def _angle_rates(posture: np.ndarray, nu: np.ndarray) -> list[Claim]:
    """(6.9)-(6.23)."""
    plant = Plant(phoenix(), euler_angles=True)
    found = np.array([world_rates(plant, a, v) for a, v in zip(posture, nu, strict=True)])
    turn = found[:, 3:]
    each = np.array([printed.angle_rates(a[0], a[1], *v[3:]) for a, v in zip(posture, nu, strict=True)])
    T = np.array([printed.rates_matrix(a[0], a[1]) for a in posture])
    inverse = np.array([printed.inverse_rates_matrix(a[0], a[1]) for a in posture])
    by_matrix = np.einsum("nij,nj->ni", T, nu[:, 3:])
    rates_back = np.array([printed.body_rates(a[0], a[1], *t) for a, t in zip(posture, turn, strict=True)])
    joint = np.array([printed.body_to_world(*a) @ v for a, v in zip(posture, nu, strict=True)])
    joint_back = np.array([printed.world_to_body(*a) @ f for a, f in zip(posture, found, strict=True)])
    transposed = float(np.abs(T - np.swapaxes(inverse, 1, 2)).max())
    unit = np.einsum("nij,njk->nik", T, inverse)
    return [
        *(
            agreed(
                f"eq-{name}-rate", f"equation {number}", f"rate of {name}: one step of the engine with Euler angles",
                text, largest(turn[:, i], each[:, i]), why=STEEP, proof=RATES,
            )
            for i, (name, number, text) in enumerate(
                (
                    ("roll", "6.9", "p + q sin(phi) tan(theta) + r cos(phi) tan(theta)"),
                    ("pitch", "6.10", "q cos(phi) - r sin(phi)"),
                    ("yaw", "6.11", "(q sin(phi) + r cos(phi)) / cos(theta)"),
                )
            )
        ),
        agreed(
            "eq-rates-matrix", "equations 6.12-6.13", "the same three rates as a matrix T",
            "(phi theta psi)-dot = T (p q r)",
            largest(turn, by_matrix), why=STEEP, proof=RATES,
        ),
        statement(
            "eq-rates-not-orthogonal", "equation 6.14", "the inverse of T is not its transpose", "T^-1 is not T^T",
            f"they differ by up to {transposed:.2f}", transposed > 0.1, why="any sizeable difference shows it",
            proof=RATES,
        ),
        agreed(
            "eq-body-rates", "equations 6.15-6.17", "p, q, r back from the rates the engine made of them",
            "p = phi-dot - psi-dot sin(theta), ...", largest(rates_back, nu[:, 3:]), why=STEEP, proof=RATES,
        ),
        agreed(
            "eq-inverse-rates-matrix", "equations 6.18-6.19", "T times its printed inverse", "T T^-1 = 1",
            largest(unit, np.broadcast_to(np.eye(3), unit.shape)), why=STEEP, proof=RATES,
        ),
        agreed(
            "eq-joint-velocity", "equations 6.20-6.22", "six body velocities to six world rates, all at once",
            "V_world = [R 0; 0 T] V_body", largest(found, joint), why=STEEP, proof=RATES,
        ),
        agreed(
            "eq-joint-velocity-back", "equation 6.23", "and back again", "V_body = [R^T 0; 0 T^-1] V_world",
            largest(joint_back, nu), why=STEEP, proof=RATES,
        ),
        statement(
            "eq-rates-differ", "figure 6.3", "the Euler angle rates are not the body rates p, q, r",
            "not equal", f"they differ by up to {float(np.abs(turn - nu[:, 3:]).max()):.2f} rad/s",
            float(np.abs(turn - nu[:, 3:]).max()) > 0.1, why="any sizeable difference shows it", proof=RATES,
        ),
    ]  # fmt: skip
