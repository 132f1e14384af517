"""Compare Euler angles with a quaternion on the same motion, and on loops past the vertical."""

from __future__ import annotations

from dataclasses import dataclass
from math import pi
from typing import TYPE_CHECKING

import numpy as np

from pelagos.analysis.page import PALETTE, UNWRITTEN, new_figure, styled
from pelagos.frames import angle_between
from pelagos.units import FOOT
from pelagos.vehicle.plant import Plant
from pelagos_evidence.brutzman.motions.flights import SCREWS, phoenix, plant_of
from pelagos_evidence.claim import Claim
from pelagos_evidence.document import Drawing, drawn
from pelagos_evidence.rows import Array, Rows, Values

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FINS = (10.0, -10.0, -5.0, 5.0)  # a turn and a dive at once, deg
ATTITUDE = "brutzman-euler-quaternion"


ROWS = Rows(__file__)


@dataclass(frozen=True, eq=False)
class AttitudePair:
    """Differences of two runs by the same commands, one with Euler angles and one with a quaternion."""

    time_s: Array
    apart_ft: Array
    turned_rad: Array


def turning_dive(euler_angles: bool = True) -> Plant:
    """The Phoenix at 2 ft/s with deflected rudders and planes, at the start of the dive."""
    return plant_of(phoenix(), rpm=SCREWS, fins_deg=FINS, surge_ft_s=2.0, euler_angles=euler_angles)


def fly_both() -> AttitudePair:
    """Fly the turning dive for a minute with both attitude representations."""
    with_euler, with_quaternion = turning_dive(True), turning_dive(False)
    rows = []
    for _ in range(120):
        for plant in (with_euler, with_quaternion):
            plant.advance(0.01, 50)
        away = float(np.linalg.norm(with_euler.position_n - with_quaternion.position_n)) / FOOT
        rows.append((with_euler.time_s, away, float(angle_between(with_euler.quaternion, with_quaternion.quaternion))))
    return AttitudePair(*np.array(rows).T)


def _looping(euler_angles: bool, step_s: float) -> tuple[bool, Array]:
    """10 s of loops under a pitch moment, 0.06 deg of roll beside the pole: state still valid or not; place, ft."""
    plant = Plant(phoenix(), euler_angles=euler_angles)
    plant.place(euler=(0.001, 0.0, 0.3), nu=[0.0, 0.0, 0.0, 0.0, pi / 2.0, 0.0])
    plant.command["external"][4] = 250.0  # N m: more than damping and righting moment hold
    steps = round(10.0 / step_s)
    return plant.advance(step_s, steps) == steps, plant.position_n / FOOT


def _astray(flown: tuple[bool, Array], exact: Array) -> float:
    """Distance from the exact place, ft; infinite if the state became invalid."""
    sound, place = flown
    return float(np.linalg.norm(place - exact)) if sound else float("inf")


def attitude_claims(pair: AttitudePair) -> tuple[Claim, ...]:
    """The rows on Euler angles and quaternions."""
    return ROWS.claims(attitude_values(pair))


def attitude_values(pair: AttitudePair) -> Values:
    """Values of the comparison on the turning dive and on the loops."""
    apart, turned = pair.apart_ft, pair.turned_rad
    _, exact = _looping(False, 0.0025)
    off, off_euler = ([_astray(_looping(euler, step), exact) for step in (0.02, 0.01)] for euler in (False, True))
    ends = "quaternion {:.1e} and {:.1e} ft off, Euler angles {:.1e} and {:.1e} ft".format(*off, *off_euler)
    return {
        "euler-or-quaternion": {
            "holds": apart.max() < 1e-10 and turned.max() < 1e-10,
            "distance_ft": apart.max(),
            "angle_rad": turned.max(),
        },
        "vertical": {"holds": off[0] > 8.0 * off[1] and off_euler[1] > 1e4 * off[1], "ends": ends},
    }


def attitude_figure(pair: AttitudePair) -> Drawing:
    """Differences of the two runs over time."""
    times, apart, turned = pair.time_s, pair.apart_ft, pair.turned_rad
    with styled():
        figure: Figure = new_figure(UNWRITTEN, (8.0, 3.0), None)
        ax = figure.subplots()
        ax.semilogy(times, np.maximum(apart, 1e-17), color=PALETTE[0], label="position [ft]")
        ax.semilogy(times, np.maximum(turned, 1e-17), color=PALETTE[1], label="angle [rad]")
        ax.set(
            title="Euler angles minus quaternion, turning dive",
            xlabel="time [s]",
            ylabel="difference",
            xlim=(0.0, 60.0),
            ylim=(1e-17, 1e-9),
        )
        ax.legend(loc="upper left", ncols=2)
        return drawn(
            figure,
            ATTITUDE,
            "The same minute integrated with Euler angles (6.9-6.11) and with a quaternion (6.65): the two "
            "motions stay within 1e-12 ft and rad of each other.",
        )
