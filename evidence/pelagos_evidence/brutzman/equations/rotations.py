"""Section E in words: where Euler angles fail, what quaternions need and cost. One figure."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from pelagos import frames
from pelagos.analysis.page import PALETTE, UNWRITTEN, new_figure, styled
from pelagos.vehicle.plant import Plant
from pelagos_evidence.brutzman import printed
from pelagos_evidence.brutzman.equations.cost import break_even, counted
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
from pelagos_evidence.claim import Claim, Proof, contested, number, quantity, statement
from pelagos_evidence.document import Drawing, Findings, Tell, drawn

FIGURE = "brutzman-singularity"
TESTS = ("tests/test_frames.py", "tests/engine/core/test_attitude.py")
SPIN = np.array([0.0, 0.0, 0.0, 0.3, 0.2, 0.4])  # rad/s, of the figure and its row
CHEAP_SINE = 10.0  # arithmetic operations; tables of processors give 15 to 100


def run(tell: Tell) -> Findings:
    """All rows of section E's text."""
    pitch, euler, quaternion = _near_the_pole()
    claims = [*_singularity(pitch, euler, quaternion), *_angles_at_the_pole()]
    tell(0.5)
    seconds, lengths, kept = drift()
    claims += [*_length(lengths, kept), *_costs()]
    tell(0.8)
    return Findings(tuple(claims), (_figure(pitch, euler, quaternion, seconds, lengths, kept),))


def _near_the_pole() -> tuple[Array, Array, Array]:
    """Pitch (rad), sizes of the Euler angle rates and of the quaternion's rate in the engine, turning at SPIN."""
    pitch = math.pi / 2.0 - np.geomspace(math.radians(0.01), math.radians(90.0), 60)[::-1]
    by_angles, by_quaternion = Plant(phoenix(), euler_angles=True), Plant(phoenix(), euler_angles=False)
    posture = [np.array([0.2, theta, 0.4]) for theta in pitch]
    euler = np.array([np.linalg.norm(world_rates(by_angles, a, SPIN)[3:]) for a in posture])
    quaternion = np.array([np.linalg.norm(world_rates(by_quaternion, a, SPIN)[3:]) for a in posture])
    return pitch, euler.astype(float), quaternion.astype(float)


def _singularity(pitch: Array, euler: Array, quaternion: Array) -> list[Claim]:
    """Where rates grow without bound, and where not."""
    growth = euler[-1] / euler[0]
    plant = Plant(phoenix(), euler_angles=False)
    rates, halves = [], []
    for a, nu in zip(angles(STATES, 700, math.pi / 2.0), velocities(STATES, 701), strict=True):
        rates.append(np.linalg.norm(world_rates(plant, a, nu)[3:]))
        halves.append(0.5 * np.linalg.norm(nu[3:]))
    # nose straight up, rolling: where Euler angles have no rate
    rates.append(np.linalg.norm(world_rates(plant, [0.3, math.pi / 2.0, 0.0], SPIN)[3:]))
    halves.append(0.5 * np.linalg.norm(SPIN[3:]))
    at_pi = float(np.abs(printed.rates_matrix(0.3, math.pi)).max())
    at_half = float(np.abs(printed.rates_matrix(0.3, math.pi / 2.0 - 1e-6)).max())
    pitches = (math.pi, math.pi / 2.0)
    upright = {theta: abs(float(frames.rotation_from_euler(0.3, theta, 0.0)[2, 0])) for theta in pitches}
    proof = Proof(
        ("B9",),
        ("pelagos.engine.core.attitude.euler_rate", "pelagos.engine.core.attitude.quaternion_rate"),
        TESTS,
        (FIGURE,),
    )
    return [
        statement(
            "quaternion-euler-singular", "section C, section E", "Euler angle rates at a constant turn grow without "
            "bound towards vertical", "a singularity at theta = +-pi/2", f"{growth:.0f} times larger at "
            f"{math.degrees(pitch[-1]):.2f} deg pitch than level",
            bool(growth > 1000.0 and np.all(np.diff(euler[-20:]) > 0.0)),
            tolerance="more than 1000 times within 0.01 deg of vertical", why="1/cos(89.99 deg) is 5730",
            numbers={"ours": float(growth)}, unit="1", proof=proof,
        ),
        agreed(
            "quaternion-no-singularity", "section E", "the quaternion's rate is half the rate of turn at any attitude, "
            "also straight up", "no corresponding singularity in the quaternion rates", largest(rates, halves),
            states=f"{len(rates)} attitudes",
            ours="|Q-dot| = |omega|/2", proof=proof,
        ),
        contested(
            "quaternion-vertical-pi", "section E", "pitch of a vehicle that points vertically", "theta = +-pi",
            "A vehicle points vertically at theta = +-pi/2, as section C and equation 6.2 say; at +-pi it lies on its "
            "back and the rates are finite.",
            ours=f"largest entry of T {at_pi:.2f} at pi, {at_half:.1e} a millionth of a radian before pi/2",
            numbers={"published": math.pi, "ours": math.pi / 2.0}, unit="of the bow's direction level", proof=proof,
            off=1.0 - upright[math.pi], limit=1e-6, right=at_half > 1e5 and upright[math.pi / 2.0] > 1.0 - 1e-12,
        ),
    ]  # fmt: skip


