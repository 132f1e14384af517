"""Statements of section E: the singularity of Euler angles, the normalisation and cost of quaternions. One figure."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from pelagos import frames
from pelagos.analysis.page import PALETTE, UNWRITTEN, new_figure, styled
from pelagos.vehicle.plant import Plant
from pelagos_evidence.brutzman import printed
from pelagos_evidence.brutzman.equations.cost import break_even, counted
from pelagos_evidence.brutzman.equations.rows import STATES, angles, equation, largest, phoenix, velocities, world_rates
from pelagos_evidence.document import Drawing, Findings, Progress, drawn
from pelagos_evidence.rows import Array, Rows, Values

FIGURE = "brutzman-singularity"
SPIN = np.array([0.0, 0.0, 0.0, 0.3, 0.2, 0.4])  # rad/s, of the figure and its row


ROWS = Rows(__file__, kinds=(equation,), STATES=STATES)


def run(progress: Progress) -> Findings:
    """All rows of section E's text."""
    pitch, euler, quaternion = _near_the_pole()
    values = {**_singularity(pitch, euler, quaternion), **_angles_at_the_pole()}
    progress(0.5)
    seconds, lengths, kept = drift()
    values |= {**_length(lengths, kept), **_costs()}
    progress(0.8)
    return Findings(ROWS.claims(values), (_figure(pitch, euler, quaternion, seconds, lengths, kept),))


def _near_the_pole() -> tuple[Array, Array, Array]:
    """Pitch (rad), sizes of the Euler angle rates and of the quaternion's rate in the engine, turning at SPIN."""
    pitch = math.pi / 2.0 - np.geomspace(math.radians(0.01), math.radians(90.0), 60)[::-1]
    by_angles, by_quaternion = Plant(phoenix(), euler_angles=True), Plant(phoenix(), euler_angles=False)
    posture = [np.array([0.2, theta, 0.4]) for theta in pitch]
    euler = np.array([np.linalg.norm(world_rates(by_angles, a, SPIN)[3:]) for a in posture])
    quaternion = np.array([np.linalg.norm(world_rates(by_quaternion, a, SPIN)[3:]) for a in posture])
    return pitch, euler.astype(float), quaternion.astype(float)


def _singularity(pitch: Array, euler: Array, quaternion: Array) -> Values:
    """Rates near the pole: Euler angle rates grow without bound, quaternion rates do not."""
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
    return {
        "quaternion-euler-singular": {
            "holds": bool(growth > 1000.0 and np.all(np.diff(euler[-20:]) > 0.0)),
            "growth": growth,
            "pitch": math.degrees(pitch[-1]),
        },
        "quaternion-no-singularity": {"difference": largest(rates, halves), "attitudes": len(rates)},
        "quaternion-vertical-pi": {
            "off": 1.0 - upright[math.pi],
            "right": at_half > 1e5 and upright[math.pi / 2.0] > 1.0 - 1e-12,
            "at_pi": at_pi,
            "at_half": at_half,
        },
    }


def _angles_at_the_pole() -> Values:
    """Roll and yaw from a rotation matrix at pitch +-90 deg, and the equality of Q and -Q."""

    def moved(theta: float, both: float) -> float:
        """Largest change of R over 20 shifts of roll by s and yaw by `both` s."""
        R = frames.rotation_from_euler(0.3, theta, 1.1)
        return max(
            float(np.abs(frames.rotation_from_euler(0.3 + s, theta, 1.1 + both * s) - R).max())
            for s in np.linspace(0.1, 3.0, 20)
        )

    up, down = math.pi / 2.0, -math.pi / 2.0
    Q = frames.quaternion_from_euler(*angles(STATES, 710).T)
    same = largest(frames.rotation_from_quaternion(-Q), frames.rotation_from_quaternion(Q))
    determinant = max(
        abs(float(np.linalg.det(printed.inverse_rates_matrix(phi, theta))) - math.cos(theta))
        for phi, theta, _ in angles(STATES, 711, math.pi / 2.0)
    )
    return {
        "quaternion-pole-sum": {
            "off": max(moved(up, -1.0), moved(down, 1.0)),
            "right": max(moved(up, 1.0), moved(down, -1.0)) < 1e-9,
            "up_together": moved(up, 1.0),
            "up_apart": moved(up, -1.0),
            "down_together": moved(down, 1.0),
            "down_apart": moved(down, -1.0),
        },
        "quaternion-three-too-few": determinant,
        "quaternion-unique": {"off": float(same < 1e-12), "same": same},
    }


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


def _length(lengths: Array, kept: Array) -> Values:
    expected = (1.0 + 0.25 * 0.1**2 * float(SPIN[3:] @ SPIN[3:])) ** 300.0
    return {
        "quaternion-normalising": {
            "holds": bool(lengths[-1] > 1.01 and abs(lengths[-1] / expected - 1.0) < 1e-9),
            "growth_percent": 100.0 * (lengths[-1] - 1.0),
            "expected": 100.0 * (expected - 1.0),
            "length": lengths[-1],
        },
        "quaternion-length-kept": float(max(kept, key=lambda length: abs(length - 1.0))),
    }


def _costs() -> Values:
    update, turn = counted(printed.rates), counted(printed.angle_rates)
    with_angles = update + counted(printed.extracted)
    return {
        "quaternion-cheaper-update": {
            "value": break_even(update, turn),
            "text_update": update.text(),
            "text_turn": turn.text(),
        },
        "quaternion-dearer-angles": {
            "holds": with_angles.arithmetic > turn.arithmetic and with_angles.functions >= turn.functions,
            "text_with_angles": with_angles.text(),
            "text_turn": turn.text(),
        },
    }


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