def _angles_at_the_pole() -> list[Claim]:
    """What a rotation matrix still knows of roll and yaw when the vehicle points up or down; Q and -Q."""

    def moved(theta: float, both: float) -> float:
        """Largest change of R over 20 shifts of roll by s and yaw by `both` s."""
        R = frames.rotation_from_euler(0.3, theta, 1.1)
        return max(
            float(np.abs(frames.rotation_from_euler(0.3 + s, theta, 1.1 + both * s) - R).max())
            for s in np.linspace(0.1, 3.0, 20)
        )

    up, down = math.pi / 2.0, -math.pi / 2.0
    proof = Proof(("B10",), ("pelagos.frames.euler_from_rotation",), TESTS)
    Q = frames.quaternion_from_euler(*angles(STATES, 710).T)
    same = largest(frames.rotation_from_quaternion(-Q), frames.rotation_from_quaternion(Q))
    determinant = max(
        abs(float(np.linalg.det(printed.inverse_rates_matrix(phi, theta))) - math.cos(theta))
        for phi, theta, _ in angles(STATES, 711, math.pi / 2.0)
    )
    return [
        contested(
            "quaternion-pole-sum", "section E", "what is left of roll and yaw when the vehicle points vertically",
            "the sum phi + psi nose up, the difference phi - psi nose down",
            "It is the other way round: by equation 6.5 at theta = +pi/2 R holds only phi - psi, at -pi/2 only phi + "
            "psi.",
            ours=f"nose up, R changes by {moved(up, 1.0):.0e} when roll and yaw grow together and by "
            f"{moved(up, -1.0):.1f} when they grow apart; nose down {moved(down, 1.0):.1f} and {moved(down, -1.0):.0e}",
            proof=proof,
            off=max(moved(up, -1.0), moved(down, 1.0)), limit=1e-9, right=max(moved(up, 1.0), moved(down, -1.0)) < 1e-9,
        ),
        agreed(
            "quaternion-three-too-few", "section E", "three angles cannot describe every attitude and turn: the "
            "determinant of T^-1 is cos(theta), zero at the pole", "three parameters are inadequate", determinant,
            ours="det T^-1 = cos(theta)", proof=proof,
        ),
        contested(
            "quaternion-unique", "section E, figure 6.6", "one quaternion for each attitude, with rotations in [0, 2 "
            "pi)",
            "uniquely defines all possible orientations",
            "A turn by D about an axis is a turn by 2 pi - D about the opposite axis: Q and -Q are one attitude. "
            "Comparisons of attitudes must not depend on the sign.",
            ours=f"R(-Q) - R(Q) at most {quantity(same)} at {STATES} random attitudes", numbers={"ours": same},
            unit="1",
            proof=Proof(("B14",), ("pelagos.frames.angle_between",), TESTS), off=float(same < 1e-12), limit=0.0,
        ),
    ]  # fmt: skip


def drift(step_s: float = 0.1, seconds: float = 60.0) -> tuple[Array, Array, Array]:
    """Time, length of Q by Euler steps of (6.65) without normalising, and by the engine; both turn at SPIN."""
    plant = Plant(replace(phoenix(), free=(True, *(False,) * 5)), euler_angles=False)  # rates held: a steady turn
    plant.place(nu=SPIN)
    Q, lengths, kept = np.array([1.0, 0.0, 0.0, 0.0]), [1.0], [1.0]
    count = round(seconds / step_s)
    for _ in range(count):
        Q = Q + step_s * printed.rates(*Q, *SPIN[3:])
        plant.advance(step_s, 1, "euler")
        lengths.append(float(np.linalg.norm(Q)))
        kept.append(float(np.linalg.norm(plant.quaternion)))
    return np.linspace(0.0, seconds, count + 1), np.array(lengths), np.array(kept)


def _length(lengths: Array, kept: Array) -> list[Claim]:
    expected = (1.0 + 0.25 * 0.1**2 * float(SPIN[3:] @ SPIN[3:])) ** 300.0
    proof = Proof(
        (), ("pelagos.engine.core.steppers.normalised",), ("tests/engine/core/test_steppers.py", *TESTS), (FIGURE,)
    )
    return [
        statement(
            "quaternion-normalising", "section E", "length of Q after 60 s of a steady turn of 0.54 rad/s, Euler steps "
            "of 0.1 s, without normalising", "normalization may be periodically required",
            f"grown by {100.0 * (lengths[-1] - 1.0):.1f} % (closed form {100.0 * (expected - 1.0):.1f} %)",
            bool(lengths[-1] > 1.01 and abs(lengths[-1] / expected - 1.0) < 1e-9), tolerance="more than 1 %",
            why="each step multiplies the length by sqrt(1 + (|omega| dt / 2)^2)", numbers={"ours": float(lengths[-1])},
            unit="1",
            proof=proof,
        ),
        number(
            "quaternion-length-kept", "section E", "the same turn and steps in the engine, which normalises each time: "
            "length farthest from one during the 60 s",
            1.0, float(max(kept, key=lambda length: abs(length - 1.0))), "", absolute=1e-15,
            why="magnitude equal to unity (text); a few roundings of 2.2e-16", proof=proof,
        ),
    ]  # fmt: skip


def _costs() -> list[Claim]:
    update, turn = counted(printed.rates), counted(printed.angle_rates)
    with_angles = update + counted(printed.extracted)
    limit = break_even(update, turn)
    proof = Proof(
        (), ("pelagos.engine.core.attitude.quaternion_rate", "pelagos.engine.core.attitude.euler_rate"), TESTS
    )
    return [
        statement(
            "quaternion-cheaper-update", "section E", "work of one rotational update alone: 6.65 against 6.9-6.11, "
            "operations counted in the typed-in equations", "quaternions less than Euler angles",
            f"quaternion {update.text()}; Euler angles {turn.text()}; cheaper if a sine costs more than {limit:.1f} "
            f"operations",
            limit < CHEAP_SINE, tolerance=f"break-even below {CHEAP_SINE:.0f} operations",
            assumption=f"a sine or cosine costs at least {CHEAP_SINE:.0f} additions or multiplications",
            why="counted, not timed",
            numbers={"ours": limit}, unit="operations", proof=proof,
        ),
        statement(
            "quaternion-dearer-angles", "section E", "the same when Euler angles are needed at every step: 6.65 with "
            "6.66-6.68 against 6.9-6.11", "greater computational complexity for quaternions",
            f"quaternion {with_angles.text()}; Euler angles {turn.text()}",
            with_angles.arithmetic > turn.arithmetic and with_angles.functions >= turn.functions,
            why="more of both, or equal: no assumption on what a sine costs", proof=proof,
        ),
    ]  # fmt: skip


def _figure(pitch: Array, euler: Array, quaternion: Array, seconds: Array, lengths: Array, kept: Array) -> Drawing:
    with styled():
        figure = new_figure(UNWRITTEN, (9.0, 3.5), "Euler angles against quaternions")
        left, right = figure.subplots(1, 2)
        left.semilogy(np.degrees(pitch), euler, color=PALETTE[1], label="Euler angle rates, 6.9-6.11 (rad/s)")
        left.semilogy(np.degrees(pitch), quaternion, color=PALETTE[0], label="quaternion rate, 6.65 (1/s)")
        left.set(xlabel="pitch (deg)", ylabel="size of the rate", title="At one rate of turn, 0.54 rad/s")
        left.legend(loc="upper left")
        right.plot(seconds, lengths, color=PALETTE[1], label="6.65 by Euler steps of 0.1 s, not normalised")
        right.plot(seconds, kept, color=PALETTE[0], label="the engine")
        right.set(xlabel="time (s)", ylabel="length of the quaternion", title="Why to normalise")
        right.legend(loc="upper left")
        return drawn(
            figure,
            FIGURE,
            "Left: rates of the Euler angles and of the quaternion at the same rate of turn, by one step of the engine "
            "each, as the vehicle points up: equations 6.9-6.11 grow without bound at 90 deg, equation 6.65 does not "
            "change. Right: length of a quaternion integrated without normalising, and in the engine.",
        )
